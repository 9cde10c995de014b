"""The message where there is nothing to show."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

ASIDE, ABOVE, LEAST_ABOVE = 32, 32, 4
"""Margins in pixels; those above and below give way to the text."""


class EmptyState(QWidget):
    """A sentence, and a button for what can be done about it.

    Parameters
    ----------
    about : str
        What the names of its parts begin with.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    painted : Signal
        It has been painted.
    """

    painted = Signal()

    def __init__(self, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QLabel(self)
        self._text.setObjectName(f"{about}.none")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setProperty("empty", True)
        self.button = QPushButton(self)
        self.button.setProperty("remedy", True)
        self.button.setObjectName(f"{about}.remedy")
        self._column = column = QVBoxLayout(self)
        column.setSpacing(14)
        column.addStretch(1)
        column.addWidget(self._text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self._keep_margins()

    @property
    def text(self) -> str:
        """The message."""
        return self._text.text()

    def say(self, text: str, remedy: str = "") -> None:
        """Say why there is nothing, with the text of the button; "" for no button."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(remedy)
        self.button.setAccessibleName(remedy)
        self.button.setVisible(bool(remedy))
        self._keep_margins()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_margins()

    def heightForWidth(self, width: int) -> int:
        # What a scroll area gives it at least.
        return self._needed(width) + 2 * LEAST_ABOVE

    def _needed(self, width: int) -> int:
        """Return the height of the text and the button."""
        needed = self._text.heightForWidth(width - 2 * ASIDE)
        if not self.button.isHidden():
            needed += self._column.spacing() + self.button.sizeHint().height()
        return needed

    def _keep_margins(self) -> None:
        """Keep the text off the edges, as far as all of it fits nevertheless."""
        free = (self.height() - self._needed(self.width())) // 2
        above = max(LEAST_ABOVE, min(ABOVE, free))
        self._column.setContentsMargins(ASIDE, above, ASIDE, above)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()
