"""Rows scaled to length 1, for the cosine."""

import math
from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import (
    Cell,
    Expression,
    Number,
    Product,
    Quotient,
    Sum,
)
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.functions import SquareRoot
from attnviewer.compute.stages.base import Axis, RowWise, Steps, number


class Unit(RowWise):
    """unit Q = each row divided by its length; a row of zeros is unchanged.

    Parameters
    ----------
    source : str
        The step whose rows are divided.
    rows : Axis
        What the rows stand for.
    per_head : bool
        Whether the source has a head axis.
    """

    stacks = True

    def __init__(self, source: str, *, rows: Axis, per_head: bool) -> None:
        super().__init__(
            f"unit {source}",
            (source,),
            f"{source} / ‖{source}‖, row by row",
            "÷ length",
            (rows, "features"),
            per_head=per_head,
        )

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        chosen = Part(part.lead, part.rows).of(inputs[0])  # (..., rows, d)
        largest, root = _length(chosen)  # (..., rows, 1) each
        return chosen[..., part.columns] / largest / root

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        (source,) = inputs
        along = (output * gradient).sum(axis=-1, keepdims=True)  # (..., n, 1)
        largest, root = _length(source)  # (..., n, 1) each
        on_source: Array = (gradient - output * along) / largest / root
        # A row of zeros has no direction and so no gradient.
        return (np.where(source.any(axis=-1, keepdims=True), on_source, 0),)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        (source,) = self.inputs
        cell = Cell(self.name, index)
        value = steps.value(cell)
        symbols = f"{source}ᵢⱼ / √Σ {source}ᵢₖ²"
        row = steps.row(source, index[:-1])  # (d,)
        if not row.any():
            note = "A row of zeros has no direction; it stays zero."
            return Formula(cell, value, symbols, (), note, (Cell(source, index),))
        row = row.astype(np.float64)  # (d,)
        largest, note = None, ""
        if not squares_fit(row):
            largest = Number(float(np.abs(row).max()))
            row = row / largest.value  # (d,)
            note = (
                "The squares would overflow or vanish, so every number is divided by "
                "the row's largest absolute value first, which cancels out."
            )

        def scaled(k: int) -> Expression:
            own = number(steps, source, (*index[:-1], k))
            return own if largest is None else Quotient(own, largest)

        kept, omitted, remainder = largest_terms(row * row, limit)
        squares = tuple(Product(term, term) for term in map(scaled, kept))
        length = SquareRoot(Sum(squares, omitted, remainder))
        own = scaled(index[-1])
        total = Number(math.sqrt(math.fsum((row * row).tolist())))
        return Formula(
            cell, value, symbols, (Quotient(own, length), Quotient(own, total)), note
        )


_SMALLEST, _LARGEST = 1e-140, 1e140


def squares_fit(rows: Array) -> bool:
    """Return whether the lengths of all rows can be computed from plain squares.

    They cannot where the squares of a nonzero row overflow or underflow in float64.

    Parameters
    ----------
    rows : ndarray, shape (..., d)
        The rows.
    """
    largest = np.abs(rows).max(axis=-1)  # (...)
    fit = (largest == 0) | ((largest >= _SMALLEST) & (largest <= _LARGEST))  # (...)
    return bool(fit.all())


def _length(rows: Array) -> tuple[Array, Array]:
    """Return two numbers whose product is the length of a row, 1 for one of zeros.

    The largest number, and the length in units of it, so that neither squares nor the
    length overflow.
    """
    largest = np.abs(rows).max(axis=-1, keepdims=True)  # (..., n, 1)
    largest = np.where(largest == 0, 1, largest)
    squares = np.square(rows / largest).sum(axis=-1, keepdims=True)  # (..., n, 1)
    return largest, np.sqrt(np.where(squares == 0, 1, squares))
