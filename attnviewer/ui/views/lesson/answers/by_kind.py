"""The widget for each kind of task."""

from PySide6.QtWidgets import QWidget

from attnviewer.teaching import Task
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from attnviewer.ui.state.lesson import Learner
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.choice import ChoiceAnswer
from attnviewer.ui.views.lesson.answers.make import MakeAnswer
from attnviewer.ui.views.lesson.answers.mistake import MistakeAnswer
from attnviewer.ui.views.lesson.answers.numbers import NumbersAnswer
from attnviewer.ui.views.lesson.answers.wrong_step import WrongStepAnswer
from attnviewer.ui.widgets.reason import ReasonBubble


def answer_to(
    task: Task,
    learner: Learner,
    selection: SelectionModel,
    reason: ReasonBubble,
    parent: QWidget,
) -> Answer:
    """Return the widget in which a task of the open page is answered."""
    document = learner.document
    match task:
        case NumbersTask():
            return NumbersAnswer(task, document, reason, parent)
        case ChoiceTask():
            return ChoiceAnswer(task, document, parent)
        case MakeTask():
            return MakeAnswer(task, learner, parent)
        case MistakeTask():
            return MistakeAnswer(task, document, parent)
        case WrongStepTask():
            return WrongStepAnswer(task, document, selection, parent)
    raise TypeError(f"There is no answer to a task of kind '{task.kind}'.")
