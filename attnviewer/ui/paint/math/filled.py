"""Formulas with numbers: what stands around the numbers is typeset only once.

From one edit to the next, a formula has other numbers and little else. All that it
would have with any numbers of the same kinds is its template.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from attnviewer.compute import Cell, Expression
from attnviewer.compute.expression import Named, Number, Sum
from attnviewer.compute.number_text import MINUS, short_number
from attnviewer.ui.paint.math.faces import Faces
from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.nodes import Atom, Node, atoms, changed, flat
from attnviewer.ui.paint.math.typeset import typeset, typeset_number
from attnviewer.ui.paint.theme import Theme

_MOST_KEPT = 256


class Value(NamedTuple):
    """A number that is written already.

    Parameters
    ----------
    text : str
        Its text.
    cell : Cell or None
        The cell that it links to.
    bold : bool
        Whether it is bold.
    """

    text: str
    cell: Cell | None = None
    bold: bool = False


Part = Node | Expression | Value
Arrange = Callable[..., Node]
_Number = tuple[str, Cell | None]
_Key = tuple[Hashable, ...]


class _Slot(NamedTuple):
    """The place of a number in a template: its atoms, and whether without its sign."""

    atoms: tuple[Atom, ...]
    unsigned: bool


class KeptLayout(NamedTuple):
    """A layout of a template, and which of its marks the numbers are."""

    laid_out: LaidOut
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """A formula, and where its numbers stand.

    Parameters
    ----------
    whole : node
        The formula with the numbers that it was first typeset with.
    slots : tuple of _Slot
        The places of the numbers, in the order in which `_read` finds them.
    theme : Theme
        Colours the numbers that are links.
    parts : sequence of parts
        What it was made from, as its key holds identities of nodes.
    layouts : dict
        Its layouts by fonts, room, and the widths of the numbers.
    """

    whole: Node
    slots: tuple[_Slot, ...]
    theme: Theme
    parts: Sequence[Part]

    layouts: dict[tuple[Faces, float, str], KeptLayout] = field(default_factory=dict)

    def atoms_of(self, numbers: Sequence[_Number]) -> Iterator[Atom]:
        """Yield the atoms of numbers in the places."""
        for slot, (text, cell) in zip(self.slots, numbers, strict=True):
            written = text.removeprefix(MINUS) if slot.unsigned else text
            look = slot.atoms[0]
            yield from atoms(
                typeset_number(
                    written, self.theme, cell, color=look.color, bold=look.bold
                )
            )


@dataclass(slots=True)
class Filled:
    """A template with numbers.

    Attributes
    ----------
    numbers : tuple of (str, Cell or None)
        The text and the cell of each number.
    """

    template: _Template
    numbers: tuple[_Number, ...]
    _atoms: tuple[Atom, ...] = field(default=(), compare=False)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the numbers, always the same objects."""
        if not self._atoms:
            self._atoms = tuple(self.template.atoms_of(self.numbers))
        return self._atoms

    @property
    def whole(self) -> Node:
        """The formula, typeset."""
        places = (atom for slot in self.template.slots for atom in slot.atoms)
        others = {id(was): now for was, now in zip(places, self.atoms, strict=True)}
        return changed(self.template.whole, lambda atom: others.get(id(atom), atom))


Line = Node | Filled
"""A formula that is shown."""


def filled(theme: Theme, *parts: Part, arrange: Arrange = flat) -> Filled:
    """Typeset parts of a formula, whose numbers link to their cells.

    Parameters
    ----------
    theme : Theme
        The colours.
    *parts : parts
        Expressions, numbers, and what stands between them. Nodes are recognised by
        their identity, so those that return should be the same objects each time.
    arrange : callable
        Returns the formula of the typeset parts; by default beside each other.
    """
    numbers: list[_Number] = []
    key = arrange, *[_read(part, numbers) for part in parts]
    kept = _templates(theme)
    template = kept.get(key)
    if template is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        template = kept[key] = _typeset(theme, parts, arrange, numbers)
    return Filled(template, tuple(numbers))


def whole(line: Line) -> Node:
    """Return a formula as nodes."""
    return line.whole if isinstance(line, Filled) else line


@lru_cache(maxsize=16)
def _templates(_theme: Theme) -> dict[_Key, _Template]:
    return {}


def _typeset(
    theme: Theme, parts: Sequence[Part], arrange: Arrange, numbers: Sequence[_Number]
) -> _Template:
    nodes: list[Node] = []
    written: list[Node] = []
    for part in parts:
        match part:
            case Value(text, cell, bold):
                nodes.append(typeset_number(text, theme, cell, bold=bold))
                written.append(nodes[-1])
            case Expression():
                nodes.append(typeset(part, theme, written))
            case _:
                nodes.append(part)
    slots = [
        _Slot(found := tuple(atoms(node)), len(found[0].text) < len(text.split("e")[0]))
        for node, (text, _) in zip(written, numbers, strict=True)
    ]
    return _Template(arrange(*nodes), tuple(slots), theme, parts)


def _read(part: Part, numbers: list[_Number]) -> Hashable:
    """Note the numbers of a part in order; return all else that decides its look."""
    if isinstance(part, Value):
        return _noted(part.text, part.cell, numbers), part.bold
    if not isinstance(part, Expression):
        return id(part)
    if isinstance(part, Number):
        return _noted(short_number(part.value), part.cell, numbers)
    if isinstance(part, Named) and part.symbol:
        return part.symbol
    shape = type(part), *[_read(operand, numbers) for operand in part.parts]
    if isinstance(part, Sum) and (part.omitted or not part.terms):
        rest = _noted(short_number(part.remainder), None, numbers)
        return *shape, part.omitted, rest
    return shape


def _noted(text: str, cell: Cell | None, numbers: list[_Number]) -> Hashable:
    """Note a number; return what decides the signs and parentheses around it."""
    numbers.append((text, cell))
    return text.startswith(MINUS), "e" in text, cell is None
