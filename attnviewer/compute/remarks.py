"""Remarks on what stands out about a row of attention weights, or a head."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Array, BoolArray
from attnviewer.compute.row_statistics import RowStatistics

VisibleKeys: TypeAlias = NDArray[np.integer[Any]] | int
"""The number of visible keys of each query, shape (rows,), or of all queries."""

ALMOST_ALL = 0.9
"""The share of the attention from which on it is called almost all of it.

Nine tenths, the threshold of Voita et al. for positional heads: the share of rows whose
largest weight is at the same relative position.
"""
NEARLY_UNIFORM = 0.95
"""Effective keys per visible key from which on a row is called nearly uniform.

Two keys reach it with weights 0.66 and 0.34, a row of many keys where the logarithms of
its weights have a standard deviation of about 0.32.
"""

# The first wins ties: for the second token, the previous token is the first one.
_OWN_PLACES = (
    ("diagonal_share", "the query's own position, the diagonal"),
    ("previous_share", "the token just before the query's own position"),
)
_PLACES = (("first_share", "the first token, a so-called attention sink"),)


def row_remark(
    statistics: RowStatistics,
    visible_keys: int,
    *,
    infinite: bool = False,
    cross: bool = False,
) -> str:
    """Return what stands out about one query's attention.

    Parameters
    ----------
    statistics : RowStatistics
        The statistics of one row, arrays of shape () or (1,).
    visible_keys : int
        How many keys the query may attend to.
    infinite : bool
        Whether scores of +∞ share the weight, see `Trace.infinite_rows`.
    cross : bool
        Whether keys and queries are of different sequences.

    Returns
    -------
    str
        As from `head_remark`, without averages.

    Raises
    ------
    ValueError
        If there are several rows.
    """
    if statistics.visible.size != 1:
        raise ValueError(
            "The 'statistics' parameter must be those of one row. "
            f"Got shape {statistics.visible.shape} instead."
        )
    counts, unbounded = np.asarray(visible_keys), np.asarray(infinite)
    return _remark(statistics, counts, unbounded, on_average="", among="", cross=cross)


def head_remark(
    statistics: RowStatistics,
    visible_keys: VisibleKeys,
    *,
    infinite: BoolArray | bool = False,
    cross: bool = False,
) -> str:
    """Return what stands out about a head, on average over its queries.

    Queries that see only one key have no choice and do not count.

    Parameters
    ----------
    statistics : RowStatistics
        Those of all rows of the head, arrays of shape (rows,).
    visible_keys : ndarray, shape (rows,), or int
        How many keys each query may attend to, or the same number for all.
    infinite : ndarray of bool, shape (rows,), or bool
        Where scores of +∞ share the weight, see `Trace.infinite_rows`.
    cross : bool
        Whether keys and queries are of different sequences: no key is then at a query's
        own position.

    Returns
    -------
    str
        Sentences such as ``Nearly uniform: on average it spreads over 6.9 of 7
        visible keys.``; empty if nothing stands out. Rows with negative or undefined
        weights are not distributions: with one of them there is no remark about the
        spread of the head.

    Raises
    ------
    ValueError
        If there are several heads, or not as many counts of keys as rows.

    References
    ----------
    Attention sink: Xiao et al. 2023, "Efficient Streaming Language Models with
    Attention Sinks". Heads that attend to the token itself or the one before:
    Clark et al. 2019, "What Does BERT Look At?"; Voita et al. 2019, "Analyzing
    Multi-Head Self-Attention", section 5.1.
    """
    shape, counts = statistics.visible.shape, np.asarray(visible_keys)
    if len(shape) != 1:
        raise ValueError(
            "The 'statistics' parameter must be those of one head, shape (rows,). "
            f"Got shape {shape} instead."
        )
    if counts.shape not in ((), shape):
        raise ValueError(
            f"The 'visible_keys' parameter must be one number or have shape {shape}. "
            f"Got shape {counts.shape} instead."
        )
    among = " for {count} of {rows} queries"
    unbounded = np.broadcast_to(infinite, shape)
    return _remark(
        statistics,
        counts,
        unbounded,
        on_average="on average ",
        among=among,
        cross=cross,
    )


def _remark(
    statistics: RowStatistics,
    visible_keys: NDArray[np.integer[Any]],
    infinite: BoolArray,
    *,
    on_average: str,
    among: str,
    cross: bool,
) -> str:
    unseeing, negative = ~statistics.visible, statistics.negative  # (rows,)
    sentences = [_spread(statistics, visible_keys, on_average, cross=cross)]
    if unseeing.any():
        where = _among(unseeing, among)
        sentences.append(
            f"No attention{where}: every weight is 0, as where all keys are masked."
        )
    if infinite.any():
        where = _among(infinite, among)
        sentences.append(
            f"A score of +∞{where}: the keys that have it share all weight equally, "
            "where NumPy's exp(s − max) would give NaN."
        )
    if negative.any():
        where = _among(negative, among)
        sentences.append(f"Negative weights{where}: no distribution over the keys.")
    return " ".join(filter(None, sentences))


def _spread(
    statistics: RowStatistics,
    visible_keys: NDArray[np.integer[Any]],
    on_average: str,
    *,
    cross: bool,
) -> str:
    counted = statistics.visible & (visible_keys > 1)  # (rows,)
    keys = statistics.effective_keys[counted]  # (counted rows,)
    if keys.size == 0 or not np.isfinite(keys).all():
        return ""
    visible = np.broadcast_to(visible_keys, counted.shape)[counted]  # (counted rows,)
    if np.mean(keys / visible) >= NEARLY_UNIFORM:
        return (
            f"Nearly uniform: {on_average}it spreads over {np.mean(keys):.1f} of "
            f"{_count(float(np.mean(visible)))} visible keys."
        )
    shares = [
        (_mean_share(getattr(statistics, name)[counted]), words)
        for name, words in (_PLACES if cross else _OWN_PLACES + _PLACES)
    ]
    share, words = max(shares, key=lambda pair: pair[0])
    if share >= ALMOST_ALL:
        percent = _percent(share)
        amount = "Practically" if percent == "100 %" else "Almost"
        return f"{amount} all attention ({percent}) goes to {words}."
    largest_shares = statistics.maximum[counted] / statistics.row_sum[counted]
    largest = float(np.mean(largest_shares))
    if largest >= ALMOST_ALL:
        return (
            f"Nearly one-hot: {on_average}{_percent(largest)} of the attention goes "
            "to a single key."
        )
    return ""


def _mean_share(shares: Array) -> float:
    """Average the shares; 0 if most queries have none, as no key precedes them."""
    known = shares[~np.isnan(shares)]  # (rows that have one,)
    return float(np.mean(known)) if 2 * known.size > shares.size else 0.0


def _among(rows: BoolArray, among: str) -> str:
    return among.format(count=np.count_nonzero(rows), rows=rows.size)


def _count(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else f"{number:.1f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
