"""The least change found by local searches from several starts."""

import math
from dataclasses import replace

import numpy as np

from attnviewer.compute import BoolArray, Trace, cost
from attnviewer.document import Document, Replace
from attnviewer.goal_seek.bounded import (
    corrected,
    least_within,
    nearest_within,
    objective,
)
from attnviewer.goal_seek.problem import Point, Problem
from attnviewer.goal_seek.quantities import CellValue
from attnviewer.goal_seek.requirements import LOGISTIC, Requirement
from attnviewer.goal_seek.sequential import STEPS, least_near

SEED = 0
STARTS, UNMET_STARTS = 40, 2
"""The most random starts, and the fewest while nothing meets the requirements."""
WORK, OVERHEAD = 120_000_000, 60_000
"""The multiply-adds after which no random start follows, and what a computation costs
besides: about 200 computations of 16 tokens and 64 columns."""
UNMET_WORK = 25 * WORK
"""The multiply-adds after which none follows even while nothing meets the
requirements."""
SMALL = 500
"""A document is small if there is time for more computations than this."""
SPREAD = (0.5, 1.0, 2.0)
"""The sizes of random starts, relative to the best change so far."""
SOFT = 0.02
"""Required weights are moved to between this and 1 − this while a start is sought."""
RANGE = 4.0
"""The range of the scores, over the temperature, in which softmax is far from flat."""
COOLING = 4.0
"""The factor by which the temperature of the eased problem falls each time."""
NEGLIGIBLE = 1e-10
"""The share of the largest change below which one counts as rounding."""


def least_change(problem: Problem, first: Point | None = None) -> Point:
    """Return the least change found that meets all requirements.

    From nothing, from random starts and, in a small document, from what each free input
    can do alone. Where none was found, the one that misses the targets by the least.

    Parameters
    ----------
    problem : Problem
        The requirements.
    first : Point, optional
        What `local` finds, if it is known.
    """
    nothing = problem.at(np.zeros(problem.free.size))
    if nothing.met:
        return nothing
    best = first or local(problem, nothing)
    if not best.met:
        eased = _eased_start(problem)
        if eased is not None:
            best = _better(best, local(problem, eased))
    most, unmet_most = computations(problem), computations(problem, UNMET_WORK)
    for chosen in _parts(problem) if most > SMALL else ():
        alone = _alone(problem, chosen)
        best = _better(best, alone)
        if alone.met:
            best = _better(best, least_change_near(problem, alone))
    rng = np.random.default_rng(SEED)
    for number in range(STARTS):
        done = problem.followed.done
        enough = best.met or number >= UNMET_STARTS or done > unmet_most
        if done > most and enough:
            break
        usual = best.norm if best.met else 1.0
        size = SPREAD[number % len(SPREAD)] * usual
        drawn = rng.standard_normal(problem.free.size)
        drawn *= size / np.linalg.norm(drawn)
        drawn = np.clip(drawn, problem.free.lows, problem.free.highs)
        best = _better(best, least_change_near(problem, problem.at(drawn)))
    if best.met:
        return _tidied(problem, best)
    found = [nearest_within(problem, start) for start in (best, nothing)]
    for point in found:
        if point.met:
            return _tidied(problem, _better(point, least_change_near(problem, point)))
    return min((best, *found), key=objective)


def _parts(problem: Problem) -> list[BoolArray]:
    """Return which numbers belong to each free input, where there are several."""
    names = problem.free.names
    if len(names) == 1:
        return []
    numbers = problem.free.parts(np.arange(problem.free.size, dtype=float))
    owners = np.repeat(np.arange(len(names)), [numbers[name].size for name in names])
    return [owners == owner for owner in range(len(names))]


def _alone(problem: Problem, chosen: BoolArray) -> Point:
    """Return the least change of some of the free numbers alone."""
    alone = problem.only(chosen)
    changes = np.zeros(problem.free.size)
    changes[chosen] = least_change_near(
        alone, alone.at(np.zeros(alone.free.size))
    ).changes
    return problem.at(changes)


def _tidied(problem: Problem, point: Point) -> Point:
    """Return a point without negligible changes that a random start has left."""
    sizes = np.abs(point.changes)
    kept = np.where(sizes > NEGLIGIBLE * sizes.max(), point.changes, 0.0)
    tidy = corrected(problem, problem.at(kept))
    return tidy if tidy.met else point


def computations(problem: Problem, work: int = WORK) -> int:
    """Return how many computations take as many multiply-adds."""
    document = problem.document
    shapes = {name: a.shape for name, a in document.inputs().items()}
    gradients = len(problem.required) * problem.free.size
    return work // (OVERHEAD + cost(document.spec, shapes) + gradients)


def local(problem: Problem, start: Point) -> Point:
    """Return the least change near a start, in one way or the other."""
    found = least_change_near(problem, start)
    if found.met:
        return found
    return _better(found, least_within(problem, start))


def least_change_near(problem: Problem, start: Point, steps: int = STEPS) -> Point:
    """Return the least change near a start, within the bounds.

    It may miss requirements. The parameters are those of `least_near`.
    """
    point = least_near(problem, start, steps)
    lows, highs = problem.free.lows, problem.free.highs
    if (point.changes < lows).any() or (point.changes > highs).any():
        return least_within(problem, point)
    return corrected(problem, point)


def _better(one: Point, other: Point) -> Point:
    """Return the smaller change of two, or the one that misses less."""
    if one.met and other.met:
        return one if one.norm <= other.norm else other
    return one if one.missed <= other.missed else other


def _eased_start(problem: Problem) -> Point | None:
    """Return a start from the eased problem, by annealing; None without one."""
    temperature = _easy_temperature(problem)
    changes = np.zeros(problem.free.size)
    while True:
        easy = eased(problem, temperature)
        if easy is None:
            return None
        point = least_change_near(easy, easy.at(changes[: easy.free.size]))
        changes[: easy.free.size] = point.changes
        if temperature <= problem.document.spec.temperature:
            return problem.at(changes)
        temperature = max(temperature / COOLING, problem.document.spec.temperature)


def eased(problem: Problem, temperature: float | None = None) -> Problem | None:
    """Return an easier problem, in which every weight has a slope.

    It has softmax and no soft cap; by default, its temperature is so high that no row
    is saturated. Other normalisers have no slope at weights of 0, nor has softmax where
    a score lies hundreds below the largest. None where only the temperature is free,
    or where a requirement is on the capped scores.
    """
    movable = np.ones(problem.free.size, dtype=bool)
    movable[problem.free.size - problem.free.has_temperature :] = False
    if not movable.any():
        return None
    straight = problem.document.spec.normalizer not in LOGISTIC
    document = _smooth(problem.document, temperature or _easy_temperature(problem))
    read = frozenset().union(*(r.quantity.steps for r in problem.required))
    trace = document.compute()
    if not read <= trace.keys():
        return None  # one is on the capped scores
    required = [_softened(trace, r, straight) for r in problem.required]
    easy = Problem(document, problem.free, required, problem.followed)
    return easy.only(movable)


def _smooth(document: Document, temperature: float) -> Document:
    """Return a copy of a document with softmax, and without a soft cap."""
    other = document.with_matrices(document.matrices)
    spec = replace(
        document.spec,
        normalizer="softmax",
        normalizer_options=(),
        softcap=None,
        temperature=temperature,
    )
    other.apply_quietly(Replace("softmax", spec=spec))
    return other


def _easy_temperature(problem: Problem) -> float:
    """Return a temperature at which no row is saturated, not below the document's."""
    own = problem.document.spec.temperature
    trace = _smooth(problem.document, own).compute()
    limits = [trace.limits(s.inputs[0]) for s in trace.pipeline.normalizing]
    widths = [high - low for low, high in filter(None, limits)]
    return max(own, max(widths, default=0.0) / RANGE)


def _softened(trace: Trace, required: Requirement, straight: bool) -> Requirement:
    """Return a requirement on a weight that softmax meets at about the same scores."""
    quantity = required.quantity
    if not isinstance(quantity, CellValue):
        return required
    if trace.pipeline.rule_of(quantity.cell.step) is None:
        return required
    wanted = min(max(required.wanted, 0.0), 1.0)
    if straight:
        # Of two keys, sparsemax weighs one by (1 + gap) / 2.
        wanted = 1 / (1 + math.exp(1 - 2 * wanted))
    wanted = min(max(wanted, SOFT), 1 - SOFT)
    return replace(required, wanted=wanted, curve="logit")
