"""Expressions as text in which each number remembers its cell."""

from collections.abc import Mapping
from typing import ClassVar

from attnviewer.compute.expression import (
    Difference,
    Expression,
    Maximum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)
from attnviewer.compute.functions import (
    Absolute,
    Cosine,
    Exponential,
    HyperbolicTangent,
    Logarithm,
    Logistic,
    LogOnePlus,
    Sine,
    SquareRoot,
)
from attnviewer.compute.notation.printer import (
    ANY,
    BARE,
    BASE,
    FACTOR,
    PRODUCT,
    QUOTIENT,
    SUM,
    Form,
    Notation,
    Piece,
    Pieces,
    call,
    infix,
    unwrapped,
)
from attnviewer.compute.number_text import short_number

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Text(Notation):
    """Plain text, as formulas are shown in the window."""

    forms: ClassVar[Mapping[type, Form]] = {
        # No line break inside a difference.
        Difference: infix("\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}", SUM, QUOTIENT, SUM),
        # a / b·c is ambiguous to readers, whatever the order of operations.
        Product: infix("·", PRODUCT, FACTOR, PRODUCT),
        Quotient: infix(" / ", PRODUCT, FACTOR, QUOTIENT),
        Exponential: Form(("e^", ""), (BARE,), FACTOR),
        SquareRoot: Form(("√", ""), (BARE,), FACTOR),
        Negative: Form(("−", ""), (FACTOR,), SUM),
        Power: infix("^", BASE, BARE, FACTOR),
        HyperbolicTangent: call("tanh"),
        Cosine: call("cos"),
        Sine: call("sin"),
        Logarithm: Form(("log ", ""), (BARE,), FACTOR),
        Logistic: call("σ"),
        LogOnePlus: Form(("log(1 + ", ")"), (QUOTIENT,), BASE),
        Absolute: Form(("|", "|"), (ANY,), BASE),
        Maximum: Form(("max(", ", ", ")"), (ANY, ANY), BASE),
    }
    minus = " − "

    def number(self, number: Number) -> Pieces:
        return (Piece(short_number(number.value), number.cell, "number"),)

    def number_strength(self, number: Number) -> int:
        text = short_number(number.value)
        if "e" in text:
            return FACTOR
        return BARE if text.isascii() else BASE

    def remainder(self, total: Sum) -> Pieces:
        rest = f"{total.omitted} more = {short_number(total.remainder)}"
        return (Piece(rest, None, "remainder"),)

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        if isinstance(expression, Power):
            exponent = unwrapped(expression.right)
            # A number with a cell is no superscript, to be large enough to click.
            if isinstance(exponent, Number) and exponent.cell is None:
                text = short_number(exponent.value)
                if text.isdecimal():
                    raised = Piece(text.translate(_SUPERSCRIPTS), None, "number")
                    return (*self.operand(expression.left, BASE), raised)
        return super().operation(expression, leading=leading)


_TEXT = Text()


def write(expression: Expression) -> Pieces:
    """Write an expression with the parentheses it needs and no others.

    A negative number is put in parentheses unless it comes first: ``2·(−3)``.
    """
    return _TEXT.write(expression)
