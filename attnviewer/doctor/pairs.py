"""Two mistakes at once."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.compute.progress import Counted
from attnviewer.doctor.case import Case
from attnviewer.doctor.fitted import fitted_at
from attnviewer.doctor.hypotheses import Hypothesis, singles

Pair = tuple[Hypothesis, ...]
Key = tuple[str, tuple[int, int]]
Groups = list[list[Hypothesis]]


def pairs(
    case: Case,
    step: str,
    known: list[Hypothesis],
    numbers: Evaluation,
    checked: Counted,
) -> list[Pair]:
    """Return the pairs of mistakes that explain a step.

    Of mistakes that give the same numbers in the step, one is combined with all others;
    the rest are combined only if that one explains the step.

    Parameters
    ----------
    case : Case
        What is compared.
    step : str
        The step.
    known : list of Hypothesis
        The mistakes that reach the step.
    numbers : Evaluation
        The right numbers, from the steps that are held.
    checked : Counted
        Reports each mistake that is tried first.
    """
    groups = _groups(known, step, numbers)
    found: list[Pair] = []
    for first, *others in checked.each(groups):
        pairs = list(_seconds(case, step, first, numbers))
        seconds = {second.key for _, second in pairs}
        for other in others if pairs else ():
            pairs += _seconds(case, step, other, numbers, seconds)
        found += [pair for pair in pairs if not _turned(pair, found)]
    return found or _tempered(case, step, groups, numbers, checked)


def _tempered(
    case: Case, step: str, groups: Groups, numbers: Evaluation, checked: Counted
) -> list[Pair]:
    """Return the mistakes that explain a step with a factor on the scores."""
    found: list[Pair] = []
    for first in checked.each([group[0] for group in groups]):
        base = Evaluation(first.plan, case.inputs, numbers.held, like=numbers)
        for second in fitted_at(case, (step,), base, "temperature"):
            both = Evaluation(second.plan, case.inputs, numbers.held, like=base)
            if case.off_at(step, both) <= 1:
                found.append((first, second))
                break
    return found


def _seconds(
    case: Case,
    step: str,
    first: Hypothesis,
    numbers: Evaluation,
    among: set[Key] | None = None,
) -> Iterator[Pair]:
    """Yield the mistakes that explain a step together with an earlier one."""
    base = Evaluation(first.plan, case.inputs, numbers.held, like=numbers)
    for second in _made_in(case, base):
        if among is not None and second.key not in among:
            continue
        if _in_order(first, second, numbers.plan):
            both = Evaluation(second.plan, case.inputs, numbers.held, like=base)
            if case.off_at(step, both) <= 1:
                yield first, second


def _in_order(first: Hypothesis, second: Hypothesis, right: Plan) -> bool:
    """Return whether a mistake may be made after another.

    The catalogue is in the order of the computation. Two mistakes in one step may not
    give the same in both orders.
    """
    if first.order[0] == second.order[0]:
        return second.order > first.order
    return second.order > first.order or any(
        first.plan.changes(name, right) and second.plan.changes(name, first.plan)
        for name in right.steps
    )


def _turned(pair: Pair, found: list[Pair]) -> bool:
    """Return whether the same two were found in the other order."""
    return any((pair[1].key, pair[0].key) == (a.key, b.key) for a, b in found)


def _made_in(case: Case, base: Evaluation) -> Iterator[Hypothesis]:
    try:
        yield from singles(case, base)
    except UnfitError:  # these depend on the numbers with the first mistake
        yield from singles(case, base, suggested=False)


def _groups(known: list[Hypothesis], step: str, numbers: Evaluation) -> Groups:
    """Return the mistakes, those together that give the same numbers in a step."""
    groups: dict[bytes, list[Hypothesis]] = {}
    for number, hypothesis in enumerate(known):
        made = Evaluation(hypothesis.plan, numbers.inputs, numbers.held, like=numbers)
        try:
            value = made[step]
        except UnfitError:
            key = str(number).encode()  # a second mistake may restore the shape
        else:
            with np.errstate(all="ignore"):
                size = np.max(np.abs(value), initial=1e-300, where=np.isfinite(value))
                key = np.round(value / size, 9).tobytes()
        groups.setdefault(key, []).append(hypothesis)
    return list(groups.values())
