"""How tightly expressions hold together: where a notation needs parentheses."""

from collections.abc import Mapping
from enum import IntEnum

from attnviewer.compute.formula import (
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


class Precedence(IntEnum):
    """How tightly an expression holds together, by what it can be part of as it is."""

    SUM = 1  # a sum
    PRODUCT = 2  # and a product, as its first factor
    FACTOR = 3  # and what follows · or /
    BASE = 4  # and what is raised to a power


Table = Mapping[type[Expression], Precedence]
"""How tightly a notation makes each kind of expression hold together."""

IN_LINE: Table = {
    Sum: Precedence.SUM,
    Difference: Precedence.SUM,
    Product: Precedence.PRODUCT,
    Quotient: Precedence.PRODUCT,
    Exponential: Precedence.FACTOR,
    SquareRoot: Precedence.FACTOR,
    Power: Precedence.FACTOR,
    HyperbolicTangent: Precedence.BASE,
    Number: Precedence.BASE,
}
"""Where all is written in one line: ``a / b``, ``√2``."""


def unwrapped(expression: Expression) -> Expression:
    """Return an expression, and of a sum of a single term that term."""
    while (
        isinstance(expression, Sum)
        and len(expression.terms) == 1
        and not expression.omitted
    ):
        (expression,) = expression.terms
    return expression


def is_subtracted(term: Expression) -> bool:
    """Tell whether a term behind others is written as a difference: ``4 − 6``.

    A number with a cell keeps its sign: it is written as it stands in the cell.
    """
    return isinstance(term, Number) and term.cell is None and term.value < 0
