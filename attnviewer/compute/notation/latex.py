r"""Expressions as LaTeX, for `\usepackage{amsmath}`."""

from collections.abc import Mapping
from typing import ClassVar

from attnviewer.compute.expression import (
    Difference,
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
)
from attnviewer.compute.number_text import MINUS, rounded, short_number

_LEFT, _RIGHT = r"\left(", r"\right)"


def number_latex(value: float, decimals: int | None = None) -> str:
    r"""Write a number, such as ``-7.40 \cdot 10^{-9}``.

    Parameters
    ----------
    value : float
        The number.
    decimals : int or None
        Digits after the point; None for about three significant digits.
    """
    text = short_number(value) if decimals is None else rounded(value, decimals)
    text = text.replace(MINUS, "-").replace("∞", r"\infty")
    if text == "NaN":
        return r"\mathrm{NaN}"
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{exponent}}}" if exponent else mantissa


class Latex(Notation):
    r"""LaTeX inside of a formula, such as ``\frac{10}{\sqrt{3}}``."""

    forms: ClassVar[Mapping[type, Form]] = {
        Difference: infix(" - ", SUM, QUOTIENT, SUM),
        Product: infix(r" \cdot ", PRODUCT, FACTOR, PRODUCT),
        Quotient: Form((r"\frac{", "}{", "}"), (ANY, ANY), FACTOR),
        Exponential: Form(("e^{", "}"), (ANY,), FACTOR),
        SquareRoot: call(r"\sqrt", opening="{", closing="}"),
        Negative: Form(("-", ""), (FACTOR,), SUM),
        Power: Form(("", "^{", "}"), (BASE, ANY), FACTOR),
        HyperbolicTangent: call(r"\tanh", opening=_LEFT, closing=_RIGHT),
        Cosine: call(r"\cos", opening=_LEFT, closing=_RIGHT),
        Sine: call(r"\sin", opening=_LEFT, closing=_RIGHT),
        Logarithm: call(r"\log", opening=_LEFT, closing=_RIGHT),
        Logistic: call(r"\sigma", opening=_LEFT, closing=_RIGHT),
        LogOnePlus: Form((rf"\log{_LEFT}1 + ", _RIGHT), (QUOTIENT,), BASE),
        Absolute: Form((r"\left|", r"\right|"), (ANY,), BASE),
        Maximum: Form((rf"\max{_LEFT}", ", ", _RIGHT), (ANY, ANY), BASE),
    }
    parentheses = _LEFT, _RIGHT

    def number(self, number: Number) -> Pieces:
        return (Piece(number_latex(number.value)),)

    def number_strength(self, number: Number) -> int:
        return PRODUCT if r"\cdot" in number_latex(number.value) else BASE

    def is_negative(self, number: Number) -> bool:
        return number_latex(number.value).startswith("-")

    def remainder(self, total: Sum) -> Pieces:
        rest = number_latex(total.remainder)
        return (Piece(rf"\underbrace{{{rest}}}_{{{total.omitted}\ \text{{more}}}}"),)


LATEX = Latex()
