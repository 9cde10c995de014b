"""An implementation's numbers, and the computation that was intended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.compute.spec import Spec
from attnviewer.doctor.agreement import MANY, bound, noise, worst
from attnviewer.doctor.precision import FLOAT64, Precision, precision_of

LOST = 2.0**-42
"""The largest rounding error of float64 steps, relative to the largest number."""

FAR = 1e4
"""An upper bound of rounding errors, in units in the last place of the largest."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The array that a step was read from.

    Parameters
    ----------
    name : str
        Its name.
    axes : str
        The order of its axes, where it is not that of the step.
    """

    name: str
    axes: str


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
    names : mapping of str to str
        What its steps are called in the contract of `diagnose`, where the plan calls
        them otherwise: ``Q_rotated`` for ``rotated Q``.
    notes : tuple of str
        What was recognised on reading the arrays, one sentence each.
    assumed : Precision or None
        In which everything was computed, where the arrays do not show it.
    origins : mapping of str to Origin
        The array that each step was read from, by the names of the plan.
    across_rows : bool
        Whether only mistakes that mix queries are looked for, as all others were tried
        on some of the queries.
    thorough : bool
        Whether parameters are fitted and two mistakes at once are looked for.
    """

    spec: Spec
    inputs: Mapping[str, Numbers]
    mine: Mapping[str, Numbers]
    names: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    assumed: Precision | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    across_rows: bool = False
    thorough: bool = True

    def name_of(self, step: str) -> str:
        """Return the implementation's name for a step."""
        return self.names.get(step, step)

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
        """The precision that is assumed for all steps: the coarsest of them."""
        if self.assumed is not None:
            return self.assumed
        return min(self.precisions.values(), key=lambda p: (p.digits, p.name))

    def evaluation(self, plan: Plan, like: Evaluation | None = None) -> Evaluation:
        """Return the numbers of a plan from the inputs."""
        return Evaluation(plan, self.inputs, like=like or self.right)

    def near(self, name: str, numbers: Evaluation, precision: Precision) -> bool:
        """Return whether a step is close enough for its rounding errors to matter."""
        size = np.abs(numbers[name])
        largest = np.max(size, initial=0.0, where=np.isfinite(size))
        share = min(FAR * 2.0**-precision.digits, 0.5)
        return self.off(name, numbers, np.asarray(share * largest)) <= 1

    def off_at(self, step: str, numbers: Evaluation) -> float:
        """Return how far a step is off, computed from the steps that are held.

        Parameters
        ----------
        step : str
            The step.
        numbers : Evaluation
            The numbers of some plan from steps before it.

        Returns
        -------
        float
            In units of rounding; ∞ where shapes do not fit once a mistake is made.
        """
        try:
            if not self.near(step, numbers, self.precision):
                return np.inf
            held = numbers.held
            expected = noise(numbers.plan, self.inputs, self.precision, (step,), held)
        except UnfitError:
            return np.inf
        return self.off(step, numbers, expected[step])

    def residual(self, numbers: Evaluation, *, exact: bool) -> float:
        """Return how far all steps are off at worst, in units of rounding.

        Parameters
        ----------
        numbers : Evaluation
            The numbers of some plan.
        exact : bool
            Whether only the results are rounded, rather than every step on the way.
        """
        precision = FLOAT64 if exact else self.precision
        # Most plans are far off, which the cheap bound shows.
        if not all(self.near(n, numbers, precision) for n in reversed(self.steps)):
            return np.inf
        if exact and numbers.size > MANY:
            return max(
                self.off(n, numbers, self._last_digits(n, numbers)) for n in self.steps
            )
        deviations = noise(numbers.plan, self.inputs, precision, self.steps)
        return max(self.off(name, numbers, deviations[name]) for name in self.steps)

    def _last_digits(self, name: str, numbers: Evaluation) -> Numbers:
        """Return an upper bound of the rounding errors of float64."""
        size = np.abs(numbers[name])
        return np.asarray(LOST * np.max(size, initial=0.0, where=np.isfinite(size)))

    def off(self, name: str, numbers: Evaluation, deviation: Numbers) -> float:
        """Return how far a step is off at worst, in units of rounding.

        Parameters
        ----------
        name : str
            The step.
        numbers : Evaluation
            The numbers of some plan.
        deviation : ndarray
            How far they may be off before the last rounding.
        """
        right = numbers[name]
        limits = bound(right, self.precisions[name], deviation)
        return worst(self.visible(name, right), right, limits)

    def visible(self, name: str, right: Numbers) -> Numbers:
        """Return a step of the implementation, the right numbers where it is hidden.

        Masked scores do not count; some implementations leave them out.
        """
        theirs = self.mine[name]
        if name in self._before_mask and theirs.shape == right.shape:
            return np.where(self._hidden, right, theirs)
        return theirs

    @cached_property
    def _before_mask(self) -> frozenset[str]:
        """The steps of scores that the mask is yet to be applied to."""
        if "masked" not in self.plan:
            return frozenset()
        names = list(self.plan.steps)
        first, last = names.index("scores"), names.index("masked")
        return frozenset(names[first:last])

    @cached_property
    def _hidden(self) -> Numbers:
        return np.isneginf(self.right["masked"])
