"""Sines and cosines of a token's position, to be added to its embedding."""

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array


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
    positions = np.arange(first, first + n, dtype=np.float64)  # (n,)
    periods = 10000.0 ** (np.arange(0, d_model, 2) / d_model)  # (⌈d_model / 2⌉,)
    angles = positions[:, np.newaxis] / periods  # (n, ⌈d_model / 2⌉)
    encoding = np.empty((n, d_model))
    encoding[:, ::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return encoding
