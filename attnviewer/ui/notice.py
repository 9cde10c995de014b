"""A line across the window that tells how something ended."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget


class NoticeBar(QWidget):
    """News or a refusal, until it is dismissed or another one comes.

    It interrupts nothing: no dialog, no lost focus.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        dismiss = QToolButton(self)
        dismiss.setText("✕")
        dismiss.setObjectName("notice.dismiss")
        dismiss.setAccessibleName(self.tr("Dismiss"))
        dismiss.setAutoRaise(True)
        dismiss.clicked.connect(self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 4, 8, 4)
        layout.addWidget(self._text, 1)
        layout.addWidget(dismiss)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty while it is hidden."""
        return self._text.text() if not self.isHidden() else ""

    def tell(self, text: str) -> None:
        """Say that something was done."""
        self._say(text, error=False)

    @Slot(str)
    def refuse(self, reason: str) -> None:
        """Say why something was not done."""
        self._say(reason, error=True)

    @Slot()
    def dismiss(self) -> None:
        """Take the line away."""
        self.hide()

    def _say(self, text: str, *, error: bool) -> None:
        self._text.setText(text)
        self.setAccessibleName(text)
        self.setProperty("error", error)
        # A style sheet looks at a property only when the widget is polished.
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()
