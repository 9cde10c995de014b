"""A line of a dialog that says why something cannot be done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


class ReasonLine(QLabel):
    """Empty, or a reason in words.

    Parameters
    ----------
    name : str
        The line's object name.
    parent : QWidget
        The dialog.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        # Room for two lines, so that nothing moves when there is a reason.
        self.setMinimumHeight(2 * self.fontMetrics().lineSpacing())

    def say(self, reason: str) -> None:
        """Show a reason; an empty one for none."""
        self.setText(reason)
        self.setAccessibleName(reason)
