"""Weights of which only a state per row is stored."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Selection
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.normalizers.separable import Separable
from attnviewer.compute.scores import Scores
from attnviewer.compute.stages import Mix
from attnviewer.compute.streaming.tiled_rows import QUERIES, TiledRows


def can_stream(normalizer: Normalizer) -> TypeGuard[Separable]:
    """Return whether weights of a normaliser can be computed tile by tile."""
    return normalizer.exponential


class StreamedWeights(FusedWeights):
    """The attention weights as a state per row; windows are computed when read.

    Parameters
    ----------
    scores : Scores
        The scores that are normalised.
    normalizer : Separable
        The normaliser, one that `can_stream`.
    """

    __slots__ = ("_tiled",)

    normalizer: Separable

    def __init__(self, scores: Scores, normalizer: Separable) -> None:
        state = np.empty((*scores.shape[:-1], 2))  # (..., n_q, 2)
        super().__init__(scores, normalizer, state, None)
        self._tiled = TiledRows(scores, normalizer)

    def blocks(self) -> Iterator[tuple[Index, slice]]:
        n_q = self.scores.shape[-2]
        for lead in np.ndindex(self.scores.shape[:-2]):
            for first in range(0, n_q, QUERIES):
                yield lead, slice(first, min(first + QUERIES, n_q))

    def mix(
        self, lead: Index, rows: slice, values: Array, mix: Mix, out: Array
    ) -> Array:
        sums = self.sums(lead, rows, values)  # (rows, d_v)
        divisor = self.normalizer.divisor(Part(lead, rows).of(self.state))
        assert divisor is not None
        return np.divide(sums, divisor, out=out, casting="same_kind")

    def sums(
        self,
        lead: Index,
        rows: Selection,
        values: Array,
        tiles: Iterable[slice] | None = None,
        watch: Callable[[Array, Part], Array] | None = None,
    ) -> Array:
        """Compute the states of some rows, and the values weighted by the numerators.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head.
        rows : slice with start and stop, or ndarray of intp
            The rows.
        values : ndarray, shape (n_k, d_v)
            The values of the head.
        tiles, watch
            As in `TiledRows.attend`.

        Returns
        -------
        ndarray of float64, shape (rows, d_v)
            The sums, not yet divided.
        """
        shift, total, sums = self._tiled.attend(lead, rows, values, tiles, watch)
        self.state[lead][rows] = np.concatenate([shift, total], axis=1)  # (rows, 2)
        return sums
