"""Files of numbers, each format in a file of its own."""

from attnviewer.io.matrices.matrices import Matrices

__all__ = ["Matrices"]
