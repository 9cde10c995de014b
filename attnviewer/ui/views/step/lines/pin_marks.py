"""The marks of lines whose weights are pinned."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.pin_mark import ALONG, diamond
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.views.step.lines.curves import rise
from attnviewer.ui.views.step.lines.drawing import Drawing
from attnviewer.ui.views.step.lines.reading import Reading
from attnviewer.ui.views.step.lines.strongest import Links

RADIUS, HALO = 5.0, 7.5
"""Half the heights of a mark and of the ground beneath it, in pixels."""


def paint_pin_marks(painter: QPainter, drawing: Drawing) -> None:
    """Paint a diamond on each line that is drawn for a pinned weight."""
    content = drawing.canvas.content
    if content.reading.trace.stages[STEP_OF_ALL].pins is None:
        return
    theme = content.theme
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for place in marked_places(drawing):
        for color, radius in ((theme.window, HALO), (theme.text, RADIUS)):
            painter.setBrush(QColor(color))
            painter.drawPolygon(diamond(place, radius))
    painter.restore()


def marked_places(drawing: Drawing) -> list[QPointF]:
    """Return where the marks are, below the headings."""
    reading, arrangement = drawing.canvas.content.reading, drawing.canvas.arrangement
    across = arrangement.left + ALONG * (arrangement.right - arrangement.left)
    share = float(rise(np.array(ALONG)))
    places: list[QPointF] = []
    for layer in (drawing.quiet, drawing.loud):
        pinned = pinned_links(reading, layer.links)
        starts, ends = layer.strokes.starts[pinned], layer.strokes.ends[pinned]
        heights = starts + (ends - starts) * share  # (marks,)
        places += [QPointF(across, height) for height in heights.tolist()]
    return places


def pinned_links(reading: Reading, links: Links) -> BoolArray:
    """Return which links are pinned weights, shape (n,)."""
    found = np.zeros(len(links), np.bool_)  # (n,)
    for head in np.unique(links.heads).tolist():
        own = np.flatnonzero(links.heads == head)
        queries = links.queries[own]  # (own,)
        first = int(queries.min())
        rows = slice(first, int(queries.max()) + 1)
        pinned = reading.weights(head).pinned(rows)  # (rows, n_k) or None
        if pinned is not None:
            found[own] = pinned[queries - first, links.keys[own]]
    return found
