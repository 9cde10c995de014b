"""The weighted values that follow weights and values, brought up when looked at."""

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    Part,
    Places,
    Selection,
)
from attnviewer.compute.engine.live_weights import SPREAD, LiveWeights
from attnviewer.compute.passes import row_blocks
from attnviewer.compute.stages import Mix
from attnviewer.compute.stages.shared_heads import share, shared_by, shared_index
from attnviewer.compute.threads import product

_MOST_PENDING = 64
"""Rank up to which changes are collected before they are added to the sums."""


class LiveOutput:
    """Sums of the values over the numerators of the weights.

    They are kept in double precision whatever the values are in, and divided by
    the totals only when looked at. What would cancel digits in them is computed
    anew instead.

    Parameters
    ----------
    weights : LiveWeights
        The weights.
    mix : Mix
        The stage.
    values : ndarray, shape (..., h_kv, n_k, d_v)
        The values, read anew at each look.
    """

    def __init__(self, weights: LiveWeights, mix: Mix, values: Array) -> None:
        self._weights = weights
        self._mix = mix
        self._values = values
        self._group = shared_by(weights.scores.shape, values.shape)
        shape = (*weights.scores.shape[:-1], values.shape[-1])
        columns = (*values.shape[:-2], values.shape[-1])
        self.heads = np.empty(shape, values.dtype)  # (..., h, n_q, d_v)
        self._sums = np.empty(shape)  # (..., h, n_q, d_v)
        self._stale_rows: BoolArray = np.ones(shape[:-1], dtype=bool)  # (..., h, n_q)
        self._stale_columns: BoolArray = np.zeros(columns, dtype=bool)
        # What is still to be added to the sums, as products of low rank.
        self._pending: list[tuple[Array, Array]] = []
        # Of each column of the values: the largest that has entered the sums since
        # they were computed whole, and the sum of the squares now.
        self._largest = np.empty(columns)  # (..., h_kv, d_v)
        self._squares = np.empty(columns)  # (..., h_kv, d_v)

    @property
    def _unlooked(self) -> bool:
        """Whether all is to be computed anyway."""
        return bool(self._stale_rows.all())

    def forget(self, lead: Index, rows: Selection = ALL) -> None:
        """Take note that some rows of the weights were computed anew."""
        self._stale_rows[lead][..., rows] = True

    def forget_columns(self, heads: Places | None, columns: Places | None) -> None:
        """Take note that some columns of the values have changed."""
        stale = self._stale_columns  # (..., h_kv, d_v)
        if columns is None:
            columns = np.arange(stale.shape[-1])
        if heads is None or stale.ndim == 1:
            stale[..., columns] = True
        else:
            stale[..., heads[:, np.newaxis], columns] = True

    def exchange_values(self, keys: Places, before: Array) -> None:
        """Put the values of some keys in the place of what they were.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        before : ndarray, shape (..., h_kv, keys, d_v)
            Their values as they were.
        """
        if self._unlooked:
            return
        before = before.astype(np.float64)  # (..., h_kv, keys, d_v)
        now = self._values[..., keys, :].astype(np.float64)
        for values, sign in ((before, -1), (now, 1)):
            self._squares += sign * np.square(values).sum(axis=-2)
            largest = np.abs(values).max(axis=-2)  # (..., h_kv, d_v)
            np.maximum(self._largest, largest, out=self._largest)
        kept = np.square(self._largest) <= SPREAD**2 * self._squares
        self._stale_columns |= ~kept
        numerators = self._weights.view.numerators(Part(columns=keys))
        self._add(numerators.astype(np.float64), now - before)

    def exchange_numerators(self, keys: Places, difference: Array) -> None:
        """Follow numerators of some keys that have changed.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        difference : ndarray of float64, shape (..., h, n_q, keys)
            How much is added to their numerators.
        """
        if self._unlooked:
            return
        self._add(difference, self._values[..., keys, :].astype(np.float64))

    def _add(self, numerators: Array, values: Array) -> None:
        """Add ``numerators @ values``, (..., h, n_q, r) and (..., h_kv, r, d_v)."""
        self._pending.append((numerators, values))
        if sum(values.shape[-2] for _, values in self._pending) > _MOST_PENDING:
            self._settle()

    def _settle(self) -> None:
        """Add what is pending to the sums."""
        pending, self._pending = self._pending, []
        if not pending or self._unlooked:
            return
        numerators = np.concatenate([left for left, _ in pending], axis=-1)
        values = np.concatenate([right for _, right in pending], axis=-2)
        for lead in self._weights.matrices:
            own = share(values, lead, self._group)  # (r, d_v)
            for rows in row_blocks(numerators.shape[-2], values.shape[-1]):
                self._sums[lead][rows] += numerators[lead][rows] @ own

    def look(self) -> Array:
        """Return the weighted values, shape (..., h, n_q, d_v), up to date."""
        self._weights.follow_turns()
        kept = self._weights.kept
        self._settle()
        anew = self._stale_columns | self._unlooked  # (..., h_kv, d_v)
        for lead in self._weights.matrices:
            values = share(self._values, lead, self._group)  # (n_k, d_v)
            rows = self._stale_rows[lead]  # (n_q,)
            columns = self._stale_columns[shared_index(lead, self._group)]  # (d_v,)
            if rows.mean() > 0.25 or columns.all():
                self._sums[lead] = product(kept[lead], values)
            else:
                if rows.any():
                    self._sums[lead][rows] = kept[lead][rows] @ values
                if columns.any():
                    self._sums[lead][:, columns] = kept[lead] @ values[:, columns]
        self._measure(anew)
        self._stale_rows[...] = False
        self._stale_columns[...] = False
        divisor = self._weights.divisor
        np.divide(
            self._sums,
            1.0 if divisor is None else divisor,
            out=self.heads,
            casting="same_kind",
        )
        self._mix_beyond_range(divisor)
        return self.heads

    def _mix_beyond_range(self, divisor: Array | None) -> None:
        """Compute rows whose sums have left the range as a fresh computation does."""
        finite = np.isfinite(self.heads)  # (..., h, n_q, d_v)
        if finite.all():
            return
        beyond = ~np.asarray(finite.all(axis=-1))  # (..., h, n_q)
        for lead in self._weights.matrices:
            rows = beyond[lead]  # (n_q,)
            values = share(self._values, lead, self._group)  # (n_k, d_v)
            kept = self._weights.kept[lead][rows]  # (rows, n_k)
            own = None if divisor is None else divisor[lead][rows]  # (rows, 1)
            self.heads[lead][rows] = self._mix.sums(kept, values, own)

    def _measure(self, columns: BoolArray) -> None:
        """Take note of the values in columns whose sums were computed whole."""
        exact = self._values.swapaxes(-1, -2)[columns].astype(np.float64)  # (any, n_k)
        if exact.size:
            self._largest[columns] = np.abs(exact).max(axis=-1)
            self._squares[columns] = np.square(exact).sum(axis=-1)
