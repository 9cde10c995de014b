"""Pictures in files, decoded by Qt, as inputs of models."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage, QImageReader

from attnviewer.document.token_grid import PixelArray
from attnviewer.io.reading import check_ordinary
from attnviewer.sources import Given, is_of_picture

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace

MOST_PIXELS = 2**26
"""Pixels of the largest picture that is decoded."""


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

    Grey and deeper colours become eight bits each of red, green and blue; alpha is left
    out, and the picture is turned as its file says.

    Parameters
    ----------
    path : Path
        A PNG, a JPEG, or another still picture that Qt reads.

    Raises
    ------
    ValueError
        If it is missing, no picture, animated or too large.
    FileError
        If it is no ordinary file.
    """
    if path.exists():  # a pipe would block
        check_ordinary(path)
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    if not reader.canRead():
        reason = reader.errorString()
        raise ValueError(
            _tr("It is not an image that can be read: {path} ({reason}).").format(
                path=path, reason=reason.rstrip(".")
            )
        )
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        raise ValueError(
            _tr("An image may have {most} pixels. {path} has {wide} × {tall}.").format(
                most=f"{MOST_PIXELS:,}",
                path=path,
                wide=size.width(),
                tall=size.height(),
            )
        )
    if reader.supportsAnimation() and reader.imageCount() != 1:
        raise ValueError(
            _tr("Only still images can be read; {path} is animated.").format(path=path)
        )
    image = reader.read()
    if image.isNull():
        reason = reader.errorString().rstrip(".")
        raise ValueError(
            _tr("{path} cannot be read: {reason}.").format(path=path, reason=reason)
        )
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    height, width, line = plain.height(), plain.width(), plain.bytesPerLine()
    # Lines are padded to multiples of four bytes.
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(height, line)
    return rows[:, : 3 * width].reshape(height, width, 3).copy()


def _tr(text: str) -> str:
    return QCoreApplication.translate("PictureFiles", text)
