"""Hides keys from queries."""

from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Shape,
)
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.masks import Mask
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.offsets import (
    PerItem,
    at,
    ends_of_queries,
    key_positions,
    query_positions,
    shifted,
)
from attnviewer.compute.stages.over_keys import broadcast_index, widened
from attnviewer.compute.stages.point_wise import PointWise


class ApplyMask(PointWise):
    """masked = the scores, with −inf where a query may not look.

    A true −inf rather than a large negative number, so that no score is below it. A key
    is visible if every rule allows it; extra keys, which have no position, are subject
    only to the given mask.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    rules : tuple of Mask
        Rules on the positions of query and key.
    given : bool
        With the input ``mask``: True where a query may look.
    query_offset : int or tuple of int
        The position of the first query among the keys.
    key_lengths : int, tuple of int or None
        How many keys are not padding.
    n_keys : int
        Keys that have a position.
    """

    hides = True
    stacks = True

    def __init__(
        self,
        source: str,
        rules: tuple[Mask, ...] = (),
        *,
        given: bool = False,
        query_offset: PerItem = 0,
        key_lengths: PerItem | None = None,
        n_keys: int,
    ) -> None:
        reasons = [rule.reason for rule in rules]
        titles = [rule.title for rule in rules]
        if key_lengths is not None:
            reasons.append(_PADDING)
            titles.append("key lengths")
        if given:
            reasons.append(GIVEN)
            titles.append("mask")
        super().__init__(
            "masked",
            (source, "mask") if given else (source,),
            f"{source}, −∞ where {' or '.join(reasons)}",
            " + ".join(titles),
            ("queries", "keys"),
        )
        self.rules = rules
        self.query_offset = query_offset
        self.key_lengths = key_lengths
        self.n_keys = n_keys

    @property
    def hides_some(self) -> bool:
        """Whether there is anything that may hide a key."""
        given = len(self.inputs) == 2
        return bool(self.rules) or self.key_lengths is not None or given

    def from_row(self, row: int) -> "ApplyMask":
        return ApplyMask(
            self.inputs[0],
            self.rules,
            given=len(self.inputs) == 2,
            query_offset=shifted(self.query_offset, row),
            key_lengths=self.key_lengths,
            n_keys=self.n_keys,
        )

    def spread(self, shape: Shape, *others: Array) -> tuple[Array, ...]:
        wide = (widened(mask, self.n_keys, shape[-1], True) for mask in others)
        return tuple(np.broadcast_to(mask, shape) for mask in wide)

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        n_keys = scores.shape[-1]
        start, stop = (0, 0) if others else self._certain(scores, part)
        for doubtful in (slice(0, start), slice(max(start, stop), n_keys)):
            if doubtful.start < doubtful.stop:
                window = scores[..., doubtful]  # (..., rows, doubtful keys)
                keys = key_positions(scores, part)[doubtful]
                hidden = self.hidden(window, Part(part.lead, part.rows, keys), *others)
                np.copyto(window, -np.inf, where=hidden)

    def _certain(self, scores: Array, part: Part) -> tuple[int, int]:
        """Return a range of a window's columns that every row of it surely sees.

        The mask need not be evaluated there, which halves the work if it is causal.
        """
        by_item = isinstance(self.query_offset, tuple) or isinstance(
            self.key_lengths, tuple
        )
        if not scores.size or not isinstance(part.columns, slice):
            return 0, 0
        if by_item and not part.lead:
            return 0, 0
        first, last = ends_of_queries(scores, part, self.query_offset)
        start, stop = self._narrowed(
            part.lead, [rule.certain(first, last) for rule in self.rules]
        )
        begin, n_keys = part.columns.start or 0, scores.shape[-1]
        start, stop = (min(max(key - begin, 0), n_keys) for key in (start, stop))
        return (start, stop) if start < stop else (0, 0)

    def _narrowed(
        self, lead: Index, ranges: Iterable[tuple[int | None, int | None]]
    ) -> tuple[int, int]:
        """Return the intersection of all ranges of keys, without padding."""
        start, stop = 0, self.n_keys
        for low, high in ranges:
            start = start if low is None else max(start, low)
            stop = stop if high is None else min(stop, high)
        if self.key_lengths is not None:
            stop = min(stop, int(at(self.key_lengths, lead)))
        return start, max(start, stop)

    def hidden(self, scores: Array, part: Part, *others: Array) -> BoolArray:
        queries = query_positions(scores, part, self.query_offset)  # (..., rows, 1)
        keys = key_positions(scores, part)  # (columns,)
        hidden = self.ruled_out(queries, keys, part.lead)
        if scores.shape[-1] and keys[-1] >= self.n_keys:
            hidden = hidden & (keys < self.n_keys)
        for mask in others:
            hidden = hidden | ~part.of(mask).astype(bool)
        return hidden

    def ruled_out(
        self, queries: IndexArray, keys: IndexArray, lead: Index = ()
    ) -> BoolArray:
        """Return which keys are hidden by their position alone, to be broadcast.

        Parameters
        ----------
        queries, keys : ndarray of intp
            Positions, which broadcast; those of queries with their offset.
        lead : tuple of int
            Batch item and head.
        """
        hidden = [~rule.allows(queries, keys) for rule in self.rules]
        if self.key_lengths is not None:
            hidden.append(keys >= at(self.key_lengths, lead))
        return reduce(np.logical_or, hidden) if hidden else np.zeros((1, 1), bool)

    def seen(self, lead: Index, first: int, last: int, n_keys: int) -> slice:
        if n_keys > self.n_keys:
            return super().seen(lead, first, last, n_keys)
        start, stop = self.visible(lead, first, last)
        start = min(start, n_keys - 1)
        return slice(start, max(stop, start + 1))

    def visible(self, lead: Index, first: int, last: int) -> tuple[int, int]:
        """Return the range of keys (start, stop) that some of the rows may see.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head.
        first, last : int
            The first and the last row.
        """
        offset = int(at(self.query_offset, lead))
        return self._narrowed(
            lead, [rule.reach(first + offset, last + offset) for rule in self.rules]
        )

    def ranges(self, queries: IndexArray) -> tuple[IndexArray, IndexArray]:
        """Return the ranges of keys (starts, stops) that rules leave some queries.

        Parameters
        ----------
        queries : ndarray of intp, shape (queries,)
            Their positions; of no batch.
        """
        starts = np.zeros_like(queries)  # (queries,)
        stops = np.full_like(queries, self._narrowed((), ())[1])  # (queries,)
        for low, high in (rule.ranges(queries) for rule in self.rules):
            starts = starts if low is None else np.maximum(starts, low)
            stops = stops if high is None else np.minimum(stops, high)
        return starts, np.maximum(starts, stops)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        scores, *masks = inputs
        others = self.spread(scores.shape, *masks)
        hidden = self.hidden(scores, Part(), *others)
        return np.where(hidden, 0, gradient), *(None for _ in masks)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        cell = Cell(self.name, index)
        value = steps.value(cell)
        reasons, by = self._reasons(steps, index)
        if reasons:
            note = f"Masked: {' and '.join(reasons)}."
            hidden = (Cell(source, index), *by)
            return Formula(cell, value, "−∞", (), note, hidden)
        return Formula(cell, value, f"{source}ᵢⱼ", (number(steps, source, index),))

    def _reasons(self, steps: Steps, index: Index) -> tuple[list[str], list[Cell]]:
        """Return why a score is hidden, and the cells of the mask that hide it."""
        lead, key = index[:-2], index[-1]
        reasons: list[str] = []
        cells: list[Cell] = []
        if key < self.n_keys:
            reasons += self.reasons_at(index[-2], key, lead)
        if len(self.inputs) == 2:
            source_index = broadcast_index(index, steps.shape("mask"), self.n_keys)
            if source_index is not None and not steps.value(Cell("mask", source_index)):
                reasons.append(GIVEN)
                cells.append(Cell("mask", source_index))
        return reasons, cells

    def reasons_at(self, row: int, key: int, lead: Index = ()) -> list[str]:
        """Return why a key is hidden from the query of a row by position, if it is."""
        query = np.array(row + at(self.query_offset, lead))
        reasons = [
            rule.reason for rule in self.rules if not rule.allows(query, np.array(key))
        ]
        if self.key_lengths is not None and key >= at(self.key_lengths, lead):
            reasons.append(_PADDING)
        return reasons


_PADDING = "the key is padding"
GIVEN = "the mask hides the key"
"""Why a given mask hides a key."""
