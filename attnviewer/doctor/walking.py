"""Step by step from an implementation's own numbers, to find several mistakes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.progress import Counted
from attnviewer.doctor.case import Case
from attnviewer.doctor.effort import Effort
from attnviewer.doctor.fitted import fitted_at
from attnviewer.doctor.hypotheses import Hypothesis, singles
from attnviewer.doctor.pairs import pairs
from attnviewer.doctor.trials import Trials


@dataclass(frozen=True, eq=False)
class Deviation:
    """A step that does not follow from the steps before it.

    Parameters
    ----------
    step : str
        The step.
    explanations : tuple of tuple of Hypothesis
        What explains it, each one mistake, or more that were made together; the best
        first, and those of the same length cannot be told apart. Empty where nothing
        that is known does.
    left : float
        The largest difference that remains with the first of them, in units of
        rounding.
    held : mapping of str to ndarray
        The implementation's steps before it.
    """

    step: str
    explanations: tuple[tuple[Hypothesis, ...], ...]
    left: float
    held: dict[str, Numbers]


def deviations(case: Case, checked: Counted, effort: Effort) -> Iterator[Deviation]:
    """Yield each step that differs from what follows from the steps before it."""
    plan, held = case.plan, dict[str, Numbers]()
    for step in case.steps:
        numbers = Evaluation(plan, case.inputs, held)
        if case.off_at(step, numbers) > 1:
            found = _explained(case, step, numbers, checked, effort)
            left = 0.0
            if found:
                changed = found[0][-1].plan
                left = case.off_at(step, Evaluation(changed, case.inputs, held))
                plan = changed
            yield Deviation(step, tuple(found), left, dict(held))
        held[step] = case.mine[step]


def _explained(
    case: Case, step: str, numbers: Evaluation, checked: Counted, effort: Effort
) -> list[tuple[Hypothesis, ...]]:
    """Return what explains a step: one mistake, one with a parameter, or two."""
    trials = Trials(numbers)
    known = [h for h in singles(case, numbers) if not trials.of(h.plan).shares(step)]
    found: list[tuple[Hypothesis, ...]] = []
    if len(case.steps) > 1:  # a single step was tried with all mistakes before
        every = checked.each(known)
        found = [(h,) for h in every if case.off_at(step, trials.of(h.plan)) <= 1]
    if not found and case.thorough:
        fits = fitted_at(case, (step,), numbers)
        found = [(h,) for h in fits if case.off_at(step, trials.of(h.plan)) <= 1]
    if not found and case.thorough:
        found = pairs(case, step, known, trials, checked, effort)
    found = [one for one in found if _fits_before(case, step, one[-1].plan, numbers)]
    found.sort(key=lambda one: any(h.inferred for h in one))
    return _looking_ahead(case, step, found, numbers.held)


def _fits_before(case: Case, step: str, plan: Plan, numbers: Evaluation) -> bool:
    """Return whether what a plan changes before a step is as the implementation has it.

    A mistake may compute the step from other steps than those before it.
    """
    held: dict[str, Numbers] = {}
    for name in case.steps[: case.steps.index(step)]:
        changed = plan.changes(name, numbers.plan)
        if changed and case.off_at(name, Evaluation(plan, case.inputs, held)) > 1:
            return False
        held[name] = case.mine[name]
    return True


def _looking_ahead(
    case: Case,
    step: str,
    found: list[tuple[Hypothesis, ...]],
    held: Mapping[str, Numbers],
) -> list[tuple[Hypothesis, ...]]:
    """Return those that explain the most of the steps that follow."""
    if len(found) < 2:
        return found
    known = {**held, step: case.mine[step]}
    following = case.steps[case.steps.index(step) + 1 :]
    scores = [_explained_after(case, f[-1].plan, following, known) for f in found]
    return [f for f, score in zip(found, scores, strict=True) if score == max(scores)]


def _explained_after(
    case: Case, plan: Plan, following: tuple[str, ...], known: dict[str, Numbers]
) -> int:
    """Return how many steps in a row follow from those before them."""
    held = dict(known)
    for count, name in enumerate(following):
        numbers = Evaluation(plan, case.inputs, held)
        if case.off_at(name, numbers) > 1:
            return count
        held[name] = case.mine[name]
    return len(following)
