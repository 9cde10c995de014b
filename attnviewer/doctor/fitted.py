"""Mistakes with a parameter that is fitted to an implementation's numbers."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import (
    CATALOGUE,
    Evaluation,
    Mistake,
    Plan,
    UnfitError,
    Variation,
)
from attnviewer.compute.mistakes.mistake import Range
from attnviewer.doctor.case import Case
from attnviewer.doctor.fitting import GRID, Difference, fit, grid, refined, rounded
from attnviewer.doctor.hypotheses import Hypothesis

Along = Callable[[Plan, float], Plan | None]


def fits(case: Case, views: Sequence[Case]) -> Iterator[Hypothesis]:
    """Yield the mistakes with a parameter that fit a case, with the best parameter.

    Parameters
    ----------
    case : Case
        What is compared.
    views : sequence of Case
        Parts of it that tell more and more, the first of which the parameter is looked
        for in; those after it only make it more exact.
    """
    for number, mistake in _fitted(""):
        assert mistake.along is not None
        assert mistake.fitted is not None
        parameter: float | None = None
        for view in views[-1:] if mistake.hidden_keys else views:
            step = _reached(mistake.along, mistake.fitted, view.steps, view.right)
            if step is None:
                break
            if parameter is None:
                parameter = _best(mistake, view, step, view.right)
            else:
                left = _left_by(mistake.along, view, step, view.right)
                parameter = refined(left, parameter, mistake.fitted)
            if parameter is None or not _is_near(view, mistake.along, parameter):
                break
        else:
            yield from _with(mistake, number, case.plan, parameter)


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
    for number, mistake in _fitted(only):
        assert mistake.along is not None
        assert mistake.fitted is not None
        step = _reached(mistake.along, mistake.fitted, steps, numbers)
        if step is None:
            continue
        if only:
            left = _left_by(mistake.along, case, step, numbers)
            best = fit(left, mistake.fitted, quick=True)
        else:
            best = _best(mistake, case, step, numbers)
        yield from _with(mistake, number, numbers.plan, best)


def _best(mistake: Mistake, case: Case, step: str, numbers: Evaluation) -> float | None:
    """Return the parameter that fits a step best.

    From the inputs alone it is looked for once.
    """
    assert mistake.along is not None
    assert mistake.fitted is not None
    left = _left_by(mistake.along, case, step, numbers)
    if numbers.held or numbers.plan is not case.plan:
        return fit(left, mistake.fitted)
    if (mistake.id, step) not in case.fits:
        case.fits[mistake.id, step] = fit(left, mistake.fitted)
    return case.fits[mistake.id, step]


def along_all(plan: Plan, id: str) -> list[Plan]:
    """Return a plan with parameters all over the range of a mistake.

    Parameters
    ----------
    plan : Plan
        The plan.
    id : str
        The mistake.
    """
    ((_, mistake),) = _fitted(id)
    assert mistake.along is not None
    assert mistake.fitted is not None
    plans = (mistake.along(plan, p) for p in grid(mistake.fitted, GRID))
    return [changed for changed in plans if changed is not None]


def _reached(
    along: Along, limits: Range, steps: Sequence[str], numbers: Evaluation
) -> str | None:
    """Return the first of some steps that depends on a parameter.

    It alone tells the parameter; the others have to agree with it.
    """
    plans = (along(numbers.plan, p) for p in grid(limits, 3)[:2])
    changed = next((plan for plan in plans if plan is not None), None)
    if changed is None:
        return None
    other = Evaluation(changed, numbers.inputs, numbers.held, like=numbers)
    return next((step for step in steps if not other.shares(step)), None)


def _fitted(only: str) -> Iterator[tuple[int, Mistake]]:
    for number, mistake in enumerate(CATALOGUE):
        if mistake.fitted is not None and only in ("", mistake.id):
            yield number, mistake


def _with(
    mistake: Mistake, number: int, plan: Plan, best: float | None
) -> Iterator[Hypothesis]:
    """Yield a mistake with its parameter, rounded and as it is."""
    for parameter in [] if best is None else rounded(best):
        changed = mistake.along and mistake.along(plan, parameter)
        if changed is not None:
            variation = Variation(changed, parameter)
            yield Hypothesis(mistake, variation, (number, 0), inferred=True)


def _left_by(along: Along, case: Case, step: str, numbers: Evaluation) -> Difference:
    """Return what tells the differences that are left with a parameter."""

    def difference(parameter: float) -> Numbers | None:
        changed = along(numbers.plan, parameter)
        if changed is None:
            return None
        held = numbers.held
        found = Evaluation(changed, case.inputs, held, like=numbers)
        try:
            return _differences(case.mine[step], found[step])
        except UnfitError:
            return None

    return difference


def _is_near(case: Case, along: Along, parameter: float) -> bool:
    """Return whether all steps with a parameter are near the implementation's."""
    plan = along(case.plan, parameter)
    if plan is None:
        return False
    numbers = case.evaluation(plan)
    try:
        return all(case.near(name, numbers, case.precision) for name in case.steps)
    except UnfitError:
        return False


def _differences(theirs: Numbers, numbers: Numbers) -> Numbers | None:
    """Return the differences in units of the largest number, flat."""
    if numbers.shape != theirs.shape:
        return None
    with np.errstate(all="ignore"):
        size = np.abs(theirs)
        scale = np.max(size, initial=0.0, where=np.isfinite(size)) or 1.0
        apart = (numbers - theirs) / scale
    return np.where(np.isfinite(apart), apart, 0.0).reshape(-1)
