"""The steps of a training run, and when they stop."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.training.optimizers import Optimizer
from attnviewer.training.parameters import Parameters
from attnviewer.training.slope import LossOf

GROWTH = 1e6
"""Numbers above this multiple of the largest at the start, or of 1, stop a run."""


class StepResult(NamedTuple):
    """A step that was taken.

    Parameters
    ----------
    loss : float
        The loss before the step.
    norms : dict of str to float
        The Frobenius norm of its gradient on each matrix.
    """

    loss: float
    norms: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class LearnerState:
    """The state of a run: all that the following steps depend on.

    Parameters
    ----------
    index : int
        After which step.
    numbers : ndarray, shape (numbers,)
        The numbers that are trained.
    kept : tuple of ndarray
        What the optimiser keeps.
    """

    index: int
    numbers: Array
    kept: tuple[Array, ...]


class Learner:
    """Takes steps, each only if the loss after it is a number.

    Parameters
    ----------
    loss_of : LossOf
        The loss.
    parameters : Parameters
        The numbers to begin with; changed in place.
    optimizer : Optimizer
        The optimiser, at its beginning.

    Attributes
    ----------
    index : int
        How many steps were taken.
    loss : float
        The loss after them.
    stopped : str
        Why no further step can be taken; "" if one can.
    """

    def __init__(
        self, loss_of: LossOf, parameters: Parameters, optimizer: Optimizer
    ) -> None:
        self.parameters = parameters
        self._loss_of, self._optimizer = loss_of, optimizer
        self._gradient = Parameters(
            {name: np.zeros_like(array) for name, array in parameters.matrices.items()}
        )
        self._before = np.empty_like(parameters.vector)  # (numbers,)
        finite = parameters.vector[np.isfinite(parameters.vector)]
        self._most = GROWTH * float(np.abs(finite).max(initial=1.0))
        self.index = 0
        self.stopped = ""
        self.loss = math.nan
        self._norms: dict[str, float] = {}
        self._look()
        if not self._is_good():
            self.stopped = (
                f"The loss must be a number before the first step. Got {self.loss} "
                "instead: a weight of 0 has no logarithm, and numbers may be out of "
                "range."
            )

    def state(self) -> LearnerState:
        """Return a copy of all that the following steps depend on."""
        kept = tuple(array.copy() for array in self._optimizer.kept())
        return LearnerState(self.index, self.parameters.vector.copy(), kept)

    def go_to(self, state: LearnerState) -> None:
        """Go on from another step."""
        self.index, self.stopped = state.index, ""
        self.parameters.vector[...] = state.numbers
        self._optimizer.restore(state.index, state.kept)
        self._look()

    def advance(self) -> StepResult | None:
        """Take a step; None where that is impossible, which `stopped` then explains."""
        if self.stopped:
            return None
        taken = StepResult(self.loss, self._norms)
        self._before[...] = self.parameters.vector
        with np.errstate(all="ignore"):
            self._optimizer.step(self.parameters.vector, self._gradient.vector)
        self.index += 1
        wrong = self._grown()
        if not wrong:
            self._look()
            wrong = "" if self._is_good() else f"The loss became {self.loss}"
        if not wrong:
            return taken
        self.parameters.vector[...] = self._before
        self.index -= 1
        self.loss = taken.loss
        self.stopped = (
            f"{wrong} in step {self.index + 1}: the learning rate "
            f"{self._optimizer.lr:g} is too large. The numbers are those after step "
            f"{self.index}."
        )
        return None

    def _look(self) -> None:
        """Compute the loss and its gradient at the present numbers."""
        slope = self._loss_of.at(self.parameters.matrices, self.index + 1)
        self.loss = slope.loss
        for name, gradient in slope.gradients.items():
            self._gradient.matrices[name][...] = gradient
        with np.errstate(over="ignore"):
            self._norms = self._gradient.norms()

    def _is_good(self) -> bool:
        numbers = (self.loss, *self._norms.values())
        return all(map(math.isfinite, numbers))

    def _grown(self) -> str:
        """Return which matrix has diverged, if any."""
        numbers = self.parameters.vector
        # NaN is on neither side of a bound; a bias of −∞ hides a key.
        if numbers.max() < self._most and numbers.min() > -self._most:
            return ""
        for name, array in self.parameters.matrices.items():
            if not array.max() < self._most or (
                name != "bias" and not array.min() > -self._most
            ):
                return f"The numbers of {name} grew beyond {self._most:g}"
        return ""
