"""A sentence beside what it speaks about: why it does not fit, or what is doubtful."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.ui.widgets.style_properties import set_styled


class ReasonLabel(QLabel):
    """Takes no room until there is something to say, and keeps it from then on.

    What is below thus stays where it is when a person has answered.

    Parameters
    ----------
    name : str
        The label's object name.
    parent : QWidget
        The dialog.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        set_styled(self, "remark", "doubt")
        self.hide()

    def say(self, text: str, *, error: bool) -> None:
        """Show a sentence; an empty one for none."""
        if not text and self.isVisible():
            self.setMinimumHeight(self.height())
        self.setText(text)
        self.setAccessibleName(text)
        set_styled(self, "remark", "error" if error else "doubt")
        self.setVisible(self.takes_room)

    @property
    def takes_room(self) -> bool:
        """Whether it says something, or has done so."""
        return bool(self.text()) or self.minimumHeight() > 0
