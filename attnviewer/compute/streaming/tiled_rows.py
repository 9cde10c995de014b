"""Rows of attention, computed by tiles of keys that are never stored together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Selection, count
from attnviewer.compute.normalizers.separable import Separable
from attnviewer.compute.scores import Scores

QUERIES, KEYS = 384, 1024
"""Queries and keys of a tile: larger ones take more memory, but not less time."""

_ADDED = 32
"""How many numbers are added in single precision."""

_IN_RANGE, _LEAST_BYTES = 16, 4
"""The magnitude of a largest score whose exponential leaves room for a sum, in numbers
of so many bytes at least."""


@dataclass(frozen=True, slots=True, eq=False)
class TiledRows:
    """Attends queries to all of their keys, a tile of keys at a time.

    With each tile the largest score so far, the sum of the numerators and the weighted
    values are corrected, so that only one tile of scores is in memory. Sums over tiles
    are in double precision.

    Parameters
    ----------
    scores : Scores
        The scores.
    normalizer : Separable
        The normaliser, an `exponential` one.

    References
    ----------
    Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"; Rabe and
    Staats 2021, "Self-attention Does Not Need O(n²) Memory".
    """

    scores: Scores
    normalizer: Separable

    def attend(
        self,
        lead: Index,
        rows: Selection,
        values: Array,
        tiles: Iterable[slice] | None = None,
        watch: Callable[[Array, Part], Array] | None = None,
    ) -> tuple[Array, Array, Array]:
        """Compute what is kept of some rows of one matrix.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head.
        rows : slice with start and stop, or ndarray of intp
            The queries.
        values : ndarray, shape (n_k, d_v)
            The values of the head.
        tiles : iterable of slice, optional
            The keys of each tile, all that the queries may see among them.
        watch : callable, optional
            Called with each tile of scores, (rows, keys), and its part of all scores;
            returns the largest scores of each row in parts of the tile, (rows, parts).

        Returns
        -------
        shift : ndarray, shape (rows, 1)
            What is subtracted from the scores of each row.
        total : ndarray of float64, shape (rows, 1)
            The sums of the numerators.
        sums : ndarray of float64, shape (rows, d_v)
            The sums of the values, weighted by the numerators.
        """
        n_rows, dtype = count(rows, self.scores.shape[-2]), self.scores.dtype
        shift = highest = np.full((n_rows, 1), -np.inf, dtype)
        total = np.zeros((n_rows, 1))
        sums = np.zeros((n_rows, values.shape[-1]))  # (rows, d_v)
        tiles = list(self._tiles(lead, rows) if tiles is None else tiles)
        room = room_for(tiles, n_rows, dtype)
        for keys in tiles:
            part = Part(lead, rows, keys)
            width = keys.stop - keys.start
            tile = keys_major(room, n_rows, width)  # (rows, keys)
            self.scores.write(part, tile)
            largest = tile if watch is None else watch(tile, part)
            highest = np.maximum(highest, self.normalizer.shift(largest))
            shift, before = self._shift(highest), shift
            factor = self.normalizer.numerators(before, shift, out=before)
            kept = self.normalizer.numerators(tile, shift, out=tile)  # (rows, keys)
            if (factor != 1).any():
                total *= factor
                sums *= factor
            total += _summed(kept)
            sums += _weighted(kept, values[keys])
        return shift, total, sums

    def _shift(self, highest: Array) -> Array:
        """Return what is subtracted from each row's scores, given their maximum.

        Nothing where all exponentials are in range anyway: where that holds for all
        rows, a pass over the scores is spared.
        """
        if highest.dtype.itemsize < _LEAST_BYTES:
            return highest
        fits = np.abs(highest) <= _IN_RANGE * self.normalizer.temperature  # (rows, 1)
        return np.where(fits, highest.dtype.type(0), highest)

    def _tiles(self, lead: Index, rows: Selection) -> Iterator[slice]:
        seen = self.scores.reach(lead, *ends(rows))
        size = keys_at_once(count(rows, self.scores.shape[-2]))
        for first in range(seen.start, seen.stop, size):
            yield slice(first, min(first + size, seen.stop))


def keys_at_once(n_rows: int) -> int:
    """Return how many keys a tile of so many rows has, more of them for fewer rows."""
    return KEYS * max(1, QUERIES // n_rows)


def room_for(
    tiles: Sequence[slice], n_rows: int, dtype: "np.dtype[np.floating]"
) -> Array:
    """Allocate memory for the widest of some tiles of keys."""
    widest = max((keys.stop - keys.start for keys in tiles), default=0)
    return np.empty(n_rows * widest, dtype)


def keys_major(room: Array, n_rows: int, n_keys: int) -> Array:
    """Return a tile in some memory, each key's scores in one piece.

    Its rows are then reduced many times faster, several at a time (measured).
    """
    return room[: n_keys * n_rows].reshape(n_keys, n_rows).T  # (rows, keys)


def _weighted(kept: Array, values: Array) -> Array:
    """Return the values weighted by numerators, (rows, d_v), also out of range."""
    sums = kept @ values
    if np.isfinite(sums).all():
        return sums
    return np.asarray(kept.astype(np.float64) @ values.astype(np.float64))


def _summed(kept: Array) -> Array:
    """Return the sums of rows in double precision, shape (rows, 1).

    In single precision, only a few numbers are added: with more, rounding shows.
    """
    keys = kept.T  # (keys, rows)
    whole = len(keys) // _ADDED * _ADDED
    groups = keys[:whole].reshape(-1, _ADDED, keys.shape[1])
    # Which takes two thirds of the time of `sum`.
    few = np.ones((1, _ADDED), keys.dtype) @ groups  # (groups, 1, rows)
    sums = few.sum(axis=(0, 1), dtype=np.float64)
    sums += keys[whole:].sum(axis=0, dtype=np.float64)
    summed: Array = sums[:, np.newaxis]
    return summed


def ends(rows: Selection) -> tuple[int, int]:
    """Return the first and the last of ascending rows."""
    if isinstance(rows, slice):
        return rows.start, rows.stop - 1
    return int(rows[0]), int(rows[-1])
