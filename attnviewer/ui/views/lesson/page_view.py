"""One page of a lesson: text and tasks in the order of the lesson."""

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from attnviewer.teaching import Text
from attnviewer.ui.state.lesson import Learner
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.lesson.task_card import TaskCard
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.typeset_text import TypesetText


class PageView(QFrame):
    """Text and tasks of the open page.

    Attributes
    ----------
    finished : Signal
        The learner is through with a task; the number of the next one, or None.
    """

    finished = Signal(object)

    def __init__(
        self,
        learner: Learner,
        selection: SelectionModel,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.page")
        self._texts: list[TypesetText] = []
        self.cards: list[TaskCard] = []
        page = learner.page
        assert page is not None
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 14, 12)
        column.setSpacing(12)
        title = TypesetText("lesson.title", self)
        title.show_text(f"# {page.title}")
        self._texts.append(title)
        column.addWidget(title)
        for block in page.blocks:
            if isinstance(block, Text):
                text = TypesetText("lesson.text", self)
                text.show_text(block.markdown)
                self._texts.append(text)
                column.addWidget(text)
            else:
                number = len(self.cards) + 1
                card = TaskCard(block, number, learner, selection, reason, self)
                card.finished.connect(self._on_finished)
                self.cards.append(card)
                column.addWidget(card)
        column.addStretch(1)
        # Once the slot of the button that was clicked is done.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._tell_finished)
        self._last = 0

    def card(self, task: str) -> TaskCard | None:
        """Return the card of a task by its id; None if it is on another page."""
        return next((card for card in self.cards if card.task.id == task), None)

    def commit(self) -> None:
        """Take what is being typed."""
        for card in self.cards:
            card.commit()

    def restyle(self) -> None:
        """Follow another theme or text size."""
        for text in self._texts:
            text.restyle()
        for card in self.cards:
            card.restyle()

    @Slot()
    def _on_finished(self) -> None:
        card = self.sender()
        assert isinstance(card, TaskCard)
        self._last = self.cards.index(card)
        self._soon.start()

    @Slot()
    def _tell_finished(self) -> None:
        following = self.cards[self._last + 1 :]
        self.finished.emit(following[0] if following else None)
