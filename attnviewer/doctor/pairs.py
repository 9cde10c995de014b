"""Two mistakes at once."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis, fitted_at, singles
from attnviewer.doctor.progress import Checked

Pair = tuple[Hypothesis, ...]
Groups = list[list[Hypothesis]]


def pairs(
    case: Case,
    step: str,
    known: list[Hypothesis],
    numbers: Evaluation,
    checked: Checked,
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
    checked : Checked
        Reports each mistake that is tried first.
    """
    groups = _groups(known, step, numbers)
    firsts = {group[0].key: group for group in groups}
    found: list[Pair] = []
    for first in checked([group[0] for group in groups]):
        for pair in _seconds(case, step, first, numbers):
            if pair[1].inferred or pair[1].key in firsts:
                found.append(pair)
    if not found:
        return _tempered(case, step, groups, numbers, checked)
    return [
        pair
        for best in found
        for first in firsts[best[0].key]
        for pair in _seconds(
            case, step, first, numbers, firsts.get(best[1].key, [best[1]])
        )
    ]


def _tempered(
    case: Case, step: str, groups: Groups, numbers: Evaluation, checked: Checked
) -> list[Pair]:
    """Return the mistakes that explain a step with a factor on the scores."""
    found: list[Pair] = []
    for first in checked([group[0] for group in groups]):
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
    among: list[Hypothesis] | None = None,
) -> Iterator[Pair]:
    """Yield the mistakes that explain a step together with an earlier one."""
    base = Evaluation(first.plan, case.inputs, numbers.held, like=numbers)
    keys = None if among is None else {hypothesis.key for hypothesis in among}
    for second in _made_in(case, base):
        # The catalogue has the order of the computation.
        if second.order > first.order and (keys is None or second.key in keys):
            both = Evaluation(second.plan, case.inputs, numbers.held, like=base)
            if case.off_at(step, both) <= 1:
                yield first, second


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
