"""A factor on each query's scores that grows with the length."""

from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, IndexArray, Part, Shape
from attnviewer.compute.changes import Dirty, union
from attnviewer.compute.expression import Cell, Expression, Number, Product, Sum
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import Logarithm
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.mask import ApplyMask
from attnviewer.compute.stages.offsets import PerItem, at, query_positions, shifted
from attnviewer.compute.stages.over_keys import broadcast_index, widened
from attnviewer.compute.stages.point_wise import PointWise

_ROWS = 256
"""Queries whose keys are counted at a time, to limit the memory needed."""


class ScaleByLength(PointWise):
    """tempered = scores · (b + s · ln m), with m by the query's position or its keys.

    Before cap, bias and mask. On the queries instead, as in Llama 4, the factor gives
    the same scores.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    rule : LengthScale
        The factor.
    mask : ApplyMask
        The mask that decides which keys are counted; one without rules hides none.
    query_offset : int or tuple of int
        The position of the first query among the keys.

    References
    ----------
    See `LengthScale`.
    """

    slope = None  # it differs from query to query
    stacks = True

    def __init__(
        self,
        source: str,
        rule: LengthScale,
        mask: ApplyMask,
        query_offset: PerItem = 0,
    ) -> None:
        given = mask.inputs[1:] if rule.counted == "keys" else ()
        super().__init__(
            "tempered",
            (source, *given),
            f"{source} · {_bracketed(rule, rule.symbols)}",
            "× length scale",
            ("queries", "keys"),
        )
        self.rule = rule
        self.mask = mask
        self.query_offset = query_offset

    def from_row(self, row: int) -> "ScaleByLength":
        return ScaleByLength(
            self.inputs[0],
            self.rule,
            self.mask.from_row(row),
            shifted(self.query_offset, row),
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        changed = union(dirty)
        if changed is None or all(mask is None for mask in dirty[1:]):
            return changed
        return Dirty(changed.rows, None, changed.heads)  # a key counts for its row

    def spread(self, shape: Shape, *others: Array) -> tuple[Array, ...]:
        """Return the factors, each broadcast to the scores of its query."""
        factors = self.rule.factors(self.counts(shape, *others))  # (..., n_q, 1)
        return (np.broadcast_to(factors, shape),)

    def counts(self, shape: Shape, *masks: Array) -> IndexArray:
        """Return the position of each query, or how many keys it sees, (..., n_q, 1).

        Parameters
        ----------
        shape : tuple of int
            The shape of the scores.
        *masks : ndarray of bool
            The given mask, if it counts.
        """
        if self.rule.counted == "position":
            rows = np.broadcast_to(0.0, shape)
            return query_positions(rows, Part(), self.query_offset)
        return np.concatenate(list(self._visible(shape, *masks)), axis=-2)

    def _visible(self, shape: Shape, *masks: Array) -> Iterator[IndexArray]:
        """Yield how many keys the queries see, in blocks of (..., rows, 1)."""
        n_q, n_k = shape[-2:]
        spread = []
        for mask in masks:
            wide = np.atleast_2d(widened(mask, self.mask.n_keys, n_k, True))
            spread.append(np.broadcast_to(wide, (*wide.shape[:-2], n_q, n_k)))
        for first in range(0, n_q, _ROWS):
            rows = slice(first, min(first + _ROWS, n_q))
            window = np.broadcast_to(0.0, (n_q, n_k))[rows]
            hidden = self.mask.hidden(window, Part(rows=rows), *spread)
            every = (*hidden.shape[:-2], *window.shape)
            hidden = np.broadcast_to(hidden, every)  # (..., rows, n_k)
            yield n_k - np.count_nonzero(hidden, axis=-1, keepdims=True)

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        (factors,) = others
        exact = np.promote_types(scores.dtype, np.float32)
        window = part.of(factors)  # (..., rows, columns)
        np.multiply(scores, window, out=scores, dtype=exact, casting="same_kind")

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        scores, *masks = inputs
        factors = self.rule.factors(self.counts(scores.shape, *masks))  # (..., n_q, 1)
        return (gradient * factors).astype(gradient.dtype), *(None for _ in masks)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source, rule = self.inputs[0], self.rule
        count = self.count_at(steps, index)
        m = int(rule.steps(np.array(count)))
        term: Expression = Logarithm(Number(float(m)))
        if rule.scale != 1:
            term = Product(Number(rule.scale), term)
        if rule.offset:
            term = Sum((Number(rule.offset), term))
        cell = Cell(self.name, index)
        note = f"n = {m}: the keys that the query sees."
        if rule.counted == "position":
            note = f"i = {count}: the query's position among the keys."
        return Formula(
            cell,
            steps.value(cell),
            f"{source}ᵢⱼ · {_bracketed(rule, rule.symbols)}",
            (Product(number(steps, source, index), term),),
            note,
        )

    def count_at(self, steps: Steps, index: Index) -> int:
        """Return the position of a cell's query, or how many keys the query sees."""
        *lead, query, _ = index
        if self.rule.counted == "position":
            return query + int(at(self.query_offset, tuple(lead)))
        position = np.array([[query + int(at(self.query_offset, tuple(lead)))]])
        n_k, n_keys = steps.shape(self.name)[-1], self.mask.n_keys
        hidden = np.zeros(n_k, np.bool_)
        hidden[:n_keys] |= self.mask.ruled_out(
            position, np.arange(n_keys), tuple(lead)
        ).reshape(-1)
        for name in self.inputs[1:]:
            first = broadcast_index((*index[:-1], 0), steps.shape(name), n_keys)
            assert first is not None
            row = steps.row(name, first[:-1])  # (n_k,) or narrower
            hidden |= widened(row, n_keys, n_k, True) == 0
        return int(n_k - np.count_nonzero(hidden))


def _bracketed(rule: LengthScale, factor: str) -> str:
    return f"({factor})" if rule.offset else factor
