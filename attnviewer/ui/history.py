"""The list of edits, to walk through at will."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QUndoView, QVBoxLayout, QWidget

from attnviewer.ui.undo import EditStack


class HistoryPanel(QWidget):
    """Lists the edits of the open document; choosing one goes to the state after it.

    The arrow keys walk, too. Undone edits stay in the list until another edit is
    made.

    Parameters
    ----------
    edits : EditStack
        The edits.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    heading : QLabel
        What the list is.
    """

    def __init__(self, edits: EditStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = QLabel(self.tr("History"), self)
        self.heading.setContentsMargins(12, 0, 0, 0)
        self._list = _List(edits, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self._list)


class _List(QUndoView):
    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("history.list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("History"))
        self.setAccessibleDescription(
            self.tr("Choose an edit to go to the state after it.")
        )
        self._edits = edits
        self.setGroup(edits)
        edits.activeStackChanged.connect(self._name_start)
        self._name_start()

    @Slot()
    def _name_start(self) -> None:
        self.setEmptyLabel(self._edits.document.title)
