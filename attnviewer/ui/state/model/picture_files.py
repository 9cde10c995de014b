"""Pictures in files, decoded by Qt, as inputs of models."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImageIOHandler, QImageReader, qRgb

from attnviewer.document.token_grid import PixelArray
from attnviewer.io.images import (
    bits_of_levels,
    has_grey_levels,
    is_truncated,
    orientation,
)
from attnviewer.io.reading import check_ordinary, read_bounded
from attnviewer.sources import Given, is_of_picture
from attnviewer.ui.state.model.decoded_colors import decoded_colors, refuse_deep

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace

MOST_PIXELS = 2**26
"""Pixels of the largest picture that is decoded."""
_DEEPEST = 16
"""The most bits of a level in a TIFF; of more, Qt does not decode whole numbers."""
_MOST_BYTES = 8 * MOST_PIXELS
"""Maximum size of a file, and of a decoded image: four channels of 16 bits."""


def run_over_typed(model: "Model", typed: str) -> "ModelTrace":
    """Return a run over typed input, which may be the path of a picture.

    Parameters
    ----------
    model : Model
        The model.
    typed : str
        What `attnviewer.models.sentences.run_over` accepts. For a model that reads
        pictures, the path of one; CLIP takes both.

    Raises
    ------
    ValueError
        If it is refused.
    FileError
        If the tokenizer is unusable, or a picture is no ordinary file.
    """
    from attnviewer.models.sentences import EXAMPLE_PICTURE, run_over

    path = Path(typed.strip())
    only = model.reads_pictures and model.other is None
    both = model.other is not None and is_of_picture(path)
    if typed != EXAMPLE_PICTURE and (only or both):
        return model.run(read_picture_file(path))
    return run_over(model, typed)


def run_over_given(model: "Model", given: Given | None) -> "tuple[ModelTrace, str]":
    """Return a run over given input, and that input as it would be typed.

    Raises
    ------
    ValueError
        If it is refused.
    """
    from attnviewer.models.sentences import run_given

    if isinstance(given, str):
        return run_over_typed(model, given), given
    return run_given(model, given)


def read_picture_file(path: Path) -> PixelArray:
    """Return the colours of a picture, shape (height, width, 3).

    They are those that Pillow, and so the image processors of transformers, would find:
    see `decoded_colors`. The picture is turned as its file says.

    Parameters
    ----------
    path : Path
        A PNG, a JPEG, or another still picture that Qt reads.

    Raises
    ------
    ValueError
        If it is missing, no picture, incomplete, animated or too large, or its colours
        would be others.
    FileError
        If it is no ordinary file.
    """
    if path.exists():  # a pipe would block
        check_ordinary(path)
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    reader.setAllocationLimit(_MOST_BYTES // 2**20)
    if not reader.canRead():
        reason = reader.errorString()
        raise ValueError(
            _tr("It is not an image that can be read: {path} ({reason}).").format(
                path=path, reason=reason.rstrip(".")
            )
        )
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        message = _tr(
            "An image may have at most {most} pixels. {path} has {wide} × {tall}."
        )
        most, wide, tall = f"{MOST_PIXELS:,}", size.width(), size.height()
        raise ValueError(message.format(most=most, path=path, wide=wide, tall=tall))
    if reader.supportsAnimation() and reader.imageCount() != 1:
        raise ValueError(
            _tr("Only still images can be read; {path} is animated.").format(path=path)
        )
    data = read_bounded(path, _MOST_BYTES)
    if is_truncated(data):
        raise ValueError(
            _tr("{path} is cut off: its end is missing.").format(path=path)
        )
    bits = bits_of_levels(data)
    if bits > _DEEPEST:
        refuse_deep(path, bits)
    turned, grey = orientation(data), has_grey_levels(data)
    if reader.transformation() != QImageIOHandler.Transformation.TransformationNone:
        turned = 1  # by Qt
    del data  # a decoded image takes much memory, too
    image = reader.read()
    if image.isNull():
        reason = reader.errorString().rstrip(".")
        raise ValueError(
            _tr("{path} cannot be read: {reason}.").format(path=path, reason=reason)
        )
    if grey and image.colorCount() > 2:
        # Qt makes the level that is transparent black.
        white = image.colorCount() - 1
        levels = (255 * level // white for level in range(white + 1))
        image.setColorTable([qRgb(level, level, level) for level in levels])
    return np.ascontiguousarray(_turned(decoded_colors(image, path), turned))


def _turned(pixels: PixelArray, turned: int) -> PixelArray:
    """Return stored pixels upright, (height, width, 3); see `orientation`."""
    if turned >= 5:
        pixels = pixels.swapaxes(0, 1)
    rows = -1 if turned in (3, 4, 7, 8) else 1
    columns = -1 if turned in (2, 3, 6, 7) else 1
    return pixels[::rows, ::columns]


def _tr(text: str) -> str:
    return QCoreApplication.translate("PictureFiles", text)
