"""A cell's number written as an expression of the numbers it came from.

The expression is a small tree. Whoever shows it (the Explain dock, LaTeX, plain
text) walks the tree along its `parts`; whoever doubts it calls `evaluate`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.number_text import short_number


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a step: its name and the index into its array."""

    step: str
    index: Index


@dataclass(frozen=True, slots=True)
class Number:
    """A number, with the cell that holds it if there is one."""

    value: float
    cell: Cell | None = None

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return ()

    def evaluate(self) -> float:
        return self.value


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum; `omitted` smaller terms stand together as one `remainder`."""

    terms: "tuple[Expression, ...]"
    omitted: int = 0
    remainder: float = 0.0

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return self.terms

    def evaluate(self) -> float:
        return _total([*(t.evaluate() for t in self.terms), self.remainder])


@dataclass(frozen=True, slots=True)
class _Pair:
    left: "Expression"
    right: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return self.left, self.right


class Difference(_Pair):
    """``left − right``."""

    __slots__ = ()

    def evaluate(self) -> float:
        return self.left.evaluate() - self.right.evaluate()


class Product(_Pair):
    """``left · right``."""

    __slots__ = ()

    def evaluate(self) -> float:
        return self.left.evaluate() * self.right.evaluate()


@dataclass(frozen=True, slots=True)
class Quotient:
    """``numerator / denominator``."""

    numerator: "Expression"
    denominator: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return self.numerator, self.denominator

    def evaluate(self) -> float:
        numerator, denominator = self.numerator.evaluate(), self.denominator.evaluate()
        with np.errstate(all="ignore"):
            return float(np.float64(numerator) / denominator)


@dataclass(frozen=True, slots=True)
class Exponential:
    """``e^exponent``."""

    exponent: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return (self.exponent,)

    def evaluate(self) -> float:
        try:
            return math.exp(self.exponent.evaluate())
        except OverflowError:
            return math.inf


@dataclass(frozen=True, slots=True)
class SquareRoot:
    """``√radicand``."""

    radicand: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return (self.radicand,)

    def evaluate(self) -> float:
        return math.sqrt(self.radicand.evaluate())


@dataclass(frozen=True, slots=True)
class Power:
    """``base ^ exponent``."""

    base: "Expression"
    exponent: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return self.base, self.exponent

    def evaluate(self) -> float:
        base, exponent = self.base.evaluate(), self.exponent.evaluate()
        with np.errstate(all="ignore"):
            return float(np.float64(base) ** exponent)


@dataclass(frozen=True, slots=True)
class HyperbolicTangent:
    """``tanh(argument)``."""

    argument: "Expression"

    @property
    def parts(self) -> "tuple[Expression, ...]":
        return (self.argument,)

    def evaluate(self) -> float:
        return math.tanh(self.argument.evaluate())


Expression: TypeAlias = (
    Number
    | Sum
    | Difference
    | Product
    | Quotient
    | Exponential
    | SquareRoot
    | Power
    | HyperbolicTangent
)


def numbers(expression: Expression) -> Iterator[Number]:
    """Yield every number of an expression, in reading order."""
    if isinstance(expression, Number):
        yield expression
        return
    for part in expression.parts:
        yield from numbers(part)


@dataclass(frozen=True, slots=True, repr=False)
class Formula:
    """Why a cell holds its value.

    Parameters
    ----------
    cell : Cell
        The explained cell.
    value : float
        The number in it.
    symbols : str
        The rule in the field's symbols, such as ``Qᵢ · Kⱼ``.
    steps : tuple of expressions
        The rule with this cell's own numbers, each step simpler than the one
        before; none for a number that is given. Every step evaluates to `value` up
        to rounding, unless its terms leave the range of numbers, see `in_range`.
    note : str
        What the rule alone does not say, such as why a key is masked.
    sources : tuple of Cell
        Cells that decide the value though no step names them, such as the score
        that a mask hides.
    """

    cell: Cell
    value: float
    symbols: str
    steps: tuple[Expression, ...] = ()
    note: str = ""
    sources: tuple[Cell, ...] = ()

    def __repr__(self) -> str:
        # Imported here, as they are made of formulas.
        from attnviewer.compute.html import formula_name
        from attnviewer.compute.notation import plain_text, write

        steps = [plain_text(write(step)) for step in self.steps[:1]]
        value = short_number(self.value)
        return " = ".join([formula_name(self), *steps, value])

    def _repr_html_(self) -> str:
        from attnviewer.compute.html import formula_html

        return formula_html(self)

    @property
    def in_range(self) -> bool:
        """Whether the steps are finite if the value is, and else inf or NaN as it is.

        They are not where single terms overflow and a sum of products, which the
        processor adds up in another way, does not; or where one is NaN and the other
        infinite.
        """
        kinds = (_kind(step.evaluate()) for step in self.steps)
        return all(kind == _kind(self.value) for kind in kinds)

    def told_out_of_range(self) -> "Formula":
        """Return it with a note that its steps leave the range of numbers."""
        told = (
            "Some terms lie beyond the range of floating-point numbers: written out "
            "one by one they do not give the number in the cell."
        )
        return replace(self, note=f"{self.note} {told}".strip())

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the steps name in reading order, then `sources`, once each."""
        named = (number.cell for step in self.steps for number in numbers(step))
        cells = (cell for cell in named if cell is not None)
        return tuple(dict.fromkeys([*cells, *self.sources]))


def _kind(value: float) -> str:
    return "finite" if math.isfinite(value) else repr(value)


def dot_product(
    left: Array,
    right: Array,
    left_cell: Callable[[int], Cell],
    right_cell: Callable[[int], Cell],
    limit: int,
) -> tuple[Sum, Sum]:
    """Write ``left · right`` out, first as products, then as their values.

    Parameters
    ----------
    left, right : ndarray, shape (n,)
        The two vectors.
    left_cell, right_cell : callable
        The cell that holds the k-th number of each vector.
    limit : int
        How many terms to write; the largest stay, in their order.

    Returns
    -------
    tuple of two Sum
        ``2·2 + 0·4 + 2·3`` and ``4 + 0 + 6``.
    """
    products = left * right  # (n,)
    kept, omitted, remainder = largest_terms(products, limit)
    factors = tuple(
        Product(
            Number(float(left[k]), left_cell(k)), Number(float(right[k]), right_cell(k))
        )
        for k in kept
    )
    values = tuple(Number(float(products[k])) for k in kept)
    return Sum(factors, omitted, remainder), Sum(values, omitted, remainder)


def largest_terms(terms: Array, limit: int) -> tuple[Sequence[int], int, float]:
    """Choose the terms of a sum worth writing, by magnitude.

    Returns
    -------
    kept : sequence of int
        Positions of the terms to write, in their order.
    omitted : int
        How many are left out.
    remainder : float
        Their sum.
    """
    if terms.size <= limit:
        return range(terms.size), 0, 0.0
    order = np.argsort(-np.abs(terms), kind="stable")  # (n,)
    rest = terms[order[limit:]]  # (n - limit,)
    kept = sorted(int(k) for k in order[:limit])
    return kept, rest.size, _total(rest.tolist())


def _total(numbers: list[float]) -> float:
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):  # beyond the range, or +inf with -inf
        return sum(numbers)
