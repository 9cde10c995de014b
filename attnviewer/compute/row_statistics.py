"""Summary statistics of each row of attention weights."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.html import table_html
from attnviewer.compute.statistics import entropy, row_sums
from attnviewer.compute.windowed.folded import Folding

_OF_POSITIONS = "distance", "diagonal_share", "previous_share"


@dataclass(frozen=True, slots=True, eq=False)
class RowStatistics:
    """The statistics of rows of attention weights, arrays of shape (..., rows).

    All but `row_sum` and `maximum` are computed from shares: the weights of a row
    divided by their sum, so that a row that does not add up to 1 can be compared with
    one that does. For a row with a negative or undefined weight they are NaN. So are
    `distance`, `diagonal_share` and `previous_share` where the keys are of another
    sequence than the queries, as no key is at a query's position then.

    Parameters
    ----------
    row_sum, maximum : ndarray
        Sum of the weights and the largest one.
    entropy : ndarray
        Shannon entropy of the shares in bits; 0 for a row without any weight.
    effective_keys : ndarray
        2^entropy, the effective number of keys of the row; 0 for a row without any
        weight.
    distance : ndarray
        Mean of ``|i − j|`` over the shares, with i the query's position and j the
        key's; NaN for a row without any weight.
    first_share : ndarray
        Share of key 0; NaN for a row without any weight.
    diagonal_share : ndarray
        Share of key i; 0 where there is no such key, NaN for a row without any
        weight.
    previous_share : ndarray
        Share of key i − 1, as `diagonal_share`, but NaN also for queries that no key
        can precede (i < 1).
    visible : ndarray of bool
        False for a row without any weight, such as one whose keys are all masked.
    negative : ndarray of bool
        True for a row with a negative weight.

    References
    ----------
    Entropy: Shannon 1948, "A Mathematical Theory of Communication", section 6.
    Effective keys: the Hill number of order 1 (Hill 1973, "Diversity and Evenness:
    A Unifying Notation and Its Consequences"), called perplexity in language
    modelling. Distance: Vig and Belinkov 2019, "Analyzing the Structure of
    Attention in a Transformer Language Model". First share: Xiao et al. 2023,
    "Efficient Streaming Language Models with Attention Sinks".
    """

    row_sum: Array
    maximum: Array
    entropy: Array
    effective_keys: Array
    distance: Array
    first_share: Array
    diagonal_share: Array
    previous_share: Array
    visible: BoolArray
    negative: BoolArray

    def __getitem__(
        self, part: int | slice | tuple[int | slice, ...]
    ) -> "RowStatistics":
        """Return the statistics of a head, of some rows or of one row."""
        arrays = (getattr(self, field.name)[part] for field in fields(self))
        return RowStatistics(*(np.asarray(array) for array in arrays))

    def _repr_html_(self) -> str:
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        numbers = {n: a.ravel() for n, a in arrays.items() if a.dtype != np.bool_}
        columns = np.stack(list(numbers.values()), axis=1)  # (rows, statistics)
        return table_html(columns, columns=list(numbers), coloured=False)

    @staticmethod
    def concatenate(parts: Sequence["RowStatistics"]) -> "RowStatistics":
        """Return the joined statistics of rows that were read in several windows."""
        arrays = (
            np.concatenate([getattr(part, field.name) for part in parts], axis=-1)
            for field in fields(RowStatistics)
        )
        return RowStatistics(*arrays)


class RowSpread(NamedTuple):
    """How rows of attention weights spread over the keys, arrays of shape (..., rows).

    Parameters
    ----------
    sums, entropy, effective_keys, visible, negative : ndarray
        As in `RowStatistics`, of at least single precision.
    shares : ndarray, shape (..., rows, n_k)
        The weights divided by the sum of their row; NaN for a row with a negative or
        undefined weight.
    """

    sums: Array
    entropy: Array
    effective_keys: Array
    visible: BoolArray
    negative: BoolArray
    shares: Array

    @classmethod
    def of(cls, weights: Array) -> "RowSpread":
        """Return the spread of weights, shape (..., rows, n_k)."""
        visible = np.asarray(weights.any(axis=-1))  # (..., rows)
        negative = np.asarray((weights < 0).any(axis=-1))  # (..., rows)
        # The entropy of 300 keys in float16, 8.23 bits, would be 301 effective keys.
        exact = weights.astype(np.promote_types(weights.dtype, np.float32), copy=False)
        with np.errstate(all="ignore"):
            sums = row_sums(exact)  # (..., rows)
            shares = np.divide(
                exact,
                sums[..., np.newaxis],
                out=np.full_like(exact, np.nan),
                where=(~negative & np.isfinite(sums))[..., np.newaxis],
            )  # (..., rows, n_k)
            bits = np.where(visible, entropy(shares), 0.0)  # (..., rows)
            keys = np.exp2(bits) * visible  # (..., rows)
        return cls(sums, bits, keys, visible, negative, shares)


def row_statistics(
    weights: Array,
    *,
    first_query: int = 0,
    query_offset: int | None = 0,
    folding: Folding | None = None,
) -> RowStatistics:
    """Return the statistics of each row.

    Of folded weights, each group counts as one query and as one key. Its own keys are
    the columns that hold one of its tokens, `distance` counts the columns from the
    nearest of them, `diagonal_share` is the share of all of them, and `previous_share`
    that of the column before the first.

    Parameters
    ----------
    weights : ndarray, shape (..., rows, n_k)
        Whole rows of attention weights.
    first_query : int
        The row of the step that the first one is.
    query_offset : int or None
        Position of the step's first query among the keys: query 0 and key
        `query_offset` stand for the same token. None where the keys are of another
        sequence.
    folding : Folding, optional
        How the rows and columns were combined. `first_query` counts combined rows then,
        and `query_offset` tokens.

    Returns
    -------
    RowStatistics
        Arrays of shape (..., rows) in the dtype of `weights`.

    Raises
    ------
    ValueError
        If `weights` has no rows of at least one key, or `first_query` is negative.
    """
    if weights.ndim < 2 or weights.shape[-1] == 0:
        raise ValueError(
            "The 'weights' parameter must have shape (..., rows, n_k) with at least "
            f"one key. Got {weights.shape} instead."
        )
    if first_query < 0:
        raise ValueError(
            f"The 'first_query' parameter must be at least 0. Got {first_query} "
            "instead."
        )
    rows, n_k = weights.shape[-2:]
    offset = query_offset or 0
    first, last = _own_keys(first_query, rows, offset, folding)  # (rows,) each
    keys = np.arange(n_k)
    distances = np.maximum(first[:, np.newaxis] - keys, keys - last[:, np.newaxis])
    distances = distances.clip(0)  # (rows, n_k)
    spread = RowSpread.of(weights)
    shares = spread.shares  # (..., rows, n_k)
    with np.errstate(all="ignore"):
        previous = _share_of(shares, first - 1)  # (..., rows)
        statistics = {
            "row_sum": spread.sums,
            "maximum": weights.max(axis=-1),
            "entropy": spread.entropy,
            "effective_keys": spread.effective_keys,
            "distance": np.einsum("...rk,rk->...r", shares, distances),
            "first_share": _share_of(shares, np.zeros_like(first)),
            "diagonal_share": _share_between(shares, first, last),
            "previous_share": np.where(first < 1, np.nan, previous),
        }
        if query_offset is None:
            nowhere = np.full_like(spread.entropy, np.nan)  # (..., rows)
            statistics |= dict.fromkeys(_OF_POSITIONS, nowhere)
        arrays = {k: v.astype(weights.dtype) for k, v in statistics.items()}
    return RowStatistics(**arrays, visible=spread.visible, negative=spread.negative)


def _own_keys(
    first_query: int, rows: int, query_offset: int, folding: Folding | None
) -> tuple[IndexArray, IndexArray]:
    """Return the first and the last key of the tokens of each row, (rows,) each.

    They lie beyond the keys where there is no such key.
    """
    if folding is None:
        queries = np.arange(rows) + (first_query + query_offset)  # (rows,)
        return queries, queries
    spans = np.array(folding.rows[first_query : first_query + rows])  # (rows, 2)
    stops = np.array([stop for _, stop in folding.columns])  # (n_k,)
    tokens = np.stack([spans[:, 0], spans[:, 1] - 1]) + query_offset  # (2, rows)
    own = np.searchsorted(stops, tokens, side="right")  # (2, rows)
    own = own + np.maximum(tokens - stops[-1], 0)
    first, last = np.where(tokens < 0, tokens, own)
    return first, last


def _share_between(shares: Array, first: IndexArray, last: IndexArray) -> Array:
    """Return each row's share of its keys from a first to a last one, (..., rows)."""
    widest = int((last - first).max(initial=0))
    keys = (first + k for k in range(widest + 1))
    parts = (_share_of(shares, np.where(key <= last, key, -1)) for key in keys)
    return reduce(np.add, parts)


def _share_of(shares: Array, keys: NDArray[np.integer[Any]]) -> Array:
    """Return each row's share of its key, (..., rows); 0 if there is no such key."""
    rows, n_k = shares.shape[-2:]
    exists = (keys >= 0) & (keys < n_k)  # (rows,)
    picked = shares[..., np.arange(rows), keys.clip(0, n_k - 1)]  # (..., rows)
    # A product instead of a choice, so that a row of NaN stays NaN.
    share: Array = picked * exists
    return share
