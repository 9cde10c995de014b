"""From a case to what explains it."""

from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.doctor.agreement import bound, worst
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import (
    Hypothesis,
    explaining,
    fitted_at,
    residual,
    singles,
)
from attnviewer.doctor.precision import FLOAT32, TF32, Precision
from attnviewer.doctor.progress import Checked, Progress
from attnviewer.doctor.walking import Deviation, deviations


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found.

    Parameters
    ----------
    deviations : tuple of Deviation
        The steps that do not follow from those before them, with what explains each.
    harmless : tuple of str
        Ids of mistakes that were made and leave weights and output as they are.
    unseen : tuple of str
        Ids of mistakes that these inputs could not show.
    first_different : str or None
        The first step that is not the right one.
    precision : Precision
        In which the implementation computes.
    """

    deviations: tuple[Deviation, ...]
    harmless: tuple[str, ...]
    unseen: tuple[str, ...]
    first_different: str | None
    precision: Precision


def search(case: Case, progress: Progress | None = None) -> Outcome:
    """Return what explains an implementation's numbers.

    First, whether one mistake explains all steps to the last digit. Then, whether
    rounding explains them. Then each step by itself from those before it: one
    mistake, one with a fitted parameter, two at once.

    Parameters
    ----------
    case : Case
        What is compared.
    progress : callable, optional
        Told how far the search is; may raise to abort it.
    """
    checked = Checked(progress)
    known = list(singles(case.right, case.mine))
    unseen = _unseen(case, known)
    agreed = Outcome((), (), unseen, None, case.precision)
    if residual(case, case.plan, exact=True) <= 1:
        return agreed
    found = explaining(case, checked(known), exact=True)
    if not found and residual(case, case.plan, exact=False) <= 1:
        return agreed
    if not found:
        fits = fitted_at(case, case.steps, case.right)
        found = explaining(case, checked(fits), exact=True)
    real = [h for h in known if h.mistake.kind != "rounding"]
    if not found:
        found = explaining(case, checked(real), exact=False)
    if not found and case.precision == FLOAT32:
        coarse = replace(case, assumed=TF32)
        if residual(coarse, case.plan, exact=False) <= 1:
            return replace(agreed, precision=TF32)
        found = explaining(coarse, checked(real), exact=False)
        case = coarse if found else case
    first = _first_different(case)
    if not found:
        walked = tuple(deviations(case, checked))
        if not walked:
            return agreed
        return _sorted_out(case, walked, unseen)
    at = first or case.steps[0]
    group = tuple((hypothesis,) for _, hypothesis in found)
    deviation = Deviation(at, group, found[0][0], _before(case, at))
    return _sorted_out(case, (deviation,), unseen)


def _before(case: Case, step: str) -> dict[str, np.ndarray]:
    steps = case.steps[: case.steps.index(step)]
    return {name: case.mine[name] for name in steps}


def _first_different(case: Case) -> str | None:
    held: dict[str, np.ndarray] = {}
    for step in case.steps:
        if case.off_at(step, Evaluation(case.plan, case.inputs, held)) > 1:
            return step
        held[step] = case.mine[step]
    return None


def _sorted_out(
    case: Case,
    walked: tuple[Deviation, ...],
    unseen: tuple[str, ...],
) -> Outcome:
    """Tell mistakes that change the result from those that do not."""
    kept, harmless = [], list[str]()
    for deviation in walked:
        if deviation.explanations and all(
            _changes_nothing(case, one[-1]) for one in deviation.explanations[:1]
        ):
            ids = [h.id for one in deviation.explanations for h in one]
            harmless += [i for i in ids if i not in harmless]
        else:
            kept.append(deviation)
    first = kept[0].step if kept else None
    return Outcome(tuple(kept), tuple(harmless), unseen, first, case.precision)


def _changes_nothing(case: Case, hypothesis: Hypothesis) -> bool:
    """Return whether a mistake leaves weights and output as they are."""
    numbers = case.evaluation(hypothesis.plan)
    return all(_same(numbers, case.right, name, case) for name in ("weights", "output"))


def _same(numbers: Evaluation, right: Evaluation, name: str, case: Case) -> bool:
    try:
        mine, other = numbers[name], right[name]
    except UnfitError:
        return False
    precision = case.precisions.get(name, case.precision)
    finite = np.where(np.isfinite(other), np.abs(other), 0.0)
    slack = 1e-9 * np.max(finite, initial=0.0)
    return worst(mine, other, bound(other, precision, np.asarray(slack))) <= 1


def _unseen(case: Case, known: list[Hypothesis]) -> tuple[str, ...]:
    """Return the mistakes that give the right numbers in all steps."""
    seen: dict[str, bool] = {}
    for hypothesis in known:
        numbers = case.evaluation(hypothesis.plan)
        hides = all(_same(numbers, case.right, n, case) for n in case.steps)
        seen[hypothesis.id] = seen.get(hypothesis.id, True) and hides
    return tuple(name for name, hides in seen.items() if hides)
