"""One trial of every mistake of the catalogue."""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.compute.progress import Counted
from attnviewer.compute.threads import in_threads
from attnviewer.doctor.agreement import in_roundings, largest
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis, singles
from attnviewer.doctor.precision import FLOAT32, TF32, Precision
from attnviewer.doctor.reducing import numbers_of
from attnviewer.doctor.sketch import Sketch

ENOUGH = 100_000
"""Numbers of all steps from which on it pays to compute in float32 first."""

AT_ONCE = 8
"""Hypotheses that threads share."""


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


def survey(case: Case, checked: Counted, last: Case | None = None) -> Survey:
    """Try each mistake of the catalogue once.

    Parameters
    ----------
    case : Case
        What is compared.
    checked : Counted
        Told of each hypothesis.
    last : Case, optional
        The last queries of it.
    """
    coarsest = TF32 if case.precision == FLOAT32 else case.precision
    sketch = Sketch(case, last) if numbers_of(case) >= ENOUGH else None
    if sketch is not None and not sketch.usable:
        sketch = None
    trial = _Trial(case, sketch, coarsest)
    near, roughly = list[Hypothesis](), list[Hypothesis]()
    hidden: dict[str, bool] = {}
    every = checked.each(singles(case, case.right))
    while some := list(islice(every, AT_ONCE)):
        results = [(False, False, False)] * len(some)

        def run(
            number: int,
            some: list[Hypothesis] = some,
            results: list[tuple[bool, bool, bool]] = results,
        ) -> None:
            results[number] = trial.of(some[number])

        in_threads(run, range(len(some)))
        for hypothesis, (is_roughly, is_near, hides) in zip(some, results, strict=True):
            if is_roughly:
                roughly.append(hypothesis)
            if is_near:
                near.append(hypothesis)
            hidden[hypothesis.id] = hidden.get(hypothesis.id, True) and hides
    unseen = tuple(name for name, hides in hidden.items() if hides)
    return Survey(tuple(near), tuple(roughly), unseen)


@dataclass(frozen=True, eq=False)
class _Trial:
    """The comparison of one mistake after the other with an implementation."""

    case: Case
    sketch: Sketch | None
    coarsest: Precision

    def of(self, hypothesis: Hypothesis) -> tuple[bool, bool, bool]:
        """Return whether it is near in the coarsest precision, near, and hidden."""
        case = self.case
        far = different = roughly = near = False
        numbers = Evaluation(hypothesis.plan, case.inputs, like=case.right)
        try:
            if self.sketch is not None:
                far, different = self.sketch.rules_out(hypothesis.plan, self.coarsest)
            roughly = not far and _near(case, numbers, self.coarsest)
            near = roughly and (
                self.coarsest == case.precision or _near(case, numbers, case.precision)
            )
        except UnfitError:
            different = True
        if different or case.across_rows:
            return roughly, near, False
        return (
            roughly,
            near,
            all(step_is_right(case, numbers, name) for name in case.steps),
        )


def _near(case: Case, numbers: Evaluation, precision: Precision) -> bool:
    return all(case.near(name, numbers, precision) for name in case.steps)


def step_is_right(case: Case, numbers: Evaluation, name: str) -> bool:
    """Return whether a step has the right numbers, up to its last digit."""
    if numbers.shares(name):
        return True
    try:
        mine, right = numbers[name], case.right[name]
    except UnfitError:
        return False
    precision = case.precisions.get(name, case.precision)
    return in_roundings(mine, right, precision, np.asarray(1e-9 * largest(right))) <= 1
