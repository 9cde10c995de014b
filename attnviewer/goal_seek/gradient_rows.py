"""The gradients of requirements, factored once for several uses."""

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.goal_seek.optimizers import multipliers

RANK = 1e-12
"""Singular values below this share of the largest count as 0."""


class GradientRows:
    """The gradients at a point, one per row; they may be linearly dependent.

    Targets that imply each other have dependent rows: all weights of a row but one
    determine the last.

    Parameters
    ----------
    rows : ndarray, shape (count, size)
        The gradients.
    """

    def __init__(self, rows: Array) -> None:
        # Later factorisations are only as large as the number of requirements.
        self._directions, self._triangle = np.linalg.qr(rows.T)  # (size, k), (k, count)

    def multipliers(self, wanted: Array, equal: BoolArray) -> Array:
        """Return the multipliers of the least y with rows · y = or ≤ wanted."""
        return multipliers(self._triangle, wanted, equal)

    def only(self, chosen: BoolArray) -> "ChosenRows":
        """Return some of the rows."""
        return ChosenRows(self._directions, self._triangle[:, chosen])


class ChosenRows:
    """Some gradients, as their singular value decomposition.

    Parameters
    ----------
    directions : ndarray, shape (size, k)
        Orthonormal columns.
    triangle : ndarray, shape (k, count)
        The gradients in their terms.
    """

    def __init__(self, directions: Array, triangle: Array) -> None:
        left, sizes, right = np.linalg.svd(triangle, full_matrices=False)
        kept = sizes > RANK * sizes.max(initial=1e-300)
        self._left: Array = left[:, kept]  # (k, rank)
        self._sizes: Array = sizes[kept]  # (rank,)
        self._right: Array = right[kept]  # (rank, count)
        self._directions = directions

    @property
    def rank(self) -> int:
        """How many of the rows are independent."""
        return self._sizes.size

    def normal_step(self, off: Array) -> Array:
        """Return the least step that takes `off` away to first order, shape (size,).

        Where rows that depend on each other contradict, to their least squares.
        """
        step: Array = self._left @ ((self._right @ off) / self._sizes)  # (k,)
        return -(self._directions @ step)

    def along(self, vector: Array) -> Array:
        """Return the part of a vector that changes nothing to first order, (size,)."""
        inside = self._left @ (self._left.T @ (self._directions.T @ vector))  # (k,)
        return vector - self._directions @ inside


def normal_step(rows: Array, off: Array) -> Array:
    """Return the least step that takes `off` away to first order, shape (size,)."""
    every = np.ones(len(rows), dtype=bool)
    return GradientRows(rows).only(every).normal_step(off)
