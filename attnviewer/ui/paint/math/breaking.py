"""Breaking of rows that are wider than the room."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.nodes import Atom, Node, Role

_BREAKS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("relation",), ()),
    (("binary",), ()),
    (("times",), ("punctuation", "space")),
)
"""Where lines break, best places first: before, and after, atoms of these roles."""
_MOST_INDENT = 0.3
"""The most indent of further lines, as a share of the room."""
_LEAST_INDENT = 1.2
"""Their indent, in em, where they would not fit otherwise."""


class Item(NamedTuple):
    """A part of a row, its layout, and the space before and after it."""

    part: Node
    laid: LaidOut
    before: float
    after: float
    role: Role


class Measuring(Protocol):
    """The interface that lays out single parts."""

    def size(self, level: int) -> float:
        """Return the font size."""
        ...

    def laid(self, node: Node, level: int, room: float = ...) -> LaidOut:
        """Lay a part out."""
        ...

    def item(self, part: Node, level: int) -> Item:
        """Return a part with its layout, however wide it is."""
        ...

    def beside(self, parts: Sequence[LaidOut], lefts: Sequence[float]) -> LaidOut:
        """Return parts on one baseline."""
        ...

    def stacked(self, lines: Sequence[LaidOut], level: int) -> LaidOut:
        """Return lines below each other."""
        ...

    def split(self, atom: Atom, level: int, room: float) -> tuple[Atom, Atom | None]:
        """Return as much of an atom as fits, and the rest."""
        ...


def width_of(items: Sequence[Item]) -> float:
    """Return the width of parts beside each other, without space around them."""
    width = -items[0].before - items[-1].after
    for item in items:
        width += item.before + item.laid.width + item.after
    return width


class Breaking:
    """Breaks one row into lines.

    Parameters
    ----------
    layout : Measuring
        Lays its parts out.
    level : int
        The depth of scripts.
    room : float
        The most width of a line.
    """

    def __init__(self, layout: Measuring, level: int, room: float) -> None:
        self._layout, self._level, self._room = layout, level, room
        self._lines: list[LaidOut] = []
        self._parts: list[LaidOut] = []
        self._lefts: list[float] = []
        # The right end of the line, and the space that is due after its last part.
        self._right = self._due = 0.0

    def broken(self, items: Sequence[Item]) -> LaidOut:
        """Return a row as lines, further ones aligned after its first equals sign."""
        lead, *units = _units(items, *_BREAKS[0])
        self._place(lead, 1, 0.0)
        indent = width_of(lead) if units else 0.0
        if indent > _MOST_INDENT * self._room or not self._fit_after(indent, units):
            indent = min(_LEAST_INDENT * self._layout.size(self._level), indent)
        for unit in units:
            self._place(unit, 1, indent)
        self._end(0.0)
        return self._layout.stacked(self._lines, self._level)

    def _fit_after(self, indent: float, units: Sequence[Sequence[Item]]) -> bool:
        return all(indent + width_of(unit) <= self._room for unit in units)

    def _place(self, items: Sequence[Item], rank: int, indent: float) -> None:
        """Put parts on the line if they fit, else on the next one, else break them."""
        width = width_of(items)
        below = self._indent_of(items, width, indent)
        if self._left(items[0]) + width <= self._room:
            self._append(items)
        elif self._parts and below + width <= self._room:
            self._end(below)
            self._append(items)
        elif rank < len(_BREAKS):
            first = items[0]
            if first.role == "relation":
                # A short name keeps its equals sign beside it.
                if self._parts and self._right > _MOST_INDENT * self._room:
                    self._end(indent)
                indent = self._left(first) + first.laid.width + first.after
            for unit in _units(items, *_BREAKS[rank]):
                self._place(unit, rank + 1, indent)
        else:
            for item in items:
                self._force(item, indent)

    def _indent_of(self, items: Sequence[Item], width: float, indent: float) -> float:
        """Return the indent of a line: less for a term that would lose its sign."""
        if items[0].role != "binary":
            return indent
        least = min(_LEAST_INDENT * self._layout.size(self._level), indent)
        return max(min(indent, self._room - width), least)

    def _force(self, item: Item, indent: float) -> None:
        """Put a part on the line, broken inside if it fits on none."""
        left, width = self._left(item), item.laid.width
        if left + width <= self._room:
            self._append((item,))
            return
        fits_below = indent + width <= self._room
        if self._parts and (fits_below or self._room - left < self._room / 2):
            self._end(indent)
        if fits_below:
            self._append((item,))
        elif isinstance(item.part, Atom):
            self._split(item.part, indent)
        else:
            room = max(self._room - self._left(item), 1.0)
            laid = self._layout.laid(item.part, self._level, room)
            self._append((item._replace(laid=laid),))

    def _split(self, atom: Atom, indent: float) -> None:
        """Break a text between its letters."""
        rest: Atom | None = atom
        while rest is not None:
            room = self._room - (self._right + self._due)
            first, rest = self._layout.split(rest, self._level, room)
            self._append((self._layout.item(first, self._level),))
            if rest is not None:
                self._end(indent)

    def _append(self, items: Sequence[Item]) -> None:
        for item in items:
            left = self._left(item)
            self._parts.append(item.laid)
            self._lefts.append(left)
            self._right, self._due = left + item.laid.width, item.after

    def _end(self, indent: float) -> None:
        """End the line; the next one starts at an indent."""
        self._lines.append(self._layout.beside(self._parts, self._lefts))
        self._parts, self._lefts = [], []
        self._right, self._due = indent, 0.0

    def _left(self, item: Item) -> float:
        """Return where a part begins that is put on the line."""
        return self._right + (self._due + item.before if self._parts else 0.0)


def _units(
    items: Sequence[Item], before: Sequence[str], after: Sequence[str]
) -> list[list[Item]]:
    """Split parts where a line may break."""
    units: list[list[Item]] = [[]]
    for item in items:
        role = item.role
        if role in before and units[-1]:
            units.append([])
        units[-1].append(item)
        if role in after:
            units.append([])
    return [unit for unit in units if unit]
