"""Explanations of all steps of an implementation, or of each from those before it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.compute.progress import Counted
from attnviewer.doctor.case import Case
from attnviewer.doctor.effort import Effort
from attnviewer.doctor.fitted import fits
from attnviewer.doctor.hypotheses import Hypothesis
from attnviewer.doctor.precision import FLOAT32, TF32, Precision
from attnviewer.doctor.surveying import Survey
from attnviewer.doctor.walking import Deviation, deviations


@dataclass(frozen=True, eq=False)
class Explained:
    """An explanation of an implementation's numbers.

    Parameters
    ----------
    deviations : tuple of Deviation
        The steps that differ, with what explains each; none where it is right.
    precision : Precision
        In which it computes.
    unseen : tuple of str
        Ids of mistakes that these inputs could not show.
    only_some : bool
        Whether some pairs of mistakes were not tried.
    """

    deviations: tuple[Deviation, ...]
    precision: Precision
    unseen: tuple[str, ...]
    only_some: bool = False


def explained(
    case: Case, surveyed: Survey, checked: Counted, effort: Effort
) -> Explained:
    """Return what explains an implementation's numbers.

    What explains all steps at once, and otherwise each step by itself from those
    before it: one mistake, one with a fitted parameter, two at once.

    Parameters
    ----------
    case : Case
        What is compared.
    surveyed : Survey
        What came of trying each mistake.
    checked : Counted
        Told of each hypothesis.
    effort : Effort
        How much work pairs of mistakes may take.
    """
    found = explained_at_once(case, surveyed, checked)
    if found is not None:
        return found
    return step_by_step(case, surveyed.unseen, checked, effort)


def step_by_step(
    case: Case, unseen: tuple[str, ...], checked: Counted, effort: Effort
) -> Explained:
    """Return what explains each step from those before it; see `explained`."""
    each = tuple(deviations(case, checked, effort))
    return Explained(each, case.precision, unseen, effort.given_up)


def explained_at_once(
    case: Case, surveyed: Survey, checked: Counted, views: Sequence[Case] = ()
) -> Explained | None:
    """Return what explains all steps of an implementation; None where nothing does.

    First, whether one mistake explains all steps to the last digit. Then, whether
    rounding does, a parameter that is fitted, or a mistake with rounding; at last, one
    in TF32.

    Parameters
    ----------
    case, surveyed, checked
        See `explained`.
    views : sequence of Case
        What parameters are fitted to one after the other; the case itself by default.
    """
    right = Explained((), case.precision, surveyed.unseen)
    if residual(case, case.plan, exact=True) <= 1:
        return right
    found = _explaining(case, surveyed.near, exact=True)
    if not found and residual(case, case.plan, exact=False) <= 1:
        return right
    if not found and case.thorough:
        fitted = fits(case, views or [case])
        found = _explaining(case, checked.each(fitted), exact=True)
    if not found:
        found = _explaining(case, _real(surveyed.near), exact=False)
    if not found and case.precision == FLOAT32:
        coarse = case.assuming(TF32)
        if residual(coarse, case.plan, exact=False) <= 1:
            return replace(right, precision=TF32)
        if case.thorough:
            found = _explaining(coarse, _real(surveyed.roughly), exact=False)
            return _by_one(coarse, surveyed, found)
    return _by_one(case, surveyed, found)


def _by_one(
    case: Case, surveyed: Survey, found: list[tuple[float, Hypothesis]]
) -> Explained | None:
    """Return that any of some mistakes explains all steps; None if there are none."""
    if not found:
        return None
    step = first_different(case) or case.steps[0]
    group = tuple((hypothesis,) for _, hypothesis in found)
    deviation = Deviation(step, group, found[0][0], before(case, step))
    return Explained((deviation,), case.precision, surveyed.unseen)


def _real(hypotheses: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    """Yield the deviations that are more than rounding."""
    return (h for h in hypotheses if h.mistake.kind != "rounding")


def residual(case: Case, plan: Plan, *, exact: bool) -> float:
    """Return how far a plan is off; ∞ where it cannot be computed.

    Parameters
    ----------
    case : Case
        What is compared.
    plan : Plan
        The plan.
    exact : bool
        Whether only results are rounded, rather than every step on the way.
    """
    try:
        return case.residual(case.evaluation(plan), exact=exact)
    except UnfitError:
        return np.inf


def first_different(case: Case) -> str | None:
    """Return the first step that does not follow from those before it."""
    held: dict[str, Numbers] = {}
    for step in case.steps:
        if not case.follows(step, Evaluation(case.plan, case.inputs, held)):
            return step
        held[step] = case.wide[step]
    return None


def before(case: Case, step: str) -> dict[str, Numbers]:
    """Return the implementation's steps before one."""
    steps = case.steps[: case.steps.index(step)]
    return {name: case.wide[name] for name in steps}


def _explaining(
    case: Case, hypotheses: Iterable[Hypothesis], *, exact: bool
) -> list[tuple[float, Hypothesis]]:
    """Return those that explain all steps: the closest first, inferred ones last."""
    found = []
    for hypothesis in hypotheses:
        off = residual(case, hypothesis.plan, exact=exact)
        if off <= 1:
            found.append((off, hypothesis))
    return sorted(found, key=lambda pair: (pair[1].inferred, 0 if exact else pair[0]))
