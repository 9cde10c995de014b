"""The weighted values, kept up to date with weights and values when read."""

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
)
from attnviewer.compute.engine.live_weights import SPREAD, LiveWeights
from attnviewer.compute.row_blocks import row_blocks
from attnviewer.compute.stages import Mix
from attnviewer.compute.stages.shared_heads import share, shared_by, shared_index
from attnviewer.compute.threads import product

_MOST_PENDING = 64
"""The rank up to which low-rank changes are collected before they are applied."""


class LiveOutput:
    """Sums of the values over the numerators of the weights.

    They are stored in double precision whatever the type of the values, and divided
    by the totals only when read. Where updating them would cancel digits, they are
    recomputed.

    Parameters
    ----------
    weights : LiveWeights
        The weights.
    mix : Mix
        The stage.
    values : ndarray, shape (..., h_kv, n_k, d_v)
        The values, reread at each look.
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
        # Low-rank products still to be added to the sums.
        self._pending: list[tuple[Array, Array]] = []
        # For each column of the values: the largest magnitude that has entered the sums
        # since they were last recomputed, and the current sum of squares.
        self._largest = np.empty(columns)  # (..., h_kv, d_v)
        self._squares = np.empty(columns)  # (..., h_kv, d_v)

    @property
    def _all_stale(self) -> bool:
        """Whether everything will be recomputed anyway."""
        return bool(self._stale_rows.all())

    def mark_rows(self, lead: Index, rows: Selection = ALL) -> None:
        """Mark rows whose weights were recomputed as stale."""
        self._stale_rows[lead][..., rows] = True

    def mark_columns(
        self, heads: IndexArray | None, columns: IndexArray | None
    ) -> None:
        """Mark changed columns of the values as stale."""
        stale = self._stale_columns  # (..., h_kv, d_v)
        if columns is None:
            columns = np.arange(stale.shape[-1])
        if heads is None or stale.ndim == 1:
            stale[..., columns] = True
        else:
            stale[..., heads[:, np.newaxis], columns] = True

    def exchange_values(self, keys: IndexArray, previous: Array) -> None:
        """Update the sums for changed values of some keys.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        previous : ndarray, shape (..., h_kv, keys, d_v)
            Their previous values.
        """
        if self._all_stale:
            return
        previous = previous.astype(np.float64)  # (..., h_kv, keys, d_v)
        now = self._values[..., keys, :].astype(np.float64)
        for values, sign in ((previous, -1), (now, 1)):
            self._squares += sign * np.square(values).sum(axis=-2)
            largest = np.abs(values).max(axis=-2)  # (..., h_kv, d_v)
            np.maximum(self._largest, largest, out=self._largest)
        kept = np.square(self._largest) <= SPREAD**2 * self._squares
        self._stale_columns |= ~kept
        numerators = self._weights.view.numerators(Part(columns=keys))
        self._add(numerators.astype(np.float64), now - previous)

    def exchange_numerators(self, keys: IndexArray, difference: Array) -> None:
        """Update the sums for changed numerators of some keys.

        Parameters
        ----------
        keys : ndarray of intp
            The keys.
        difference : ndarray of float64, shape (..., h, n_q, keys)
            The change of their numerators.
        """
        if self._all_stale:
            return
        self._add(difference, self._values[..., keys, :].astype(np.float64))

    def _add(self, numerators: Array, values: Array) -> None:
        """Add ``numerators @ values``, (..., h, n_q, r) and (..., h_kv, r, d_v)."""
        self._pending.append((numerators, values))
        if sum(values.shape[-2] for _, values in self._pending) > _MOST_PENDING:
            self._flush()

    def _flush(self) -> None:
        """Add the pending products to the sums."""
        pending, self._pending = self._pending, []
        if not pending or self._all_stale:
            return
        numerators = np.concatenate([left for left, _ in pending], axis=-1)
        values = np.concatenate([right for _, right in pending], axis=-2)
        for lead in self._weights.matrices:
            shared = share(values, lead, self._group)  # (r, d_v)
            for rows in row_blocks(numerators.shape[-2], values.shape[-1]):
                self._sums[lead][rows] += numerators[lead][rows] @ shared

    def current(self) -> Array:
        """Return the up-to-date weighted values, shape (..., h, n_q, d_v)."""
        kept = self._weights.kept
        self._flush()
        stale = self._stale_columns | self._all_stale  # (..., h_kv, d_v)
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
        self._note_magnitudes(stale)
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
        """Recompute rows whose sums have left the range, as `run` computes them."""
        finite = np.isfinite(self.heads)  # (..., h, n_q, d_v)
        if finite.all():
            return
        beyond = ~np.asarray(finite.all(axis=-1))  # (..., h, n_q)
        for lead in self._weights.matrices:
            rows = beyond[lead]  # (n_q,)
            values = share(self._values, lead, self._group)  # (n_k, d_v)
            kept = self._weights.kept[lead][rows]  # (rows, n_k)
            row_divisor = None if divisor is None else divisor[lead][rows]  # (rows, 1)
            self.heads[lead][rows] = self._mix.sums(kept, values, row_divisor)

    def _note_magnitudes(self, columns: BoolArray) -> None:
        """Record the magnitudes of columns whose sums were recomputed."""
        exact = self._values.swapaxes(-1, -2)[columns].astype(np.float64)  # (any, n_k)
        if exact.size:
            self._largest[columns] = np.abs(exact).max(axis=-1)
            self._squares[columns] = np.square(exact).sum(axis=-1)
