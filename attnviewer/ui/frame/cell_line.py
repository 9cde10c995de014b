"""The part of the status bar that shows one cell."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QWidget

from attnviewer.ui.widgets.elided_label import ElidedLabel


class CellLine(QWidget):
    """Shows a cell with its number, and why it is shown, in the space left over.

    It has no layout of its own: each new text would then lay out and repaint the whole
    window. `updateGeometry` is called only if the space is too small.

    Attributes
    ----------
    caption : QLabel
        Why it is shown, such as ``Selected:``.
    text : ElidedLabel
        The cell and its number.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.caption = QLabel(self)
        self.caption.setObjectName("status.caption")
        self.caption.setProperty("muted", True)
        self.text = ElidedLabel("status.cell", Qt.TextElideMode.ElideRight)
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.text.setAlignment(alignment)
        self.text.setParent(self)
        self._hint = QSize()

    def sizeHint(self) -> QSize:
        return _beside(self.caption.sizeHint(), self.text.sizeHint())

    def minimumSizeHint(self) -> QSize:
        return _beside(self.caption.minimumSizeHint(), self.text.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_labels()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place_labels()
            previous, self._hint = self._hint, self.sizeHint()
            short = max(previous.width(), self._hint.width()) > self.width()
            if short or previous.height() != self._hint.height():
                self.updateGeometry()
        return super().event(event)

    def _place_labels(self) -> None:
        width = min(self.caption.sizeHint().width(), self.width())
        caption_rect = QRect(0, 0, width, self.height())
        text_rect = QRect(width, 0, self.width() - width, self.height())
        for label, rect in ((self.caption, caption_rect), (self.text, text_rect)):
            direction = self.layoutDirection()
            label.setGeometry(QStyle.visualRect(direction, self.rect(), rect))


def _beside(left: QSize, right: QSize) -> QSize:
    return QSize(left.width() + right.width(), max(left.height(), right.height()))
