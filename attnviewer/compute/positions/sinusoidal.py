"""Sines and cosines of a token's position, to be added to its embedding."""

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array, IndexArray


def sinusoidal_encoding(n: int, d_model: int, *, offset: int = 0) -> Array:
    """Return the sinusoidal encoding of `n` positions in a row.

    Parameters
    ----------
    n, d_model : int
        Numbers of positions and of columns, at least 1.
    offset : int
        The first position.

    Returns
    -------
    ndarray of float64, shape (n, d_model)
        sin(p / 10000^(2i / d_model)) in column 2i and the cosine of the same angle
        in column 2i + 1; an odd `d_model` ends with a sine. For the layout
        [sin | cos] in halves, concatenate ``e[:, ::2]`` and ``e[:, 1::2]``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or a number is less than 1.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
    """
    n, d_model = whole_number("n", n, 1), whole_number("d_model", d_model, 1)
    first = whole_number("offset", offset)
    return sines_and_cosines(np.arange(first, first + n), d_model)


def sines_and_cosines(positions: IndexArray, d_model: int) -> Array:
    """Return the rows of `sinusoidal_encoding` at some positions.

    Parameters
    ----------
    positions : ndarray of int, shape (rows,)
        The positions.
    d_model : int
        The number of columns.

    Returns
    -------
    ndarray of float64, shape (rows, d_model)
    """
    periods = 10000.0 ** (np.arange(0, d_model, 2) / d_model)  # (⌈d_model / 2⌉,)
    angles = positions[:, np.newaxis] / periods  # (rows, ⌈d_model / 2⌉)
    encoding = np.empty((positions.size, d_model))
    encoding[:, ::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return encoding
