"""The statistics of rows: of weights, of scores, and of marked columns."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.compute.row_statistics import RowSpread
from attnviewer.ui.text.numbers import fit_number, number_or_dash, significant_number

Fact = Literal["marked", "entropy", "total", "effective_keys", "span", "mean_score"]
SUM_TOLERANCE = 1e-5
"""Tolerance for the rounding error of a sum of 1, also in single precision."""
WIDTH = 6
"""Most characters of a number of scores."""


class RowFacts(NamedTuple):
    """The statistics of one row."""

    marked: float = 0.0
    """Sum of the marked columns."""
    entropy: float = math.nan
    total: float = math.nan
    effective_keys: float = math.nan
    least: float = math.nan
    most: float = math.nan
    mean: float = math.nan
    """Of the numbers that are finite and not masked; NaN if there is none."""

    @property
    def adds_up(self) -> bool:
        """Whether the row is a probability distribution over the keys."""
        return abs(self.total - 1) <= SUM_TOLERANCE

    def text(self, name: Fact) -> str:
        """Return one statistic as it is written."""
        if name == "total":
            return "" if self.adds_up else number_or_dash(self.total, 3)
        if name == "span":
            least, most = map(_short, (self.least, self.most))
            return least if least == most else f"{least} … {most}"
        if name == "mean_score":
            return _short(self.mean)
        if name == "marked":
            return number_or_dash(self.marked, 3)
        value = self.entropy if name == "entropy" else self.effective_keys
        return number_or_dash(value, 2)


def facts_of_weights(values: Array, marked: Sequence[int]) -> Iterator[RowFacts]:
    """Yield the statistics of some rows of weights, or of neither weights nor scores.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        Their numbers.
    marked : sequence of int
        The marked columns.
    """
    spread = RowSpread.of(values)  # of (rows,)
    yield from map(
        RowFacts,
        _sums(values, marked),
        spread.entropy.tolist(),
        spread.sums.tolist(),
        spread.effective_keys.tolist(),
    )


def facts_of_scores(
    values: Array, hidden: BoolArray | None, marked: Sequence[int]
) -> Iterator[RowFacts]:
    """Yield the statistics of some rows of scores.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        Their numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Which of them are masked.
    marked : sequence of int
        The marked columns.
    """
    counted = np.isfinite(values)  # (rows, columns)
    if hidden is not None:
        counted &= ~hidden
    none = ~counted.any(axis=1)  # (rows,)
    least = np.where(counted, values, np.inf).min(axis=1)  # (rows,)
    most = np.where(counted, values, -np.inf).max(axis=1)  # (rows,)
    with np.errstate(all="ignore"):
        total = np.where(counted, values, 0).sum(axis=1, dtype=np.float64)  # (rows,)
        mean = total / counted.sum(axis=1)  # (rows,), NaN without numbers
    spans = (np.where(none, np.nan, end).tolist() for end in (least, most))
    for marks, low, high, middle in zip(
        _sums(values, marked), *spans, mean.tolist(), strict=True
    ):
        yield RowFacts(marks, least=low, most=high, mean=middle)


def _sums(values: Array, marked: Sequence[int]) -> list[float]:
    """Return the sum of the marked columns of each row."""
    with np.errstate(all="ignore"):
        sums = values[:, list(marked)].sum(axis=1, dtype=np.float64)  # (rows,)
    return [float(number) for number in sums]


def entropy_share(facts: RowFacts, most: float) -> tuple[float, float]:
    """Return where the bar of a row's entropy begins and ends, of the largest one."""
    share = facts.entropy / most if most > 0 else 0.0
    return 0.0, share if 0 < share <= 1.001 else 0.0


def span_share(facts: RowFacts, least: float, most: float) -> tuple[float, float]:
    """Return where the bar of a row's numbers begins and ends, of all rows' span."""
    reach = most - least
    if math.isnan(facts.least) or not 0 < reach < math.inf:
        return 0.0, 0.0
    return (facts.least - least) / reach, (facts.most - least) / reach


def _short(value: float) -> str:
    if math.isnan(value):
        return "—"
    # Fewer digits rather than an exponent: −0.912, not −9e−1.
    texts = [significant_number(value, digits) for digits in (4, 3, 2)]
    fitting = (text for text in texts if len(text) <= WIDTH)
    return next(fitting, fit_number(texts[-1], value, WIDTH))
