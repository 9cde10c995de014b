"""One trial of every mistake of the catalogue."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.doctor.agreement import bound, worst
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis


@dataclass(frozen=True, eq=False)
class Survey:
    """The results of the trials.

    Parameters
    ----------
    near : tuple of Hypothesis
        Those that come near an implementation's numbers.
    unseen : tuple of str
        Ids of those that give the right numbers, and so cannot be detected.
    """

    near: tuple[Hypothesis, ...]
    unseen: tuple[str, ...]


def survey(case: Case, known: Iterable[Hypothesis]) -> Survey:
    """Try each hypothesis once."""
    near: list[Hypothesis] = []
    hidden: dict[str, bool] = {}
    for hypothesis in known:
        numbers = case.evaluation(hypothesis.plan)
        try:
            if all(case.near(n, numbers, case.precision) for n in reversed(case.steps)):
                near.append(hypothesis)
        except UnfitError:
            hidden[hypothesis.id] = False
            continue
        hides = all(same(case, numbers, name) for name in case.steps)
        hidden[hypothesis.id] = hidden.get(hypothesis.id, True) and hides
    unseen = tuple(name for name, hides in hidden.items() if hides)
    return Survey(tuple(near), unseen)


def same(case: Case, numbers: Evaluation, name: str) -> bool:
    """Return whether a step has the right numbers, up to its last digit."""
    if numbers.shares(name):
        return True
    try:
        mine, right = numbers[name], case.right[name]
    except UnfitError:
        return False
    precision = case.precisions.get(name, case.precision)
    finite = np.where(np.isfinite(right), np.abs(right), 0.0)
    slack = 1e-9 * np.max(finite, initial=0.0)
    return worst(mine, right, bound(right, precision, np.asarray(slack))) <= 1
