"""The gradients of requirements, factored once for all that is asked of them."""

from abc import ABC, abstractmethod

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.goal_seek.optimizers import multipliers

RANK = 1e-12
"""The share of the largest singular value below which rows depend on others."""
MANY = 32
"""The rows from which on the products of rows are worth their own factors."""
FLATTEST = 1e-8
"""The least eigenvalue of the products of unit rows, as a share of the largest, at
which they still tell as much as the rows."""


class Directions(ABC):
    """Orthonormal columns that span the gradients.

    Attributes
    ----------
    triangle : ndarray, shape (k, count)
        The gradients in their terms.
    passes : int
        How often a projection is repeated until it is exact but for rounding.
    """

    triangle: Array
    passes: int

    @abstractmethod
    def combined(self, terms: Array) -> Array:
        """Return the sum of the columns times terms (k,), shape (size,)."""

    @abstractmethod
    def terms(self, vector: Array) -> Array:
        """Return the products of the columns with a vector (size,), shape (k,)."""


class Orthogonalized(Directions):
    """By a QR decomposition, whatever the rows."""

    passes = 1

    def __init__(self, rows: Array) -> None:
        self._columns, self.triangle = np.linalg.qr(rows.T)  # (size, k), (k, count)

    def combined(self, terms: Array) -> Array:
        vector: Array = self._columns @ terms
        return vector

    def terms(self, vector: Array) -> Array:
        products: Array = self._columns.T @ vector
        return products


class Implied(Directions):
    """By the products of rows that are far from depending on each other.

    With unit rows A and A Aᵀ = RᵀR the columns are Aᵀ R⁻¹. They are never formed, which
    is several times as fast for many rows.

    References
    ----------
    Björck 1987, "Stability analysis of the method of seminormal equations for linear
    least squares problems".
    """

    passes = 2

    def __init__(self, rows: Array, sizes: Array, products: Array) -> None:
        upper = np.linalg.cholesky(products).T
        self._rows, self._sizes = rows, sizes
        self._inverse: Array = np.linalg.inv(upper)
        self.triangle = upper * sizes

    def combined(self, terms: Array) -> Array:
        vector: Array = ((self._inverse @ terms) / self._sizes) @ self._rows
        return vector

    def terms(self, vector: Array) -> Array:
        products: Array = self._inverse.T @ ((self._rows @ vector) / self._sizes)
        return products


class GradientRows:
    """The gradients at a point, one in a row; some may depend on others.

    Targets that follow from each other have such rows: the last weight of a row
    follows from all the others.

    Parameters
    ----------
    rows : ndarray, shape (count, size)
        The gradients.
    """

    def __init__(self, rows: Array) -> None:
        # What follows is as small as the number of requirements.
        self._directions = _directions(rows)

    def multipliers(self, wanted: Array, equal: BoolArray) -> Array:
        """Return the multipliers of the least y with rows · y = or ≤ wanted."""
        return multipliers(self._directions.triangle, wanted, equal)

    def only(self, chosen: BoolArray) -> "ChosenRows":
        """Return some of the rows."""
        return ChosenRows(self._directions, self._directions.triangle[:, chosen])


class ChosenRows:
    """Some gradients, as their singular value decomposition.

    Parameters
    ----------
    directions : Directions
        What they are expressed by.
    triangle : ndarray, shape (k, count)
        The gradients in their terms.
    """

    def __init__(self, directions: Directions, triangle: Array) -> None:
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
        return -self._directions.combined(step)

    def along(self, vector: Array) -> Array:
        """Return the part of a vector that changes nothing to first order, (size,)."""
        for _ in range(self._directions.passes):
            terms = self._directions.terms(vector)  # (k,)
            inside = self._left @ (self._left.T @ terms)  # (k,)
            vector = vector - self._directions.combined(inside)
        return vector


def normal_step(rows: Array, off: Array) -> Array:
    """Return the least step that takes `off` away to first order, shape (size,)."""
    every = np.ones(len(rows), dtype=bool)
    return GradientRows(rows).only(every).normal_step(off)


def _directions(rows: Array) -> Directions:
    count, size = rows.shape
    if MANY <= count <= size:
        products = rows @ rows.T  # (count, count)
        sizes = np.sqrt(np.diag(products))  # (count,)
        if sizes.all() and np.isfinite(sizes).all():
            products = products / np.outer(sizes, sizes)
            values = np.linalg.eigvalsh(products)  # (count,), ascending
            if values[0] > FLATTEST * values[-1]:
                return Implied(rows, sizes, products)
    return Orthogonalized(rows)
