"""The gradients of requirements, factored once for several uses."""

from abc import ABC, abstractmethod

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.goal_seek.optimizers import multipliers

RANK = 1e-12
"""Singular values below this share of the largest count as 0."""
MANY = 32
"""The number of rows from which on the Gram matrix is factored instead of the rows."""
FLATTEST = 1e-8
"""The least eigenvalue of the Gram matrix of unit rows, as a share of the largest, at
which its factor is accurate enough."""


class Directions(ABC):
    """An orthonormal basis of the span of the gradients.

    Attributes
    ----------
    triangle : ndarray, shape (k, count)
        The coordinates of the gradients in the basis.
    passes : int
        How often a projection is repeated to be accurate to rounding.
    """

    triangle: Array
    passes: int

    @abstractmethod
    def combined(self, terms: Array) -> Array:
        """Return the vector with coordinates (k,) in the basis, shape (size,)."""

    @abstractmethod
    def terms(self, vector: Array) -> Array:
        """Return the inner products of the basis with a vector (size,), shape (k,)."""


class Orthogonalized(Directions):
    """The basis of a QR decomposition, for any rows."""

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
    """The basis implied by the Gram matrix of rows that are far from dependent.

    With unit rows A and the Cholesky factorisation A Aᵀ = RᵀR, the basis is Aᵀ R⁻¹. It
    is never formed, which is several times as fast for many rows.

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
        The basis of all gradients.
    triangle : ndarray, shape (k, count)
        The coordinates of the gradients in it.
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
        """The number of independent rows."""
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
