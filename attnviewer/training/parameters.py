"""The numbers that are trained, as one vector with a matrix for each name."""

import math
from collections.abc import Mapping

import numpy as np

from attnviewer.compute import Array


class Parameters:
    """Matrices that lie one after the other in one vector.

    An optimiser works on each number by itself, so that one operation on the vector
    updates all matrices.

    Parameters
    ----------
    matrices : mapping of str to ndarray
        The numbers to begin with; they are copied.

    Attributes
    ----------
    vector : ndarray, shape (numbers,)
        All numbers.
    matrices : dict of str to ndarray
        Views of the vector.
    """

    def __init__(self, matrices: Mapping[str, Array]) -> None:
        shapes = {name: array.shape for name, array in matrices.items()}
        self.vector = np.zeros(sum(map(math.prod, shapes.values())))  # (numbers,)
        self.matrices: dict[str, Array] = {}
        first = 0
        for name, shape in shapes.items():
            last = first + math.prod(shape)
            self.matrices[name] = self.vector[first:last].reshape(shape)
            self.matrices[name][...] = matrices[name]
            first = last

    def norms(self) -> dict[str, float]:
        """Return the Frobenius norm of each matrix."""
        flat = {name: array.reshape(-1) for name, array in self.matrices.items()}
        return {name: math.sqrt(row @ row) for name, row in flat.items()}
