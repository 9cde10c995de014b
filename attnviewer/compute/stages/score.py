"""Scores: how well each query fits each key."""

import math
from collections.abc import Sequence
from copy import copy

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula, dot_product
from attnviewer.compute.stages.base import Steps, grouped
from attnviewer.compute.stages.comparison import Comparison
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)
from attnviewer.compute.threads import product


class Score(Comparison):
    """scores = Q Kᵀ, the dot product of every query with every key.

    Their type is that of the keys, which queries are converted to.

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
    takes_keys = True
    _factor = 1.0

    def __init__(self, queries: str = "Q", keys: str = "K") -> None:
        formula = f"{grouped(queries)} {grouped(keys)}ᵀ"
        super().__init__(
            "scores", (queries, keys), formula, formula, ("queries", "keys")
        )

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        left, right = _sides(part, *inputs)  # (..., rows, d_k), (..., columns, d_k)
        if self._factor != 1:
            left = left * left.dtype.type(self._factor)
        return product(left, right.swapaxes(-1, -2), out)

    def stays_in_range(self, part: Part, *inputs: Array) -> bool:
        """Return whether nothing overflows on the way, with the factor or without.

        May be False where nothing does.

        Parameters
        ----------
        part, *inputs
            As in `forward`.
        """
        left, right = _sides(part, *inputs)  # (..., rows, d_k), (..., columns, d_k)
        # |q · k| ≤ ‖q‖ ‖k‖, and no norm of a row is above that of all rows together.
        most = _norm(left) * max(_norm(right), 1.0)
        highest = np.finfo(left.dtype).max
        return bool(most * max(1.0, abs(self._factor)) <= highest)

    def times(self, factor: float) -> "Score":
        """Return the comparison times a factor, which costs no pass over the scores."""
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


def _sides(part: Part, queries: Array, keys: Array) -> tuple[Array, Array]:
    """Return the queries and the keys of a part of the scores."""
    group = shared_by(queries.shape, keys.shape)
    shared = share(keys, part.lead, group)  # (..., n_k, d_k)
    rows = queries[part.lead][..., part.rows, :]  # (..., rows, d_k)
    return rows.astype(keys.dtype, copy=False), shared[..., part.columns, :]


def _norm(numbers: Array) -> float:
    """Return the norm of all numbers together; NaN or infinite beyond the range."""
    return math.sqrt(np.vdot(numbers, numbers))
