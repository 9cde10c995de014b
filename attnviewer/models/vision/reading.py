"""Arrays that are given as pictures."""

from typing import Any

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.token_grid import PixelArray
from attnviewer.models.vision.picture import Picture
from attnviewer.models.vision.picture_input import PictureInput
from attnviewer.models.vision.preprocessing import Preprocessing


def is_picture(given: object) -> bool:
    """Return whether something is given as a picture: rows and columns of numbers.

    Colours of uint8 in two or three axes, or pixel values in three; a batch of one
    counts as the one.
    """
    if isinstance(given, str):
        return False
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        return False
    if array.dtype == np.uint8:
        return array.ndim in (2, 3)
    if array.dtype.kind not in "fiu":
        return False
    return array.ndim == 3 or (array.ndim == 4 and len(array) == 1)


def described(given: Any) -> str:
    """Return what was given instead of a picture, in words."""
    if isinstance(given, str):
        return "text"
    try:
        array = np.asarray(given)
    except ValueError:
        return "lists of different lengths"
    return f"{array.dtype} of shape {array.shape}"


def read_picture(
    array: Array, reads: PictureInput, preprocessing: Preprocessing | None, name: str
) -> Picture:
    """Return the picture that a model is given.

    Parameters
    ----------
    array : ndarray
        What `is_picture` accepts, without a batch.
    reads : PictureInput
        The pictures of the model.
    preprocessing : Preprocessing or None
        How its checkpoint prepares them.
    name : str
        The name of the model.

    Raises
    ------
    ValueError
        If the shape does not fit, a number is not finite, or colours are given and it
        is unknown how they are prepared.
    """
    if array.dtype == np.uint8:
        if preprocessing is None:
            raise ValueError(
                f"{name} must have a preprocessor_config.json beside its weights to "
                "read images: it says how they are resized and normalised. Pixel "
                "values of shape (channels, height, width) can be given without it."
            )
        values = preprocessing.pixel_values(as_rgb(array.view(np.uint8)))
    else:
        values = array
    picture = reads.picture(values)
    if preprocessing is None:
        return picture
    return picture._replace(image=preprocessing.colors(picture.pixel_values))


def as_rgb(image: PixelArray) -> PixelArray:
    """Return colours as red, green and blue, shape (height, width, 3).

    Parameters
    ----------
    image : ndarray of uint8, shape (height, width) or (height, width, channels)
        Grey, grey and alpha, RGB, or RGB and alpha, which is left out.

    Raises
    ------
    ValueError
        If it has other channels, or no pixel.
    """
    if image.ndim == 2:
        image = image[..., np.newaxis]
    channels = image.shape[2]
    if channels not in (1, 2, 3, 4) or not image.size:
        raise ValueError(
            "The colours must have the shape (height, width, 3). "
            f"Got {image.shape} instead."
        )
    if channels < 3:
        return np.repeat(image[..., :1], 3, axis=2)
    return image[..., :3]
