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
from attnviewer.compute.precedence import IN_LINE, Precedence, is_subtracted, unwrapped

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
    expression = unwrapped(expression)
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
                *_within(left, Precedence.SUM, leading=leading),
                Piece("\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}"),
                *_within(right, Precedence.PRODUCT),
            )
        case Product(left, right):
            return (
                *_first(left, leading=leading),
                Piece("·"),
                *_within(right, Precedence.FACTOR),
            )
        case Quotient(numerator, denominator):
            return (
                *_first(numerator, leading=leading),
                Piece(" / "),
                *_within(denominator, Precedence.FACTOR),
            )
        case Exponential(exponent):
            return (Piece("e^"), *_argument(exponent))
        case SquareRoot(radicand):
            return (Piece("√"), *_argument(radicand))
        case Power(base, exponent):
            return (*_within(base, Precedence.BASE), *_raised(exponent))
        case HyperbolicTangent(argument):
            return (Piece("tanh"), *_parenthesised(_write(argument, leading=True)))


def _write_sum(total: Sum, *, leading: bool) -> Pieces:
    pieces: list[Piece] = []
    for term in total.terms:
        if pieces and is_subtracted(term):
            size = short_number(-term.evaluate())
            pieces += [Piece(" − "), Piece(size, None, "number")]
            continue
        if pieces:
            pieces.append(Piece(" + "))
        pieces += _within(term, Precedence.PRODUCT, leading=leading and not pieces)
    if total.omitted:
        rest = f"{total.omitted} more = {short_number(total.remainder)}"
        pieces += [Piece(" + ")] if pieces else []
        pieces.append(Piece(rest, None, "remainder"))
    return tuple(pieces) or (Piece("0", None, "number"),)


def _first(expression: Expression, *, leading: bool) -> Pieces:
    """Write what a product or a quotient begins with."""
    # a / b·c is read both ways, whatever the rule says.
    if isinstance(unwrapped(expression), Quotient):
        return _parenthesised(_write(expression, leading=True))
    return _within(expression, Precedence.PRODUCT, leading=leading)


def _within(
    expression: Expression, least: Precedence, *, leading: bool = False
) -> Pieces:
    """Write an operand, in parentheses if it holds together less than `least`."""
    if _precedence(unwrapped(expression), least) < least:
        return _parenthesised(_write(expression, leading=True))
    return _write(expression, leading=leading)


def _raised(exponent: Expression) -> Pieces:
    """Write an exponent: small and above the line if it is a plain whole number."""
    exponent = unwrapped(exponent)
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
    if isinstance(unwrapped(expression), Number) and text.isascii() and "e" not in text:
        return pieces
    return _parenthesised(pieces)


def _parenthesised(pieces: Pieces) -> Pieces:
    return (Piece("("), *pieces, Piece(")"))


def _precedence(expression: Expression, least: Precedence) -> Precedence:
    # The short form of a number is not needed where any would do.
    if least == Precedence.BASE and isinstance(expression, Number):
        exponent = "e" in short_number(expression.value)
        return Precedence.FACTOR if exponent else Precedence.BASE
    return IN_LINE[type(expression)]
