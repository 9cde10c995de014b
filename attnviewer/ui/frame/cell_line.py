"""The part of the status bar that tells of one cell."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QWidget

from attnviewer.ui.widgets.elided_label import ElidedLabel


class CellLine(QWidget):
    """Says whose a cell is, and what it holds, in the room that the bar leaves.

    It has no layout of its own: with each text, that would have the whole window laid
    out and painted anew. The bar is told only where there is too little room.

    Attributes
    ----------
    whose : QLabel
        Whose it is, such as ``Selected:``.
    told : ElidedLabel
        The cell and its number.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.whose = QLabel(self)
        self.whose.setObjectName("status.whose")
        self.whose.setProperty("muted", True)
        self.told = ElidedLabel("status.cell", Qt.TextElideMode.ElideRight)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.told.setAlignment(left)
        self.told.setParent(self)
        self._hint = QSize()

    def sizeHint(self) -> QSize:
        return _beside(self.whose.sizeHint(), self.told.sizeHint())

    def minimumSizeHint(self) -> QSize:
        return _beside(self.whose.minimumSizeHint(), self.told.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place()
            before, self._hint = self._hint, self.sizeHint()
            short = max(before.width(), self._hint.width()) > self.width()
            if short or before.height() != self._hint.height():
                self.updateGeometry()
        return super().event(event)

    def _place(self) -> None:
        left = min(self.whose.sizeHint().width(), self.width())
        whose = QRect(0, 0, left, self.height())
        told = QRect(left, 0, self.width() - left, self.height())
        for label, place in ((self.whose, whose), (self.told, told)):
            direction = self.layoutDirection()
            label.setGeometry(QStyle.visualRect(direction, self.rect(), place))


def _beside(left: QSize, right: QSize) -> QSize:
    return QSize(left.width() + right.width(), max(left.height(), right.height()))
