"""The weighted values that follow weights and values, brought up when looked at."""

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index, Places
from attnviewer.compute.engine.live_weights import LiveWeights
from attnviewer.compute.stages.shared_heads import share, shared_by, shared_index


class LiveOutput:
    """Sums of the values over the numerators of the weights.

    Kept in double precision, so that a row of values which is taken off and put
    back leaves no trace, and divided by the totals only when looked at.

    Parameters
    ----------
    weights : LiveWeights
        The weights.
    values : ndarray, shape (..., h_kv, n_k, d_v)
        The values, read anew at each look.
    """

    def __init__(self, weights: LiveWeights, values: Array) -> None:
        self._weights = weights
        self._values = values
        self._group = shared_by(weights.scores.shape, values.shape)
        shape = (*weights.scores.shape[:-1], values.shape[-1])
        self._sums = np.empty(shape)  # (..., h, n_q, d_v)
        self.heads = np.empty(shape, values.dtype)  # (..., h, n_q, d_v)
        self._stale_rows: BoolArray = np.ones(shape[:-1], dtype=bool)  # (..., h, n_q)
        columns = (*values.shape[:-2], values.shape[-1])
        self._stale_columns: BoolArray = np.zeros(columns, dtype=bool)

    def forget(self, lead: Index, rows: Places | slice = slice(None)) -> None:
        """Take note that some rows of the weights were computed anew."""
        self._stale_rows[lead][..., rows] = True

    def forget_columns(self, heads: Places | None, columns: Places | None) -> None:
        """Take note that some columns of the values have changed."""
        stale = self._stale_columns  # (h_kv, d_v), or (d_v,) without heads
        if columns is None:
            columns = np.arange(stale.shape[-1])
        if heads is None or stale.ndim == 1:
            stale[..., columns] = True
        else:
            stale[np.ix_(heads, columns)] = True

    def exchange(self, before: Array, values_before: Array, columns: Places) -> None:
        """Take some keys' share off the sums, and put on what it is now.

        Parameters
        ----------
        before : ndarray, shape (..., h, n_q, columns)
            The numerators of these keys as they were.
        values_before : ndarray, shape (..., h_kv, columns, d_v)
            Their values as they were.
        columns : ndarray of intp
            The keys.
        """
        if self._stale_rows.all():
            return
        now = self._weights.kept[..., columns]  # (..., h, n_q, columns)
        values = self._values[..., columns, :]  # (..., h_kv, columns, d_v)
        # One product for both: the old with a minus beside the new.
        numerators = np.concatenate([now, before], axis=-1).astype(np.float64)
        both = np.concatenate([values, -values_before], axis=-2).astype(np.float64)
        self._sums += numerators @ share(both, (), self._group)

    def look(self) -> Array:
        """Return the weighted values, shape (..., h, n_q, d_v), up to date."""
        kept = self._weights.kept
        for lead in self._weights.matrices:
            values = share(self._values, lead, self._group)  # (n_k, d_v)
            rows = self._stale_rows[lead]  # (n_q,)
            columns = self._stale_columns[shared_index(lead, self._group)]  # (d_v,)
            if rows.all() or columns.all():
                self._sums[lead] = kept[lead] @ values
            else:
                if rows.any():
                    self._sums[lead][rows] = kept[lead][rows] @ values
                if columns.any():
                    self._sums[lead][:, columns] = kept[lead] @ values[:, columns]
        self._stale_rows[...] = False
        self._stale_columns[...] = False
        divisor = self._weights.divisor
        self.heads[...] = self._sums if divisor is None else self._sums / divisor
        return self.heads
