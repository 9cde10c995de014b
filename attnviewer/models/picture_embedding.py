"""The embeddings of a picture's patches."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.architecture import Architecture
from attnviewer.models.blocks import apply_norm
from attnviewer.models.vision import Picture, PictureInput
from attnviewer.models.vision.resampling import FILTERS, cubic, filter_weights
from attnviewer.models.weights import Weights

_SHARPNESS = -0.75
"""The a of cubic convolution in PyTorch; that of Pillow is -0.5."""


class PictureEmbedding(NamedTuple):
    """The rows that enter a vision transformer, before a norm that follows.

    Parameters
    ----------
    tokens : ndarray, shape (n, d_model)
        Special tokens, and the linear map of each patch.
    positions : ndarray, shape (n, d_model)
        What is added to them.
    """

    tokens: Array
    positions: Array


def embed_picture(
    weights: Weights, architecture: Architecture, picture: Picture
) -> Array:
    """Return the rows that enter the first layer, shape (n, d_model).

    The parameters are those of `picture_embedding`.
    """
    embedding = picture_embedding(weights, architecture, picture)
    x: Array = embedding.tokens + embedding.positions  # (n, d_model)
    x = apply_norm(x, "embedding", weights.norm("embedding"), architecture)
    return np.asfortranarray(x)  # see `embed`


def picture_embedding(
    weights: Weights, architecture: Architecture, picture: Picture
) -> PictureEmbedding:
    """Return the embeddings of a picture.

    Parameters
    ----------
    weights : Weights
        The tables.
    architecture : Architecture
        Of a model that reads pictures.
    picture : Picture
        The picture.

    References
    ----------
    Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", equation 1.
    """
    given = architecture.picture
    assert given is not None
    width = architecture.d_model
    leading = [*given.special.values(), *(["registers"] if given.registers else [])]
    special = [weights.shared(part).reshape(-1, width) for part in leading]
    filters = weights.shared("patches.weight").reshape(width, -1)  # (d_model, c·ph·pw)
    patches: Array = picture.patches @ filters.T  # (rows · columns, d_model)
    if "patches.bias" in architecture.names:
        patches += weights.shared("patches.bias")
    table = weights.shared("places").reshape(-1, width)  # (n_positions, d_model)
    return PictureEmbedding(
        np.concatenate([*special, patches]), _positions(table, given, picture.grid)
    )


def _positions(table: Array, given: PictureInput, grid: tuple[int, int]) -> Array:
    """Return learned positions for a grid, (n, d_model), interpolated if need be.

    Registers have none.
    """
    first = len(given.special)
    places = table[first:]  # (rows · columns, d_model)
    if grid != given.grid:
        places = _interpolated(places, given, grid)
    registers = np.zeros((given.registers, table.shape[1]), table.dtype)
    return np.concatenate([table[:first], registers, places])


def _interpolated(table: Array, given: PictureInput, grid: tuple[int, int]) -> Array:
    """Return learned positions of patches for another grid, (n, d_model)."""
    cells: Array = table.reshape(*given.grid, -1)  # (rows, columns, d_model)
    for axis, new in enumerate(grid):
        old = given.grid[axis]
        if given.antialiased:
            between = filter_weights(old, new, FILTERS[3])  # (new, old)
        else:
            between = _between(old, new)  # (new, old)
        moved = np.tensordot(between, cells, (1, axis))  # (new, …)
        cells = np.moveaxis(moved, 0, axis)
    rows: Array = cells.reshape(-1, table.shape[1]).astype(table.dtype)
    return rows


def _between(old: int, new: int) -> Array:
    """Return the weights of cubic interpolation, without antialiasing, (new, old).

    Pixels are squares, and those beyond the edge are as the one at it.
    """
    weights = np.zeros((new, old))
    for place in range(new):
        center = (place + 0.5) * old / new - 0.5
        near = int(np.floor(center)) + np.arange(-1, 3)  # (4,)
        own = cubic(near - center, _SHARPNESS)  # (4,)
        np.add.at(weights[place], np.clip(near, 0, old - 1), own)
    return weights
