"""The state that a task is checked against."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.document import Document
from attnviewer.teaching.tasks.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The document of a page, and what the learner answered so far.

    Parameters
    ----------
    document : Document
        The document as the page opened it. It is never changed.
    earlier : mapping of str to object
        Answers by the ids of their tasks, in the form that each kind of task takes.
        Those of tasks that come later are not looked at.
    tasks : tuple of Task
        The tasks of the page, in their order.
    """

    document: Document
    earlier: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()

    def before(self, task: Task) -> tuple[Task, ...]:
        """Return the tasks of the page before one; all if it is none of them."""
        ids = [own.id for own in self.tasks]
        return self.tasks[: ids.index(task.id)] if task.id in ids else self.tasks
