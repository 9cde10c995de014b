"""The list of edits, for going back and forth."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel


class HistoryPanel(QWidget):
    """Lists the edits of the open document; selecting one goes to the state after it.

    The arrow keys do so, too. Undone edits stay in the list until a new edit is made.

    Attributes
    ----------
    heading : QWidget
        The number of edits, in one line.
    """

    def __init__(self, edits: EditStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._edits = edits
        self._count = ElidedLabel("history.count")
        title = QLabel(self.tr("History"))
        self.heading = heading_row(title, self._count, self)
        self._list = _List(edits, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self._list)
        edits.indexChanged.connect(self._count_edits)
        edits.activeStackChanged.connect(self._count_edits)
        self._count_edits()

    @Slot()
    def _count_edits(self) -> None:
        stack = self._edits.activeStack()
        done, count = (stack.index(), stack.count()) if stack else (0, 0)
        text = self.tr("{done} of {count} edits").format(done=done, count=count)
        self._count.setText(text if count else self.tr("nothing edited yet"))


class _List(QUndoView):
    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("history.list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(True)  # titles and names of edits may be wider than the dock
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
