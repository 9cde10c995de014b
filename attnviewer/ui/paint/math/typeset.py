"""Expressions, rules and names as parts of formulas, in the colours of a theme."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from attnviewer.compute import Cell, Expression
from attnviewer.compute.expression import Named, Number, Sum
from attnviewer.compute.notation import Latex, Piece, Pieces
from attnviewer.compute.number_text import short_number
from attnviewer.document.derivation import symbols_latex
from attnviewer.ui.paint.math.nodes import (
    Atom,
    Fenced,
    Fraction,
    Node,
    Root,
    Row,
    Script,
    changed,
    flat,
    row,
)
from attnviewer.ui.paint.math.tex import SPACE, read
from attnviewer.ui.paint.theme import Theme

_QKV = {"Q", "K", "V"}


class _Typeset(Latex):
    """LaTeX whose numbers remember their cells, and which keeps abbreviations."""

    def number(self, number: Number) -> Pieces:
        return (Piece(short_number(number.value), number.cell, "number"),)

    def remainder(self, total: Sum) -> Pieces:
        rest = f"{total.omitted} more = {short_number(total.remainder)}"
        return (Piece(rest, None, "remainder"),)

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        if isinstance(expression, Named) and expression.symbol:
            return (Piece(_symbol_latex(expression.symbol)),)
        return super().operation(expression, leading=leading)


_TYPESET = _Typeset()


def typeset(
    expression: Expression, theme: Theme, numbers: list[Node] | None = None
) -> Node:
    """Typeset an expression; its numbers link to their cells.

    Parameters
    ----------
    expression : Expression
        The expression.
    theme : Theme
        The colours.
    numbers : list of nodes, optional
        Gets the expression's numbers in reading order.
    """
    found = [] if numbers is None else numbers
    return read(_nodes(_TYPESET.write(expression), theme, found))


def _nodes(pieces: Pieces, theme: Theme, numbers: list[Node]) -> Iterator[Piece | Node]:
    for piece in pieces:
        if piece.kind == "number":
            numbers.append(typeset_number(piece.text, theme, piece.cell))
            yield numbers[-1]
        elif piece.kind == "remainder":
            words, _, rest = piece.text.rpartition(" ")
            numbers.append(typeset_number(rest, theme, color=theme.muted))
            yield flat(prose(words, theme.muted), SPACE, numbers[-1])
        else:
            yield piece


@lru_cache(maxsize=128)
def typeset_symbols(symbols: str, theme: Theme) -> Node:
    """Typeset a rule in symbols, with Q, K and V in their colours."""
    latex = symbols_latex(symbols if "mᵢ" in symbols else _abbreviated(symbols))
    return colored(read([Piece(latex)]), theme)


def typeset_number(
    text: str,
    theme: Theme,
    cell: Cell | None = None,
    *,
    color: str = "",
    bold: bool = False,
) -> Node:
    """Typeset a number that is written already, such as ``−7.40e−9``."""
    if cell is not None:
        color = theme.color_of(cell.step) or ""
    if "e" not in text:
        return Atom(text, color, bold, mono=True, cell=cell)
    mantissa, exponent, ten = (
        Atom(part, color, bold, mono=True, cell=cell)
        for part in (*text.split("e"), "·10")
    )
    return Row((mantissa, Script(ten, sup=exponent)))


@lru_cache(maxsize=512)
def typeset_name(text: str, theme: Theme, cell: Cell | None = None) -> Node:
    """Typeset the name of a cell, such as ``W_Q[word 1, 0]``."""
    step, bracket, place = text.partition("[")
    title, color = _named(step, theme), ""
    if cell is not None:
        color = theme.color_of(cell.step) or ""
        title = changed(title, lambda atom: replace(atom, cell=cell, color=color))
    if not bracket:
        return title
    places = [Atom(part, color, cell=cell) for part in f"[{place}".split(" ")]
    return row(title, *_spaced(places))


@lru_cache(maxsize=512)
def prose(
    text: str, color: str = "", cell: Cell | None = None, *, unbroken: bool = False
) -> Node:
    """Return running text, broken between its words or not; it may be a link."""
    if unbroken:
        return Atom(text, color, cell=cell)
    words = [Atom(word, color, cell=cell) for word in text.split(" ")]
    return row(*_spaced(words))


def _spaced(parts: list[Atom]) -> Iterator[Node]:
    for place, part in enumerate(parts):
        if place:
            yield Atom(" ", part.color, cell=part.cell, role="space")
        yield part


def _symbol_latex(symbol: str) -> str:
    return symbols_latex(_abbreviated(symbol))


def _abbreviated(symbols: str) -> str:
    """Return symbols with the largest score of a row as one letter."""
    return symbols.replace("maxᵢ", "mᵢ")


@lru_cache(maxsize=128)
def _named(step: str, theme: Theme) -> Node:
    return colored(read([Piece(symbols_latex(step))]), theme)


def colored(node: Node, theme: Theme) -> Node:
    """Return a formula with Q, K, V, their weights and biases in their colours."""
    match node:
        case Atom(text=text) if text in _QKV:
            return replace(node, color=theme.color_of(text) or "")
        case Script(Atom(text=("W" | "b")), Atom(text=part)) if part in _QKV:
            return _with_color(node, theme.color_of(part) or "")
        case Script(base, sub, sup):
            return Script(colored(base, theme), sub, sup)
        case Row(parts):
            return Row(tuple(colored(part, theme) for part in parts))
        case Fraction(above, below):
            return Fraction(colored(above, theme), colored(below, theme))
        case Fenced(body, opening, closing):
            return Fenced(colored(body, theme), opening, closing)
        case Root(body):
            return Root(colored(body, theme))
    return node


def _with_color(node: Node, color: str) -> Node:
    return changed(node, lambda atom: replace(atom, color=color))
