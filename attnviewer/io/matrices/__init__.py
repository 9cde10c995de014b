"""Files of numbers, each format in a file of its own."""

from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.read import read_matrices

__all__ = ["Matrices", "read_matrices"]
