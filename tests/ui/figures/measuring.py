"""Measures figures by their elements, with Qt's own metrics of the font."""

import math

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPolygonF, QTransform

from attnviewer.compute import attention
from attnviewer.document import Labels
from attnviewer.io.export import Computation
from attnviewer.ui.figures.composing import Figure, compose
from attnviewer.ui.figures.elements import Cells, Text
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.style import FigureStyle, millimetres_of

SENTENCE = (
    *("the", "quick", "brown", "fox", "jumps", "over", "the", "lazy"),
    *("dog", "because", "it", "was", "too", "tired", "to", "stop"),
)
"""Sixteen words."""
SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def computation(
    rows, columns=None, heads=(), labels=None, title="Drawn", **options
) -> Computation:
    """Return attention over random queries and keys, with words as tokens."""
    columns = rows if columns is None else columns
    rng = np.random.default_rng(7)
    q = rng.normal(size=(*heads, rows, 4))
    k, v = rng.normal(size=(2, *heads, columns, 4))
    trace = attention(q, k, v, **options)
    words = [SENTENCE[place % len(SENTENCE)] for place in range(max(rows, columns))]
    labels = labels or (tuple(words[:rows]), tuple(words[:columns]))
    return Computation(title, Labels(*labels), trace)


def figure_of(what: Computation, width=None, caption=False, **panel) -> Figure:
    millimetres = None if width is None else millimetres_of(width)
    style = FigureStyle(millimetres, caption=caption)
    return compose([Panel(what, **panel)], style)


def texts_of(elements) -> list[Text]:
    return [element for element in elements if isinstance(element, Text)]


def texts(figure: Figure) -> list[str]:
    return [text.text for text in texts_of(figure.elements)]


def matrices(figure: Figure) -> list[Cells]:
    """Return the cells of matrices; those of colour bars are 256 in a line."""
    return [
        element
        for element in figure.elements
        if isinstance(element, Cells) and 256 not in element.colors.shape[:2]
    ]


def outline(figure: Figure, text: Text) -> QPolygonF:
    """Return the four corners of a text's ink, turned as it is drawn."""
    face = figure.faces.caption if text.serif else figure.faces.labels
    font = QFont(face.family)
    font.setPixelSize(1000)
    font.setBold(text.bold)
    font.setItalic(text.italic)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    metrics, unit = QFontMetricsF(font), text.size / 1000
    box = metrics.tightBoundingRect(text.text)
    start = -metrics.horizontalAdvance(text.text) * SHARE[text.anchor]
    place = QTransform().translate(text.x, text.y).rotate(text.angle)
    place.scale(unit, unit)
    return place.map(QPolygonF(box.translated(QPointF(start, 0))))


def apart(one: QPolygonF, other: QPolygonF) -> bool:
    """Return whether two convex shapes are disjoint: some line separates them."""
    for shape in (one, other):
        points = [shape.at(k) for k in range(4)]
        for a, b in zip(points, points[1:] + points[:1], strict=True):
            normal = (a.y() - b.y(), b.x() - a.x())
            length = math.hypot(*normal)
            if not length:
                continue
            spans = [
                [
                    (p.x() * normal[0] + p.y() * normal[1]) / length
                    for p in (polygon.at(k) for k in range(4))
                ]
                for polygon in (one, other)
            ]
            if max(spans[0]) <= min(spans[1]) or max(spans[1]) <= min(spans[0]):
                return True
    return False


def overlapping(figure: Figure) -> list[tuple[str, str]]:
    """Return the texts that lie over each other."""
    drawn = [t for t in texts_of(figure.elements) if t.text.strip()]
    shapes = [outline(figure, text) for text in drawn]
    boxes = [shape.boundingRect() for shape in shapes]
    return [
        (drawn[i].text, drawn[j].text)
        for i in range(len(drawn))
        for j in range(i)
        if boxes[i].intersects(boxes[j]) and not apart(shapes[i], shapes[j])
    ]


def outside(figure: Figure) -> list[str]:
    """Return the texts that reach beyond the figure."""
    drawn = [t for t in texts_of(figure.elements) if t.text.strip()]
    found = []
    for text in drawn:
        box = outline(figure, text).boundingRect()
        if (
            box.left() < -0.01
            or box.top() < -0.01
            or box.right() > figure.width + 0.01
            or box.bottom() > figure.height + 0.01
        ):
            found.append(text.text)
    return found
