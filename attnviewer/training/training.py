"""A training run: its steps, its states, and the edit that takes one over."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Literal

from attnviewer.compute import Array
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.curve_svg import curve_svg
from attnviewer.compute.html import DECIMALS
from attnviewer.compute.number_text import format_number
from attnviewer.document import Document, Replace, TrainingRecord
from attnviewer.training.advice import Advice, Adviser
from attnviewer.training.history import History
from attnviewer.training.plan import Plan
from attnviewer.training.program import training_notebook, training_script
from attnviewer.training.record import record_of, start_digest
from attnviewer.training.tasks import READOUT

if TYPE_CHECKING:
    from attnviewer.training.learner import StepResult


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of a training run.

    Parameters
    ----------
    index : int
        The step, counted from one.
    loss : float
        The loss before the step, of which the gradient was taken.
    gradient_norms : dict of str to float
        The Frobenius norm of its gradient with respect to each matrix that is free.
    training : Training
        The run.
    """

    index: int
    loss: float
    gradient_norms: dict[str, float]
    training: "Training"

    @property
    def document(self) -> Document:
        """The document after the step."""
        return self.training.document(self.index)

    @property
    def warnings(self) -> tuple[Advice, ...]:
        """Warnings about the run after the step."""
        return self.training.advice(self.index)


class Training:
    """A training run; made by `attnviewer.train`.

    Iterating takes one step after the other, when it is asked for; a step that was
    taken is not taken again. A run is the same whenever it is repeated.

    Parameters
    ----------
    plan : Plan
        What is trained, and how.

    Attributes
    ----------
    plan : Plan
        The same.

    Examples
    --------
    >>> import numpy as np
    >>> import attnviewer
    >>> document = attnviewer.load_example("four-words")
    >>> task = attnviewer.tasks.match("output", np.eye(4, 3))
    >>> training = attnviewer.train(document, task, optimizer="sgd", lr=0.01, steps=3)
    >>> [round(step.loss, 3) for step in training]
    [1.203, 1.182, 1.161]
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._learner = plan.new_learner()
        state = self._learner.state()
        self._history = History(plan.new_learner, state, plan.steps)
        self._taken: list[StepResult] = []
        self._adviser = Adviser(plan)

    def __repr__(self) -> str:
        end = f", stopped: {self.stopped}" if self.stopped else ""
        return f"<Training of {self.plan.title}: {self.done} of {self.steps}{end}>"

    def _repr_html_(self) -> str:
        """Return the losses of the steps that were taken as a curve."""
        losses = self.losses
        last = format_number(losses[-1], DECIMALS)
        return (
            f"<div>{escape(repr(self))}"
            f"<div>Loss {last}</div><div>{curve_svg(losses)}</div></div>"
        )

    def __iter__(self) -> Iterator[Step]:
        index = 0
        while index < self.steps and (index < self.done or self._advance()):
            index += 1
            yield self.step(index)

    @property
    def steps(self) -> int:
        """The number of steps of the run, unless it stops before."""
        return self.plan.steps

    @property
    def done(self) -> int:
        """The number of steps taken so far."""
        return self._learner.index

    @property
    def stopped(self) -> str:
        """The reason why the run ended before its last step; "" if it did not."""
        return self._learner.stopped

    @property
    def losses(self) -> list[float]:
        """The loss before each step that was taken, and the one after the last."""
        return [*(taken.loss for taken in self._taken), self._learner.loss]

    def step(self, index: int) -> Step:
        """Return a step, counted from one; those up to it are taken.

        Raises
        ------
        TypeError, IndexError
            If there is no such step.
        """
        self._reach(whole_number("index", index, 1))
        taken = self._taken[index - 1]
        norms = {name: taken.norms.get(name, 0.0) for name in self.plan.free}
        return Step(index, taken.loss, norms, self)

    def matrices(self, index: int) -> dict[str, Array]:
        """Return copies of the matrices that are trained, as they are after a step.

        A ``readout`` of the task is among them, trained or not. The parameter and the
        errors are those of `document`.
        """
        index = whole_number("index", index, 0)
        self._reach(index)
        return self.plan.matrices(self._history.numbers(index))

    def document(self, index: int) -> Document:
        """Return the document after a step, independent of the one that was given.

        Parameters
        ----------
        index : int
            The step; 0 for before the first. Those up to it are taken.

        Raises
        ------
        TypeError, IndexError
            If there is no such step, or the run stopped before it.
        """
        edit = self.edit(index)
        document = copy(self.plan.document)
        document.apply(edit)
        return document

    def edit(self, index: int) -> Replace:
        """Return the edit from the document as it was given to that after a step.

        With it the document keeps how it was trained, see `Document.training`. The
        parameter and the errors are those of `document`.
        """
        matrices = self.matrices(index)
        matrices.pop(READOUT, None)
        count = f"{index} step" if index == 1 else f"{index} steps"
        label = f"Train: {self.plan.title}, {count}"
        if not index:
            return Replace(label, matrices=matrices)
        return Replace(label, matrices=matrices, training=(self.record(index),))

    def record(self, index: int) -> TrainingRecord:
        """Return what a document keeps of the run after a step, at least the first.

        The parameter and the errors are those of `document`.
        """
        matrices = self.matrices(index)
        losses = self._loss_after(0), self._loss_after(index)
        return record_of(self.plan, index, losses, self._start, matrices)

    def advice(self, index: int) -> tuple[Advice, ...]:
        """Return the warnings about the run after a step.

        The parameter and the errors are those of `document`.
        """
        matrices: Mapping[str, Array] = self.matrices(index)
        losses, norms = self.losses[: index + 1], self._norms(index)
        stopped = self.stopped if index == self.done else ""
        return self._adviser.at(index, matrices, losses, norms, stopped)

    def script(self, library: Literal["numpy", "torch"] = "numpy") -> str:
        """Return a Python script that repeats the run and asserts its losses.

        It repeats the steps that were taken so far, or all if none was, from the
        numbers at the beginning, and needs only the library.

        Parameters
        ----------
        library : {"numpy", "torch"}
            With NumPy, gradients are written out; with PyTorch they are autograd's.

        Raises
        ------
        ValueError
            If there is no such library, no step can be taken, or a matrix is too large
            for a program.
        """
        return training_script(self.plan, self._taken_losses(), library)

    def notebook(self, library: Literal["numpy", "torch"] = "numpy") -> str:
        """Return the same as a Jupyter notebook, as JSON; see `script`."""
        return training_notebook(self.plan, self._taken_losses(), library)

    def _taken_losses(self) -> list[float]:
        """Return the loss before each step, of which there is at least one."""
        if not self.done:
            while self.done < self.steps and self._advance():
                pass
        if not self.done:
            raise ValueError(
                "The run must have at least one step to be exported. Got none "
                f"instead: {self.stopped}"
            )
        return self.losses[:-1]

    @cached_property
    def _start(self) -> str:
        """The digest of what the run began with."""
        return start_digest(self.plan)

    def _loss_after(self, index: int) -> float:
        """Return the loss after a step that was taken."""
        taken = self._taken[index : index + 1]
        return taken[0].loss if taken else self._learner.loss

    def _norms(self, index: int) -> list[float]:
        """Return the norm of the whole gradient of each step up to one."""
        return [
            sum(norm**2 for norm in taken.norms.values()) ** 0.5
            for taken in self._taken[:index]
        ]

    def _advance(self) -> bool:
        taken = self._learner.advance()
        if taken is None:
            return False
        self._taken.append(taken)
        self._history.keep(self._learner)
        return True

    def _reach(self, index: int) -> None:
        """Take the steps up to one."""
        while self.done < min(index, self.steps) and self._advance():
            pass
        if index > self.done:
            why = f": {self.stopped}" if self.stopped else "."
            raise IndexError(
                f"The 'index' must be at most {self.done}, the last step{why} "
                f"Got {index} instead."
            )
