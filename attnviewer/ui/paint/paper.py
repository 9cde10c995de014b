"""Painting for print: shapes and text instead of precomposed pixels.

On the screen, numbers, colours and curves are composed as pixels, as Qt takes many
times as long for shapes. Pictures to be enlarged or printed are painted by the same
code, which asks here which of the two it paints for.
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
"""The most cells that are drawn as rectangles; more become an image."""
OVERLAP = 0.5
"""How far cells overlap, in pixels, so that no seams show."""

_density: float | None = None


@contextlib.contextmanager
def painting_for_paper(density: float) -> Iterator[None]:
    """Paint for print inside the context.

    Parameters
    ----------
    density : float
        Pixels per screen pixel, for what remains an image.
    """
    global _density
    before, _density = _density, density
    try:
        yield
    finally:
        _density = before


def for_paper() -> bool:
    """Return whether the current painting is for print."""
    return _density is not None


def density() -> float:
    """Return the image pixels per screen pixel."""
    return 1.0 if _density is None else _density


def density_of(widget: QWidget) -> float:
    """Return the image pixels per pixel of a widget."""
    return widget.devicePixelRatioF() if _density is None else _density


def draw_colors(painter: QPainter, rect: QRectF, image: QImage) -> None:
    """Draw one colour per cell, in print as rectangles.

    Parameters
    ----------
    painter : QPainter
        What is painted on.
    rect : QRectF
        The area that the image fills.
    image : QImage
        One pixel per cell, either opaque or transparent.
    """
    if not for_paper():
        painter.drawImage(rect, image)
    elif image.width() * image.height() > MOST_SHAPES:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.drawImage(rect, image)
    else:
        _draw_rectangles(painter, rect, image)


def _draw_rectangles(painter: QPainter, rect: QRectF, image: QImage) -> None:
    rows, columns = image.height(), image.width()
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(rows, columns)
    opaque = np.pad(pixels >> 24 > 0, ((0, 1), (0, 1)))
    transform = painter.worldTransform()
    across, down = (OVERLAP / abs(unit) for unit in (transform.m11(), transform.m22()))
    width, height = rect.width() / columns, rect.height() / rows
    for row, line in enumerate(pixels):
        for start, stop in _runs(line):
            if not opaque[row, start]:
                continue
            # Overlapping only neighbours that are drawn later.
            wider = across if opaque[row, stop] else 0.0
            higher = down if opaque[row + 1, start:stop].all() else 0.0
            cells = QRectF(
                rect.left() + start * width,
                rect.top() + row * height,
                (stop - start) * width + wider,
                height + higher,
            )
            painter.fillRect(cells, QColor.fromRgba(int(line[start])))


def _runs(line: NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """Return the runs of equal colour, as start and end (exclusive)."""
    changes = np.flatnonzero(line[1:] != line[:-1]) + 1
    yield from itertools.pairwise([0, *changes.tolist(), len(line)])
