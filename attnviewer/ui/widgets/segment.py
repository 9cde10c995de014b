"""Buttons side by side of which one is checked."""

from PySide6.QtGui import QAccessibleInterface
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from attnviewer.ui.widgets.accessible import DescribedRadio


class Segment(QToolButton):
    """One of several choices; screen readers say a radio button.

    Parameters
    ----------
    name : str
        Its object name.
    text : str
        The choice.
    number : int
        Its number in the group.
    group : QButtonGroup
        The choices.
    parent : QWidget
        Qt's owner.
    """

    def __init__(
        self, name: str, text: str, number: int, group: QButtonGroup, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setText(text)
        self.setCheckable(True)
        group.addButton(self, number)

    def described(self) -> QAccessibleInterface:
        """Return its description for screen readers."""
        return DescribedRadio(self)
