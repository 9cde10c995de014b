"""The picture of a small heatmap."""

import numpy as np
from PySide6.QtGui import QImage

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.color_scale import Rgb


def cell_image(colors: Rgb, hidden: BoolArray | None) -> QImage:
    """Return one pixel per cell.

    Parameters
    ----------
    colors : ndarray of uint8, shape (rows, columns, 3)
        The cells' colours.
    hidden : ndarray of bool, shape (rows, columns), or None
        Cells that are transparent.
    """
    pixels = np.full((*colors.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = colors
    return pixel_image(pixels, hidden)


def pixel_image(pixels: Rgb, hidden: BoolArray | None) -> QImage:
    """Return the same of opaque pixels, which it overwrites.

    Parameters
    ----------
    pixels : ndarray of uint8, shape (rows, columns, 4)
        The cells' colours, as from `cell_pixels`.
    hidden : ndarray of bool, shape (rows, columns), or None
        Cells that become transparent.
    """
    rows, columns = pixels.shape[:2]
    if hidden is not None:
        pixels[hidden] = 0
    image = QImage(
        pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888
    )
    return image.copy()  # copied, as NumPy owns the pixels
