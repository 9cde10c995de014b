"""A one-line label that is elided rather than widening its dock."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from attnviewer.ui.widgets.tool_tips import plain_tip


class ElidedLabel(QLabel):
    """Elides its text to the room available; the tool tip shows it in full.

    Parameters
    ----------
    name : str
        The object name.
    elide : Qt.TextElideMode
        Where the text is elided.
    """

    def __init__(
        self, name: str, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
    ) -> None:
        super().__init__()
        self._elide = elide
        self.setObjectName(name)
        self.setProperty("muted", True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self.setToolTip(plain_tip(text))

    def sizeHint(self) -> QSize:
        # A menu bar uses nothing else, not even a fixed size.
        hint = super().sizeHint()
        return hint.expandedTo(self.minimumSize()).boundedTo(self.maximumSize())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        text = self.fontMetrics().elidedText(
            self.text(), self._elide, self.contentsRect().width()
        )
        if text != "…":  # which says nothing by itself
            self.write(painter, text)
        painter.end()

    def write(self, painter: QPainter, text: str) -> None:
        """Draw as much of the text as fits."""
        painter.drawText(self.contentsRect(), self.alignment(), text)
