"""Which cells a formula speaks of."""

from collections.abc import Iterator

from attnviewer.compute import (
    Cell,
    Difference,
    Exponential,
    Expression,
    Formula,
    Number,
    Product,
    Quotient,
    SquareRoot,
    Sum,
)


def referenced_cells(formula: Formula) -> list[Cell]:
    """Return the distinct cells in a formula's steps, in reading order."""
    numbers = (number for step in formula.steps for number in _numbers(step))
    cells = (number.cell for number in numbers if number.cell is not None)
    return list(dict.fromkeys(cells))


def _numbers(expression: Expression) -> Iterator[Number]:
    if isinstance(expression, Number):
        yield expression
        return
    for part in _parts(expression):
        yield from _numbers(part)


def _parts(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Sum(terms):
            return terms
        case Difference(left, right) | Product(left, right):
            return left, right
        case Quotient(numerator, denominator):
            return numerator, denominator
        case Exponential(argument) | SquareRoot(argument):
            return (argument,)
    return ()
