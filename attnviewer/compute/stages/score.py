"""How well each query fits each key."""

from collections.abc import Sequence
from copy import copy

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula, dot_product
from attnviewer.compute.stages.base import Comparison, Steps, grouped
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)
from attnviewer.compute.threads import product


class Score(Comparison):
    """scores = Q Kᵀ, the dot product of every query with every key.

    Parameters
    ----------
    queries, keys : str
        The steps that hold them; both X in simplified self-attention.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    slope = 1.0
    stacks = True
    _factor = 1.0

    def __init__(self, queries: str = "Q", keys: str = "K") -> None:
        formula = f"{grouped(queries)} {grouped(keys)}ᵀ"
        super().__init__(
            "scores", (queries, keys), formula, formula, ("queries", "keys")
        )

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        queries, keys = inputs  # (..., h, n_q, d_k), (..., h_kv, n_k, d_k)
        group = shared_by(queries.shape, keys.shape)
        left = queries[part.lead][..., part.rows, :]  # (..., rows, d_k)
        if self._factor != 1:
            left = left * left.dtype.type(self._factor)
        right = share(keys, part.lead, group)[
            ..., part.columns, :
        ]  # (..., columns, d_k)
        return product(left, right.swapaxes(-1, -2), out)

    def times(self, factor: float) -> "Score":
        scaled = copy(self)
        scaled._factor = factor
        return scaled

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        queries, keys = inputs
        group = shared_by(queries.shape, keys.shape)
        on_keys = product(gradient.swapaxes(-1, -2), queries)  # (..., h, n_k, d_k)
        return product(gradient, share(keys, (), group)), gather(on_keys, group)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        queries, keys = self.inputs
        group = shared_by(steps.shape(queries), steps.shape(keys))
        query = index[:-1]
        key = (*shared_index(index[:-2], group), index[-1])
        written = dot_product(
            steps.row(queries, query),
            steps.row(keys, key),
            lambda c: Cell(queries, (*query, c)),
            lambda c: Cell(keys, (*key, c)),
            limit,
        )
        cell = Cell(self.name, index)
        symbols = f"{grouped(queries)}ᵢ · {grouped(keys)}ⱼ"
        return Formula(cell, steps.value(cell), symbols, written)
