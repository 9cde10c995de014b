"""The parts of a lesson's document that are hidden until they are answered."""

from collections.abc import Callable, Iterable

from attnviewer.document import Document
from attnviewer.teaching import Task
from attnviewer.teaching.tasks import MistakeTask, WrongStepTask
from attnviewer.ui.state.live import Veil


def veil_of(
    document: Document,
    tasks: Iterable[Task],
    later: Iterable[Task],
    settled: Callable[[Task], bool],
) -> Veil:
    """Return what the tasks of a page still ask for.

    Parameters
    ----------
    document : Document
        The document.
    tasks : iterable of Task
        The tasks of the open page.
    later : iterable of Task
        These and those of later pages about the same document: they may ask for a
        mistake that this page has found the step of.
    settled : callable
        Returns whether a task is done, or was left out: who leaves one out has given
        up on it.
    """
    hidden = (task.hide(document) for task in tasks if not settled(task))
    hunted = any(
        isinstance(task, WrongStepTask | MistakeTask) and not settled(task)
        for task in later
    )
    return Veil(frozenset().union(*hidden), hunted)
