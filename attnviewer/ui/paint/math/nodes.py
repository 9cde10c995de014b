"""The parts of a formula: immutable, and without fonts or positions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import is_
from typing import Literal

from attnviewer.compute import Cell

Role = Literal["ordinary", "relation", "binary", "times", "punctuation", "space"]
"""The class of an atom: decides its spacing, and where lines break."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A run of text with one look.

    Parameters
    ----------
    text : str
        The characters.
    color : str
        Their colour; "" for the painter's pen.
    bold, italic, mono : bool
        The font: numbers are in the monospaced one, variables italic.
    cell : Cell or None
        The cell that it links to.
    role : str
        Its place between others, such as ``relation`` for an equals sign.
    """

    text: str
    color: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    cell: Cell | None = None
    role: Role = "ordinary"


@dataclass(frozen=True, slots=True)
class Row:
    """Parts beside each other; too long a row is broken at = first, then at +."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Fraction:
    """One part above another, with a bar between them."""

    above: "Node"
    below: "Node"


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a part."""

    body: "Node"


@dataclass(frozen=True, slots=True)
class Script:
    """A part with a subscript, a superscript or both."""

    base: "Node"
    sub: "Node | None" = None
    sup: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Big:
    """A large sign such as Σ with its limits.

    The limits stand below and above it, and beside it in fractions and scripts.
    """

    sign: str
    below: "Node | None" = None
    above: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Fenced:
    """A part between brackets, which are as high as the part.

    Parameters
    ----------
    body : node
        The part.
    opening, closing : str
        One of ``( [ | ‖`` and its counterpart.
    """

    body: "Node"
    opening: str = "("
    closing: str = ")"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of parts in columns.

    Parameters
    ----------
    rows : tuple of tuple of nodes
        The parts; all rows have the same length.
    align : str
        One letter per column: ``l``, ``c`` or ``r``; the last one also for all further
        columns.
    ruled : bool
        Whether a rule separates the last row, as above a sum.
    gap : float
        The distance of columns, in em.
    """

    rows: "tuple[tuple[Node, ...], ...]"
    align: str = "c"
    ruled: bool = False
    gap: float = 0.6


Node = Atom | Row | Fraction | Root | Script | Big | Fenced | Grid


def vector(entries: Iterable[Node]) -> Fenced:
    """Return a row of a matrix, ``[2 0 2]``."""
    return Fenced(Grid((tuple(entries),)), "[", "]")


@cache
def in_columns(align: str) -> Callable[..., Grid]:
    """Return what arranges parts in rows of as many columns as there are letters."""

    def arranged(*parts: Node) -> Grid:
        rows = zip(*[iter(parts)] * len(align), strict=True)
        return Grid(tuple(rows), align=align)

    return arranged


def row(*parts: Node) -> Node:
    """Return parts beside each other; a single one as it is."""
    return parts[0] if len(parts) == 1 else Row(parts)


def flat(*parts: Node) -> Node:
    """Return parts as one row that can be broken, with nested rows dissolved."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, Row) else [part]
    return row(*flat)


def parts_of(node: Node) -> "Iterator[Node]":
    """Yield the direct parts of a node, in visual order."""
    match node:
        case Row(parts):
            yield from parts
        case Fraction(above, below):
            yield from (above, below)
        case Root(body) | Fenced(body):
            yield body
        case Script(base, sub, sup):
            yield from (part for part in (base, sub, sup) if part is not None)
        case Big(_, below, above):
            yield from (part for part in (below, above) if part is not None)
        case Grid(rows):
            for entries in rows:
                yield from entries


def changed(node: Node, change: Callable[[Atom], Atom]) -> Node:
    """Return a formula with its atoms changed; parts without changes stay the same."""
    if isinstance(node, Atom):
        return change(node)
    parts = tuple(parts_of(node))
    others = tuple(changed(part, change) for part in parts)
    return node if all(map(is_, parts, others)) else _with_parts(node, others)


def _with_parts(node: Node, parts: Sequence[Node]) -> Node:
    """Return a node with other parts, which are given as `parts_of` yields them."""
    following = iter(parts)

    def instead(part: Node) -> Node:
        return next(following)

    match node:
        case Atom():
            return node
        case Row(_):
            return Row(tuple(parts))
        case Fraction(_, _):
            return Fraction(*parts)
        case Root(_):
            return Root(*parts)
        case Script(base, sub, sup):
            return Script(instead(base), sub and instead(sub), sup and instead(sup))
        case Big(sign, below, above):
            return Big(sign, below and instead(below), above and instead(above))
        case Fenced(_, opening, closing):
            return Fenced(parts[0], opening, closing)
        case Grid(rows):
            return replace(node, rows=tuple(tuple(map(instead, r)) for r in rows))


def atoms(node: Node) -> Iterator[Atom]:
    """Yield every atom of a node, in visual order."""
    if isinstance(node, Atom):
        yield node
        return
    for part in parts_of(node):
        yield from atoms(part)


_SPACED = {"relation": " {} ", "binary": " {} ", "punctuation": "{} "}
_LOWERED = str.maketrans("ijkp", "ᵢⱼₖₚ")


def spoken(node: Node) -> str:
    """Return a formula as plain text on one line, such as for a screen reader."""
    match node:
        case Atom(text=text, role=role):
            return _SPACED.get(role, "{}").format(text)
        case Row(parts):
            return "".join(map(spoken, parts))
        case Fraction(above, below):
            return f"{_operand(above)} / {_operand(below)}"
        case Root(body):
            return f"√{_operand(body)}"
        case Script(base, sub, sup):
            written = spoken(base)
            written += _below(spoken(sub)) if sub is not None else ""
            return written + (f"^{_operand(sup)}" if sup is not None else "")
        case Big(sign, below, _):
            return sign + (_below(spoken(below)) if below is not None else "") + " "
        case Fenced(body, opening, closing):
            return f"{opening}{spoken(body)}{closing}"
        case Grid(rows):
            return "\n".join(_entries(entries) for entries in rows)


def _entries(entries: Sequence[Node]) -> str:
    return " ".join(filter(None, map(spoken, entries)))


def _operand(node: Node) -> str:
    text = spoken(node)
    return text if text.isalnum() or _is_single(node) else f"({text})"


def _is_single(node: Node) -> bool:
    if isinstance(node, Row):
        # Such as Σ and its term.
        return all(map(_is_single, node.parts))
    if isinstance(node, Atom):
        return node.role == "ordinary" and not node.text.startswith("−")
    return not isinstance(node, Fraction)


def _below(text: str) -> str:
    lowered = text.translate(_LOWERED)
    return lowered if not set(lowered) - set("ᵢⱼₖₚ") else f"_{text}"
