"""An expression as written signs, in which each number remembers its cell."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from attnviewer.compute.formula import (
    Cell,
    Difference,
    Exponential,
    Expression,
    HyperbolicTangent,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
    Sum,
)
from attnviewer.compute.number_text import MINUS, short_number

# How tightly an expression holds together: 1 sums, 2 products, 3 what may be a factor
# as it is, 4 what may be raised to a power as it is.
_SUM, _PRODUCT, _CLOSED, _BASE = 1, 2, 3, 4

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Piece(NamedTuple):
    """A stretch of a written expression.

    Parameters
    ----------
    text : str
        Its signs.
    cell : Cell or None
        The cell whose number it is.
    kind : str
        ``number``, ``sign``, ``remainder`` for terms that stand together, ``value``
        for what a formula ends with, or ``note``.
    """

    text: str
    cell: Cell | None = None
    kind: Literal["number", "sign", "remainder", "value", "note"] = "sign"


Pieces = tuple[Piece, ...]


def write(expression: Expression) -> Pieces:
    """Write an expression with the parentheses it needs and no others.

    A negative number stands in parentheses unless it comes first: ``2·(−3)``.
    """
    return _write(expression, leading=True)


def plain_text(pieces: Sequence[Piece]) -> str:
    """Return the signs alone, for a screen reader."""
    return "".join(piece.text for piece in pieces).replace("\N{NO-BREAK SPACE}", " ")


def _write(expression: Expression, *, leading: bool) -> Pieces:
    match expression:
        case Number(value, cell):
            text = short_number(value)
            number = (Piece(text, cell, "number"),)
            negative = text.startswith(MINUS)
            return _parenthesised(number) if negative and not leading else number
        case Sum():
            return _write_sum(expression, leading=leading)
        case Difference(left, right):
            # A difference reads as one thing: no line break inside.
            return (
                *_within(left, _SUM, leading=leading),
                Piece("\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}"),
                *_within(right, _PRODUCT),
            )
        case Product(left, right):
            return (
                *_within(left, _PRODUCT, leading=leading, no_quotient=True),
                Piece("·"),
                *_within(right, _CLOSED),
            )
        case Quotient(numerator, denominator):
            return (
                *_within(numerator, _PRODUCT, leading=leading, no_quotient=True),
                Piece(" / "),
                *_within(denominator, _CLOSED),
            )
        case Exponential(exponent):
            return (Piece("e^"), *_argument(exponent))
        case SquareRoot(radicand):
            return (Piece("√"), *_argument(radicand))
        case Power(base, exponent):
            return (*_within(base, _BASE), *_raised(exponent))
        case HyperbolicTangent(argument):
            return (Piece("tanh"), *_parenthesised(_write(argument, leading=True)))


def _write_sum(total: Sum, *, leading: bool) -> Pieces:
    if _only_term(total) is not None:
        return _write(total.terms[0], leading=leading)
    pieces: list[Piece] = []
    for term in total.terms:
        if pieces and isinstance(term, Number) and _is_bare_negative(term):
            pieces += [Piece(" − "), Piece(short_number(-term.value), None, "number")]
            continue
        if pieces:
            pieces.append(Piece(" + "))
        pieces += _within(term, _PRODUCT, leading=leading and not pieces)
    if total.omitted:
        rest = f"{total.omitted} more = {short_number(total.remainder)}"
        pieces += [Piece(" + ")] if pieces else []
        pieces.append(Piece(rest, None, "remainder"))
    return tuple(pieces) or (Piece("0", None, "number"),)


def _within(
    expression: Expression,
    least: int,
    *,
    leading: bool = False,
    no_quotient: bool = False,
) -> Pieces:
    """Write an operand, in parentheses if it holds together less than `least`."""
    expression = _unwrapped(expression)
    # a / b·c is read both ways, whatever the rule says.
    unclear = no_quotient and isinstance(expression, Quotient)
    # A number holds together, with an exponent only less than a base must.
    whole = isinstance(expression, Number) and least <= _CLOSED
    if unclear or (not whole and _strength(expression) < least):
        return _parenthesised(_write(expression, leading=True))
    return _write(expression, leading=leading)


def _raised(exponent: Expression) -> Pieces:
    """Write an exponent: small and above the line if it is a plain whole number."""
    exponent = _unwrapped(exponent)
    # One with a cell stays on the line, large enough to be clicked.
    if isinstance(exponent, Number) and exponent.cell is None:
        text = short_number(exponent.value)
        if text.isdecimal():
            return (Piece(text.translate(_SUPERSCRIPTS), None, "number"),)
    return (Piece("^"), *_argument(exponent))


def _argument(expression: Expression) -> Pieces:
    """Write what stands under √ or after ^: bare only if it is a simple number."""
    pieces = _write(expression, leading=True)
    text = pieces[0].text
    if (
        isinstance(_unwrapped(expression), Number)
        and text.isascii()
        and "e" not in text
    ):
        return pieces
    return _parenthesised(pieces)


def _parenthesised(pieces: Pieces) -> Pieces:
    return (Piece("("), *pieces, Piece(")"))


def _strength(expression: Expression) -> int:
    match expression:
        case Sum() | Difference():
            return _SUM
        case Product() | Quotient():
            return _PRODUCT
        case Exponential() | SquareRoot() | Power():
            return _CLOSED
        case Number(value) if "e" in short_number(value):
            return _CLOSED
    return _BASE


def _unwrapped(expression: Expression) -> Expression:
    while isinstance(expression, Sum):
        only = _only_term(expression)
        if only is None:
            return expression
        expression = only
    return expression


def _only_term(total: Sum) -> Expression | None:
    return total.terms[0] if len(total.terms) == 1 and not total.omitted else None


def _is_bare_negative(number: Number) -> bool:
    # A number with a cell keeps its sign: it is written as it stands in the cell.
    return number.cell is None and number.value < 0
