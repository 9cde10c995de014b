"""Small whole numbers from a seed, the same ones with every release of NumPy."""

from hashlib import sha256

import numpy as np

from attnviewer.compute import Array, Shape

_BITS = 64


def whole_numbers(key: str, shape: Shape, least: int, most: int) -> Array:
    """Return a matrix of whole numbers that follow from a key.

    Parameters
    ----------
    key : str
        What they follow from; other keys give other numbers.
    shape : tuple of two int
        Rows and columns.
    least, most : int
        The smallest and the largest number.

    Returns
    -------
    ndarray, shape (rows, columns)
        Each number as often as the others, up to one part in 10¹⁷. It is SHA-256 of
        the key and the cell, as streams of random generators may change.
    """
    rows, columns = shape
    numbers = [number_of(f"{key}/{k}", least, most) for k in range(rows * columns)]
    return np.array(numbers, dtype=np.float64).reshape(rows, columns)


def number_of(key: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most` that follows from a key."""
    drawn = int.from_bytes(sha256(key.encode()).digest()[: _BITS // 8], "big")
    place: int = drawn * (most - least + 1) >> _BITS
    return least + place
