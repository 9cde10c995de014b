"""A training run on a document of the window."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.document.matrices import same_bits
from attnviewer.ui.state.training.choices import TrainingChoices
from attnviewer.ui.state.training.jobs import RunState

if TYPE_CHECKING:
    from attnviewer.training import Advice, Training


@dataclass(slots=True, eq=False)
class Run:
    """A training run on a document.

    Parameters
    ----------
    choices : TrainingChoices
        What was chosen.
    training : Training
        The run itself. While a job of it is under way, only that may use it.
    first : RunState
        The state before the first step.

    Attributes
    ----------
    state : RunState
        The state that was shown last.
    index : int or None
        The step that the document shows; None if it shows none, as it was changed.
    left : RunState or None
        The one that was shown when something else last changed the document, so that
        redo comes back to it.
    advice : tuple of Advice
        The warnings.
    gesture : object
        All states that are shown in a row are one gesture, and one step of undo.
    """

    choices: TrainingChoices
    training: "Training"
    first: RunState
    state: RunState = field(init=False)
    index: int | None = 0
    left: RunState | None = None
    advice: "tuple[Advice, ...]" = ()
    gesture: object = field(default_factory=object)

    def __post_init__(self) -> None:
        self.state = self.first
        self.advice = self.first.advice or ()

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        return self.training.steps

    @property
    def ended(self) -> bool:
        """Whether the last step is shown and none can follow."""
        last = self.state.done == self.steps or bool(self.state.stopped)
        return last and self.index == self.state.done

    def show(self, state: RunState) -> None:
        """Take over a state that the document shows now."""
        self.state, self.index = state, state.index
        if state.advice is not None:
            self.advice = state.advice

    def follow(self, document: Document) -> bool:
        """Find the step that a document shows after something else has changed it.

        It can only be one of those that were shown before: undo and redo go there.
        Returns whether it is another step than before, or none.
        """
        found = self._state_in(document)
        if found is not None and found.index == self.index:
            return False
        if self.index is not None:
            self.left = self.state
        if found is not None:
            losses, stopped = self.state.losses, self.state.stopped
            self.state = replace(found, losses=losses, stopped=stopped)
        self.index = None if found is None else found.index
        self.gesture = object()
        return True

    def _state_in(self, document: Document) -> RunState | None:
        begun = self.training.plan.document
        if (document.spec, document.labels) != (begun.spec, begun.labels):
            return None
        for state in (self.state, self.left, self.first):
            if state is not None and _holds(document, begun, state.matrices):
                return state
        return None


def _holds(document: Document, begun: Document, trained: Mapping[str, Array]) -> bool:
    """Return whether a document is another one with other trained matrices."""
    return all(
        same_bits(document.matrix(name), trained.get(name, begun.matrix(name)))
        for name in document.spec.input_names
    )
