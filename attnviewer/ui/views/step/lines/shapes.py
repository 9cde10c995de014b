"""Lines as shapes, for paper."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from attnviewer.ui.views.step.lines.curves import DASH, Strokes
from attnviewer.ui.views.step.lines.drawing import Drawing, Layer


def paint_shapes(painter: QPainter, drawing: Drawing) -> None:
    """Paint the lines in sight, the lower ones first.

    Parameters
    ----------
    painter : QPainter
        Where to; its origin is where the headings end.
    drawing : Drawing
        The lines.
    """
    arrangement = drawing.canvas.arrangement
    width = arrangement.right - arrangement.left
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(arrangement.left, 0, width, arrangement.height))
    painter.translate(arrangement.left, 0)
    for layer in (drawing.quiet, drawing.loud):
        _paint_layer(painter, layer, width)
    painter.restore()


def _paint_layer(painter: QPainter, layer: Layer, width: float) -> None:
    strokes: Strokes = layer.strokes
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in range(len(layer.links)):
        color = QColor(layer.colors[int(layer.which[line])])
        color.setAlphaF(float(strokes.opacities[line]))
        thickness = float(strokes.widths[line])
        pen = QPen(color, thickness)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if strokes.dashed[line]:
            pen.setDashPattern([DASH / thickness, DASH / thickness])
        start, end = float(strokes.starts[line]), float(strokes.ends[line])
        path = QPainterPath(QPointF(0, start))
        # The same curve: its height at the share u is start + rise · (3u² − 2u³).
        path.cubicTo(width / 3, start, 2 * width / 3, end, width, end)
        painter.strokePath(path, pen)
