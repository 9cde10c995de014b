"""Propagates changes of queries, keys and values to the weights and the output."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, Index, IndexArray
from attnviewer.compute.changes import EVERYTHING, Dirty, joined, union
from attnviewer.compute.engine.incremental_attention import (
    Blocks,
    DirtyBlocks,
    IncrementalAttention,
)
from attnviewer.compute.engine.live_output import LiveOutput
from attnviewer.compute.engine.live_weights import LiveWeights
from attnviewer.compute.progress import Progress
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import shared_by, shared_index
from attnviewer.compute.weights import Weights

_FEW_COLUMNS = 2
"""The most changed columns of Q or K for which numerators are multiplied rather than
recomputed."""

_MOST_PINNED = 256
"""The most rows with pinned scores that are recomputed one by one."""

_KEYS = 64
"""Changed keys that are processed at a time, to limit the memory needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A change of a step.

    Parameters
    ----------
    dirty : Dirty
        The changed block.
    previous : ndarray
        The previous numbers of the changed rows, or of all rows if `dirty` has all.
    """

    dirty: Dirty
    previous: Array


class LiveAttention(IncrementalAttention):
    """Weights and output that follow queries, keys, values, bias and mask.

    For scores that are only normalised: faster than `AttentionByStage`, as numerators
    and weighted sums are updated rather than recomputed wherever that is exact enough.

    Parameters
    ----------
    scores : Scores
        The scores.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where queries, keys and values are read; their arrays must stay the same.
    progress : callable, optional
        Called with the completed fraction of the weights.
    """

    def __init__(
        self,
        scores: Scores,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
        progress: Progress | None = None,
    ) -> None:
        self._scores = scores
        self._steps = steps
        self.live = LiveWeights(scores, pipeline.normalize.normalizer, progress)
        self._mix = mix = pipeline.mix
        self.output = LiveOutput(self.live, mix, steps[mix.inputs[1]])

    @property
    def weights(self) -> Weights:
        return self.live.view

    @property
    def touched(self) -> int:
        return self.live.touched

    @property
    def compared(self) -> frozenset[str]:
        return frozenset((*self._scores.sides, self._mix.inputs[1]))

    def heads(self) -> Array:
        return self.output.current()

    def follows(self, dirty: Mapping[str, Dirty]) -> bool:
        """Return whether the weights follow changed blocks by a low-rank update."""
        changed = [dirty[name] for name in self._scores.sides if name in dirty]
        return (
            len(changed) == 1
            and not dirty.keys() & set(self._scores.others)
            and _is_low_rank(changed[0])
            and self.live.follows_low_rank
        )

    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        changed = [name for name in self._scores.others if name in dirty]
        if changed:
            self._scores.spread()
        others = union([self._broadcast(name, dirty[name]) for name in changed])
        queries, keys, values = (
            Change(dirty[name], previous[name]) if name in dirty else None
            for name in (*self._scores.sides, self._mix.inputs[1])
        )
        scores, numerators, weights = self._follow(queries, keys, values, others)
        steps = dict.fromkeys(self._scores.steps, scores)
        mix = self._mix
        steps[mix.inputs[0]] = weights
        steps[mix.name] = weights if values is None else (EVERYTHING,)
        return DirtyBlocks(steps, numerators)

    def _broadcast(self, name: str, block: Dirty) -> Dirty:
        """Return the scores that a block of bias or mask is broadcast to."""
        if name not in ("bias", "mask"):
            return EVERYTHING
        wide = block.broadcast(self._steps[name].shape)
        return self._scores.reached_by(name, wide) or wide

    def _follow(
        self,
        queries: Change | None,
        keys: Change | None,
        values: Change | None,
        others: Dirty | None,
    ) -> tuple[Blocks, Blocks, Blocks]:
        """Bring weights and output up to date.

        Parameters
        ----------
        queries, keys, values : Change or None
            Their changes; None if unchanged.
        others : Dirty or None
            The scores that a changed bias or mask affects.

        Returns
        -------
        scores, numerators, weights : tuple of Dirty
            The blocks of each that may have changed.
        """
        if values is not None:
            self._follow_values(values)
        if queries is None and keys is None and others is None:
            return (), (), ()
        if others is None:
            updated = self._follow_low_rank(queries, keys)
            if updated is not None:
                return _changed_matrices(updated)
        rows, columns = self._crossed(queries, keys, others)
        if rows is None or columns is None or not self._replace_columns(columns):
            return _changed_matrices(self._rebuild(queries, keys, others))
        redone = np.zeros(self._scores.shape[-2], bool)  # (n_q,)
        for lead in self.live.matrices:
            stale = self.live.drifted(lead)  # (n_q,)
            stale[rows] = True
            if stale.any():
                self.live.recompute_rows(lead, np.flatnonzero(stale))
                self.output.mark_rows(lead, np.flatnonzero(stale))
                redone |= stale
        across, redone_across = Dirty(rows=rows), Dirty(rows=np.flatnonzero(redone))
        if not columns.size:
            return (across,), (redone_across,), (redone_across,)
        down = Dirty(columns=columns)
        return (across, down), (redone_across, down), (EVERYTHING,)

    def _crossed(
        self, queries: Change | None, keys: Change | None, others: Dirty | None
    ) -> tuple[IndexArray | None, IndexArray | None]:
        """Return the changed rows and columns of the scores.

        None where there are so many that recomputing all scores is cheaper.
        """
        none = np.empty(0, dtype=np.intp)
        rows = none if queries is None else queries.dirty.rows
        columns = none if keys is None else keys.dirty.rows
        if others is not None:
            by_row = others.rows is not None and (
                others.columns is None or others.rows.size <= others.columns.size
            )
            if by_row:
                rows = joined(rows, others.rows)
            else:
                columns = joined(columns, others.columns)
        *_, n_q, n_k = self._scores.shape
        if rows is None or columns is None:
            return None, None
        if rows.size * n_k + columns.size * n_q > n_q * n_k // 4:
            return None, None
        return rows, columns

    def _follow_values(self, values: Change) -> None:
        dirty = values.dirty
        if dirty.rows is None:
            self.output.mark_columns(dirty.heads, dirty.columns)
            return
        for first in range(0, dirty.rows.size, _KEYS):
            part = slice(first, first + _KEYS)
            previous = values.previous[..., part, :]  # (..., h_kv, keys, d_v)
            self.output.exchange_values(dirty.rows[part], previous)

    def _replace_columns(self, columns: IndexArray) -> bool:
        """Recompute the columns of changed keys; return whether that is possible."""
        for first in range(0, columns.size, _KEYS):
            keys = columns[first : first + _KEYS]
            difference = self.live.replace_columns(keys)  # (..., h, n_q, keys)
            if difference is None:
                return False
            self.output.exchange_numerators(keys, difference)
        return True

    def _follow_low_rank(
        self, queries: Change | None, keys: Change | None
    ) -> list[Index] | None:
        """Update the weights if few columns of Q, or of K, have changed.

        Returns
        -------
        list of tuple of int, or None
            The changed matrices; None for a change of any other kind.
        """
        change = queries or keys
        if change is None or (queries is not None and keys is not None):
            return None
        columns = change.dirty.columns
        if columns is None or not _is_low_rank(change.dirty):
            return None
        names = self._scores.sides
        side = 0 if queries is not None else 1
        group = shared_by(*(self._steps[name].shape for name in names))
        reached = []
        for lead in self.live.matrices:
            indices = (lead, shared_index(lead, group))
            changed = indices[side]
            heads = change.dirty.heads
            if heads is not None and changed and changed[-1] not in heads:
                continue
            factors = [
                self._steps[name][index][:, columns]
                for name, index in zip(names, indices, strict=True)
            ]  # (n_q, r), (n_k, r)
            factors[side] -= change.previous[changed][:, columns]
            # Pinned scores do not change like the others of their row.
            pinned = self._scores.pinned_rows(lead)
            if pinned.size > _MOST_PINNED or not self.live.update_low_rank(
                lead, *factors
            ):
                self.live.recompute_matrix(lead)
            elif pinned.size:
                self.live.recompute_rows(lead, pinned)
            self.output.mark_rows(lead)
            reached.append(lead)
        return reached

    def _rebuild(
        self, queries: Change | None, keys: Change | None, others: Dirty | None
    ) -> list[Index]:
        """Recompute all matrices of weights that the change reaches; return which."""
        reached = []
        group = shared_by(*(self._steps[name].shape for name in self._scores.sides))
        for lead in self.live.matrices:
            if others is None and not (
                _reaches(queries, lead) or _reaches(keys, shared_index(lead, group))
            ):
                continue
            self.live.recompute_matrix(lead)
            self.output.mark_rows(lead)
            reached.append(lead)
        return reached


def _is_low_rank(dirty: Dirty) -> bool:
    """Return whether only few columns of the queries or keys have changed."""
    columns = dirty.columns
    return dirty.rows is None and columns is not None and columns.size <= _FEW_COLUMNS


def _changed_matrices(leads: list[Index]) -> tuple[Blocks, Blocks, Blocks]:
    """Return the blocks for matrices that have changed as a whole."""
    heads = None
    if leads and leads[0]:
        heads = np.unique([lead[-1] for lead in leads])
    blocks = (Dirty(heads=heads),) if leads else ()
    return blocks, blocks, blocks


def _reaches(change: Change | None, lead: Index) -> bool:
    if change is None:
        return False
    heads = change.dirty.heads
    return heads is None or not lead or lead[-1] in heads
