"""Step by step from an implementation's own numbers, to find several mistakes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.compute.progress import Counted
from attnviewer.doctor.case import Case
from attnviewer.doctor.effort import Effort
from attnviewer.doctor.fitted import fitted_at
from attnviewer.doctor.hypotheses import Hypothesis, singles
from attnviewer.doctor.other_steps import fits_before, looking_ahead, undone_after
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
                if not undone_after(case, step, changed, numbers):
                    plan = changed
            yield Deviation(step, tuple(found), left, dict(held))
        held[step] = case.wide[step]


def _explained(
    case: Case, step: str, numbers: Evaluation, checked: Counted, effort: Effort
) -> list[tuple[Hypothesis, ...]]:
    """Return what explains a step: one mistake, one with a parameter, or two.

    Mistakes of which later steps show nothing, though they would, count only if there
    are no others.
    """
    trials = Trials(numbers)
    known = [h for h in singles(case, numbers) if not trials.of(h.plan).shares(step)]
    partly: list[tuple[Hypothesis, ...]] = []
    for way in _ways(case, step, numbers, known, trials, checked, effort):
        found = [f for f in way if fits_before(case, step, f[-1].plan, numbers)]
        whole = [f for f in found if not undone_after(case, step, f[-1].plan, numbers)]
        if whole:
            whole.sort(key=lambda one: any(h.inferred for h in one))
            return looking_ahead(case, step, whole, numbers)
        partly = partly or found
    return partly


def _ways(
    case: Case,
    step: str,
    numbers: Evaluation,
    known: list[Hypothesis],
    trials: Trials,
    checked: Counted,
    effort: Effort,
) -> Iterator[list[tuple[Hypothesis, ...]]]:
    """Yield what explains a step's numbers in one way after the other."""
    if len(case.steps) > 1:  # a single step was tried with all mistakes before
        every = checked.each(known)
        yield [(h,) for h in every if case.off_at(step, trials.of(h.plan)) <= 1]
    # Where all numbers are NaN, any two mistakes that end in NaN would explain them.
    if case.thorough and not np.isnan(case.mine[step]).all():
        fits = fitted_at(case, (step,), numbers)
        yield [(h,) for h in fits if case.off_at(step, trials.of(h.plan)) <= 1]
        yield pairs(case, step, known, trials, checked, effort)
