"""The Lesson dock, whose content is made when it is first needed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFocusEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedLayout, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.reason import ReasonBubble

# Loaded with the first lesson.
if TYPE_CHECKING:
    from attnviewer.ui.state.lesson import Learner
    from attnviewer.ui.views.lesson.content import LessonContent


class LessonPanel(QWidget):
    """Shows the page of the open lesson, or how to open one.

    Attributes
    ----------
    heading : QWidget
        The title of the lesson.
    choosing, closing, saving : Signal
        The learner wants the list of lessons, to leave this one, or to save answers.
    filled : Signal
        There is another page, whose widgets Tab has yet to find.
    wanted : Signal
        A task was solved elsewhere in the window while the dock is not in sight.
    """

    filled = Signal()
    wanted = Signal()

    choosing = Signal()
    closing = Signal()
    saving = Signal()

    def __init__(
        self,
        selection: SelectionModel,
        appearance: Appearance,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson")
        self.setAccessibleName(self.tr("Lesson"))
        self._learner: Learner | None = None
        self._selection = selection
        self._appearance, self._reason = appearance, reason
        self._content: LessonContent | None = None
        self._saves = False
        self._title = ElidedLabel("lesson.name")
        self._title.setProperty("muted", False)
        title = QLabel(self.tr("Lesson"))
        self.heading = heading_row(title, self._title, self)
        self._empty = EmptyState("lesson", self)
        self._empty.button.clicked.connect(self._help)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        layout.addLayout(self._stack, 1)
        self._show()

    def follow(self, learner: "Learner") -> None:
        """Show what a learner opens, from now on."""
        self._learner = learner
        learner.opened.connect(self._show)
        learner.turned.connect(self._show)
        learner.edited.connect(self._show)

    @property
    def content(self) -> "LessonContent | None":
        """The content of the open lesson; None before the first lesson."""
        return self._content

    def offer_saving(self, *, offered: bool) -> None:
        """Offer to save the answers, for a teacher."""
        self._saves = offered
        if self._content is not None:
            self._content.offer_saving(offered=offered)

    def commit(self) -> None:
        """Take what is being typed."""
        if self._content is not None:
            self._content.commit()

    def enter(self) -> None:
        """Give the focus to where the learner goes on."""
        if self._content is not None and self._stack.currentWidget() is self._content:
            self._content.enter()
        else:
            self._empty.button.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        self.enter()

    @Slot()
    def _show(self) -> None:
        learner = self._learner
        lesson = None if learner is None else learner.lesson
        self._title.setText("" if lesson is None else lesson.title)
        if learner is None or lesson is None:
            self._empty.say(self.tr("No lesson is open."), self.tr("Choose a lesson…"))
        elif learner.away:
            self._empty.say(
                self.tr("Another document is open. Your answers are kept."),
                self.tr("Back to the lesson"),
            )
        if learner is None or lesson is None or learner.away:
            self._stack.setCurrentWidget(self._empty)
            return
        if self._content is None:
            self._content = self._made(learner)
            self._stack.addWidget(self._content)
        self._stack.setCurrentWidget(self._content)

    def _made(self, learner: "Learner") -> "LessonContent":
        from attnviewer.ui.views.lesson.content import LessonContent

        content = LessonContent(
            learner, self._selection, self._appearance, self._reason, self
        )
        content.offer_saving(offered=self._saves)
        content.filled.connect(self.filled)
        content.wanted.connect(self.wanted)
        content.choosing.connect(self.choosing)
        content.closing.connect(self.closing)
        content.saving.connect(self.saving)
        return content

    @Slot()
    def _help(self) -> None:
        learner = self._learner
        if learner is None or learner.lesson is None:
            self.choosing.emit()
        else:
            learner.come_back()
