"""An animation: the picture grows out of the card of its step."""

from PySide6.QtCore import QEasingCurve, QRect, QRectF, Qt, QVariantAnimation, Slot
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.motion import duration_of

DURATION_MS = 200


class Zoom(QWidget):
    """Covers the picture while it grows; transparent for mouse events.

    Parameters
    ----------
    stage : QWidget
        The picture.
    """

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._picture = QPixmap()
        self._ground = QColor()
        self._growth = QVariantAnimation(self)
        self._growth.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._growth.valueChanged.connect(self.update)
        self._growth.finished.connect(self.hide)
        self.hide()

    def grow(self, start: QRect, ground: QColor) -> None:
        """Let the picture grow out of a rectangle of the stage.

        Parameters
        ----------
        start : QRect
            The rectangle, which may lie outside.
        ground : QColor
            The colour around the picture meanwhile.
        """
        self._stop()
        stage = self.parentWidget()
        if stage is None:
            return
        duration = duration_of(DURATION_MS, self)
        if not duration or not stage.isVisible() or stage.size().isEmpty():
            return
        self._picture, self._ground = stage.grab(), ground
        self.setGeometry(stage.rect())
        self._growth.setDuration(duration)
        self._growth.setStartValue(QRectF(start))
        self._growth.setEndValue(QRectF(stage.rect()))
        self._growth.start()
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._ground)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        rect = self._growth.currentValue()
        painter.drawPixmap(rect, self._picture, QRectF(self._picture.rect()))
        painter.end()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    @Slot()
    def _stop(self) -> None:
        self._growth.stop()
        self._picture = QPixmap()
        self.hide()
