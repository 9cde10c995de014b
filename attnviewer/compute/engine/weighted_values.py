"""The weighted values of one matrix, which follow changes of single keys."""

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray, Selection

MOST_KEYS = 16
"""The most changed keys of which numerators are stored."""

_MOST_EXCHANGED = 8.0
"""How many times its largest value a row may take in and out before it is computed
again: the rounding of each numerator stays in it."""

_ROUNDED = 0.25
"""What rounding all values of a row counts as, in the same terms."""

MOST_FOLLOWED = int(_MOST_EXCHANGED / _ROUNDED) * MOST_KEYS
"""Of more changed keys than these, every row would be computed again."""


class WeightedValues:
    """Weighted values at some time, and the keys that have changed since.

    Sums that follow every change would have to be in double precision. Instead, the
    numerators and the value of each changed key are kept as the weighted values contain
    them. They are exchanged in double precision in the rows that are read, and in all
    rows once there are too many keys.

    Parameters
    ----------
    n_queries, d_v : int
        The shape of the weighted values.
    dtype : dtype
        Their type.

    Attributes
    ----------
    exchanged : ndarray, shape (n_q,)
        The largest values times numerators that each row has taken in and out.
    """

    def __init__(
        self, n_queries: int, d_v: int, dtype: "np.dtype[np.floating]"
    ) -> None:
        self._means = np.empty((n_queries, d_v), dtype)  # (n_q, d_v)
        self._divisors = np.empty((n_queries, 1))  # of the means: (n_q, 1)
        self.exchanged = np.zeros(n_queries)  # (n_q,)
        self._later = np.zeros(n_queries, bool)  # computed with all changes: (n_q,)
        self._numerators: dict[int, Array] = {}  # by key, (n_q,) each
        self._values: dict[int, Array] = {}  # by key, (d_v,) each

    @property
    def keys(self) -> IndexArray:
        """The changed keys whose numerators are kept."""
        return np.fromiter(self._numerators, np.intp)

    @property
    def later(self) -> BoolArray:
        """Which rows were computed after the first change of these keys, (n_q,)."""
        return self._later

    def put(self, rows: Selection, sums: Array, divisor: Array) -> None:
        """Replace some rows.

        Parameters
        ----------
        rows : slice or ndarray of intp
            The rows.
        sums : ndarray, shape (rows, d_v)
            The values times the numerators.
        divisor : ndarray, shape (rows, 1)
            The divisor of the numerators.
        """
        self._means[rows] = sums / divisor
        self._divisors[rows] = divisor
        self.exchanged[rows] = 0
        self._later[rows] = bool(self._numerators)

    def round(self, rows: Selection, sums: Array, divisor: Array) -> None:
        """Replace some rows by the numbers that `sums` has returned for them.

        The parameters are those of `put`.
        """
        self._means[rows] = sums / divisor
        self._divisors[rows] = divisor
        self.exchanged[rows] += _ROUNDED * np.abs(sums).max(axis=-1, initial=0)

    def forget_keys(self) -> None:
        """Forget the changed keys, once all rows include their changes."""
        self._numerators.clear()
        self._values.clear()
        self._later[:] = False

    def add_keys(self, keys: IndexArray, values: Array) -> None:
        """Note keys that are about to change; `keep` then takes their numerators.

        Parameters
        ----------
        keys : ndarray of intp
            The keys, none of which are noted.
        values : ndarray, shape (keys, d_v)
            Their values so far.
        """
        for key, value in zip(keys.tolist(), values, strict=True):
            self._values[key] = value.copy()
            self._numerators[key] = np.empty(len(self._means), self._means.dtype)

    def keep(self, rows: slice, keys: IndexArray, numerators: Array) -> None:
        """Keep the numerators of some noted keys in some rows, (rows, keys)."""
        for key, column in zip(keys.tolist(), numerators.T, strict=True):
            self._numerators[key][rows] = column

    def sums(self, rows: Selection, numerators: Array, values: Array) -> Array:
        """Return the values times the numerators as they are now, (rows, d_v).

        Parameters
        ----------
        rows : slice or ndarray of intp
            The rows.
        numerators : ndarray, shape (rows, keys)
            Those of the changed `keys` as they are now.
        values : ndarray, shape (keys, d_v)
            The values of the same keys.
        """
        sums = self._means[rows] * self._divisors[rows]  # (rows, d_v)
        if not self._numerators:
            return sums
        before = np.array([of_key[rows] for of_key in self._numerators.values()])
        values_before = np.array([*self._values.values()], np.float64)  # (keys, d_v)
        change = numerators @ values.astype(np.float64) - before.T @ values_before
        sums += np.where(self._later[rows][:, np.newaxis], 0, change)
        return sums

    def near(self, rows: Selection, sums: Array) -> BoolArray:
        """Return which of some rows are exact, shape (rows,).

        Parameters
        ----------
        rows : slice or ndarray of intp
            The rows.
        sums : ndarray, shape (rows, d_v)
            What `sums` has returned for them.
        """
        exchanged = self.exchanged[rows]  # (rows,)
        largest = np.abs(sums).max(axis=-1, initial=0)  # (rows,)
        near = (exchanged <= _MOST_EXCHANGED * largest) & np.isfinite(largest)
        return np.asarray(near | (exchanged == 0))
