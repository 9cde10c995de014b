"""Which mistakes explain an implementation's numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.mistakes import CATALOGUE, Evaluation, Mistake, Plan, Variation
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.case import Case
from attnviewer.doctor.fitting import fit, rounded


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A mistake, made in the intended computation.

    Parameters
    ----------
    mistake : Mistake
        The mistake.
    variation : Variation
        How it is made.
    """

    mistake: Mistake
    variation: Variation

    @property
    def id(self) -> str:
        """The stable id, with the matrix that it is about."""
        return self.mistake.id_of(self.variation)

    @property
    def plan(self) -> Plan:
        """The computation with the mistake."""
        return self.variation.plan


def singles(plan: Plan) -> Iterator[Hypothesis]:
    """Yield each mistake of the catalogue that can be made in a plan."""
    for mistake in CATALOGUE:
        for variation in mistake.variations(plan):
            yield Hypothesis(mistake, variation)


def explaining(
    case: Case, hypotheses: Iterable[Hypothesis], *, exact: bool
) -> list[tuple[float, Hypothesis]]:
    """Return those that explain all steps, the closest first."""
    found = []
    for hypothesis in hypotheses:
        off = residual(case, hypothesis.plan, exact=exact)
        if off <= 1:
            found.append((off, hypothesis))
    return sorted(found, key=lambda pair: pair[0])


def residual(
    case: Case, plan: Plan, *, exact: bool, like: Evaluation | None = None
) -> float:
    """Return how far a plan is off; ∞ where it cannot be computed."""
    try:
        return case.residual(case.evaluation(plan, like), exact=exact)
    except ValueError:  # shapes that do not fit once a mistake is made
        return np.inf


def fitted(case: Case, plan: Plan) -> Iterator[Hypothesis]:
    """Yield the mistakes with a parameter, at what explains the numbers best."""
    for mistake in CATALOGUE:
        if mistake.fitted is None or mistake.along is None:
            continue
        along = mistake.along
        if along(plan, 1.0) is None:
            continue

        def difference(parameter: float, along=along) -> Numbers | None:  # type: ignore[no-untyped-def]
            changed = along(plan, parameter)
            return None if changed is None else _differences(case, changed)

        best = fit(difference, mistake.fitted)
        if best is None:
            continue
        for parameter in rounded(best):
            changed = along(plan, parameter)
            if changed is not None:
                yield Hypothesis(mistake, Variation(changed, parameter))


def _differences(case: Case, plan: Plan) -> Numbers | None:
    numbers = case.evaluation(plan)
    parts = []
    for name in case.steps:
        right, theirs = numbers[name], case.mine[name]
        if right.shape != theirs.shape:
            return None
        with np.errstate(all="ignore"):
            size = np.abs(theirs)
            scale = np.max(size, initial=0.0, where=np.isfinite(size)) or 1.0
            apart = (right - theirs) / scale
        parts.append(np.where(np.isfinite(apart), apart, 0.0).reshape(-1))
    return np.concatenate(parts)
