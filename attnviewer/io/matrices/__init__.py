"""Readers of files of numbers, one module per format."""

from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.read import read_matrices

__all__ = ["Matrices", "read_matrices"]
