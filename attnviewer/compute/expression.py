"""Expressions: trees of numbers, of the symbols of rules, and of operations on them.

Explanations of cells and the rules of normalisers and scores are expressions.
`evaluate` computes them, `attnviewer.compute.notation` writes them. A new operation is
a class here, or in `attnviewer.compute.functions` if it takes one number, and a form in
each table of the notations.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Self

import numpy as np

from attnviewer.compute.arrays import Array, Index


@dataclass(frozen=True, slots=True)
class Cell:
    """A position in a step: its name and the index into its array."""

    step: str
    index: Index


class Expression:
    """A number, an operation on other expressions, or a symbol of a rule."""

    __slots__ = ()

    @property
    def parts(self) -> "tuple[Expression, ...]":
        """Its direct operands, in reading order."""
        return ()

    def evaluate(self) -> float:
        """Return its value."""
        # Not an ABC, for which isinstance takes ten times as long.
        raise NotImplementedError

    def of(self, parts: "Sequence[Expression]") -> Self:
        """Return the same expression with other operands."""
        return type(self)(*parts)

    def __neg__(self) -> "Negative":
        return Negative(self)

    def __add__(self, other: "Expression | float") -> "Sum":
        return Sum((self, expression_of(other)))

    def __radd__(self, other: float) -> "Sum":
        return Sum((Number(other), self))

    def __sub__(self, other: "Expression | float") -> "Difference":
        return Difference(self, expression_of(other))

    def __rsub__(self, other: float) -> "Difference":
        return Difference(Number(other), self)

    def __mul__(self, other: "Expression | float") -> "Product":
        return Product(self, expression_of(other))

    def __rmul__(self, other: float) -> "Product":
        return Product(Number(other), self)

    def __truediv__(self, other: "Expression | float") -> "Quotient":
        return Quotient(self, expression_of(other))

    def __rtruediv__(self, other: float) -> "Quotient":
        return Quotient(Number(other), self)

    def __pow__(self, other: "Expression | float") -> "Power":
        return Power(self, expression_of(other))


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number, and the cell that holds it if there is one."""

    value: float
    cell: Cell | None = None

    def evaluate(self) -> float:
        return self.value

    def of(self, parts: Sequence[Expression]) -> Self:
        return self


class Operation(Expression):
    """An operation on numbers, or on arrays of them element by element.

    Each one defines `compute` and `slopes`.
    """

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        """Return the result for arrays that broadcast against each other."""
        raise NotImplementedError

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        """Return the derivative of the result with respect to each value."""
        raise NotImplementedError

    def evaluate(self) -> float:
        values = [np.asarray(part.evaluate()) for part in self.parts]
        with np.errstate(all="ignore"):
            return float(self.compute(*values))


@dataclass(frozen=True, slots=True)
class Sum(Operation):
    """A sum; `omitted` smaller terms are combined into one `remainder`."""

    terms: tuple[Expression, ...]
    omitted: int = 0
    remainder: float = 0.0

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.terms

    def of(self, parts: Sequence[Expression]) -> Self:
        return type(self)(tuple(parts), self.omitted, self.remainder)

    @staticmethod
    def compute(*values: Array) -> Array:
        return reduce(np.add, values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return tuple(np.ones_like(value) for value in values)

    def evaluate(self) -> float:
        return total_of([*(t.evaluate() for t in self.terms), self.remainder])


@dataclass(frozen=True, slots=True)
class Function(Operation):
    argument: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.argument,)


@dataclass(frozen=True, slots=True)
class _Pair(Operation):
    left: Expression
    right: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.left, self.right


class Difference(_Pair):
    """``left − right``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        left, right = values
        return left - right

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return np.ones_like(result), -np.ones_like(result)

    def evaluate(self) -> float:
        return self.left.evaluate() - self.right.evaluate()


class Product(_Pair):
    """``left · right``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        left, right = values
        return left * right

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        left, right = values
        return right, left

    def evaluate(self) -> float:
        return self.left.evaluate() * self.right.evaluate()


@dataclass(frozen=True, slots=True)
class Quotient(Operation):
    """``numerator / denominator``."""

    numerator: Expression
    denominator: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.numerator, self.denominator

    @staticmethod
    def compute(*values: Array) -> Array:
        numerator, denominator = values
        return numerator / denominator

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        denominator = values[1]
        return 1 / denominator, -result / denominator

    def evaluate(self) -> float:
        try:
            return self.numerator.evaluate() / self.denominator.evaluate()
        except ZeroDivisionError:  # ±∞ or NaN
            return Operation.evaluate(self)


class Power(_Pair):
    """``left ^ right``; the exponent is constant and has no gradient."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        left, right = values
        return np.asarray(left**right)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        left, right = values
        return right * left ** (right - 1), np.zeros_like(result)


class Maximum(_Pair):
    """The larger of two: ``max(left, right)``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.maximum(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        left, right = values
        # Where they are equal, each gets half of the gradient.
        above = np.heaviside(left - right, 0.5)
        return above, 1 - above


class Negative(Function):
    """``−argument``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.negative(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (-np.ones_like(result),)


@dataclass(frozen=True, slots=True)
class Named(Expression):
    """A named part of a rule, which programs and spreadsheets compute separately.

    Parameters
    ----------
    name : str
        The variable, such as ``total``.
    body : Expression
        The part.
    symbol : str
        How formulas abbreviate it, such as ``maxᵢ``; "" to write it out.
    """

    name: str
    body: Expression
    symbol: str = ""

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.body,)

    def of(self, parts: Sequence[Expression]) -> Self:
        return type(self)(self.name, parts[0], self.symbol)

    def evaluate(self) -> float:
        return self.body.evaluate()


def expression_of(value: Expression | float) -> Expression:
    """Return an expression unchanged, and a number as a `Number`."""
    return value if isinstance(value, Expression) else Number(float(value))


def numbers(expression: Expression) -> Iterator[Number]:
    """Yield every number of an expression, in reading order."""
    if isinstance(expression, Number):
        yield expression
        return
    for part in expression.parts:
        yield from numbers(part)


def total_of(values: list[float]) -> float:
    """Return a sum that is rounded only once if it is finite."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # overflow, or +inf with -inf
        return sum(values)
