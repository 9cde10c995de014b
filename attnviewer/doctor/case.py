"""An implementation's numbers, and the computation that was intended."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.compute.spec import Spec
from attnviewer.doctor.agreement import SAFETY, far_apart, in_roundings, largest
from attnviewer.doctor.precision import FLOAT64, Precision, precision_of
from attnviewer.doctor.roundings import MANY, SAMPLES, Roundings

LOST = 2.0**-42
"""The largest rounding error of float64 steps, relative to the largest number."""

FAR = 1e4
"""An upper bound of rounding errors, in units in the last place of the largest."""

CLEARLY = 32.0
"""Units of rounding, guessed from one repetition, beyond which a step differs."""


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

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a pickle, without what is computed from it."""
        return {own.name: getattr(self, own.name) for own in fields(self)}

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
    def wide(self) -> dict[str, Numbers]:
        """The implementation's steps, as others are computed from them.

        float16 would overflow on the way, and has no linear algebra.
        """
        return {
            name: array.astype(np.float64) if array.dtype == np.float16 else array
            for name, array in self.mine.items()
        }

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

    def holding(self, mine: Mapping[str, Numbers], **changes: Any) -> "Case":
        """Return the same case with an implementation's steps, and what tells of them.

        Parameters
        ----------
        mine : mapping of str to ndarray
            The steps.
        **changes
            Other fields: `names`, `notes` and `origins`.
        """
        return self._changed(mine=mine, **changes)

    def assuming(self, precision: Precision) -> "Case":
        """Return the same case, computed in some precision."""
        return self._changed(assumed=precision)

    def mixing_queries(self) -> "Case":
        """Return the same case, for which only mistakes that mix queries are tried."""
        return self._changed(across_rows=True, thorough=False)

    def hasty(self) -> "Case":
        """Return the same case, without fits and pairs."""
        return self._changed(thorough=False)

    def _changed(self, **changes: Any) -> "Case":
        """Return a case with other fields, which keeps what is computed already."""
        case = replace(self, **changes)
        computed = ["plan", "right", "_hidden", "_roundings"]
        if "mine" not in changes:
            computed += ["steps", "wide", "precisions", "_latest"]
        case.__dict__.update({n: self.__dict__[n] for n in computed if n in vars(self)})
        return case

    def evaluation(self, plan: Plan) -> Evaluation:
        """Return the numbers of a plan from the inputs; those of the last are kept."""
        if plan not in self._latest:
            self._latest.clear()
            self._latest[plan] = Evaluation(plan, self.inputs, like=self.right)
        return self._latest[plan]

    @cached_property
    def _latest(self) -> dict[Plan, Evaluation]:
        return {}

    @cached_property
    def fits(self) -> dict[tuple[str, str], float | None]:
        """Parameters that fit a step best, by the id of the mistake and the step."""
        return {}

    def share_of(self, precision: Precision) -> float:
        """Return the share of the largest number that rounding moves others by."""
        return min(FAR * 2.0**-precision.digits, 0.5)

    def near(self, name: str, numbers: Evaluation, precision: Precision) -> bool:
        """Return whether a step is close enough to ask for the errors of its chain."""
        if numbers.like is self.right and numbers.shares(name):
            if (name, precision) not in self._near:
                self._near[name, precision] = self._is_near(name, self.right, precision)
            return self._near[name, precision]
        return self._is_near(name, numbers, precision)

    def _is_near(self, name: str, numbers: Evaluation, precision: Precision) -> bool:
        right = numbers[name]
        theirs = self.visible(name, right)
        if theirs.shape != right.shape:
            return False
        share, size = self.share_of(precision), largest(right)
        limit = SAFETY * (share + self.precisions[name].roundoff) * size
        if far_apart(theirs, right, limit):
            return False  # as most are
        return self.off(name, numbers, np.asarray(share * size)) <= 1

    def shares_each(self, name: str, results: Numbers) -> Numbers:
        """Return how far several results for a step are off; at most 1 if near.

        In units of what `near` allows; ∞ where other numbers are finite.

        Parameters
        ----------
        name : str
            The step.
        results : ndarray, shape (count, ...)
            Its numbers, each with another mistake.
        """
        theirs, count = self.mine[name], len(results)
        if results.shape[1:] != theirs.shape:
            return np.full(count, np.inf)
        visible = self.visible(name, results)
        with np.errstate(all="ignore"):
            off = np.abs(results - visible)
        finite = np.isfinite(results)
        off = np.where(finite == np.isfinite(visible), off, np.inf)
        off = np.where(finite | (off == np.inf), off, 0.0).reshape(count, -1)
        size = np.where(finite, np.abs(results), 0.0).reshape(count, -1).max(axis=1)
        share = self.share_of(self.precision) + self.precisions[name].roundoff
        limit = np.maximum(SAFETY * share * size, np.finfo(float).tiny)
        with np.errstate(over="ignore"):
            return np.asarray(off.max(axis=1) / limit)

    @cached_property
    def _near(self) -> dict[tuple[str, Precision], bool]:
        """The near steps of the right computation, as far as that was asked."""
        return {}

    @cached_property
    def _roundings(self) -> dict[Precision, Roundings]:
        return {}

    def deviations(
        self,
        numbers: Evaluation,
        names: tuple[str, ...],
        precision: Precision,
        samples: int = SAMPLES,
    ) -> dict[str, Numbers]:
        """Return how far rounding may move each number of some steps.

        See `Roundings.deviations`.
        """
        if precision not in self._roundings:
            self._roundings[precision] = Roundings(precision)
        return self._roundings[precision].deviations(numbers, names, samples)

    def near_at(self, step: str, numbers: Evaluation) -> bool:
        """Return whether a step is near, computed from the steps that are held."""
        try:
            return self.near(step, numbers, self.precision)
        except UnfitError:
            return False

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
        if not self.near_at(step, numbers):
            return np.inf
        try:
            return self._beyond_rounding((step,), numbers, self.precision)
        except UnfitError:
            return np.inf

    def follows(self, step: str, numbers: Evaluation) -> bool:
        """Return whether a step is what follows from the steps that are held.

        See `off_at`.
        """
        # Often the last digit explains all, without errors of the steps before.
        if self.off(step, numbers, np.asarray(0.0)) <= 1:
            return True
        return self.off_at(step, numbers) <= 1

    def _beyond_rounding(
        self, names: tuple[str, ...], numbers: Evaluation, precision: Precision
    ) -> float:
        """Return how far some steps are off at worst, in units of rounding."""
        off, expected = np.inf, dict[str, Numbers]()
        for samples in (1, SAMPLES):  # most are clearly off
            expected = self.deviations(numbers, names, precision, samples)
            off = max(self.off(name, numbers, expected[name]) for name in names)
            if off > CLEARLY or numbers.size >= MANY:
                break
        if off <= 1 and not self._tells(names, numbers, expected):
            return np.inf
        return off

    def _tells(
        self,
        names: tuple[str, ...],
        numbers: Evaluation,
        expected: Mapping[str, Numbers],
    ) -> bool:
        """Return whether a mistake's numbers are others than the right ones.

        Where a mistake divides by almost nothing, rounding may lead anywhere, and its
        numbers explain all and nothing.
        """
        right = numbers.origin
        if right.plan is numbers.plan:
            return True
        return any(
            in_roundings(right[n], numbers[n], self.precisions[n], expected[n]) > 1
            for n in names
        )

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
        # Most plans are far off, which is soon seen.
        if not all(self.near(name, numbers, precision) for name in self.steps):
            return np.inf
        if exact and numbers.size >= MANY:
            return max(
                self.off(n, numbers, self._last_digits(n, numbers)) for n in self.steps
            )
        return self._beyond_rounding(self.steps, numbers, precision)

    def _last_digits(self, name: str, numbers: Evaluation) -> Numbers:
        """Return what float64 loses at most, without an evaluation for it."""
        return np.asarray(LOST * largest(numbers[name]))

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
        theirs = self.visible(name, right)
        return in_roundings(theirs, right, self.precisions[name], deviation)

    def visible(self, name: str, right: Numbers) -> Numbers:
        """Return a step of the implementation, the right numbers where it is hidden."""
        return self.shown(name, self.mine[name], right)

    def shown(self, name: str, theirs: Numbers, right: Numbers) -> Numbers:
        """Return a step's numbers, the right ones where it is hidden.

        Masked scores do not count; some implementations leave them out.
        """
        if name in self._before_mask and theirs.shape == right.shape[-theirs.ndim :]:
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
