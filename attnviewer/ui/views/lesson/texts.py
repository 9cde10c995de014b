"""Texts of the Lesson dock on tasks and answers."""

from collections.abc import Mapping

from attnviewer.teaching import Task, Verdict
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from attnviewer.ui.paint.markdown import escaped
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Lesson")


def instruction(task: Task) -> str:
    """Return what a task asks that has no question of its own, in Markdown."""
    match task:
        case NumbersTask():
            title = step_title(task.step)
            title = title[:1].lower() + title[1:]
            text = _tr("Type the {step} into the empty cells{digits}.")
            return text.format(step=title, digits=_digits(task))
        case ChoiceTask(several=True):
            return _tr("Choose all that are right.")
        case ChoiceTask():
            return _tr("Choose one.")
        case MakeTask():
            return _tr("Change the document until all of this is ticked:")
        case WrongStepTask():
            return _tr("Which is the first wrong step?")
        case MistakeTask():
            return _tr("What is the mistake?")
    return ""


def _digits(task: NumbersTask) -> str:
    if task.tolerance.measure != "digits":
        return ""
    count = int(task.tolerance.amount)
    if count == 0:
        return _tr(", to whole numbers")
    if count == 1:
        return _tr(", to 1 digit after the point")
    return _tr(", to {count} digits after the point").format(count=count)


def state_of(standing: Standing) -> str:
    """Return how a learner stands, in a word or two."""
    words = {
        "open": "",
        "wrong": _tr("✕ not yet"),
        "right": _tr("✓ right"),
        "shown": _tr("answer shown"),
        "skipped": _tr("skipped"),
    }
    return words[standing.outcome]


def said_of(task: Task, standing: Standing) -> str:
    """Return the message on an answer, in Markdown."""
    verdict, outcome = standing.verdict, standing.outcome
    # Lessons write the feedback on options; all else is plain text.
    message = "" if verdict is None else verdict.message
    if not isinstance(task, ChoiceTask):
        message = escaped(message)
    if outcome == "shown":
        return _tr(
            "This is the answer. You get no points for it; *Try again* clears it."
        )
    if outcome == "right":
        carried = verdict is not None and any(c.carried for c in verdict.cells.values())
        praise = _tr("Right: it follows from your earlier numbers.")
        praise = praise if carried else _tr("Right.")
        return f"{praise} {message}".strip()
    if outcome == "wrong" and verdict is not None:
        return _wrong(verdict, message, standing.answer)
    if verdict is None and isinstance(task, NumbersTask):
        return _typed(task)
    # Conditions are listed, and ticked, above the message.
    return "" if verdict is None or verdict.cells or verdict.unmet else message


def _typed(task: NumbersTask) -> str:
    """Return what may be typed, in two lines of the dock."""
    count = int(task.tolerance.amount)
    exact = task.tolerance.measure != "digits" or count == 0
    # Without a question of its own, what is asked says how many digits.
    if task.tolerance.measure == "abs":
        text = _tr("It may be off by {number}; 1/3 or exp(2) may be typed, too.")
        return text.format(number=significant_number(task.tolerance.amount, 3))
    if exact or not task.ask:
        return _tr("Arithmetic such as 1/3 or exp(2)+1 may be typed, too.")
    if count == 1:
        return _tr("1 digit after the point is enough; exp(2)/3 may be typed, too.")
    text = _tr("{count} digits after the point are enough; exp(2)/3 may be typed, too.")
    return text.format(count=count)


def _wrong(verdict: Verdict, message: str, answer: object) -> str:
    typed = answer if isinstance(answer, Mapping) else {}
    wrong = {cell: v for cell, v in verdict.cells.items() if not v.right}
    messages = dict.fromkeys(v.message for cell, v in wrong.items() if cell in typed)
    parts = [message, *(() if verdict.explains_all else map(escaped, messages))]
    empty = sum(cell not in typed for cell in wrong)
    if empty:
        one, more = _tr("1 cell is empty."), _tr("{count} cells are empty.")
        parts.append((one if empty == 1 else more).format(count=empty))
    # Each by itself: some end with a number.
    return "\n\n".join(part for part in parts if part) or _tr("Not right yet.")
