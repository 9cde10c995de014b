"""Pictures of other sizes, as Pillow makes them, to the last bit."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.token_grid import PixelArray

_FRACTION_BITS = 22
"""Binary places of Pillow's weights: those of 32 that 8 bits and overshoot leave."""
_BAND = 2**24
"""Numbers of a picture that are widened at a time."""


class Filter(NamedTuple):
    """A filter of a resampled picture.

    Parameters
    ----------
    support : float
        Beyond that distance, in pixels of the smaller picture, weights are 0.
    weight : callable
        The weight at distances.
    """

    support: float
    weight: Callable[[Array], Array]


def _triangle(x: Array) -> Array:
    return np.maximum(0.0, 1.0 - np.abs(x))


def cubic(x: Array, a: float = -0.5) -> Array:
    """Return the weights of cubic convolution at distances (Keys 1981)."""
    x = np.abs(x)
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    weights: Array = np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))
    return weights


def _lanczos(x: Array) -> Array:
    weights: Array = np.where(np.abs(x) < 3.0, np.sinc(x) * np.sinc(x / 3), 0.0)
    return weights


FILTERS = {1: Filter(3.0, _lanczos), 2: Filter(1.0, _triangle), 3: Filter(2.0, cubic)}
"""Pillow's filters by number: Lanczos, bilinear and bicubic."""


def resized(image: PixelArray, size: tuple[int, int], resample: int) -> PixelArray:
    """Return a picture in another size, as Pillow's ``Image.resize`` does.

    The filter is widened where the picture gets smaller (antialiasing); columns come
    first, then rows, each rounded to whole numbers, as in Pillow up to 12: rows first
    only if a picture that gets lower was more than 100 times as high as wide. Pillow 13
    takes rows first where that is less work.

    Parameters
    ----------
    image : ndarray of uint8, shape (height, width, channels)
        The picture.
    size : tuple of (int, int)
        Height and width of the result.
    resample : int
        A key of `FILTERS`.
    """
    height, width = size
    across = _weights(image.shape[1], width, FILTERS[resample])  # (width, old width)
    down = _weights(image.shape[0], height, FILTERS[resample])  # (height, old height)
    rows_first = height < image.shape[0] > 100 * image.shape[1]
    if rows_first:
        image = _filtered(image.swapaxes(0, 1), down).swapaxes(0, 1)
    if image.shape[1] != width:
        image = _filtered(image, across)
    if image.shape[0] != height:
        image = _filtered(image.swapaxes(0, 1), down).swapaxes(0, 1)
    return np.ascontiguousarray(image)


def _filtered(image: PixelArray, weights: Array) -> PixelArray:
    """Return weighted sums along the second axis, (rows, len(weights), channels)."""
    rows, length, channels = image.shape
    filtered = np.empty((rows, len(weights), channels), np.uint8)
    band = max(1, _BAND // (length * channels))
    for first in range(0, rows, band):
        # Sums of whole numbers below 2**53: exact in any order.
        sums = weights @ image[first : first + band].astype(np.float64)
        rounded = np.floor(sums * 2.0**-_FRACTION_BITS + 0.5)  # (band, new, channels)
        filtered[first : first + band] = np.clip(rounded, 0, 255)
    return filtered


def _weights(old: int, new: int, filter: Filter) -> Array:
    """Return the weight of each old pixel in each new one as whole numbers, (new, old).

    They are multiples of 2 ** -22.
    """
    fixed = filter_weights(old, new, filter) * 2.0**_FRACTION_BITS  # (new, old)
    rounded: Array = np.trunc(fixed + np.copysign(0.5, fixed))
    return rounded


def filter_weights(old: int, new: int, filter: Filter) -> Array:
    """Return the weight of each old pixel in each new one, shape (new, old).

    The filter is widened where there are fewer new ones (antialiasing), and weights add
    up to 1 at the edges as well.
    """
    scale = old / new
    wide = max(scale, 1.0)
    support = filter.support * wide
    weights = np.zeros((new, old))
    for place in range(new):
        center = (place + 0.5) * scale
        first = max(0, int(center - support + 0.5))
        end = min(old, int(center + support + 0.5))
        distances = (np.arange(first, end) - center + 0.5) * (1.0 / wide)
        own = filter.weight(distances)  # (end - first,)
        total = math.fsum(own)
        weights[place, first:end] = own / total if total else own
    return weights
