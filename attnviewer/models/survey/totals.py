"""Statistics over texts that are added batch by batch."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array

Extremes: TypeAlias = tuple[NDArray[np.int64], Array]
EXAMPLES = 5
"""How many of the highest-scoring texts are kept of each head and metric."""

_DECIMALS = 4
"""The decimals of a score that decide which texts have the highest and the lowest."""


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Statistics over some texts, arrays of shape (...,).

    Parameters
    ----------
    count : ndarray of int64
        How many texts have a score.
    mean, squares : ndarray of float64
        Mean, and sum of squared differences from it; 0 without texts.
    minimum : ndarray of float64
        The minimum; NaN without texts.
    lowest : ndarray of int64
        The index of its text.
    highest : ndarray of int64, shape (..., k)
        The indices of the texts with the highest scores; −1 where there are fewer.
    highest_values : ndarray of float64, shape (..., k)
        Their scores, the highest first.
    """

    count: NDArray[np.int64]
    mean: Array
    squares: Array
    minimum: Array
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    highest_values: Array

    @classmethod
    def of(cls, values: Array, first: int) -> "Totals":
        """Return the statistics of a batch.

        Parameters
        ----------
        values : ndarray, shape (texts, ...)
            The scores; those that are not finite do not count.
        first : int
            The index of the first text.
        """
        values = np.moveaxis(values, 0, -1)  # (..., texts)
        counts = np.isfinite(values)
        count = counts.sum(axis=-1)
        mean = np.where(counts, values, 0).sum(axis=-1) / np.maximum(count, 1)
        apart = np.where(counts, values - mean[..., np.newaxis], 0)  # (..., texts)
        indices = np.where(counts, first + np.arange(values.shape[-1]), -1)
        highest, highest_values = _highest(indices, values)
        lowest, minimum = _lowest(indices, values)
        return cls(
            count,
            mean,
            (apart * apart).sum(axis=-1),
            minimum,
            lowest,
            highest,
            highest_values,
        )

    def with_later(self, other: "Totals") -> "Totals":
        """Return the statistics over these texts and later ones.

        References
        ----------
        Chan, Golub and LeVeque 1983, "Algorithms for Computing the Sample Variance",
        equation 1.5.
        """
        count = self.count + other.count
        share = other.count / np.maximum(count, 1)
        apart = other.mean - self.mean
        lowest, minimum = _lowest(
            np.stack([self.lowest, other.lowest], -1),
            np.stack([self.minimum, other.minimum], -1),
        )
        highest, highest_values = _highest(
            np.concatenate([self.highest, other.highest], -1),
            np.concatenate([self.highest_values, other.highest_values], -1),
        )
        return Totals(
            count,
            self.mean + apart * share,
            self.squares + other.squares + apart * apart * (self.count * share),
            minimum,
            lowest,
            highest,
            highest_values,
        )

    @property
    def deviation(self) -> Array:
        """The standard deviation, divided by the count; 0 without texts."""
        deviation: Array = np.sqrt(self.squares / np.maximum(self.count, 1))
        return deviation

    @property
    def named(self) -> set[int]:
        """The indices of the texts that are lowest or highest."""
        found = np.unique(np.concatenate([self.lowest.ravel(), self.highest.ravel()]))
        return set(found[found >= 0].tolist())


def _lowest(indices: NDArray[np.int64], values: Array) -> Extremes:
    """Return index and value of the minimum along the last axis, first of equals."""
    keys = np.where(indices < 0, np.inf, _compared(values))  # (..., texts)
    place = keys.argmin(axis=-1)[..., np.newaxis]  # (..., 1)
    minimum = np.where(indices < 0, np.nan, values)
    return (
        np.take_along_axis(indices, place, -1)[..., 0],
        np.take_along_axis(minimum, place, -1)[..., 0],
    )


def _highest(indices: NDArray[np.int64], values: Array) -> Extremes:
    """Return indices and values of the maxima along the last axis, first of equals."""
    keys = np.where(indices < 0, np.inf, -_compared(values))  # (..., texts)
    order = keys.argsort(axis=-1, kind="stable")[..., :EXAMPLES]  # (..., k)
    known = np.where(indices < 0, np.nan, values)
    return np.take_along_axis(indices, order, -1), np.take_along_axis(known, order, -1)


def _compared(values: Array) -> Array:
    """Return values by which texts are ordered.

    What differs by less is rounding, which depends on the texts computed together.
    """
    compared: Array = values.round(_DECIMALS)
    return compared
