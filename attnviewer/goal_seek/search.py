"""The least change of all that several starts lead to."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import cost
from attnviewer.document import Replace
from attnviewer.goal_seek.bounded import (
    corrected,
    far,
    least_within,
    nearest_within,
)
from attnviewer.goal_seek.problem import Point, Problem
from attnviewer.goal_seek.quantities import CellValue
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.sequential import STEPS, least_near

SEED = 0
STARTS, WORK = 8, 2_000_000
"""The most random starts, and multiply-adds that they share between them: a document of
16 tokens and 64 columns has 3."""
SPREAD = (0.5, 1.0, 2.0)
"""The sizes of random starts, beside the best change so far."""
SOFT, FIRM = 0.02, 0.98
"""What a weight of less or more is while the first start is sought."""
RANGE = 4.0
"""The scores over the temperature from the largest on which a softmax is not flat."""


def least_change(problem: Problem) -> Point:
    """Return the least change found that meets all requirements.

    Where none was found, the one that misses the targets by the least.
    """
    nothing = problem.at(np.zeros(problem.free.size))
    if nothing.met:
        return nothing
    best = _local(problem, nothing)
    if not best.met:
        eased = _eased_start(problem)
        if eased is not None:
            best = _better(best, _local(problem, eased))
    rng = np.random.default_rng(SEED)
    for number in range(starts(problem)):
        usual = best.norm if best.met else 1.0
        size = SPREAD[number % len(SPREAD)] * usual
        drawn = rng.standard_normal(problem.free.size)
        drawn *= size / np.linalg.norm(drawn)
        drawn = np.clip(drawn, problem.free.lows, problem.free.highs)
        best = _better(best, near(problem, problem.at(drawn)))
    if best.met:
        return best
    found = [nearest_within(problem, start) for start in (best, nothing)]
    return min((best, *found), key=far)


def starts(problem: Problem) -> int:
    """Return how many random starts there is time for."""
    document = problem.document
    shapes = {name: a.shape for name, a in document.inputs().items()}
    return min(STARTS, WORK // cost(document.spec, shapes))


def _local(problem: Problem, start: Point) -> Point:
    """Return the least change near a start, in one way or the other."""
    found = near(problem, start)
    if found.met:
        return found
    return _better(found, least_within(problem, start))


def near(problem: Problem, start: Point, steps: int = STEPS) -> Point:
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
    """Return a start from the eased problem; None if there is none."""
    movable = np.ones(problem.free.size, dtype=bool)
    if problem.free.has_temperature:
        movable[-1] = False
    if not movable.any():
        return None
    easy = eased(problem).only(movable)
    found = _local(easy, easy.at(np.zeros(easy.free.size)))
    changes = np.zeros(problem.free.size)
    changes[movable] = found.changes
    return problem.at(changes)


def eased(problem: Problem) -> Problem:
    """Return an easier problem, in which every weight has a slope.

    With softmax, at a temperature at which no row is saturated. Other normalisers have
    no slope at weights of 0, nor has softmax where a score lies hundreds below the
    largest.
    """
    document = problem.document.with_matrices(problem.document.matrices)
    scores = document.compute()
    (source,) = scores.pipeline.normalize.inputs
    limits = scores.limits(source) or (0.0, 0.0)
    temperature = max(document.spec.temperature, (limits[1] - limits[0]) / RANGE)
    spec = replace(
        document.spec,
        normalizer="softmax",
        normalizer_options=(),
        temperature=temperature,
    )
    document.apply_quietly(Replace("softmax", spec=spec))
    required = [_softened(r) for r in problem.required]
    return Problem(document, problem.free, required, problem.tick)


def _softened(required: Requirement) -> Requirement:
    """Return a requirement on a weight that softmax can meet."""
    quantity = required.quantity
    if not isinstance(quantity, CellValue) or quantity.cell.step != "weights":
        return required
    wanted = min(max(required.wanted, SOFT), FIRM)
    return replace(required, wanted=wanted, curve="logit")
