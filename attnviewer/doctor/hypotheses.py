"""Which mistakes explain an implementation's numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.mistakes import (
    CATALOGUE,
    Evaluation,
    Mistake,
    Plan,
    UnfitError,
    Variation,
)
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.case import Case
from attnviewer.doctor.fitting import Difference, fit, refined, rounded
from attnviewer.doctor.reducing import last_queries, numbers_of

ENOUGH = 100_000
"""Numbers of all steps from which on parameters are fitted to a few queries first."""

FEW = 8
"""How many these are."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A mistake, made in the intended computation.

    Parameters
    ----------
    mistake : Mistake
        The mistake.
    variation : Variation
        How it is made.
    order : tuple of two int
        Where the mistake is in the catalogue, and the variation in the mistake.
    inferred : bool
        Whether its parameter was taken from the numbers that it explains.
    """

    mistake: Mistake
    variation: Variation
    order: tuple[int, int]
    inferred: bool = False

    @property
    def id(self) -> str:
        """The stable id, with the matrix that it is about."""
        return self.mistake.id_of(self.variation)

    @property
    def key(self) -> tuple[str, tuple[int, int]]:
        """Identifies the hypothesis, also when it is made in another plan."""
        return self.id, self.order

    @property
    def plan(self) -> Plan:
        """The computation with the mistake."""
        return self.variation.plan


def singles(
    case: Case, numbers: Evaluation, *, suggested: bool = True
) -> Iterator[Hypothesis]:
    """Yield each mistake of the catalogue that can be made in a plan.

    Parameters
    ----------
    case : Case
        What is compared.
    numbers : Evaluation
        The numbers of the plan.
    suggested : bool
        Whether to yield the variations, too, that the implementation's steps suggest.
    """
    for number, mistake in enumerate(CATALOGUE):
        if case.across_rows and not mistake.across_rows:
            continue
        for place, variation in enumerate(mistake.variations(numbers.plan)):
            yield Hypothesis(mistake, variation, (number, place))
        if suggested and mistake.recognize is not None:
            for variation in mistake.recognize(numbers, case.mine):
                yield Hypothesis(mistake, variation, (number, 0), inferred=True)


def fitted_at(
    case: Case, steps: Sequence[str], numbers: Evaluation, only: str = ""
) -> Iterator[Hypothesis]:
    """Yield the mistakes with a parameter, each with the parameter that fits best.

    Parameters
    ----------
    case : Case
        What is compared.
    steps : sequence of str
        The steps.
    numbers : Evaluation
        Those without the mistake.
    only : str
        The id of the mistake that is fitted; "" for all, and more carefully.
    """
    many = numbers is case.right and numbers_of(case) >= ENOUGH
    fewer = last_queries(case, FEW) if many else None
    for number, mistake in enumerate(CATALOGUE):
        if mistake.fitted is None or mistake.along is None or case.across_rows:
            continue
        if only not in ("", mistake.id):
            continue
        along = mistake.along
        left = _left_by(along, case, steps, numbers)
        if fewer is None:
            best = fit(left, mistake.fitted, quick=bool(only))
        else:
            roughly = fit(_left_by(along, fewer, steps, fewer.right), mistake.fitted)
            best = None
            if roughly is not None and _is_near(fewer, along(fewer.plan, roughly)):
                best = refined(left, roughly, mistake.fitted)
        if best is None:
            continue
        for parameter in rounded(best):
            changed = along(numbers.plan, parameter)
            if changed is not None:
                variation = Variation(changed, parameter)
                yield Hypothesis(mistake, variation, (number, 0), inferred=True)


Along = Callable[[Plan, float], Plan | None]


def _left_by(
    along: Along, case: Case, steps: Sequence[str], numbers: Evaluation
) -> Difference:
    """Return what tells the differences that are left with a parameter."""

    def difference(parameter: float) -> Numbers | None:
        changed = along(numbers.plan, parameter)
        if changed is None:
            return None
        held = numbers.held
        found = Evaluation(changed, case.inputs, held, like=numbers)
        try:
            return _differences(case, steps, found)
        except UnfitError:
            return None

    return difference


def _is_near(case: Case, plan: Plan | None) -> bool:
    """Return whether all steps of a plan are near the implementation's."""
    if plan is None:
        return False
    numbers = case.evaluation(plan)
    try:
        return all(case.near(name, numbers, case.precision) for name in case.steps)
    except UnfitError:
        return False


def _differences(
    case: Case, steps: Sequence[str], numbers: Evaluation
) -> Numbers | None:
    parts = []
    for name in steps:
        right, theirs = numbers[name], case.mine[name]
        if right.shape != theirs.shape:
            return None
        with np.errstate(all="ignore"):
            size = np.abs(theirs)
            scale = np.max(size, initial=0.0, where=np.isfinite(size)) or 1.0
            apart = (right - theirs) / scale
        parts.append(np.where(np.isfinite(apart), apart, 0.0).reshape(-1))
    return np.concatenate(parts)
