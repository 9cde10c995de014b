"""Step after step from an implementation's own numbers, to find several mistakes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.agreement import noise
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis, fitted_at, singles
from attnviewer.doctor.progress import Checked


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


def deviations(case: Case, checked: Checked) -> Iterator[Deviation]:
    """Yield each step that differs from what follows from the steps before it."""
    plan, held = case.plan, dict[str, Numbers]()
    for step in case.steps:
        numbers = Evaluation(plan, case.inputs, held)
        if off_at(case, step, numbers, held) > 1:
            found = _explained(case, step, numbers, held, checked)
            left = 0.0
            if found:
                changed = found[0][-1].plan
                left = off_at(case, step, Evaluation(changed, case.inputs, held), held)
                plan = changed
            yield Deviation(step, tuple(found), left, dict(held))
        held[step] = case.mine[step]


def off_at(
    case: Case, step: str, numbers: Evaluation, held: dict[str, Numbers]
) -> float:
    """Return how far a step is off, computed from the steps before it."""
    try:
        if not case.near(step, numbers, case.precision):
            return np.inf
        expected = noise(numbers.plan, case.inputs, case.precision, (step,), held)
    except ValueError:  # shapes that do not fit once a mistake is made
        return np.inf
    return case.off(step, numbers, expected[step])


def _explained(
    case: Case,
    step: str,
    numbers: Evaluation,
    held: dict[str, Numbers],
    checked: Checked,
) -> list[tuple[Hypothesis, ...]]:
    """Return what explains a step: one mistake, one with a parameter, or two."""
    known = [h for h in singles(numbers, case.mine) if _reaches(h.plan, step, numbers)]
    found: list[tuple[Hypothesis, ...]] = [
        (h,) for h in checked(known) if _explains(case, step, h, numbers, held)
    ]
    if not found:
        fits = fitted_at(case, (step,), numbers)
        found = [(h,) for h in fits if _explains(case, step, h, numbers, held)]
    if not found:
        found = _pairs(case, step, known, numbers, held, checked)
    found.sort(key=lambda one: any(h.inferred for h in one))
    return _looking_ahead(case, step, found, held)


def _reaches(plan: Plan, step: str, numbers: Evaluation) -> bool:
    held = numbers.held
    return not Evaluation(plan, {}, held, like=numbers).shares(step)


def _explains(
    case: Case,
    step: str,
    hypothesis: Hypothesis,
    like: Evaluation,
    held: dict[str, Numbers],
) -> bool:
    numbers = Evaluation(hypothesis.plan, case.inputs, held, like=like)
    return off_at(case, step, numbers, held) <= 1


def _pairs(
    case: Case,
    step: str,
    known: list[Hypothesis],
    numbers: Evaluation,
    held: dict[str, Numbers],
    checked: Checked,
) -> list[tuple[Hypothesis, ...]]:
    """Return two mistakes at once that explain a step."""
    found: list[tuple[Hypothesis, ...]] = []
    telling = _telling(known, step, numbers)
    kept = {hypothesis.key for hypothesis in telling}
    for first in checked(telling):
        base = Evaluation(first.plan, case.inputs, held, like=numbers)
        for second in singles(base):
            # The catalogue is in the order of the computation.
            if second.key in kept and second.number > first.number:
                both = Evaluation(second.plan, case.inputs, held, like=base)
                if off_at(case, step, both, held) <= 1:
                    found.append((first, second))
    return found


def _telling(
    known: list[Hypothesis], step: str, numbers: Evaluation
) -> list[Hypothesis]:
    """Return one of each group of mistakes that give the same numbers in a step."""
    kept: list[Hypothesis] = []
    seen: set[bytes] = set()
    for hypothesis in known:
        try:
            value = Evaluation(
                hypothesis.plan, numbers.inputs, numbers.held, like=numbers
            )[step]
        except ValueError:
            kept.append(hypothesis)  # another mistake may mend the shape
            continue
        with np.errstate(all="ignore"):
            size = np.max(np.abs(value), initial=1e-300, where=np.isfinite(value))
            key = np.round(value / size, 9).tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(hypothesis)
    return kept


def _looking_ahead(
    case: Case,
    step: str,
    found: list[tuple[Hypothesis, ...]],
    held: dict[str, Numbers],
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
        if off_at(case, name, numbers, held) > 1:
            return count
        held[name] = case.mine[name]
    return len(following)
