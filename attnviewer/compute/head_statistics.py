"""Summary statistics of a head."""

from dataclasses import dataclass, fields

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.row_statistics import RowStatistics


@dataclass(frozen=True, slots=True, eq=False)
class HeadStatistics:
    """Means over the queries of each head, arrays of shape (...,).

    The means of `RowStatistics`, without queries that see no key and, for
    `previous_share`, without those that no key can precede. NaN where no query counts,
    or one has a negative or undefined weight.

    Parameters
    ----------
    entropy : ndarray
        In bits.
    effective_keys : ndarray
        The number of keys that a row effectively spreads over.
    distance : ndarray
        The mean distance of the keys from the query.
    first_share, previous_share, diagonal_share : ndarray
        Shares of the first key, of the one before the query's position and of the one
        at it.
    """

    entropy: Array
    effective_keys: Array
    distance: Array
    first_share: Array
    previous_share: Array
    diagonal_share: Array


def head_statistics(rows: RowStatistics) -> HeadStatistics:
    """Return the means over the queries.

    Parameters
    ----------
    rows : RowStatistics
        All rows of the heads, arrays of shape (..., n_q).
    """
    means = {}
    for field in fields(HeadStatistics):
        values = getattr(rows, field.name)  # (..., n_q)
        # A row without shares has no entropy either.
        unasked = np.isnan(values) & ~np.isnan(rows.entropy)  # (..., n_q)
        counts = rows.visible & ~unasked  # (..., n_q)
        total = np.where(counts, values, 0).sum(axis=-1)  # (...,)
        with np.errstate(invalid="ignore"):
            means[field.name] = total / counts.sum(axis=-1)  # (...,)
    return HeadStatistics(**means)
