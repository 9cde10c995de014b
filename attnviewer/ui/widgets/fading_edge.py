"""A fade at the edge of a scroll area that has more to show."""

from PySide6.QtCore import QPointF, QRect, Qt, Slot
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget

from attnviewer.ui.paint.appearance import Appearance

DEPTH = 36
"""The depth of the fade, in pixels."""

_SIDE = Qt.Edge


class FadingEdge(QWidget):
    """Fades out one edge of a scroll area and points to what lies beyond it.

    It is visible while there is something beyond.

    Parameters
    ----------
    name : str
        Object name.
    side : Qt.Edge
        The edge.
    area : QAbstractScrollArea
        The scroll area.
    """

    def __init__(self, name: str, side: Qt.Edge, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._side = side
        self._area = area
        bar = self._bar()
        bar.valueChanged.connect(self.fit)
        bar.rangeChanged.connect(self.fit)
        self.hide()

    def _bar(self) -> QScrollBar:
        # Looked up each time: a stored reference becomes invalid.
        across = self._side in (_SIDE.LeftEdge, _SIDE.RightEdge)
        area = self._area
        return area.horizontalScrollBar() if across else area.verticalScrollBar()

    @Slot()
    def fit(self) -> None:
        """Cover the edge of the viewport; to be called when that is resized."""
        seen, side, bar = self._area.viewport().geometry(), self._side, self._bar()
        rect = QRect(seen)
        if side == _SIDE.LeftEdge:
            rect.setRight(seen.left() + DEPTH - 1)
        elif side == _SIDE.RightEdge:
            rect.setLeft(seen.right() - DEPTH + 1)
        elif side == _SIDE.TopEdge:
            rect.setBottom(seen.top() + DEPTH - 1)
        else:
            rect.setTop(seen.bottom() - DEPTH + 1)
        self.setGeometry(rect)
        if side in (_SIDE.LeftEdge, _SIDE.TopEdge):
            self.setVisible(bar.value() > bar.minimum())
        else:
            self.setVisible(bar.value() < bar.maximum())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Appearance.theme_in_force()
        solid, clear = QColor(theme.window), QColor(theme.window)
        clear.setAlpha(0)
        gradient = QLinearGradient(0, 0, DEPTH, 0)
        gradient.setColorAt(0.0, solid)
        gradient.setColorAt(0.35, solid)
        gradient.setColorAt(1.0, clear)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Painted as a left edge, and rotated.
        turns = [_SIDE.LeftEdge, _SIDE.TopEdge, _SIDE.RightEdge, _SIDE.BottomEdge]
        painter.translate(self.width() / 2, self.height() / 2)
        painter.rotate(90.0 * turns.index(self._side))
        length = max(self.width(), self.height())
        painter.translate(-DEPTH / 2, -length / 2)
        painter.fillRect(QRect(0, 0, DEPTH, length), gradient)
        painter.setPen(QPen(QColor(theme.muted), 2))
        middle = length / 2
        painter.drawPolyline(
            [QPointF(11, middle - 6), QPointF(6, middle), QPointF(11, middle + 6)]
        )
        painter.end()
