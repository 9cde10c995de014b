"""Turns the colours of a picture into the pixel values of a model."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.token_grid import PixelArray
from attnviewer.models.vision.picture import as_colors
from attnviewer.models.vision.resampling import resized

MOST_PIXELS = 2**26
"""Maximum number of pixels of a picture, before and after it is resized."""


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """The settings by which a checkpoint turns pictures into pixel values.

    Parameters
    ----------
    size : tuple of (int, int), int or None
        Height and width that pictures are resized to; or the length of the shorter
        side; None leaves them.
    resample : int
        Pillow's number of the filter.
    crop : tuple of (int, int) or None
        Height and width that are cut out of the middle; what is missing is black.
    rescale_factor : float
        What the colours, from 0 to 255, are multiplied by.
    mean, std : tuple of float
        What is subtracted from each channel, and what it is then divided by.
    """

    size: tuple[int, int] | int | None
    resample: int
    crop: tuple[int, int] | None
    rescale_factor: float
    mean: tuple[float, ...]
    std: tuple[float, ...]

    def pixel_values(self, image: PixelArray) -> Array:
        """Return the pixel values of a picture, (3, height, width) in float32.

        Parameters
        ----------
        image : ndarray of uint8, shape (height, width, 3)
            Its colours: red, green, blue.

        Raises
        ------
        ValueError
            If it is too large, or would be.
        """
        _check_size(image.shape[0], image.shape[1])
        size = self._size_of(image)
        if size is not None:
            _check_size(*size)
            image = resized(image, size, self.resample)
        if self.crop is not None:
            image = _middle(image, self.crop)
        # Single precision from here on, as in transformers.
        mean, std = (np.array(each, np.float32) for each in (self.mean, self.std))
        # What overflows is refused where the values are read.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            scaled = (image * self.rescale_factor).astype(np.float32)
            normal = (scaled - mean) / std  # (height, width, 3)
        return np.ascontiguousarray(normal.transpose(2, 0, 1))

    def colors(self, pixel_values: Array) -> PixelArray:
        """Return the colours of pixel values, shape (height, width, 3).

        Parameters
        ----------
        pixel_values : ndarray, shape (channels, height, width)
            As `pixel_values` returns them.
        """
        mean = np.reshape(self.mean, (-1, 1, 1))
        std = np.reshape(self.std, (-1, 1, 1))
        return as_colors((pixel_values * std + mean) / self.rescale_factor)

    def _size_of(self, image: PixelArray) -> tuple[int, int] | None:
        if not isinstance(self.size, int):
            return self.size
        height, width = image.shape[:2]
        short, long = sorted((height, width))
        longer = int(self.size * long / short)
        return (longer, self.size) if width <= height else (self.size, longer)


def _check_size(height: int, width: int) -> None:
    if not 0 < height * width <= MOST_PIXELS:
        raise ValueError(
            f"The image must have at most {MOST_PIXELS:,} pixels, also when it is "
            f"resized. Got {height} × {width} instead."
        )


def _middle(image: PixelArray, size: tuple[int, int]) -> PixelArray:
    """Return the middle of a picture, with black around one that is smaller."""
    for axis, wanted in enumerate(size):
        missing = wanted - image.shape[axis]
        if missing > 0:
            before = (missing + 1) // 2
            around = [(0, 0)] * image.ndim
            around[axis] = before, missing - before
            image = np.pad(image, around)
        first = (image.shape[axis] - wanted) // 2
        image = image.take(range(first, first + wanted), axis)
    return image
