"""Many computations, each with a mistake of its own, continued as one."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.doctor.trials import Trials

AT_ONCE = 2**22
"""Numbers of a step that are stacked at most."""


class Stack:
    """Computations that share the steps from some point on.

    Their numbers are stacked along a first axis, so that what is computed from them is
    computed for all of them at once.

    Parameters
    ----------
    trials : Trials
        Gives their numbers, and those without mistakes.
    plans : sequence of Plan
        The computations, each with other steps than the one without mistakes.
    """

    def __init__(self, trials: Trials, plans: Sequence[Plan]) -> None:
        self._numbers = trials.numbers
        self._names = list(self._numbers.plan.steps)
        self._made = [trials.of(plan) for plan in plans]
        self._ends = [self.span(plan)[1] for plan in plans]

    def span(self, plan: Plan) -> tuple[int, int]:
        """Return the places of the first changed step, and after the last one."""
        right = self._numbers.plan
        places = [k for k, n in enumerate(self._names) if plan.changes(n, right)]
        return (places[0], places[-1] + 1) if places else (len(self._names), 0)

    def before(self, plan: Plan) -> list[int]:
        """Return which computations a plan changes only later steps of."""
        first, _ = self.span(plan)
        return [k for k, end in enumerate(self._ends) if end <= first]

    def continued(self, plan: Plan, step: str) -> Iterator[tuple[list[int], Numbers]]:
        """Yield a step of the computations that are also changed as in a plan.

        Parameters
        ----------
        plan : Plan
            The plan without mistakes, changed in another way.
        step : str
            The step.

        Yields
        ------
        list of int
            The computations.
        ndarray
            Their numbers, stacked. Those that cannot be computed are left out.
        """
        numbers, (first, _) = self._numbers, self.span(plan)
        read = {s for n in self._names[first:] for s in plan[n].inputs}
        names = [n for n in self._names[:first] if n in read]
        largest = max(numbers[n].size for n in (*names, step))
        alike = [k for k in self.before(plan) if self._fits(k, names)]
        count = max(1, AT_ONCE // max(1, largest))
        for start in range(0, len(alike), count):
            some = alike[start : start + count]
            held = {name: self._stacked(name, some) for name in names}
            inputs = dict(numbers.inputs)
            for name in read.intersection(numbers.plan.spec.sources):
                inputs[name] = np.broadcast_to(
                    inputs[name], (len(some), *inputs[name].shape)
                )
            with suppress(UnfitError):
                result = Evaluation(plan, inputs, held)[step]
                if len(result) == len(some) and result.ndim == numbers[step].ndim + 1:
                    yield some, result

    def _stacked(self, name: str, some: Sequence[int]) -> Numbers:
        own = self._numbers[name]
        if all(self._made[k].shares(name) for k in some):
            return np.broadcast_to(own, (len(some), *own.shape))
        return np.stack([self._made[k][name] for k in some])

    def _fits(self, number: int, names: Sequence[str]) -> bool:
        """Return whether a computation's steps have the right shapes."""
        made = self._made[number]
        try:
            return all(made[n].shape == self._numbers[n].shape for n in names)
        except UnfitError:
            return False
