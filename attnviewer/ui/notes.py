"""What a document shows, in its author's words."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

LEAST_SHARE = 0.13
"""Of the window's height, for long notes; what does not fit scrolls."""
OTHERS_LINES = 58
"""Lines of the window that go to others before the notes get more."""
PADDING = 8
"""Above and below the text, from the style sheet."""


class NotesArea(QScrollArea):
    """Shows a text whole where there is room for it; takes no room without one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notes.scroll")
        self.setAccessibleName(self.tr("What this document shows"))
        self.setWidgetResizable(True)
        self._label = QLabel(self)
        self._label.setObjectName("notes")
        self._label.setWordWrap(True)
        self._label.setIndent(0)  # the style sheet's padding alone
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setWidget(self._label)

    def set_text(self, text: str) -> None:
        """Show another text."""
        self._label.setText(text)
        self.setVisible(bool(text))
        self.fit()

    def fit(self) -> None:
        """Take the height that the text needs at the present width."""
        needed = self._label.heightForWidth(self.viewport().width())
        line, height = self.fontMetrics().lineSpacing(), self.window().height()
        most = max(LEAST_SHARE * height, height - OTHERS_LINES * line)
        # Of a text that goes on, no line is cut through.
        cut = PADDING + int((most - PADDING) / line) * line
        self.setFixedHeight(min(needed, cut) + 2 * self.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
