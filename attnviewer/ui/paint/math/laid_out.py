"""A formula that is laid out: painted, and asked for the cell at a point."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from attnviewer.compute import Cell
from attnviewer.ui.paint.level_line import paint_level_line
from attnviewer.ui.paint.math.faces import Face
from attnviewer.ui.paint.math.nodes import Atom

Mark = tuple[float, float, float, Face, Atom]
"""An atom: its left end, its baseline, its width, its font."""
Stroke = tuple[float, tuple[tuple[float, float], ...]]
"""A line through points, and its thickness."""

_Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_EVERYWHERE: _Sides = (-math.inf, -math.inf, math.inf, math.inf)
_AROUND = 2.0
"""How far beside a number a click still meets it, in pixels."""
_UNDERLINE = 0.4
"""Opacity of the line under a link."""
_OVERHANG, _BELOW = 3.0, 4.0
"""How far letters, and the lines under links, reach beyond the extent of a text."""


@dataclass(frozen=True, slots=True)
class Link:
    """A cell's number or name, and where it stands: once, or once per line."""

    cell: Cell
    color: str
    places: tuple[QRectF, ...]


class LaidOut:
    """A formula at its place; all positions are relative to its baseline's left end.

    Attributes
    ----------
    width, ascent, descent : float
        Its extent, in pixels. The baseline is that of its first line.
    marks : list of Mark
        The texts, in visual order.
    strokes : list of Stroke
        The bars, roots and brackets.
    """

    __slots__ = (
        "_changed",
        "_extents",
        "_links",
        "_underlines",
        "ascent",
        "descent",
        "marks",
        "strokes",
        "width",
    )

    def __init__(
        self,
        width: float,
        ascent: float,
        descent: float,
        marks: list[Mark],
        strokes: list[Stroke],
    ) -> None:
        self.width, self.ascent, self.descent = width, ascent, descent
        self.marks, self.strokes = marks, strokes
        self._links: tuple[Link, ...] | None = None
        self._extents: list[_Sides] | None = None
        self._underlines: list[tuple[float, float, float, str]] | None = None
        # The marks that these were made from, and the places where they differ.
        self._changed: tuple[list[Mark] | None, Sequence[int]] = None, ()

    @property
    def height(self) -> float:
        """The height of all lines."""
        return self.ascent + self.descent

    @property
    def links(self) -> tuple[Link, ...]:
        """The links in visual order, as Tab visits them."""
        if self._links is None:
            self._links = tuple(self._found_links())
        return self._links

    @property
    def extents(self) -> list[_Sides]:
        """The sides of each mark, and of the line under it."""
        if self._extents is None:
            self._extents = list(map(_extent, self.marks))
        return self._extents

    @property
    def underlines(self) -> list[tuple[float, float, float, str]]:
        """Left, right and bottom of what is a link, and its colour; "" for none."""
        if self._underlines is None:
            self._underlines = [
                (left, right, bottom, link.color)
                for link in self.links
                for left, _, right, bottom in map(_sides, link.places)
            ]
        return self._underlines

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell that a point links to."""
        for link in self.links:
            for place in link.places:
                around = place.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
                if around.contains(x, y):
                    return link.cell
        return None

    def with_marks(
        self, marks: list[Mark], places: Sequence[int], *, same_links: bool
    ) -> "LaidOut":
        """Return the same with other texts of the same extent at some of the marks.

        Parameters
        ----------
        marks : list of Mark
            All marks.
        places : sequence of int
            Which of them are others.
        same_links : bool
            Whether they link to the same cells in the same colours.
        """
        other = LaidOut(self.width, self.ascent, self.descent, marks, self.strokes)
        other._changed = self.marks, places
        other._extents = self._extents
        if same_links:
            other._links, other._underlines = self._links, self._underlines
        return other

    def changed_rect(self, before: "LaidOut") -> QRectF | None:
        """Return a rectangle around the texts that differ; None for everything.

        Parameters
        ----------
        before : LaidOut
            What was painted at the same place.
        """
        if len(self.marks) != len(before.marks) or self.strokes != before.strokes:
            return None
        marks, places = self._changed
        if marks is not before.marks:
            places = range(len(self.marks))
        left = top = math.inf
        right = bottom = -math.inf
        for place in places:
            if self.marks[place] != before.marks[place]:
                sides = self.extents[place], before.extents[place]
                for west, north, east, south in sides:
                    left, top = min(left, west), min(top, north)
                    right, bottom = max(right, east), max(bottom, south)
        if left > right:
            return QRectF()
        return QRectF(left, top, right - left, bottom - top)

    def paint(
        self,
        painter: QPainter,
        x: float,
        baseline: float,
        exposed: QRectF | None = None,
    ) -> None:
        """Paint it; atoms without a colour have that of the pen.

        Parameters
        ----------
        painter : QPainter
            An active painter.
        x, baseline : float
            Where the first baseline begins.
        exposed : QRectF, optional
            The part of the device that is painted; everything by default.
        """
        pen, kept, font = painter.pen(), painter.font(), None
        here = _EVERYWHERE
        if exposed is not None:
            here = _sides(exposed.translated(-x, -baseline))
        color = ""
        for mark, extent in zip(self.marks, self.extents, strict=True):
            if not _meets(here, extent):
                continue
            left, base, _, face, atom = mark
            if face is not font:
                font = face
                painter.setFont(face.font)
            if atom.color != color:
                color = atom.color
                painter.setPen(_opaque(color) if color else pen)
            painter.drawText(QPointF(x + left, baseline + base), atom.text)
        painter.setPen(pen)
        if font is not None:
            painter.setFont(kept)
        self._underline(painter, x, baseline, here)
        self._stroke(painter, x, baseline, here)

    def _underline(self, painter: QPainter, x: float, y: float, here: _Sides) -> None:
        # Below descenders and subscripts, which a font's own underline runs through.
        for left, right, bottom, hue in self.underlines:
            if _meets(here, (left - 1, bottom - 1, right + 1, bottom + _BELOW)):
                color = _faded(hue or painter.pen().color().name())
                below = round(y + bottom + 1)
                painter.fillRect(QRectF(x + left, below, right - left, 1), color)

    def _stroke(self, painter: QPainter, x: float, y: float, here: _Sides) -> None:
        seen = [stroke for stroke in self.strokes if _meets(here, _around(*stroke))]
        if not seen:
            return
        pen, smooth = (
            painter.pen(),
            painter.testRenderHint(QPainter.RenderHint.Antialiasing),
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for thickness, points in seen:
            (left, top), (right, bottom) = points[0], points[-1]
            if len(points) == 2 and top == bottom:
                level = left + x, right + x, top + y, thickness
                paint_level_line(painter, *level, pen.color())
                continue
            painter.setPen(QPen(pen.color(), thickness))
            painter.drawPolyline([QPointF(x + a, y + b) for a, b in points])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)

    def _found_links(self) -> Iterator[Link]:
        for cell, found in groupby(self.marks, lambda mark: mark[4].cell):
            if cell is not None:
                marks = list(found)
                yield Link(cell, marks[0][4].color, tuple(_joined(marks)))


def _extent(mark: Mark) -> _Sides:
    """Return the sides of an atom, and of the line under it."""
    left, base, width, face, atom = mark
    _, ascent, descent = face.extent(atom.text)
    return (
        left - _OVERHANG,
        base - ascent - _OVERHANG,
        left + width + _OVERHANG,
        base + max(descent, face.descent) + _BELOW,
    )


def _around(thickness: float, points: tuple[tuple[float, float], ...]) -> _Sides:
    """Return the sides of a line."""
    across, down = zip(*points, strict=True)
    by = thickness + 1
    return min(across) - by, min(down) - by, max(across) + by, max(down) + by


def _sides(rect: QRectF) -> _Sides:
    left, top = rect.left(), rect.top()
    return left, top, left + rect.width(), top + rect.height()


def _meets(here: _Sides, there: _Sides) -> bool:
    return (
        here[0] <= there[2]
        and there[0] <= here[2]
        and here[1] <= there[3]
        and there[1] <= here[3]
    )


@lru_cache(maxsize=64)
def _opaque(name: str) -> QColor:
    return QColor(name)


@lru_cache(maxsize=64)
def _faded(name: str) -> QColor:
    color = QColor(name)
    color.setAlphaF(_UNDERLINE)
    return color


def _joined(marks: Sequence[Mark]) -> Iterator[QRectF]:
    """Yield the rectangles of marks, one for those that touch each other."""
    joined: QRectF | None = None
    for left, base, width, face, atom in marks:
        _, ascent, descent = face.extent(atom.text)
        place = QRectF(left, base - ascent, width, ascent + descent)
        if joined is not None and place.left() >= joined.right() - 0.5:
            joined = joined.united(place)
            continue
        if joined is not None:
            yield joined
        joined = place
    if joined is not None:
        yield joined
