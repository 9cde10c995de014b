"""The weighted sum of the values."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
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
    weights : str
        The step that holds the weights.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    kind = "weighted sum"
    stacks = True
    takes_keys = True

    def __init__(self, name: str, values: str = "V", weights: str = "weights") -> None:
        super().__init__(
            name,
            (weights, values),
            f"{grouped(weights)} {grouped(values)}",
            f"× {values}",
            ("queries", "features"),
        )

    def shape(self, *inputs: Shape) -> Shape:
        weights, values = inputs
        return *weights[:-1], values[-1]

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        weights, values = inputs  # (..., h, n_q, n_k), (..., h_kv, n_k, d_v)
        group = shared_by(weights.shape, values.shape)
        rows = Part(part.lead, part.rows).of(weights)  # (..., rows, n_k)
        columns = share(values, part.lead, group)[..., part.columns]
        return self.sums(rows, columns, None, out)

    def sums(
        self,
        kept: Array,
        values: Array,
        divisor: Array | None,
        out: Array | None = None,
    ) -> Array:
        """Return the weighted sums of some rows, (..., rows, d_v).

        Divided at the end, which is n_k / d_v times less work, unless sums leave the
        range that way.

        Parameters
        ----------
        kept : ndarray, shape (..., rows, n_k)
            The weights, or their numerators.
        values : ndarray, shape (..., n_k, d_v)
            The values.
        divisor : ndarray, shape (..., rows, 1), or None
            The divisor of the numerators; None for weights.
        out : ndarray, optional
            Memory that the result may be written into.
        """
        if divisor is None:
            return np.matmul(kept, values, out=out)
        if kept.dtype == np.float16:
            # Sums of numerators up to 1 soon leave its range.
            kept, values, out = kept.astype(np.float32), values.astype(np.float32), None
        mixed: Array = np.matmul(kept, values, out=out)  # (..., rows, d_v)
        mixed /= divisor
        if not np.isfinite(mixed).all():
            mixed = (kept / divisor.astype(kept.dtype, copy=False)) @ values
        return mixed

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
            # Weights of NaN only count for queries whose output has a gradient.
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
        symbols = f"Σₖ {grouped(weights)}ᵢₖ · {grouped(values)}ₖⱼ"
        return Formula(cell, steps.value(cell), symbols, written)
