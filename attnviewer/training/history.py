"""The states of a training run, in a bounded amount of memory."""

from collections.abc import Callable

from attnviewer.compute import Array
from attnviewer.training.learner import Learner, LearnerState

MOST_BYTES = 2**26
"""The most bytes of all states that are kept."""


class History:
    """The numbers after each step: kept while they are small, or computed again.

    Where not all fit, every `interval`-th state is kept with what the optimiser needs
    to go on from it; those between are computed from the one before, which gives the
    same numbers.

    Parameters
    ----------
    new_learner : callable
        Returns a learner at the beginning of the same run.
    first : LearnerState
        The state before the first step.
    steps : int
        How many steps there will be at most.
    """

    def __init__(
        self, new_learner: Callable[[], Learner], first: LearnerState, steps: int
    ) -> None:
        self.interval = 1
        if first.numbers.nbytes * (steps + 1) > MOST_BYTES:
            each = first.numbers.nbytes + sum(array.nbytes for array in first.kept)
            self.interval = max(2, -(-each * (steps + 1) // MOST_BYTES))
        self._new_learner = new_learner
        self._numbers = [first.numbers]
        self._kept = [first]
        self._again: Learner | None = None

    def keep(self, learner: Learner) -> None:
        """Keep the state of the learner if its step is one to keep."""
        if self.interval == 1:
            self._numbers.append(learner.parameters.vector.copy())
        elif learner.index % self.interval == 0:
            self._kept.append(learner.state())

    def numbers(self, index: int) -> Array:
        """Return the numbers after a step that was taken, shape (numbers,)."""
        if self.interval == 1:
            return self._numbers[index]
        near = self._kept[index // self.interval]
        if near.index == index:
            return near.numbers
        if self._again is None:
            self._again = self._new_learner()
        if not near.index <= self._again.index <= index:
            self._again.go_to(near)
        while self._again.index < index:
            self._again.advance()
        return self._again.parameters.vector
