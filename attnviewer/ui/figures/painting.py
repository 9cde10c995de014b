"""Painting of figures onto images and pages."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from attnviewer.ui.figures.composing import Figure
from attnviewer.ui.figures.elements import DASH, Cells, Stroke, Text
from attnviewer.ui.figures.runs import MOST_SHAPES, rectangles
from attnviewer.ui.figures.style import MM_PER_INCH, POINTS_PER_INCH
from attnviewer.ui.figures.typeface import Typefaces
from attnviewer.ui.paint.miniature.image import cell_image

MOST_PIXELS = 16_384
"""Most pixels of an image's longer side."""
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def paint(figure: Figure, painter: QPainter, unit: float) -> None:
    """Paint a figure.

    Parameters
    ----------
    figure : Figure
        The figure.
    painter : QPainter
        The target, whose origin is the figure's corner.
    unit : float
        Its pixels per point.
    """
    theme = figure.style.theme
    ground = QRectF(0, 0, figure.width * unit, figure.height * unit)
    painter.fillRect(ground, QColor(theme.window))
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    for element in figure.elements:
        if isinstance(element, Cells):
            _paint_cells(element, painter, unit)
        elif isinstance(element, Stroke):
            _paint_stroke(element, painter, unit, theme.text)
        else:
            _paint_text(element, painter, unit, theme.text, figure.faces)


def check_pixels(figure: Figure, dpi: float) -> QSize:
    """Return the size of a figure as an image of a resolution.

    Raises
    ------
    ValueError
        If it would have too many pixels.
    """
    unit = dpi / POINTS_PER_INCH
    width, height = round(figure.width * unit), round(figure.height * unit)
    if max(width, height) > MOST_PIXELS:
        raise ValueError(
            f"The figure must have at most {MOST_PIXELS} pixels on a side. "
            f"Got {width} × {height} instead: choose a lower resolution."
        )
    return QSize(width, height)


def image_of(figure: Figure, dpi: float) -> QImage:
    """Return a figure as an image of a resolution.

    Raises
    ------
    ValueError
        If it would have too many pixels.
    """
    image = QImage(check_pixels(figure, dpi), QImage.Format.Format_RGB32)
    image.fill(QColor(figure.style.theme.window))
    dots = round(dpi / MM_PER_INCH * 1000)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    painter = QPainter(image)
    paint(figure, painter, dpi / POINTS_PER_INCH)
    painter.end()
    return image


def _paint_cells(cells: Cells, painter: QPainter, unit: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    if cells.colors.shape[0] * cells.colors.shape[1] > MOST_SHAPES:
        rect = QRectF(cells.x, cells.y, cells.width, cells.height)
        target = QRectF(rect.topLeft() * unit, rect.size() * unit)
        painter.drawImage(target, cell_image(np.ascontiguousarray(cells.colors), None))
        return
    for x, y, width, height, color in rectangles(cells):
        rect = QRectF(x * unit, y * unit, width * unit, height * unit)
        painter.fillRect(rect, QColor(color))


def _paint_stroke(stroke: Stroke, painter: QPainter, unit: float, ink: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if stroke.filled:
        painter.fillPath(path_of(stroke, unit), QColor(stroke.color or ink))
        return
    pen = QPen(QColor(stroke.color or ink), stroke.width * unit)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if stroke.dashed:  # in widths of the pen
        pen.setDashPattern([length / stroke.width for length in DASH])
    painter.strokePath(path_of(stroke, unit), pen)


def path_of(stroke: Stroke, unit: float = 1.0) -> QPainterPath:
    """Return the path of a stroke, scaled by a factor."""
    first, *others = (QPointF(x * unit, y * unit) for x, y in stroke.points)
    path = QPainterPath(first)
    if stroke.curved:
        path.cubicTo(*others)
    else:
        for point in others:
            path.lineTo(point)
    if stroke.closed:
        path.closeSubpath()
    return path


def _paint_text(
    text: Text, painter: QPainter, unit: float, ink: str, faces: Typefaces
) -> None:
    face = faces.caption if text.serif else faces.labels
    font = face.font(text.size * unit, bold=text.bold, italic=text.italic)
    wide = face.width(text.text, text.size, bold=text.bold, italic=text.italic)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(text.color or ink))
    painter.setFont(font)
    painter.translate(text.x * unit, text.y * unit)
    painter.rotate(text.angle)
    # The font's size is whole pixels; the rest is a scale.
    share = text.size * unit / max(1, round(text.size * unit))
    painter.scale(share, share)
    painter.drawText(QPointF(-wide * _SHARE[text.anchor] * unit / share, 0), text.text)
    painter.restore()
