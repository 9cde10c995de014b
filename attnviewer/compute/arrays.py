"""The array types that the numeric code speaks of."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]
Shape: TypeAlias = tuple[int, ...]
Index: TypeAlias = tuple[int, ...]
"""A cell of a step: ``(row, column)``, or ``(head, row, column)`` with heads."""
