"""The positions of a document's tokens along several axes, for rotary embeddings."""

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, Rotary, Spec
from attnviewer.document.token_grid import TokenGrid

POSITION_IDS = "position_ids"
"""The matrix with a row for each key token and a column for each axis."""


def n_axes_of(spec: Spec) -> int:
    """Return along how many axes tokens have positions; 0 without such a matrix."""
    scheme = spec.positions
    if not isinstance(scheme, Rotary) or scheme.axes is None:
        return 0
    return scheme.axes.n_axes


def first_position_ids(count: int, n_axes: int, grid: TokenGrid | None = None) -> Array:
    """Return the positions that tokens have until they get others.

    Parameters
    ----------
    count : int
        The number of tokens.
    n_axes : int
        Along how many axes.
    grid : TokenGrid, optional
        The grid that the tokens lie on: the last two axes are then its rows and
        columns, and special tokens are at 0, before those of the grid.

    Returns
    -------
    ndarray, shape (count, axes)
        Without a grid, where a token stands in its sequence, along all axes.
    """
    if grid is None or grid.n_tokens != count:
        return np.repeat(np.arange(float(count))[:, np.newaxis], n_axes, axis=1)
    first = 1.0 if grid.n_special else 0.0
    ids = np.zeros((count, n_axes))
    for token in range(grid.n_special, count):
        place = grid.place(token)
        assert place is not None
        ids[token, -2:] = np.add(place, first)
    return ids


def position_ids_after(ids: Array, sources: NDArray[np.intp]) -> Array:
    """Return the positions after tokens were added, removed or moved.

    Positions that only count the tokens go on doing so. Others go with their tokens,
    and new tokens get one after the largest, along all axes.

    Parameters
    ----------
    ids : ndarray, shape (before, axes)
        The positions before.
    sources : ndarray of int, shape (after,)
        Where each token was before; −1 for a new one.
    """
    if np.array_equal(ids, first_position_ids(*ids.shape)):
        return first_position_ids(len(sources), ids.shape[1])
    moved: Array = ids[sources]
    new = np.flatnonzero(sources < 0)
    largest = moved[sources >= 0].max(initial=-1)
    moved[new] = (largest + 1 + np.arange(len(new)))[:, np.newaxis]
    return moved
