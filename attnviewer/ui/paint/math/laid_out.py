"""A formula that is laid out: painted, and asked for the cell at a point."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QRegion

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
_AROUND = 2.0
"""How far beside a number a click still meets it, in pixels."""
_EDGE = 1.0
"""How far digits and lines may reach beyond their extent, as edges are smooth."""
_CORNER = 0.75
"""How far a line's corners may reach beyond its points, as a share of its width."""
_UNDERLINE = 0.4
"""Opacity of the line under a link."""
_OVERHANG, _BELOW = 3.0, 3.0
"""How far letters, and the lines under links, may reach beyond the extent of a text."""


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

    @property
    def height(self) -> float:
        """The height of all lines."""
        return self.ascent + self.descent

    @property
    def links(self) -> tuple[Link, ...]:
        """The links in visual order, as Tab visits them."""
        if self._links is None:
            self._links = tuple(
                Link(cell, color, tuple(_rect(*sides) for sides in places))
                for cell, color, places in self._linked()
            )
        return self._links

    @property
    def extents(self) -> list[_Sides]:
        """The sides of all that is painted: of marks, underlines and strokes."""
        if self._extents is None:
            self._extents = [
                *map(_extent, self.marks),
                *((a - 1, y, b + 1, y + _BELOW) for a, b, y, _ in self.underlines),
                *(_around(*stroke) for stroke in self.strokes),
            ]
        return self._extents

    @property
    def underlines(self) -> list[tuple[float, float, float, str]]:
        """Left, right and bottom of what is a link, and its colour; "" for none."""
        if self._underlines is None:
            self._underlines = [
                (left, right, bottom, color)
                for _, color, places in self._linked()
                for left, _, right, bottom in places
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
        self, marks: list[Mark], *, same_colors: bool, same_links: bool
    ) -> "LaidOut":
        """Return the same with other texts of the same extents and as many links.

        Parameters
        ----------
        marks : list of Mark
            All marks.
        same_colors : bool
            Whether they have the same colours.
        same_links : bool
            Whether they link to the same cells in the same colours.
        """
        other = LaidOut(self.width, self.ascent, self.descent, marks, self.strokes)
        if same_colors:
            other._underlines, other._extents = self.underlines, self.extents
        if same_links:
            other._links = self._links
        return other

    def changed_rects(
        self, before: "LaidOut", x: float, baseline: float
    ) -> list[QRect] | None:
        """Return rectangles around all that differs; None for everything.

        Parameters
        ----------
        before : LaidOut
            What was painted at the same place.
        x, baseline : float
            Where the first baseline begins.
        """
        here, there = self._painted(), before._painted()
        if any(len(now) != len(then) for now, then in zip(here, there, strict=True)):
            return None
        first, found = 0, list[int]()
        for now, then in zip(here, there, strict=True):
            if now is not then:
                pairs = enumerate(zip(now, then, strict=True), first)
                found += [place for place, (a, b) in pairs if a is not b and a != b]
            first += len(now)
        return [
            _around_both(self.extents[place], before.extents[place], x, baseline)
            for place in found
        ]

    def paint(
        self,
        painter: QPainter,
        x: float,
        baseline: float,
        exposed: QRegion | None = None,
    ) -> None:
        """Paint it; atoms without a colour have that of the pen.

        Parameters
        ----------
        painter : QPainter
            An active painter.
        x, baseline : float
            Where the first baseline begins.
        exposed : QRegion, optional
            The part of the device that is painted; everything by default.
        """
        if exposed is None:
            found = list(range(len(self.extents)))
        else:
            here = [
                _moved(rect, -x, -baseline)
                for rect in exposed  # type: ignore[attr-defined]  # unknown to stubs
            ]
            found = _met(here, self.extents)
        texts = len(self.marks)
        lines = texts + len(self.underlines)
        first, second = bisect_left(found, texts), bisect_left(found, lines)
        self._write(painter, x, baseline, found[:first])
        self._underline(painter, x, baseline, [k - texts for k in found[first:second]])
        self._stroke(painter, x, baseline, [k - lines for k in found[second:]])

    def _painted(self) -> tuple[Sequence[object], ...]:
        """Return all that is painted, in the order of the extents."""
        return self.marks, self.underlines, self.strokes

    def _write(
        self, painter: QPainter, x: float, y: float, places: Sequence[int]
    ) -> None:
        if not places:
            return
        pen, kept, font, color = painter.pen(), painter.font(), None, ""
        for place in places:
            left, base, _, face, atom = self.marks[place]
            if face is not font:
                font = face
                painter.setFont(face.font)
            if atom.color != color:
                color = atom.color
                painter.setPen(_opaque(color) if color else pen)
            painter.drawText(QPointF(x + left, y + base), atom.text)
        painter.setPen(pen)
        painter.setFont(kept)

    def _underline(
        self, painter: QPainter, x: float, y: float, places: Sequence[int]
    ) -> None:
        # Below descenders and subscripts, which a font's own underline runs through.
        for place in places:
            left, right, bottom, hue = self.underlines[place]
            color = _faded(hue or painter.pen().color().name())
            below = round(y + bottom + 1)
            painter.fillRect(QRectF(x + left, below, right - left, 1), color)

    def _stroke(
        self, painter: QPainter, x: float, y: float, places: Sequence[int]
    ) -> None:
        if not places:
            return
        smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        pen = painter.pen()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in places:
            thickness, points = self.strokes[place]
            (left, top), (right, bottom) = points[0], points[-1]
            if len(points) == 2 and top == bottom:
                level = left + x, right + x, top + y, thickness
                paint_level_line(painter, *level, pen.color())
                continue
            painter.setPen(QPen(pen.color(), thickness))
            painter.drawPolyline([QPointF(x + a, y + b) for a, b in points])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)

    def _linked(self) -> Iterator[tuple[Cell, str, Iterator[_Sides]]]:
        """Yield each link's cell, colour and places."""
        for cell, found in groupby(self.marks, lambda mark: mark[4].cell):
            if cell is not None:
                marks = list(found)
                yield cell, marks[0][4].color, _joined(marks)


def _extent(mark: Mark) -> _Sides:
    """Return the sides of an atom."""
    left, base, width, face, atom = mark
    _, ascent, descent = face.extent(atom.text)
    # Digits, signs and plain letters fill no more than their extent.
    plain = not descent and not atom.italic
    over = _EDGE if plain else _OVERHANG
    below = base + (descent if plain else max(descent, face.descent))
    return left - over, base - ascent - over, left + width + over, below + over


def _around(thickness: float, points: tuple[tuple[float, float], ...]) -> _Sides:
    """Return the sides of a line."""
    across, down = zip(*points, strict=True)
    level = len(points) == 2 and down[0] == down[1]  # painted as a rectangle
    by = thickness / 2 if level else _CORNER * thickness + _EDGE
    return min(across) - by, min(down) - by, max(across) + by, max(down) + by


def _rect(left: float, top: float, right: float, bottom: float) -> QRectF:
    return QRectF(left, top, right - left, bottom - top)


def _around_both(one: _Sides, other: _Sides, x: float, y: float) -> QRect:
    """Return the pixels of two areas that are moved, and of what is between them."""
    left, top = min(one[0], other[0]) + x, min(one[1], other[1]) + y
    right, bottom = max(one[2], other[2]) + x, max(one[3], other[3]) + y
    west, north = math.floor(left), math.floor(top)
    return QRect(west, north, math.ceil(right) - west, math.ceil(bottom) - north)


def _moved(rect: QRect, x: float, y: float) -> _Sides:
    """Return the sides of a rectangle, moved."""
    left, top = rect.left() + x, rect.top() + y
    return left, top, left + rect.width(), top + rect.height()


def _met(here: Iterable[_Sides], there: Sequence[_Sides]) -> list[int]:
    """Return the places of what lies at least in part in one of some areas."""
    found: list[int] = []
    for place, (left, top, right, bottom) in enumerate(there):
        for west, north, east, south in here:
            if left <= east and west <= right and top <= south and north <= bottom:
                found.append(place)
                break
    return found


@lru_cache(maxsize=64)
def _opaque(name: str) -> QColor:
    return QColor(name)


@lru_cache(maxsize=64)
def _faded(name: str) -> QColor:
    color = QColor(name)
    color.setAlphaF(_UNDERLINE)
    return color


def _joined(marks: Sequence[Mark]) -> Iterator[_Sides]:
    """Yield the sides of marks, those of one area for marks beside each other."""
    joined: _Sides | None = None
    for left, base, width, face, atom in marks:
        _, ascent, descent = face.extent(atom.text)
        top, right, bottom = base - ascent, left + width, base + descent
        if joined is not None and left >= joined[2] - 0.5:
            west, north, east, south = joined
            joined = west, min(north, top), max(east, right), max(south, bottom)
            continue
        if joined is not None:
            yield joined
        joined = left, top, right, bottom
    if joined is not None:
        yield joined
