"""Small whole numbers from a seed, the same ones with every release of NumPy."""

from hashlib import shake_256

import numpy as np

from attnviewer.compute import Array, Shape

_BYTES = 4
"""The bytes that a number is made of: each is as likely up to one part in 10⁶."""


def whole_numbers(key: str, shape: Shape, least: int, most: int) -> Array:
    """Return a matrix of whole numbers that follow from a key.

    They are made of SHAKE-256 of the key, as streams of random generators may change.

    Parameters
    ----------
    key : str
        What they follow from; other keys give other numbers.
    shape : tuple of int
        Rows and columns.
    least, most : int
        The smallest and the largest number, at most 2000 apart.

    Returns
    -------
    ndarray, shape (rows, columns)
        The numbers.
    """
    count = int(np.prod(shape))
    digest = shake_256(key.encode()).digest(_BYTES * count)
    drawn = np.frombuffer(digest, dtype=">u4").astype(np.uint64)  # (count,)
    places = drawn * np.uint64(most - least + 1) >> np.uint64(8 * _BYTES)
    return places.astype(np.float64).reshape(shape) + least


def number_of(key: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most` that follows from a key."""
    return int(whole_numbers(key, (1, 1), least, most).item())
