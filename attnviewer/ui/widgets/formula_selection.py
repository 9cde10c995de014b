"""The part of formulas that is selected with the mouse, and its text."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from attnviewer.ui.paint.math import LaidOut, Line, spoken, whole

_MOST_BETWEEN = 8
"""The most letters between two atoms in a plain text: brackets and signs of division,
which are drawn as lines."""
_LOWERED = str.maketrans("ijkp", "ᵢⱼₖₚ")


class Placed(NamedTuple):
    """An atom of a formula: where it stands, and its letters in the plain text."""

    rect: QRectF
    start: int
    end: int


def placed_atoms(
    lines: Sequence[Line], parts: Sequence[LaidOut], left: float, bases: Sequence[float]
) -> list[Placed]:
    """Return the atoms of formulas in visual order.

    Parameters
    ----------
    lines : sequence of line
        The formulas.
    parts : sequence of LaidOut
        Their layouts.
    left : float
        Their left end, in pixels.
    bases : sequence of float
        The baseline of each.
    """
    placed, offset = list[Placed](), 0
    for line, part, base in zip(lines, parts, bases, strict=True):
        text = spoken(whole(line))
        texts = [mark[4].text for mark in part.marks]
        spans = _spans(text, texts)
        for mark, (start, end) in zip(part.marks, spans, strict=True):
            x, y, width, face, atom = mark
            _, ascent, descent = face.extent(atom.text)
            rect = QRectF(left + x, base + y - ascent, width, ascent + descent)
            placed.append(Placed(rect, offset + start, offset + end))
        offset += len(text) + 1  # for the line break
    return placed


def _spans(text: str, atoms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each atom is in a plain text that has them in the same order."""
    at = 0
    for atom in atoms:
        reach = at + len(atom) + _MOST_BETWEEN
        for written in (atom, atom.translate(_LOWERED)):
            start = text.find(written, at, reach)
            if start >= 0:
                at = start + len(written)
                yield start, at
                break
        else:
            yield at, at  # a limit that is not given


class FormulaSelection:
    """A run of atoms, from where a person pressed to where they have dragged to."""

    def __init__(self) -> None:
        self._pressed: int | None = None
        self._first, self._last = 0, -1

    def __bool__(self) -> bool:
        return self._first <= self._last

    def clear(self) -> None:
        """Select nothing."""
        self._pressed, self._first, self._last = None, 0, -1

    def press(self, placed: Sequence[Placed], point: QPointF) -> None:
        """Begin at a point."""
        self.clear()
        self._pressed = _nearest(placed, point)

    def drag(self, placed: Sequence[Placed], point: QPointF) -> None:
        """Extend to a point."""
        here = _nearest(placed, point)
        if self._pressed is not None and here is not None:
            self._first, self._last = sorted((self._pressed, here))

    def text(self, whole: str, placed: Sequence[Placed]) -> str:
        """Return what is selected of a plain text."""
        chosen = placed[self._first : self._last + 1]
        if not chosen:
            return ""
        start, end = min(p.start for p in chosen), max(p.end for p in chosen)
        return _balanced(whole, start, end)

    def paint(self, painter: QPainter, placed: Sequence[Placed], color: QColor) -> None:
        """Paint the ground of what is selected."""
        for atom in placed[self._first : self._last + 1]:
            painter.fillRect(atom.rect, color)


def _balanced(whole: str, start: int, end: int) -> str:
    """Return a part of a text with the brackets that belong to it."""
    part = whole[start:end]
    while part.count("(") > part.count(")") and whole[end : end + 1] == ")":
        end += 1
        part = whole[start:end]
    while part.count(")") > part.count("(") and whole[start - 1 : start] == "(":
        start -= 1
        part = whole[start:end]
    return part


def _nearest(placed: Sequence[Placed], point: QPointF) -> int | None:
    """Return the atom nearest to a point, preferably one at its height."""

    def distance(number: int) -> tuple[float, float]:
        rect = placed[number].rect
        above, below = rect.top() - point.y(), point.y() - rect.bottom()
        before, after = rect.left() - point.x(), point.x() - rect.right()
        return max(above, below, 0.0), max(before, after, 0.0)

    return min(range(len(placed)), key=distance, default=None)
