"""Scores by a small network of one hidden layer."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell, HyperbolicTangent, Number, Product, Sum
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.stages.base import Comparison, Steps, grouped, number
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)


class AdditiveScore(Comparison):
    """scores = Σ v · tanh(query + key), both already multiplied by their weights.

    Parameters
    ----------
    queries, keys : str
        The steps ``Q w_q`` (…, n_q, a) and ``K w_k`` (…, n_k, a).

    References
    ----------
    Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align
    and Translate", appendix A.1.2; Luong et al. 2015, "Effective Approaches to
    Attention-based Neural Machine Translation", section 3.1, *concat*: the same
    with both weights side by side in one matrix.
    """

    def __init__(self, queries: str, keys: str) -> None:
        super().__init__(
            "scores",
            (queries, keys, "v"),
            f"Σ v · tanh({queries} + {keys})",
            "tanh, · v",
            ("queries", "keys"),
        )

    def window(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        queries, keys, v = inputs  # (..., h, n_q, a), (..., h_kv, n_k, a), (a,)
        left, right = self._sides(part, queries, keys)
        if out is None:
            out = np.empty((*left.shape[:-1], right.shape[-2]), dtype=left.dtype)
        out[...] = 0
        # One hidden unit at a time: all at once would need n_q · n_k · a numbers.
        for unit, factor in enumerate(v.reshape(-1)):
            hidden = left[..., unit, np.newaxis] + right[..., np.newaxis, :, unit]
            out += factor * np.tanh(hidden, out=hidden)
        return out

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        queries, keys, v = inputs
        left, right = self._sides(Part(), queries, keys)
        on_left, on_right = np.zeros_like(left), np.zeros_like(right)
        on_v = np.zeros(v.size, dtype=v.dtype)
        for unit, factor in enumerate(v.reshape(-1)):
            both = left[..., unit, np.newaxis] + right[..., np.newaxis, :, unit]
            hidden = np.tanh(both)  # (..., n_q, n_k)
            on_v[unit] = (gradient * hidden).sum()
            slope = gradient * factor * (1 - hidden * hidden)  # (..., n_q, n_k)
            on_left[..., unit] = slope.sum(axis=-1)
            on_right[..., unit] = slope.sum(axis=-2)
        group = shared_by(queries.shape, keys.shape)
        return on_left, gather(on_right, group), on_v.reshape(v.shape)

    @staticmethod
    def _sides(part: Part, queries: Array, keys: Array) -> tuple[Array, Array]:
        group = shared_by(queries.shape, keys.shape)
        right = share(keys, part.lead, group)  # (..., n_k, a)
        return queries[part.lead][..., part.rows, :], right[..., part.columns, :]

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        queries, keys, v = self.inputs
        group = shared_by(steps.shape(queries), steps.shape(keys))
        query = index[:-1]
        key = (*shared_index(index[:-2], group), index[-1])
        hidden = np.tanh(steps.row(queries, query) + steps.row(keys, key))  # (a,)
        lead = (0,) * (len(steps.shape(v)) - 1)
        factors = steps.row(v, lead)  # (a,)
        kept, omitted, remainder = largest_terms(factors * hidden, limit)
        written, values = [], []
        for unit in kept:
            factor = number(steps, v, (*lead, unit))
            both = Sum(
                (
                    number(steps, queries, (*query, unit)),
                    number(steps, keys, (*key, unit)),
                )
            )
            written.append(Product(factor, HyperbolicTangent(both)))
            values.append(Product(factor, Number(float(hidden[unit]))))
        cell = Cell(self.name, index)
        return Formula(
            cell,
            steps.value(cell),
            f"Σₖ vₖ · tanh({grouped(queries)}ᵢₖ + {grouped(keys)}ⱼₖ)",
            (
                Sum(tuple(written), omitted, remainder),
                Sum(tuple(values), omitted, remainder),
            ),
        )
