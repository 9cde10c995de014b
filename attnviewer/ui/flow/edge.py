"""The fading end of a strip that goes on."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attnviewer.ui.theme import Appearance

WIDTH = 36


class FadingEdge(QWidget):
    """Covers an end of the strip and points to what lies beyond it.

    Parameters
    ----------
    name : str
        Object name.
    side : LeftEdge or RightEdge
        The end.
    appearance : Appearance
        Colours.
    parent : QWidget
        The strip.
    """

    def __init__(
        self, name: str, side: Qt.Edge, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._points_left = side == Qt.Edge.LeftEdge
        self._appearance = appearance
        appearance.changed.connect(self.update)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._appearance.theme
        solid, clear = QColor(theme.window), QColor(theme.window)
        clear.setAlpha(0)
        outer, inner = (0, WIDTH) if self._points_left else (WIDTH, 0)
        gradient = QLinearGradient(outer, 0, inner, 0)
        gradient.setColorAt(0.0, solid)
        gradient.setColorAt(0.35, solid)
        gradient.setColorAt(1.0, clear)
        painter = QPainter(self)
        painter.fillRect(self.rect(), gradient)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.muted), 2))
        tip = 6 if self._points_left else WIDTH - 6
        base = tip + (5 if self._points_left else -5)
        middle = self.height() / 2
        points = [
            QPointF(base, middle - 6),
            QPointF(tip, middle),
            QPointF(base, middle + 6),
        ]
        painter.drawPolyline(points)
        painter.end()
