"""Which part of weights and output an edit reaches, and how it is followed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, Index, Places
from attnviewer.compute.changes import EVERYTHING, Dirty, joined
from attnviewer.compute.engine.live_output import LiveOutput
from attnviewer.compute.engine.live_weights import LiveWeights, Progress
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.shared_heads import shared_by, shared_index

_FEW_COLUMNS = 2
"""Changed columns of Q or K, up to which numerators are multiplied rather than
computed anew."""

_KEYS = 64
"""Keys that are followed at a time, so that little memory is needed beside."""

Blocks = tuple[Dirty, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """Which blocks may have changed.

    Parameters
    ----------
    scores, numerators, weights : tuple of Dirty
        Of the scores, of the numerators of the weights, and of the weights, which
        change wherever the total of their row does.
    """

    scores: Blocks = ()
    numerators: Blocks = ()
    weights: Blocks = ()


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Where a step has changed, and what it was.

    Parameters
    ----------
    dirty : Dirty
        Where.
    before : ndarray
        The changed rows as they were, or all rows where `dirty` has all.
    """

    dirty: Dirty
    before: Array


class LiveAttention:
    """Weights and output that follow queries, keys, values, bias and mask.

    Parameters
    ----------
    scores : Scores
        The scores.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        Where queries, keys and values are read; their arrays must stay the same.
    progress : callable, optional
        Is told the share of the weights that is there.
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
        self.weights = LiveWeights(scores, pipeline.normalize.normalizer, progress)
        mix = pipeline.mix
        self.output = LiveOutput(self.weights, mix, steps[mix.inputs[1]])

    def follow(
        self,
        queries: Moved | None,
        keys: Moved | None,
        values: Moved | None,
        others: Dirty | None,
    ) -> Followed:
        """Bring weights and output up to date.

        Parameters
        ----------
        queries, keys, values : Moved or None
            What has become of them; None for nothing.
        others : Dirty or None
            Which scores bias or mask have changed.
        """
        if values is not None:
            self._follow_values(values)
        if queries is None and keys is None and others is None:
            return Followed()
        if others is None:
            turned = self._turn(queries, keys)
            if turned is not None:
                return _whole(turned)
        rows, columns = self._crossed(queries, keys, others)
        if rows is None or columns is None or not self._replace(columns):
            return _whole(self._rebuild(queries, keys, others))
        redone_rows = rows
        for lead in self.weights.matrices:
            redone = self.weights.drifted(lead)  # (n_q,)
            redone[rows] = True
            places = np.flatnonzero(redone)
            if places.size:
                self.weights.redo(lead, places)
                self.output.forget(lead, places)
                redone_rows = np.union1d(redone_rows, places)
        across, redone_across = Dirty(rows=rows), Dirty(rows=redone_rows)
        if not columns.size:
            return Followed((across,), (redone_across,), (redone_across,))
        down = Dirty(columns=columns)
        return Followed((across, down), (redone_across, down), (EVERYTHING,))

    def _crossed(
        self, queries: Moved | None, keys: Moved | None, others: Dirty | None
    ) -> tuple[Places | None, Places | None]:
        """Return the rows and the columns of the scores that have changed.

        None where they are so many that all are worth computing.
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

    def _follow_values(self, values: Moved) -> None:
        dirty = values.dirty
        if dirty.rows is None:
            self.output.forget_columns(dirty.heads, dirty.columns)
            return
        for first in range(0, dirty.rows.size, _KEYS):
            part = slice(first, first + _KEYS)
            before = values.before[..., part, :]  # (..., h_kv, keys, d_v)
            self.output.exchange_values(dirty.rows[part], before)

    def _replace(self, columns: Places) -> bool:
        """Follow changed keys; return whether that was possible."""
        for first in range(0, columns.size, _KEYS):
            keys = columns[first : first + _KEYS]
            difference = self.weights.replace(keys)  # (..., h, n_q, keys)
            if difference is None:
                return False
            self.output.exchange_numerators(keys, difference)
        return True

    def _turn(self, queries: Moved | None, keys: Moved | None) -> list[Index] | None:
        """Follow a change of few columns of Q or of K; None if it was none.

        Returns
        -------
        list of tuple of int, or None
            The matrices that have changed.
        """
        moved = queries or keys
        if moved is None or (queries is not None and keys is not None):
            return None
        columns = moved.dirty.columns
        if moved.dirty.rows is not None or columns is None:
            return None
        if columns.size > _FEW_COLUMNS:
            return None
        names = self._scores.sides
        side = 0 if queries is not None else 1
        group = shared_by(*(self._steps[name].shape for name in names))
        reached = []
        for lead in self.weights.matrices:
            places = (lead, shared_index(lead, group))
            own = places[side]
            heads = moved.dirty.heads
            if heads is not None and own and own[-1] not in heads:
                continue
            factors = [
                self._steps[name][place][:, columns]
                for name, place in zip(names, places, strict=True)
            ]  # (n_q, r), (n_k, r)
            factors[side] -= moved.before[own][:, columns]
            if not self.weights.turn(lead, side, columns, *factors):
                self.weights.rebuild_matrix(lead)
            self.output.forget(lead)
            reached.append(lead)
        return reached

    def _rebuild(
        self, queries: Moved | None, keys: Moved | None, others: Dirty | None
    ) -> list[Index]:
        """Compute all weights anew that are reached; return which matrices."""
        reached = []
        group = shared_by(*(self._steps[name].shape for name in self._scores.sides))
        for lead in self.weights.matrices:
            if others is None and not (
                _reaches(queries, lead) or _reaches(keys, shared_index(lead, group))
            ):
                continue
            self.weights.rebuild_matrix(lead)
            self.output.forget(lead)
            reached.append(lead)
        return reached


def _whole(leads: list[Index]) -> Followed:
    """Return that some matrices have changed as a whole."""
    heads = None
    if leads and leads[0]:
        heads = np.unique([lead[-1] for lead in leads])
    blocks = (Dirty(heads=heads),) if leads else ()
    return Followed(blocks, blocks, blocks)


def _reaches(moved: Moved | None, lead: Index) -> bool:
    if moved is None:
        return False
    heads = moved.dirty.heads
    return heads is None or not lead or lead[-1] in heads
