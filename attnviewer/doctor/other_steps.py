"""The evidence of other steps for a mistake that explains one of them."""

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.doctor.case import Case
from attnviewer.doctor.hypotheses import Hypothesis, singles


def fits_before(case: Case, step: str, plan: Plan, numbers: Evaluation) -> bool:
    """Return whether what a plan changes before a step is as the implementation has it.

    A mistake may compute the step from other steps than those before it.
    """
    held: dict[str, Numbers] = {}
    for name in case.steps[: case.steps.index(step)]:
        right = Evaluation(numbers.plan, case.inputs, held)
        made = Evaluation(plan, case.inputs, held, like=right)
        off = not made.shares(name) and case.off_at(name, made) > 1
        if off and (plan.changes(name, numbers.plan) or case.off_at(name, right) <= 1):
            return False
        held[name] = case.wide[name]
    return True


def undone_after(case: Case, step: str, plan: Plan, numbers: Evaluation) -> bool:
    """Return whether a later step is what follows without what a plan changes alone."""
    held = {**numbers.held, step: case.wide[step]}
    for name in case.steps[case.steps.index(step) + 1 :]:
        right = Evaluation(numbers.plan, case.inputs, held)
        made = Evaluation(plan, case.inputs, held, like=right)
        off = not made.shares(name) and case.off_at(name, made) > 1
        if off and case.off_at(name, right) <= 1:
            return True
        held[name] = case.wide[name]
    return False


def looking_ahead(
    case: Case,
    step: str,
    found: list[tuple[Hypothesis, ...]],
    numbers: Evaluation,
) -> list[tuple[Hypothesis, ...]]:
    """Return the explanations that explain the most of the later steps.

    Of those that explain as many, the ones come first with which a single mistake more
    explains the next step, best one that leaves what they change as it is.
    """
    if len(found) < 2:
        return found
    known = {**numbers.held, step: case.wide[step]}
    following = case.steps[case.steps.index(step) + 1 :]
    scores = [_explained_after(case, f[-1].plan, following, known) for f in found]
    most = max(scores)
    best = [f for f, score in zip(found, scores, strict=True) if score == most]
    if len(best) == 1 or most == len(following):
        return best
    held = {**known, **{name: case.wide[name] for name in following[:most]}}
    left = following[most]
    ranks = [_next_by_one(case, f[-1].plan, left, held, numbers.plan) for f in best]
    order = sorted(range(len(best)), key=ranks.__getitem__)
    return [best[k] for k in order]


def _next_by_one(
    case: Case, plan: Plan, step: str, held: dict[str, Numbers], right: Plan
) -> int:
    """Return how well one mistake more explains a step: 0 best, 2 if none does.

    1 if it computes steps anew that the plan changes, and so takes the change back.
    """
    numbers, rank = Evaluation(plan, case.inputs, held), 2
    changed = [name for name in right.steps if plan.changes(name, right)]
    for hypothesis in singles(case, numbers, suggested=False):
        made = Evaluation(hypothesis.plan, case.inputs, held, like=numbers)
        if case.off_at(step, made) <= 1:
            if not any(hypothesis.plan.changes(name, plan) for name in changed):
                return 0
            rank = 1
    return rank


def _explained_after(
    case: Case, plan: Plan, following: tuple[str, ...], known: dict[str, Numbers]
) -> int:
    """Return how many steps in a row follow from those before them."""
    held = dict(known)
    for count, name in enumerate(following):
        numbers = Evaluation(plan, case.inputs, held)
        if case.off_at(name, numbers) > 1:
            return count
        held[name] = case.wide[name]
    return len(following)
