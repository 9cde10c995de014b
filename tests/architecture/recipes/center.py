"""Rows without their mean, for the covariance."""

import math
from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell, Difference, Number, Quotient, Sum
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.stages.base import Axis, RowWise, Steps, number


class Center(RowWise):
    """centred Q = each number less the mean of its row."""

    def __init__(self, source: str, *, rows: Axis, per_head: bool) -> None:
        super().__init__(
            f"centred {source}",
            (source,),
            f"{source} − mean of its row",
            "− mean",
            (rows, "features"),
            per_head=per_head,
        )

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        chosen = Part(part.lead, part.rows).of(inputs[0])  # (..., rows, d)
        return chosen[..., part.columns] - chosen.mean(axis=-1, keepdims=True)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (gradient - gradient.mean(axis=-1, keepdims=True),)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        (source,) = self.inputs
        row = steps.row(source, index[:-1])  # (d,)
        kept, omitted, remainder = largest_terms(row, limit)
        terms = tuple(number(steps, source, (*index[:-1], k)) for k in kept)
        total = Sum(terms, omitted, remainder)
        own, width = number(steps, source, index), Number(float(row.size))
        short = Number(math.fsum(row.tolist()) / row.size)
        lines = Difference(own, Quotient(total, width)), Difference(own, short)
        cell, symbols = Cell(self.name, index), f"{source}ᵢⱼ − Σₖ {source}ᵢₖ / d"
        return Formula(cell, steps.value(cell), symbols, lines)
