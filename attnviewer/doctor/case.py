"""What is compared: what was intended, and what came out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.compute.spec import Spec
from attnviewer.doctor.agreement import bound, noise, worst
from attnviewer.doctor.precision import FLOAT64, Precision, precision_of


FAR = 1e4
"""Units of the last place of the largest number that no chain of steps loses."""


@dataclass(frozen=True)
class Case:
    """An implementation's arrays beside what they should be.

    Parameters
    ----------
    spec : Spec
        The variant that was intended.
    inputs : mapping of str to ndarray
        Its inputs, in float64.
    mine : mapping of str to ndarray
        The implementation's steps by the names of the plan, with axes in its order.
    """

    spec: Spec
    inputs: Mapping[str, Numbers]
    mine: Mapping[str, Numbers]
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def plan(self) -> Plan:
        """The right computation."""
        shapes = {name: array.shape for name, array in self.inputs.items()}
        return Plan.of(self.spec, shapes)

    @cached_property
    def right(self) -> Evaluation:
        """The right numbers, in float64."""
        return Evaluation(self.plan, self.inputs)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The steps that are compared, in the order of the computation."""
        return tuple(name for name in self.plan.steps if name in self.mine)

    @cached_property
    def precisions(self) -> dict[str, Precision]:
        """The precision of each step that is compared."""
        return {name: precision_of(self.mine[name]) for name in self.steps}

    @cached_property
    def precision(self) -> Precision:
        """The coarsest of them."""
        return min(self.precisions.values(), key=lambda p: (p.digits, p.name))

    def evaluation(self, plan: Plan, like: Evaluation | None = None) -> Evaluation:
        """Return the numbers of a plan from the inputs."""
        return Evaluation(plan, self.inputs, like=like or self.right)

    def residual(self, numbers: Evaluation, *, exact: bool) -> float:
        """Return how far all steps are off at worst, in units of rounding.

        Parameters
        ----------
        numbers : Evaluation
            The numbers of some plan.
        exact : bool
            Whether only the results are rounded, rather than every step on the way.
        """
        roundoff = FLOAT64.roundoff if exact else self.precision.roundoff
        for name in reversed(self.steps):
            # Most plans are far off, which is soon seen without their own noise.
            size = np.abs(numbers[name])
            size = np.max(size, initial=0.0, where=np.isfinite(size))
            if self._off(name, numbers, np.asarray(FAR * roundoff * size)) > 1:
                return np.inf
        deviations = noise(numbers.plan, self.inputs, roundoff, self.steps)
        return max(self._off(name, numbers, deviations[name]) for name in self.steps)

    def _off(self, name: str, numbers: Evaluation, deviation: Numbers) -> float:
        limits = bound(numbers[name], self.precisions[name], deviation)
        return worst(self.mine[name], numbers[name], limits)
