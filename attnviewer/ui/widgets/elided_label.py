"""A label of one line that is shortened rather than widening its dock."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from attnviewer.ui.widgets.tool_tips import plain_tip


class ElidedLabel(QLabel):
    """Shows as much of its text as there is room for; the tool tip has it all.

    Parameters
    ----------
    name : str
        The object name.
    elide : Qt.TextElideMode
        Where the text is shortened.
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
        # A menu bar asks for nothing else, not even for a fixed size.
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
        painter.drawText(self.contentsRect(), self.alignment(), text)
        painter.end()
