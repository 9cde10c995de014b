"""Two mistakes at once."""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError
from attnviewer.compute.progress import Counted
from attnviewer.doctor.case import Case
from attnviewer.doctor.effort import WORK_OF_ONE, Effort, work_from
from attnviewer.doctor.fitted import along_all, fitted_at
from attnviewer.doctor.hypotheses import Hypothesis, singles
from attnviewer.doctor.stacking import Stack
from attnviewer.doctor.trials import Trials

Pair = tuple[Hypothesis, ...]
Key = tuple[str, tuple[int, int]]
FOR_LIKELY = 0.25
"""The work that pairs which come near may take in addition, as a share of all work."""

FOR_EVERY = 0.7
"""The share of the work that is left for pairs one by one; the rest is for fits."""

NEAREST = 200
"""Pairs that come near which are tried first, the nearest of them."""

REPEATING = 3
"""How many times the work of a pair it takes to repeat it with rounding errors."""

FITTING = 50
"""How often a step is computed to fit a factor."""

CLOSEST = 12
"""The mistakes that a factor on the scores is fitted to."""

Groups = list[list[Hypothesis]]


def pairs(
    case: Case,
    step: str,
    known: list[Hypothesis],
    trials: Trials,
    checked: Counted,
    effort: Effort,
) -> list[Pair]:
    """Return the pairs of mistakes that explain a step.

    Of mistakes that give the same numbers in the step, one is combined with all others;
    the rest are combined only if that one explains the step. Where one mistake ends
    before another begins, many pairs are ruled out at once.

    Parameters
    ----------
    case : Case
        What is compared.
    step : str
        The step.
    known : list of Hypothesis
        The mistakes that reach the step.
    trials : Trials
        Their numbers, and the right ones, from the steps that are held.
    checked : Counted
        Reports each mistake that is tried first.
    effort : Effort
        How much work they may take. The likeliest are tried first.
    """
    numbers = trials.numbers
    groups = _groups(known, step, trials)
    out = _made_at_once(case, step, known, trials, effort)
    likely = [group for group in groups if out[group[0].key].near]
    # Two mistakes in the step itself are made one after the other, or not found.
    every = sorted(
        groups,
        key=lambda group: (
            not group[0].plan.changes(step, numbers.plan),
            *_rank(group[0]),
        ),
    )

    def one_by_one(some: Groups, left: Effort) -> list[Pair]:
        tried = checked.each(some)
        return _explaining(case, step, tried, trials, out, left, some is likely)

    found = one_by_one(likely, Effort(FOR_LIKELY * effort.most))
    if not found:
        most = effort.part(FOR_EVERY)
        found = one_by_one(every, most)
        effort.given_up |= most.given_up
    return found or _tempered(case, step, groups, trials, checked, effort)


def _explaining(
    case: Case,
    step: str,
    groups: Iterable[list[Hypothesis]],
    trials: Trials,
    out: dict[Key, "_Tried"],
    effort: Effort,
    likely: bool,
) -> list[Pair]:
    """Return the pairs that explain a step, each of which is computed."""
    found: list[Pair] = []
    for first, *others in groups:
        if not effort.spend(WORK_OF_ONE):
            break
        some = out[first.key].for_(likely)
        pairs = list(_seconds(case, step, first, trials, some, effort))
        seconds = {second.key for _, second in pairs}
        for other in others if pairs else ():
            some = out[other.key].for_(likely)
            every = _seconds(case, step, other, trials, some, effort)
            pairs += [pair for pair in every if pair[1].key in seconds]
        found += [pair for pair in pairs if not _turned(pair, found)]
    return found


@dataclass(frozen=True)
class _Tried:
    """The mistakes that were made together with one, many at once.

    Parameters
    ----------
    far, near : set of Key
        Those with which a step is far from the implementation's, and those that come
        nearest to it.
    every : dict of int to set of Key
        All variations of each mistake, by its place in the catalogue.
    """

    far: set[Key]
    near: set[Key]
    every: dict[int, set[Key]]

    def for_(self, likely: bool) -> tuple[set[Key], set[int]]:
        """Return variations not to try one by one, and mistakes that have no others.

        Parameters
        ----------
        likely : bool
            Whether those alone are that are near; the rest otherwise.
        """
        skipped = self.far | self.near
        if likely:
            skipped = {key for keys in self.every.values() for key in keys} - self.near
        return skipped, {p for p, keys in self.every.items() if keys <= skipped}


def _made_at_once(
    case: Case,
    step: str,
    known: list[Hypothesis],
    trials: Trials,
    effort: Effort,
) -> dict[Key, _Tried]:
    """Return what comes of making the mistakes that do not overlap with each."""
    numbers = trials.numbers
    listed = [hypothesis for hypothesis in known if not hypothesis.inferred]
    stack = Stack(trials, [hypothesis.plan for hypothesis in listed])
    every: dict[int, set[Key]] = {}
    for hypothesis in singles(case, numbers, suggested=False):
        every.setdefault(hypothesis.order[0], set()).add(hypothesis.key)
    tried = {hypothesis.key: _Tried(set(), set(), every) for hypothesis in known}
    near = list[tuple[float, Key, Key]]()
    # Most are at the end, where little is computed for each.
    for second in sorted(listed, key=lambda h: (_rank(h), -stack.span(h.plan)[0])):
        work = len(stack.before(second.plan)) * work_from(second.plan, step, numbers)
        if not effort.spend(WORK_OF_ONE + work):
            continue
        for some, results in stack.continued(second.plan, step):
            shares = case.shares_each(step, results)
            for number, share in zip(some, shares.tolist(), strict=True):
                first = listed[number]
                if share <= 1:
                    near.append((share, first.key, second.key))
                else:
                    tried[first.key].far.add(second.key)
                    tried[second.key].far.add(first.key)
    # In half precision rounding would explain that almost any pair comes near.
    for _, one, other in heapq.nsmallest(NEAREST, near):
        tried[one].near.add(other)
        tried[other].near.add(one)
    return tried


def _rank(hypothesis: Hypothesis) -> tuple[bool, bool]:
    """Return what comes first of the likeliest mistakes.

    The first way to make a mistake is the usual one.
    """
    return hypothesis.mistake.kind == "rounding", hypothesis.order[1] > 0


def _tempered(
    case: Case,
    step: str,
    groups: Groups,
    trials: Trials,
    checked: Counted,
    effort: Effort,
) -> list[Pair]:
    """Return the mistakes that explain a step with a factor on the scores.

    It is fitted for those alone that come closest with one of some factors.
    """
    numbers = trials.numbers
    firsts = [group[0] for group in groups]
    nearest = np.full(len(firsts), np.inf)
    factors = along_all(numbers.plan, "temperature")
    before = Stack(trials, [first.plan for first in firsts])
    for plan in factors:
        many = len(before.before(plan)) * work_from(plan, step, numbers)
        if not effort.spend(WORK_OF_ONE + many):
            return []
        for some, results in before.continued(plan, step):
            nearest[some] = np.minimum(nearest[some], _apart(case, step, results))
    after = Stack(trials, factors)
    for number, first in enumerate(firsts):
        many = len(after.before(first.plan)) * work_from(first.plan, step, numbers)
        if not effort.spend(WORK_OF_ONE + many):
            break
        for _, results in after.continued(first.plan, step):
            least = _apart(case, step, results).min()
            nearest[number] = min(nearest[number], float(least))
    order = np.argsort(nearest, kind="stable")
    each = FITTING * max(1.0, work_from(factors[0], step, numbers))
    one_by_one = np.flatnonzero(nearest == np.inf)[: int(effort.left / each)]
    tried = sorted({*order[:CLOSEST].tolist(), *one_by_one.tolist()})
    found: list[Pair] = []
    for first in checked.each([firsts[k] for k in tried]):
        base = trials.of(first.plan)
        for second in fitted_at(case, (step,), base, "temperature"):
            both = Evaluation(second.plan, case.inputs, numbers.held, like=base)
            if case.off_at(step, both) <= 1:
                found.append((first, second))
                break
    return found


def _apart(case: Case, step: str, results: Numbers) -> Numbers:
    """Return how far each of several results for a step is off altogether."""
    theirs = case.visible(step, results)
    if results.shape[1:] != case.mine[step].shape:
        return np.full(len(results), np.inf)
    with np.errstate(all="ignore"):
        off = np.abs(results - theirs)
    off = np.where(np.isfinite(off), off, 0.0)
    return np.asarray(off.reshape(len(results), -1).sum(axis=1))


def _seconds(
    case: Case,
    step: str,
    first: Hypothesis,
    trials: Trials,
    without: tuple[set[Key], set[int]],
    effort: Effort,
) -> Iterator[Pair]:
    """Yield the mistakes that explain a step together with an earlier one."""
    base, numbers = trials.of(first.plan), trials.numbers
    keys, whole = without
    for second in _made_in(case, base, whole):
        if second.key in keys and not second.inferred:
            continue
        if _in_order(first, second, numbers.plan):
            both = Evaluation(second.plan, case.inputs, numbers.held, like=base)
            if both.shares(step):
                continue
            work = WORK_OF_ONE + work_from(second.plan, step, base)
            if not effort.spend(work):
                return
            if not case.near_at(step, both):
                continue
            if not effort.spend(REPEATING * work):
                return
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


def _made_in(case: Case, base: Evaluation, without: set[int]) -> Iterator[Hypothesis]:
    try:
        yield from singles(case, base, without=without)
    except UnfitError:  # these depend on the numbers with the first mistake
        yield from singles(case, base, suggested=False, without=without)


def _groups(known: list[Hypothesis], step: str, trials: Trials) -> Groups:
    """Return the mistakes, those together that give the same numbers in a step."""
    groups: dict[bytes, list[Hypothesis]] = {}
    for number, hypothesis in enumerate(known):
        try:
            value = trials.of(hypothesis.plan)[step]
        except UnfitError:
            key = str(number).encode()  # a second mistake may restore the shape
        else:
            with np.errstate(all="ignore"):
                size = np.max(np.abs(value), initial=1e-300, where=np.isfinite(value))
                key = np.round(value / size, 9).tobytes()
        groups.setdefault(key, []).append(hypothesis)
    return list(groups.values())
