"""A task: the question, the answer, and the message on the answer."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from attnviewer.teaching import Task
from attnviewer.ui.state.lesson import Learner, Standing
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.by_kind import answer_to
from attnviewer.ui.views.lesson.buttons import lesson_button
from attnviewer.ui.views.lesson.texts import instruction, said_of, state_of
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.typeset_text import TypesetText

MESSAGE_LINES = 2
"""For how many lines of a verdict there is room from the start."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TaskCard(QFrame):
    """A task of the open page.

    Ctrl+Enter checks the answer, and so does Enter where it has no other meaning. The
    buttons are above the message, so that they stay
    where they are.

    Attributes
    ----------
    finished : Signal
        The task has been finished or skipped.
    """

    finished = Signal()

    def __init__(
        self,
        task: Task,
        number: int,
        learner: Learner,
        selection: SelectionModel,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.task")
        self._task, self._learner, self._number = task, learner, number
        self._standing: Standing | None = None
        self._state = QLabel(self)
        self._state.setObjectName("lesson.state")
        self._asked = TypesetText("lesson.asked", self)
        self._asked.show_text(task.ask or instruction(task))
        self._answer = answer_to(task, learner, selection, reason, self)
        self._answer.changed.connect(self._on_changed)
        self._answer.done.connect(self._on_done)
        self._check = lesson_button("check", self.tr("Check"), self.check, self)
        self._check.setProperty("primary", True)
        self._check.setToolTip(self.tr("Check the answer (Ctrl+Enter)"))
        self._check.setVisible(self._answer.checkable)
        self._help = lesson_button("help", "", self._get_help, self)
        self._skip = lesson_button("skip", self.tr("Skip"), self._leave_out, self)
        self._again = lesson_button(
            "again", self.tr("Try again"), self._try_again, self
        )
        self._message = TypesetText("lesson.message", self)
        self._message.keep_above()
        self._message.setMinimumHeight(
            MESSAGE_LINES * self.fontMetrics().lineSpacing() + 4
        )
        self._hints = TypesetText("lesson.hints", self)
        self._lay_out()
        self.show_standing()

    @property
    def task(self) -> Task:
        """The task."""
        return self._task

    @property
    def answer(self) -> Answer:
        """The widget in which it is answered."""
        return self._answer

    @property
    def message(self) -> QWidget:
        """The widget of the message on the answer."""
        return self._message

    @Slot()
    def check(self) -> None:
        """Check the answer, or say what is missing."""
        self._answer.commit()
        missing = self._answer.missing
        if missing:
            self._say(missing, "")
            self._answer.enter()
            return
        self._learner.check(self._task, self._answer.answer)
        standing = self._learner.standing(self._task)
        if standing.finished:
            self.finished.emit()
        else:
            self._answer.enter()

    def commit(self) -> None:
        """Take what is being typed."""
        self._answer.commit()

    def show_standing(self) -> None:
        """Show how the learner stands."""
        standing, task = self._learner.standing(self._task), self._task
        before, self._standing = self._standing, standing
        self._answer.show_standing(standing)
        state = state_of(standing)
        self._state.setText(state)
        set_styled(self._state, "mark", _MARKS.get(standing.outcome, ""))
        title = self.tr("Task {number}").format(number=self._number)
        self._title.setText(title)
        self.setAccessibleName(f"{title}, {state}" if state else title)
        self._show_buttons(standing)
        self._say(said_of(task, standing), _MARKS.get(standing.outcome, ""))
        hints = task.hints[: standing.hints]
        titled = self.tr("**Hint {number}:** {text}")
        self._hints.show_text(
            "\n\n".join(
                titled.format(number=n + 1, text=hint) for n, hint in enumerate(hints)
            )
        )
        self._hints.setVisible(bool(hints))
        made = not self._answer.checkable and standing.outcome == "right"
        if made and before is not None and not before.finished:
            self.finished.emit()

    def restyle(self) -> None:
        """Follow another theme or text size."""
        for text in (self._asked, self._message, self._hints):
            text.restyle()
        self._message.setMinimumHeight(
            MESSAGE_LINES * self.fontMetrics().lineSpacing() + 4
        )
        self._answer.restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() not in _ENTER or not self._check.isVisible():
            super().keyPressEvent(event)
        elif control or not self._answer.press_enter():
            self.check()

    def _show_buttons(self, standing: Standing) -> None:
        task, finished = self._task, standing.finished
        focused = self.focusWidget()
        self._check.setVisible(self._answer.checkable and not finished)
        more = standing.hints < len(task.hints)
        shown = standing.may_be_shown(len(task.hints)) and self._has_solution
        text = self.tr("Show the answer")
        if more:
            text = self.tr("Hint")
            if len(task.hints) > 1:
                text = self.tr("Hint {number} of {count}").format(
                    number=standing.hints + 1, count=len(task.hints)
                )
        self._help.setText(text)
        self._help.setAccessibleName(text)
        self._help.setToolTip(
            "" if more else self.tr("You get no points for an answer that was shown")
        )
        self._help.setVisible(not finished and (more or shown))
        skippable = task.skippable and standing.outcome != "skipped"
        self._skip.setVisible(skippable and not finished)
        self._again.setVisible(finished and self._answer.checkable)
        if focused is not None and not focused.isVisibleTo(self) and finished:
            self._again.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _has_solution(self) -> bool:
        # Of a copy that is handed in, the answer is the student's to find.
        return self._answer.checkable and self._learner.exercise is None

    def _say(self, text: str, mark: str) -> None:
        set_styled(self._message, "mark", mark)
        if text != self._message.text:
            self._message.show_text(text)
            if text:
                announce(self._message, self._message.text)

    @Slot()
    def _on_changed(self) -> None:
        self._learner.keep_answer(self._task, self._answer.answer)
        self.show_standing()

    @Slot()
    def _on_done(self) -> None:
        self._check.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def _get_help(self) -> None:
        standing = self._learner.standing(self._task)
        self._answer.commit()
        if standing.hints < len(self._task.hints):
            self._learner.hint(self._task)
        else:
            self._learner.show_answer(self._task)
            self.finished.emit()

    @Slot()
    def _leave_out(self) -> None:
        self._learner.skip(self._task)
        self.finished.emit()

    @Slot()
    def _try_again(self) -> None:
        self._learner.try_again(self._task)
        self._answer.enter()

    def _lay_out(self) -> None:
        self._title = QLabel(self)
        self._title.setObjectName("lesson.task.title")
        top = QHBoxLayout()
        top.addWidget(self._title)
        top.addStretch(1)
        top.addWidget(self._state)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self._check)
        buttons.addWidget(self._again)
        buttons.addWidget(self._help)
        buttons.addStretch(1)
        buttons.addWidget(self._skip)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self._asked)
        column.addWidget(self._answer)
        column.addLayout(buttons)
        column.addWidget(self._message)
        column.addWidget(self._hints)


_MARKS = {"right": "right", "wrong": "wrong", "shown": "shown"}
