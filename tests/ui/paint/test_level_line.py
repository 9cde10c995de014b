"""Level lines look like those of Qt's."""

import numpy as np
import pytest
from PySide6.QtCore import QLineF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from attnviewer.ui.paint.level_line import paint_level_line

JUST_SEEN = 4
"""Of 255: Qt rounds the edges of its lines to 1/64 of a pixel."""


def canvas(scale: float) -> QImage:
    image = QImage(300, 60, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(0xFFFFFF)
    return image


def pixels(image: QImage) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint8).astype(int)


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("thickness", [1.0, 1.2, 3.0])
@pytest.mark.parametrize(("left", "y"), [(10.0, 9.5), (10.3, 9.0), (10.7, 9.37)])
def test_a_level_line_looks_like_qts(qapp, scale, thickness, left, y):
    ours, qts, right, color = canvas(scale), canvas(scale), 100.2, QColor("#204080")
    painter = QPainter(ours)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_level_line(painter, left, right, y, thickness, color)
    painter.end()
    painter = QPainter(qts)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, thickness))
    painter.drawLine(QLineF(left, y, right, y))
    painter.end()
    assert pixels(ours).min() < 160 < pixels(ours).max()
    assert np.abs(pixels(ours) - pixels(qts)).max() <= JUST_SEEN
