"""Painting for paper: shapes and letters where the screen is given ready pixels.

On the screen numbers, colours and curves are composed as pixels, as Qt takes many times
as long for shapes. Pictures that are to be enlarged or printed are painted by the same
code, which asks here what it paints for.
"""

import contextlib
import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

MOST_SHAPES = 128 * 128
"""Cells that are drawn as rectangles; more of them are an image inside."""
OVERLAP = 0.5
"""How far a cell reaches below its neighbours, in pixels: else seams would show."""

ON_SCREEN_ONLY = "on_screen_only"
"""A property of controls that have no place on paper."""

_density: float | None = None


@contextlib.contextmanager
def painting_for_paper(density: float) -> Iterator[None]:
    """Have all that is painted meanwhile be painted for paper.

    Parameters
    ----------
    density : float
        Pixels per pixel of the screen, for what stays an image.
    """
    global _density
    before, _density = _density, density
    try:
        yield
    finally:
        _density = before


def for_paper() -> bool:
    """Return whether what is painted now is for paper."""
    return _density is not None


def density() -> float:
    """Return how many pixels of an image there are for each pixel of the screen."""
    return 1.0 if _density is None else _density


def density_of(widget: QWidget) -> float:
    """Return how many pixels an image has for each pixel of a widget."""
    return widget.devicePixelRatioF() if _density is None else _density


def draw_colors(painter: QPainter, place: QRectF, image: QImage) -> None:
    """Draw one colour per cell, on paper as rectangles.

    Parameters
    ----------
    painter : QPainter
        Where to.
    place : QRectF
        What the image fills.
    image : QImage
        One pixel per cell, either opaque or transparent.
    """
    if not for_paper():
        painter.drawImage(place, image)
    elif image.width() * image.height() > MOST_SHAPES:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.drawImage(place, image)
    else:
        _draw_rectangles(painter, place, image)


def _draw_rectangles(painter: QPainter, place: QRectF, image: QImage) -> None:
    rows, columns = image.height(), image.width()
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(rows, columns)
    opaque = np.pad(pixels >> 24 > 0, ((0, 1), (0, 1)))
    transform = painter.worldTransform()
    across, down = (OVERLAP / abs(unit) for unit in (transform.m11(), transform.m22()))
    width, height = place.width() / columns, place.height() / rows
    for row, line in enumerate(pixels):
        for start, stop in _runs(line):
            if not opaque[row, start]:
                continue
            # Beneath neighbours alone, which are drawn later.
            wider = across if opaque[row, stop] else 0.0
            higher = down if opaque[row + 1, start:stop].all() else 0.0
            cells = QRectF(
                place.left() + start * width,
                place.top() + row * height,
                (stop - start) * width + wider,
                height + higher,
            )
            painter.fillRect(cells, QColor.fromRgba(int(line[start])))


def _runs(line: NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """Return from which cell to before which one the colour stays the same."""
    changes = np.flatnonzero(line[1:] != line[:-1]) + 1
    yield from itertools.pairwise([0, *changes.tolist(), len(line)])
