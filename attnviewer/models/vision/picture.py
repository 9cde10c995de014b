"""A picture as a model reads it."""

from typing import NamedTuple
from zlib import crc32

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.token_grid import PixelArray


class Picture(NamedTuple):
    """The pixel values of a picture, and its patches.

    Parameters
    ----------
    pixel_values : ndarray of float32, shape (channels, height, width)
        What the model is given: rescaled and normalised.
    patch : tuple of (int, int)
        Height and width of a patch, in pixels.
    image : ndarray of uint8, shape (height, width, 3)
        The same pixels in the colours that are shown.
    """

    pixel_values: Array
    patch: tuple[int, int]
    image: PixelArray

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches; what is left of the picture is not read."""
        _, height, width = self.pixel_values.shape
        return height // self.patch[0], width // self.patch[1]

    @property
    def covered(self) -> PixelArray:
        """The part of the image that patches cover, shape (height, width, 3)."""
        (rows, columns), (tall, wide) = self.grid, self.patch
        return self.image[: rows * tall, : columns * wide]

    @property
    def patches(self) -> Array:
        """The pixels of each patch, shape (rows · columns, channels · ph · pw)."""
        (rows, columns), (tall, wide) = self.grid, self.patch
        pixels = self.pixel_values[:, : rows * tall, : columns * wide]
        split = pixels.reshape(len(pixels), rows, tall, columns, wide)
        patches: Array = split.transpose(1, 3, 0, 2, 4)  # (rows, columns, c, ph, pw)
        return patches.reshape(rows * columns, -1)

    def ids(self, n_special: int) -> tuple[int, ...]:
        """Return a number for each token that tells equal patches from others.

        Patches have no vocabulary: theirs is the checksum of their pixels, that of
        special tokens their position.
        """
        sums = (crc32(patch.tobytes()) for patch in self.patches)
        return (*range(n_special), *sums)

    def tokens(self, special: tuple[str, ...]) -> tuple[str, ...]:
        """Return the labels of the tokens: special ones, then ``row,column``."""
        rows, columns = self.grid
        named = (f"{row},{column}" for row in range(rows) for column in range(columns))
        return (*special, *named)


def shown_pixels(pixel_values: Array) -> PixelArray:
    """Return pixel values stretched over the range of colours, (height, width, 3).

    For pictures whose normalisation is unknown.
    """
    low, high = float(pixel_values.min()), float(pixel_values.max())
    stretched = (pixel_values - low) * (255 / (high - low) if high > low else 0.0)
    return as_colors(stretched)


def as_colors(channels: Array) -> PixelArray:
    """Return channels from 0 to 255 as colours, shape (height, width, 3).

    Of other than three channels, the first is shown as grey.
    """
    three = channels if len(channels) == 3 else np.repeat(channels[:1], 3, axis=0)
    rounded = np.clip(np.rint(three), 0, 255).astype(np.uint8)  # (3, height, width)
    return np.ascontiguousarray(rounded.transpose(1, 2, 0))
