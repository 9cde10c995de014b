"""Colours of images that Qt decoded, as image processors have them from Pillow."""

from pathlib import Path
from typing import NoReturn

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage, QPixelFormat

from attnviewer.document.token_grid import PixelArray

_WIDE = {QImage.Format.Format_RGBX64, QImage.Format.Format_RGBA64}
_HIGH_BITS = 8


def decoded_colors(image: QImage, path: Path) -> PixelArray:
    """Return the colours of an image as it is stored, shape (height, width, 3).

    Of 16 bits the upper eight count, and alpha is left out.

    Parameters
    ----------
    image : QImage
        The image.
    path : Path
        Its file, for messages.

    Raises
    ------
    ValueError
        If its levels are clipped by Pillow, or its colours are lost.
    """
    _check(image, path)
    if image.format() in _WIDE:
        return (_samples(image, np.uint16, 4)[..., :3] >> _HIGH_BITS).astype(np.uint8)
    converted = image.convertToFormat(QImage.Format.Format_RGB888)
    return _samples(converted, np.uint8, 3).copy()


def refuse_deep(path: Path, bits: int) -> NoReturn:
    """Refuse an image whose levels are clipped by Pillow.

    Parameters
    ----------
    path : Path
        Its file, for messages.
    bits : int
        How many bits its levels have.

    Raises
    ------
    ValueError
        In any case.
    """
    raise ValueError(
        _tr(
            "{path} has levels of {bits} bits. The image processors of models clip "
            "them to 255, so that most become white. Save it with 8 bits instead."
        ).format(path=path, bits=bits)
    )


def _check(image: QImage, path: Path) -> None:
    pixel = image.pixelFormat()
    deep = image.format() == QImage.Format.Format_Grayscale16
    floating = QPixelFormat.TypeInterpretation.FloatingPoint
    if deep or pixel.typeInterpretation() == floating:
        refuse_deep(path, pixel.redSize())
    if pixel.premultiplied() == QPixelFormat.AlphaPremultiplied.Premultiplied:
        alpha = image.convertToFormat(QImage.Format.Format_Alpha8)
        if _samples(alpha, np.uint8, 1).min() < np.iinfo(np.uint8).max:
            raise ValueError(
                _tr(
                    "{path} has transparent pixels, whose colours are lost when it is "
                    "decoded. Save it without transparency, or as PNG."
                ).format(path=path)
            )


def _samples(image: QImage, dtype: type[np.integer], channels: int) -> PixelArray:
    """Return a view of the numbers of an image, shape (height, width, channels)."""
    height, width = image.height(), image.width()
    # Lines are padded to multiples of four bytes.
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(height, -1)
    samples = rows.view(dtype)[:, : channels * width]
    return samples.reshape(height, width, channels)


def _tr(text: str) -> str:
    return QCoreApplication.translate("PictureFiles", text)
