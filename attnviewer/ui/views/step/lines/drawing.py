"""The lines that are drawn for what is in sight."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from attnviewer.compute import IndexArray
from attnviewer.ui.paint.head_hues import hue
from attnviewer.ui.views.step.lines.arrangement import Arrangement, Side
from attnviewer.ui.views.step.lines.content import LinesContent
from attnviewer.ui.views.step.lines.curves import Strokes
from attnviewer.ui.views.step.lines.focus import Focus
from attnviewer.ui.views.step.lines.painting import (
    Pen,
    picture_of,
    strokes_of,
    touching,
)
from attnviewer.ui.views.step.lines.strongest import Links, strongest

MOST = 400
"""Lines that can be painted within a frame."""
MOST_IN_FOCUS = 300
QUIET, QUIETER, LOUD = (0.10, 0.65), (0.06, 0.4), (0.3, 0.97)
"""Opacities of the least and the largest weight: of lines on their own, of those
beside others that stand out, and of the latter."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Lines with what they were painted for; painted again only for something else."""

    reason: tuple[object, ...]
    links: Links
    strokes: Strokes
    image: QImage
    colors: tuple[str, ...]
    which: IndexArray


@dataclass(frozen=True, slots=True)
class Canvas:
    """The lines to draw, their arrangement, and the screen's device pixel ratio."""

    content: LinesContent
    arrangement: Arrangement
    ratio: float

    def layer(
        self,
        reason: tuple[object, ...],
        links: Links,
        opacities: tuple[float, float],
        color: str,
    ) -> Layer:
        """Paint links in one colour, or each head in its own."""
        content, arrangement = self.content, self.arrangement
        heads = content.reading.heads
        stacks = content.reading.stacks(content.threshold)
        pen = Pen(heads, content.reading.largest, *opacities, stacks)
        strokes = strokes_of(links, arrangement, pen)
        colors, which = [color], np.zeros(len(links), np.intp)
        if content.hues and heads:
            colors = [hue(content.theme, head) for head in heads]
            which = np.searchsorted(heads, links.heads)
        size = QSizeF(arrangement.right - arrangement.left, arrangement.height)
        image = picture_of(strokes, colors, which, size, self.ratio)
        return Layer(reason, links, strokes, image, tuple(colors), which)


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The lines in sight.

    Parameters
    ----------
    canvas : Canvas
        What is drawn, and where.
    reaching : int
        How many lines that are in sight reach the threshold.
    quiet, loud : Layer
        The lines that are drawn, and above them those that stand out.
    """

    canvas: Canvas
    reaching: int
    quiet: Layer
    loud: Layer

    @property
    def images(self) -> tuple[QImage, QImage]:
        """The pictures, the lower one first."""
        return self.quiet.image, self.loud.image

    @property
    def is_cut(self) -> bool:
        """Whether more lines reach the threshold than are drawn."""
        return self.reaching > len(self.quiet.links)


def draw(canvas: Canvas, focus: Focus, before: Drawing | None) -> Drawing:
    """Draw lines, but keep of an earlier drawing what is still right.

    Parameters
    ----------
    canvas : Canvas
        What is drawn, and where.
    focus : Focus
        What stands out.
    before : Drawing or None
        An earlier drawing.
    """
    content, arrangement = canvas.content, canvas.arrangement
    stands_out = bool(focus.queries or focus.keys)
    reason: tuple[object, ...] = canvas, stands_out
    if before is not None and before.quiet.reason == reason:
        quiet, reaching = before.quiet, before.reaching
    else:
        links = content.reading.links(
            arrangement.in_sight("queries"), content.threshold
        )
        links = touching(links, arrangement)
        reaching = len(links)
        opacities = QUIETER if stands_out else QUIET
        links, color = strongest(links, MOST), content.theme.muted
        quiet = canvas.layer(reason, links, opacities, color)
    reason = canvas, focus.queries, focus.keys
    if before is not None and before.loud.reason == reason:
        loud = before.loud
    else:
        links = strongest(_in_focus(content, focus), MOST_IN_FOCUS)
        loud = canvas.layer(reason, links, LOUD, content.theme.accent)
    return Drawing(canvas, reaching, quiet, loud)


def _in_focus(content: LinesContent, focus: Focus) -> Links:
    sides: tuple[tuple[Side, tuple[int, ...]], ...] = (
        ("queries", focus.queries),
        ("keys", focus.keys),
    )
    return Links.concatenate(
        [
            content.reading.links_of(side, token, content.threshold)
            for side, tokens in sides
            for token in tokens
        ]
    )
