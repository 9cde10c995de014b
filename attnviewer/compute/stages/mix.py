"""The weighted sum of the values."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula, dot_product
from attnviewer.compute.stages.base import Stage, Steps, grouped
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)
from attnviewer.compute.threads import product


class Mix(Stage):
    """Each query's context vector: the values, weighted by its attention.

    Parameters
    ----------
    name : str
        ``output``, or ``heads`` where more steps follow.
    values : str
        The step that holds the values; X in simplified self-attention.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    def __init__(self, name: str, values: str = "V") -> None:
        super().__init__(
            name,
            ("weights", values),
            f"weights {grouped(values)}",
            f"× {values}",
            ("queries", "features"),
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        weights, values = dirty
        by_weights = weights and Dirty(weights.rows, None, weights.heads)
        by_values = values and Dirty(None, values.columns)
        return union([by_weights, by_values]) or EVERYTHING

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        weights, values = inputs
        group = shared_by(weights.shape, values.shape)
        on_values = product(weights.swapaxes(-1, -2), gradient)  # (..., h, n_k, d_v)
        if not np.isfinite(on_values).all():
            # Weights of NaN count for the queries whose output has a gradient alone.
            asked = gradient.any(axis=-1, keepdims=True)  # (..., h, n_q, 1)
            seen = np.where(asked, weights, 0)  # (..., h, n_q, n_k)
            on_values = product(seen.swapaxes(-1, -2), gradient)
        on_weights = product(gradient, share(values, (), group).swapaxes(-1, -2))
        return on_weights, gather(on_values, group)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        weights, values = self.inputs
        query, column = index[:-1], index[-1]
        group = shared_by(steps.shape(weights), steps.shape(values))
        source = shared_index(index[:-2], group)
        written = dot_product(
            steps.row(weights, query),
            steps.column(values, (*source, column)),
            lambda key: Cell(weights, (*query, key)),
            lambda key: Cell(values, (*source, key, column)),
            limit,
        )
        cell = Cell(self.name, index)
        symbols = f"Σₖ weightsᵢₖ · {grouped(values)}ₖⱼ"
        return Formula(cell, steps.value(cell), symbols, written)
