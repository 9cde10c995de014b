"""A picture as the tokens of a model: its patches."""

import numpy as np

from attnviewer.models.tokenizing import Encoded
from attnviewer.models.vision import PictureInput, Preprocessing
from attnviewer.models.vision.reading import described, is_picture, read_picture


def encoded_picture(
    given: object, reads: PictureInput, preprocessing: Preprocessing | None, name: str
) -> Encoded:
    """Return the patches of a picture as tokens.

    Parameters
    ----------
    given : array_like
        What `is_picture` accepts, or an image of Pillow.
    reads : PictureInput
        The pictures of the model.
    preprocessing : Preprocessing or None
        How its checkpoint prepares them.
    name : str
        The name of the model.

    Raises
    ------
    TypeError
        If it is no picture.
    ValueError
        If it is refused; see `read_picture`.
    """
    if not is_picture(given):
        raise TypeError(
            "The image must be pixel values of shape (channels, height, width), "
            "or colours of uint8 of shape (height, width, 3). "
            f"Got {described(given)} instead."
        )
    # An image of Pillow may have a palette, or inks in place of light.
    convert = getattr(given, "convert", None)
    array = np.asarray(given if convert is None else convert("RGB"))
    if array.ndim == 4:  # a batch of one
        array = array[0]
    picture = read_picture(array, reads, preprocessing, name)
    first = reads.leading
    return Encoded(picture.ids(len(first)), picture.tokens(first), picture=picture)
