"""A graphics view that accepts clicks and signals when it has been painted."""

import pyqtgraph as pg
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QGraphicsItem, QWidget


class SceneView(pg.GraphicsView):
    """pyqtgraph's view without its central widget.

    Attributes
    ----------
    painted : Signal
        The view has been painted.
    """

    painted = Signal()

    def __init__(self, parent: QWidget | None, background: str) -> None:
        super().__init__(parent, background=background)
        self.setCentralItem(None)
        # Filling a plain background is as fast as copying it, and sharper in print.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        # The scene fills it; Qt need not do so before.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # An edit changes cells, but not the labels and the scale beside them.
        self.setViewportUpdateMode(self.ViewportUpdateMode.MinimalViewportUpdate)
        self._moved: QGraphicsItem | None = None

    def paint_at_least(self, pixel: QPoint) -> None:
        """Repaint one pixel: `painted` must also follow edits that change no cell.

        Each item is asked to paint the rectangle around this pixel and its own changes:
        the pixel should be near the cells, but outside all items.
        """
        self.viewport().update(QRect(pixel, QSize(1, 1)))
        self.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            watched.removeEventFilter(self)
            # The scene posts what has changed, perhaps after a paint that was asked
            # for before: all of it is painted together.
            QCoreApplication.sendPostedEvents(self.scene(), QEvent.Type.MetaCall.value)
        return False

    def paint_moved(self, item: QGraphicsItem) -> None:
        """Repaint everything, as an item has moved, with those in it."""
        self._moved = item
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        moved, self._moved = self._moved, None
        if moved is not None:
            # Qt remembers that items have moved until one is updated after they were
            # painted; that would be the next edit, which would repaint all of them.
            moved.update(QRectF(0, 0, 1, 1))
        self.painted.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        # The scene does not accept clicks, and the widgets behind would get them.
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        event.accept()
