"""The task to find the step that a mistake changes first."""

from dataclasses import dataclass
from typing import Any, ClassVar

from attnviewer.document import Document
from attnviewer.teaching.mistaken import first_wrong_step, planted
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class WrongStepTask(Task):
    """The first wrong step of a document that computes with a mistake.

    An answer is the name of a step.
    """

    kind: ClassVar[str] = "wrong-step"

    def options(self, document: Document) -> tuple[str, ...]:
        """Return the steps that can be chosen: all that are computed."""
        trace = document.compute()
        return tuple(name for name in trace if trace.stages[name].inputs)

    def check_fit(self, document: Document) -> None:
        planted(document)
        first_wrong_step(document)

    def _verdict(self, situation: Situation, answer: Any) -> Verdict:
        names = self.options(situation.document)
        right = first_wrong_step(situation.document)
        if not isinstance(answer, str) or answer not in names:
            return Verdict(False, 0.0, "Choose one of the steps.")
        if answer == right:
            return Verdict(True, 1.0)
        if names.index(answer) < names.index(right):
            message = f"“{answer}” is right: it follows from what it is computed from."
        else:
            message = f"“{answer}” is wrong, too, but an earlier step is already."
        return Verdict(False, 0.0, message)

    def solution(self, situation: Situation) -> str:
        return first_wrong_step(situation.document)
