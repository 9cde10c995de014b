"""Jobs of the worker for a training run."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from attnviewer.compute import Array
from attnviewer.document import Document, TrainingRecord
from attnviewer.io import write_atomically
from attnviewer.ui.state.training.choices import TrainingChoices
from attnviewer.ui.work.worker import Stopped

if TYPE_CHECKING:
    from attnviewer.training import Advice, Training

Library = Literal["numpy", "torch"]


@dataclass(frozen=True, slots=True, eq=False)
class RunState:
    """A training run after a step.

    Parameters
    ----------
    index : int
        The step; 0 for before the first.
    label : str
        What led there, for the undo list.
    matrices : dict of str to ndarray
        The matrices of the document that are trained.
    losses : list of float
        The loss before each step that was taken, and the one after the last.
    norms : dict of str to float
        The norms of the gradients of the step, or of the first; empty if none was
        taken.
    advice : tuple of Advice or None
        The warnings; None if they were not requested.
    stopped : str
        Why the run can take no further step; "" if it can.
    record : tuple of TrainingRecord
        What the document keeps of the run: one record, or as before, none.
    """

    index: int
    label: str
    matrices: dict[str, Array]
    losses: list[float]
    norms: dict[str, float]
    advice: "tuple[Advice, ...] | None"
    stopped: str
    record: tuple[TrainingRecord, ...]

    @property
    def done(self) -> int:
        """The number of steps taken."""
        return len(self.losses) - 1


@dataclass(slots=True, eq=False)
class StartJob:
    """Begins a run; see `TrainingChoices.begin`."""

    document: Document
    choices: TrainingChoices
    stopped: bool = False
    training: "Training | None" = None
    state: RunState | None = None

    def run(self) -> None:
        self.training = self.choices.begin(self.document)
        self.state = state_of(self.training, 0, advise=True)


@dataclass(slots=True, eq=False)
class GoJob:
    """Continues a run for a while, or goes back to an earlier step.

    Parameters
    ----------
    training : Training
        The run.
    index : int
        Where it is.
    until : int
        The step to go to.
    seconds : float
        After which time no further step is taken; one is always taken.
    jumps : bool
        Whether to go over steps that were taken before.
    advise : bool
        Whether to compute warnings even if the run plays on.
    """

    training: "Training"
    index: int
    until: int
    seconds: float
    jumps: bool
    advise: bool
    stopped: bool = False
    state: RunState | None = None

    def run(self) -> None:
        training, index = self.training, min(self.index, self.until)
        if self.jumps:
            index = min(self.until, training.done)
        end = perf_counter() + self.seconds
        while index < self.until:
            if self.stopped:
                raise Stopped
            if index == training.done and training.stopped:
                break
            try:
                training.step(index + 1)
            except IndexError:  # this step has stopped it
                break
            index += 1
            if perf_counter() >= end:
                break
        ended = index == training.steps or bool(training.stopped)
        advise = self.advise or self.jumps or ended
        self.state = state_of(training, index, advise=advise)


@dataclass(slots=True, eq=False)
class ExportJob:
    """Writes a run as a program."""

    training: "Training"
    path: Path
    library: Library
    notebook: bool
    stopped: bool = False

    def run(self) -> None:
        make = self.training.notebook if self.notebook else self.training.script
        write_atomically(self.path, make(self.library).encode())


def state_of(training: "Training", index: int, *, advise: bool) -> RunState:
    """Return a run after a step that was taken."""
    matrices = training.matrices(index)
    trained = set(training.plan.loss_of.trained) & set(training.plan.document.matrices)
    norms = training.step(max(index, 1)).gradient_norms if training.done else {}
    return RunState(
        index,
        training.edit(index).label,
        {name: matrices[name] for name in matrices if name in trained},
        training.losses,
        norms,
        training.advice(index) if advise else None,
        training.stopped,
        (training.record(index),) if index else _kept_before(training),
    )


def _kept_before(training: "Training") -> tuple[TrainingRecord, ...]:
    record = training.plan.document.training
    return () if record is None else (record,)
