"""One trial of every mistake of the catalogue."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.compute.progress import Counted
from attnviewer.doctor.agreement import beyond, largest
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis, singles
from attnviewer.doctor.precision import TF32, Precision
from attnviewer.doctor.reducing import numbers_of
from attnviewer.doctor.sketch import Sketch

ENOUGH = 100_000
"""Numbers of all steps from which on it pays to compute in float32 first."""


@dataclass(frozen=True, eq=False)
class Survey:
    """The results of the trials.

    Parameters
    ----------
    near : tuple of Hypothesis
        Those that come near an implementation's numbers.
    roughly : tuple of Hypothesis
        Those that do if it computes in TF32.
    unseen : tuple of str
        Ids of those that give the right numbers, and so cannot be detected; none where
        only mistakes that mix queries are tried.
    """

    near: tuple[Hypothesis, ...]
    roughly: tuple[Hypothesis, ...]
    unseen: tuple[str, ...]


def survey(case: Case, checked: Counted) -> Survey:
    """Try each mistake of the catalogue once."""
    coarsest = min(case.precision, TF32, key=lambda p: p.digits)
    sketch = Sketch(case) if numbers_of(case) >= ENOUGH else None
    if sketch is not None and not sketch.usable:
        sketch = None
    near, roughly = list[Hypothesis](), list[Hypothesis]()
    hidden: dict[str, bool] = {}
    for hypothesis in checked.each(singles(case, case.right)):
        far = different = False
        numbers = case.evaluation(hypothesis.plan)
        try:
            if sketch is not None:
                far, different = sketch.rules_out(hypothesis.plan, coarsest)
            if not far and _near(case, numbers, coarsest):
                roughly.append(hypothesis)
                if coarsest == case.precision or _near(case, numbers, case.precision):
                    near.append(hypothesis)
        except UnfitError:
            different = True
        if case.across_rows:
            continue
        hides = not different and all(same(case, numbers, name) for name in case.steps)
        hidden[hypothesis.id] = hidden.get(hypothesis.id, True) and hides
    unseen = tuple(name for name, hides in hidden.items() if hides)
    return Survey(tuple(near), tuple(roughly), unseen)


def _near(case: Case, numbers: Evaluation, precision: Precision) -> bool:
    return all(case.near(name, numbers, precision) for name in case.steps)


def same(case: Case, numbers: Evaluation, name: str) -> bool:
    """Return whether a step has the right numbers, up to its last digit."""
    if numbers.shares(name):
        return True
    try:
        mine, right = numbers[name], case.right[name]
    except UnfitError:
        return False
    precision = case.precisions.get(name, case.precision)
    return beyond(mine, right, precision, np.asarray(1e-9 * largest(right))) <= 1
