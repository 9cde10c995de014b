"""Explanations of some of the queries, confirmed on all of them."""

from collections.abc import Iterator
from dataclasses import replace

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.doctor.case import Case
from attnviewer.doctor.explaining import Explained, before, first_different, residual
from attnviewer.doctor.hypotheses import Hypothesis
from attnviewer.doctor.walking import Deviation

MOST = 3
"""How many explanations that give the same numbers are confirmed at most."""


def confirmed(case: Case, found: Explained) -> Explained | None:
    """Return an explanation of some queries for all of them; None if it is wrong.

    Parameters
    ----------
    case : Case
        All queries.
    found : Explained
        What explains some of them.
    """
    case = case.assuming(found.precision)
    if not found.deviations:
        return found if _explains(case, case.plan) is not None else None
    plans = [case.plan]
    rebuilt = list[Deviation]()
    for deviation in found.deviations:
        kept = [
            made
            for explanation in deviation.explanations[:MOST]
            for made in _made(case, plans[-1], explanation)
        ]
        if not kept:
            return None
        rebuilt.append(
            Deviation(deviation.step, tuple(kept), 0.0, before(case, deviation.step))
        )
        plans.append(kept[0][-1].plan)
    last = rebuilt[-1]
    holding = [
        (off, one)
        for one in last.explanations
        if (off := _explains(case, one[-1].plan)) is not None
    ]
    if not holding:
        return None
    same = tuple(one for _, one in holding)
    if len(rebuilt) == 1:  # it may differ earlier in other queries
        step = first_different(case) or last.step
        last = replace(last, step=step, held=before(case, step))
    rebuilt[-1] = replace(last, explanations=same, left=holding[0][0])
    return replace(found, deviations=tuple(rebuilt))


def followed(case: Case, found: Explained) -> Explained:
    """Return all steps that do not follow from those before them.

    Each with what is known to explain it.

    Parameters
    ----------
    case : Case
        All queries.
    found : Explained
        What explains some of them, perhaps not all that differs.
    """
    known = {d.step: d.explanations for d in found.deviations}
    plan, held = case.plan, dict[str, Numbers]()
    rebuilt = list[Deviation]()
    for step in case.steps:
        numbers = Evaluation(plan, case.inputs, held)
        if case.off_at(step, numbers) > 1:
            tried = [m for one in known.get(step, ()) for m in _made(case, plan, one)]
            same = [one for one in tried if _off(case, step, one, held) <= 1]
            left = _off(case, step, same[0], held) if same else 0.0
            rebuilt.append(Deviation(step, tuple(same), left, dict(held)))
            plan = same[0][-1].plan if same else plan
        held[step] = case.wide[step]
    return replace(found, deviations=tuple(rebuilt))


def _off(
    case: Case, step: str, made: tuple[Hypothesis, ...], held: dict[str, Numbers]
) -> float:
    return case.off_at(step, Evaluation(made[-1].plan, case.inputs, held))


def _explains(case: Case, plan: Plan) -> float | None:
    """Return how far a plan is off, if rounding explains that."""
    for exact in (True, False):
        off = residual(case, plan, exact=exact)
        if off <= 1:
            return off
    return None


def _made(
    case: Case, plan: Plan, explanation: tuple[Hypothesis, ...]
) -> Iterator[tuple[Hypothesis, ...]]:
    """Yield the same mistakes, made in another plan one after the other."""
    if not explanation:
        yield ()
        return
    first, *others = explanation
    for hypothesis in _again(case, plan, first):
        for following in _made(case, hypothesis.plan, tuple(others)):
            yield hypothesis, *following


def _again(case: Case, plan: Plan, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    mistake, wanted = hypothesis.mistake, hypothesis.variation
    number, place = hypothesis.order
    found = False
    for order, variation in enumerate(mistake.variations(plan)):
        same = (variation.detail, variation.parameter) == (
            wanted.detail,
            wanted.parameter,
        )
        if same and (order == place or wanted.parameter is not None):
            yield Hypothesis(mistake, variation, (number, order), hypothesis.inferred)
            found = True
    if found:
        return
    if mistake.along is not None and wanted.parameter is not None:
        changed = mistake.along(plan, wanted.parameter)
        if changed is not None:
            variation = replace(wanted, plan=changed)
            yield Hypothesis(mistake, variation, hypothesis.order, inferred=True)
    elif mistake.recognize is not None and hypothesis.inferred:
        for variation in mistake.recognize(case.evaluation(plan), case.wide):
            if variation.detail == wanted.detail:
                yield Hypothesis(mistake, variation, hypothesis.order, inferred=True)
