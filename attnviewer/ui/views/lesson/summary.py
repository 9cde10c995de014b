"""The summary of a learner's work on a lesson."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from attnviewer.ui.state.lesson import Learner
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.lesson.buttons import lesson_button
from attnviewer.ui.widgets.eliding_button import ElidingButton
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.typeset_text import TypesetText

_tr = translate_in("Lesson")


class Summary(QFrame):
    """Counts tasks: right at first, with help, shown, skipped, and left.

    Attributes
    ----------
    going : Signal
        The place that the learner wants to go to.
    choosing : Signal
        The learner wants the list of lessons.
    """

    going = Signal(int)
    choosing = Signal()

    def __init__(self, learner: Learner, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.summary")
        lesson = learner.lesson
        assert lesson is not None
        self._places: dict[QPushButton, int] = {}
        self._text = TypesetText("lesson.text", self)
        self._text.show_text(_summary(learner))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 14, 12)
        column.setSpacing(10)
        column.addWidget(self._text)
        left = next(
            (n for n, page in enumerate(lesson.pages) if not _done(learner, n)), None
        )
        if left is not None:
            text = self.tr("Go to page {number}: {title}").format(
                number=left + 1, title=lesson.pages[left].title
            )
            column.addWidget(self._button("left", text, left))
        for number, page in enumerate(lesson.exercises):
            text = self.tr("Exercise {number}: {title}").format(
                number=number + 1, title=page.title
            )
            place = len(lesson.pages) + 1 + number
            column.addWidget(self._button(f"exercise.{number}", text, place))
        more = lesson_button(
            "go.lessons", self.tr("More lessons…"), self.choosing, self
        )
        column.addWidget(more)
        column.addStretch(1)

    def restyle(self) -> None:
        """Follow another theme or text size."""
        self._text.restyle()

    def commit(self) -> None:
        """Do nothing: nothing is typed here."""

    def _button(self, name: str, text: str, place: int) -> QPushButton:
        # A title may be longer than the dock is wide.
        button = ElidingButton(text, self)
        button.setObjectName(f"lesson.go.{name}")
        button.setAutoDefault(True)
        button.clicked.connect(self._go)
        button.setToolTip(plain_tip(text))
        self._places[button] = place
        return button

    @Slot()
    def _go(self) -> None:
        button = self.sender()
        assert isinstance(button, QPushButton)
        self.going.emit(self._places[button])


def _done(learner: Learner, number: int) -> bool:
    lesson = learner.lesson
    assert lesson is not None
    tasks = lesson.pages[number].tasks
    return all(learner.standing(task).finished for task in tasks)


def _summary(learner: Learner) -> str:
    lesson = learner.lesson
    assert lesson is not None
    tasks = [task for page in lesson.pages for task in page.tasks]
    found = [learner.standing(task) for task in tasks]
    right = [s for s in found if s.outcome == "right"]
    at_first = sum(s.at_first for s in right)
    lines = [
        (at_first, _tr("right at the first attempt")),
        (len(right) - at_first, _tr("right with help or at a later attempt")),
        (sum(s.outcome == "shown" for s in found), _tr("answers shown")),
        (sum(s.outcome == "skipped" for s in found), _tr("skipped")),
        (
            sum(s.outcome in ("open", "wrong") for s in found),
            _tr("not done yet"),
        ),
    ]
    through = _tr("You have finished"), _tr("Not all is done yet")
    title = f"# {through[bool(lines[-1][0])]}"
    counts = "\n".join(f"- **{count}** {text}" for count, text in lines if count)
    after = ""
    if learner.exercise is not None:
        after = _tr(
            "What is checked here is for you alone; the points are given by your "
            "teacher. Save your answers with *⋯* below and hand in that file.\n\n"
        )
    if lesson.exercises:
        after += _tr(
            "Each exercise below draws new numbers; *Another one* draws them again, "
            "as often as you like."
        )
    return f"{title}\n\n{counts}\n\n{after}"
