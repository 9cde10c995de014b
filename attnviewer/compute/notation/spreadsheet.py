"""Expressions as formulas of a spreadsheet."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from attnviewer.compute.expression import (
    Cell,
    Difference,
    Expression,
    Maximum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
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
    Form,
    Notation,
    Piece,
    Pieces,
    call,
    infix,
)


class Spreadsheet(Notation):
    """Formulas as Excel and LibreOffice Calc read them.

    Parameters
    ----------
    cell : callable
        Returns the reference to the cell of a step.
    names : mapping of Expression to str
        The references to some expressions.
    """

    forms: ClassVar[Mapping[type, Form]] = {
        Difference: Form(("(", "-", ")"), (ANY, FACTOR), BASE),
        Product: infix("*", PRODUCT, FACTOR, PRODUCT),
        Quotient: Form(("(", "/", ")"), (PRODUCT, FACTOR), BASE),
        Exponential: call("EXP"),
        Logarithm: call("LN"),
        LogOnePlus: Form(("LN(1+", ")"), (FACTOR,), BASE),
        # EXP fails beyond 709.
        Logistic: Form(("(1/(1+EXP(MIN(700,-", "))))"), (FACTOR,), BASE),
        SquareRoot: call("SQRT"),
        Negative: Form(("(-", ")"), (FACTOR,), BASE),
        Power: Form(("POWER(", ",", ")"), (ANY, ANY), BASE),
        HyperbolicTangent: call("TANH"),
        Cosine: call("COS"),
        Sine: call("SIN"),
        Absolute: call("ABS"),
        Maximum: Form(("MAX(", ",", ")"), (ANY, ANY), BASE),
    }
    plus = "+"
    minus = "-"

    def __init__(
        self,
        cell: Callable[[Cell], str],
        names: Mapping[Expression, str] | None = None,
    ) -> None:
        super().__init__(names)
        self._cell = cell

    def number(self, number: Number) -> Pieces:
        if number.cell is not None:
            return (Piece(self._cell(number.cell)),)
        return (Piece(repr(number.value).removesuffix(".0")),)

    def number_strength(self, number: Number) -> int:
        return BASE

    def is_negative(self, number: Number) -> bool:
        return number.cell is None and number.value < 0
