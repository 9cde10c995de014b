"""The base class of tasks."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from attnviewer.compute import Pin
from attnviewer.document import Document
from attnviewer.teaching.verdict import Verdict

if TYPE_CHECKING:
    from attnviewer.teaching.situation import Situation


@dataclass(frozen=True, slots=True)
class Held:
    """The steps that follow from an answer.

    Parameters
    ----------
    pins : tuple of Pin
        The numbers of the answer, all of one step.
    wrong : bool
        Whether one of them is wrong.
    """

    pins: tuple[Pin, ...] = ()
    wrong: bool = False


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """Something that a learner is asked.

    Parameters
    ----------
    id : str
        Its name, unlike that of any other task of the lesson.
    points : int
        What it counts.
    ask : str
        The question in Markdown; "" where the text before the task asks it.
    hints : tuple of str
        Markdown, to be shown one after the other.
    skippable : bool
        Whether a learner may go on without it.
    line : int
        The line of the lesson's text where it begins, counted from 1.
    """

    kind: ClassVar[str]

    id: str
    points: int = 1
    ask: str = ""
    hints: tuple[str, ...] = ()
    skippable: bool = True
    line: int = 0

    def hide(self, document: Document) -> frozenset[str]:
        """Return the steps of a document that are not shown before the answer."""
        return frozenset()

    def held(self, document: Document, answer: Any) -> Held:
        """Return the numbers that later tasks may go on from."""
        return Held()

    @abstractmethod
    def check_fit(self, document: Document) -> None:
        """Check that a document has what the task asks for.

        Raises
        ------
        ValueError
            With the reason.
        """

    def check(self, situation: "Situation", answer: Any) -> Verdict:
        """Return what to say of an answer; whatever it holds, nothing is raised."""
        try:
            return self._verdict(situation, answer)
        # The document is no longer what the task is about, or cannot be computed.
        except (ValueError, ArithmeticError) as error:
            return Verdict(False, 0.0, str(error))

    @abstractmethod
    def _verdict(self, situation: "Situation", answer: Any) -> Verdict: ...

    @abstractmethod
    def solution(self, situation: "Situation") -> Any:
        """Return a right answer, or None where it is not known in advance."""
