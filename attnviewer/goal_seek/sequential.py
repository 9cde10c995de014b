"""The least change near a start, by sequential quadratic programming.

Each step is the sum of a normal one, which makes up for what is missed, and a
tangential one, which makes the change smaller and keeps to the requirements to first
order. The latter sees the curvature of the requirements through differences of exact
gradients.

References
----------
Nocedal & Wright 2006, "Numerical Optimization", sections 16.3 (projected conjugate
gradients), 18.4 (merit function) and 18.3 (second-order correction).
"""

from collections.abc import Callable

import numpy as np

from attnviewer.compute import Array
from attnviewer.goal_seek.gradient_rows import GradientRows
from attnviewer.goal_seek.problem import Point, Problem

STEPS, HALVINGS, ITERATIONS = 40, 10, 12
"""The most steps, halvings of a step, and conjugate gradient iterations."""
PATIENCE = 8
"""Consecutive steps without progress after which the search gives up."""
EXACT = 1e-12
"""By how much a requirement may be missed when the search ends."""
STILL = 1e-7
"""The share of the change that may be left along the requirements at the end."""


def least_near(problem: Problem, start: Point, steps: int = STEPS) -> Point:
    """Return the least change that meets all requirements near a start.

    Bounds are not kept. The point may miss requirements, if none was found that does
    not.

    Parameters
    ----------
    problem : Problem
        The requirements.
    start : Point
        Where to begin.
    steps : int
        How many at most.
    """
    point = best = start
    penalty, least, idle = 0.0, np.inf, 0
    for _ in range(steps):
        if point.trace is None or idle > PATIENCE:
            break
        idle = 0 if point.met or point.missed < 0.9 * least else idle + 1
        least = min(least, point.missed)
        step = _Step(problem, point)
        if step.is_last:
            break
        penalty = max(penalty, 2 * float(np.abs(step.factors).max()))
        better = _searched(problem, point, step, penalty)
        if better is None:
            break
        point = better
        if point.met and not (best.met and best.norm <= point.norm):
            best = point
    return best if best.met else point


class _Step:
    """A step of the search, and what is known where it begins."""

    def __init__(self, problem: Problem, point: Point) -> None:
        self._problem, self._point = problem, point
        jacobian = problem.jacobian(point)  # (requirements, size)
        wanted = jacobian @ point.changes - point.off  # (requirements,)
        rows = GradientRows(jacobian)
        self.factors = rows.multipliers(wanted, problem.equal)
        self._active = problem.equal | (self.factors > 0)
        self._rows = rows.only(self._active)
        self.normal = self._rows.normal_step(point.off[self._active])
        along = self._rows.along(point.changes)
        self.is_last = point.missed <= EXACT and (
            float(np.linalg.norm(along)) <= STILL * point.norm
        )
        self._base = self._pull(point) if not self.is_last else along

    def whole(self) -> Array:
        """Return the step, shape (size,)."""
        point, normal = self._point, self.normal
        if self._rows.rank == point.changes.size:
            return normal  # nothing is left to choose
        rest = self._rows.along(point.changes + self._bent(normal))
        return normal + self._tangential(rest)

    def corrected(self, missed: Array) -> Array:
        """Return the second-order correction for what is missed at the step's end."""
        return self._rows.normal_step(missed[self._active])

    def _tangential(self, rest: Array) -> Array:
        """Return the minimum along the requirements, by conjugate gradients."""
        step = np.zeros_like(rest)
        direction, squared = -rest, float(rest @ rest)
        enough = 1e-4 * squared
        for iteration in range(ITERATIONS):
            if squared <= max(enough, 1e-28):
                break
            bent = self._rows.along(self._bent(direction))
            curvature = float(direction @ bent)
            if curvature <= 1e-3 * float(direction @ direction):
                # Negative curvature: the step that a curvature of 1 would give.
                return direction if iteration == 0 else step
            length = squared / curvature
            step = step + length * direction
            rest = rest + length * bent
            before, squared = squared, float(rest @ rest)
            direction = -rest + squared / before * direction
        return step

    def _bent(self, direction: Array) -> Array:
        """Return the second derivative of the Lagrangian along a direction, (size,)."""
        length = float(np.linalg.norm(direction))
        if not length or not self.factors.any():
            return direction
        reach = 1e-6 * (1 + self._point.norm) / length
        there = self._problem.at(self._point.changes + reach * direction)
        if there.trace is None:
            return direction
        return direction + (self._pull(there) - self._base) / reach

    def _pull(self, point: Point) -> Array:
        return self._problem.pull(point, self.factors)


def _searched(
    problem: Problem, point: Point, step: _Step, penalty: float
) -> Point | None:
    """Return a point along a step with a smaller merit function; None without one."""

    def merit(at: Point) -> float:
        missed = float(np.abs(problem.violation(at.off)).sum())
        return 0.5 * at.norm**2 + penalty * missed

    whole, now = step.whole(), merit(point)
    missed = float(np.abs(problem.violation(point.off)).sum())
    slope = min(float(point.changes @ whole) - penalty * missed, 0.0)
    length = first = problem.free.room(point.changes, whole)
    for _ in range(HALVINGS):
        there = problem.at(point.changes + length * whole)
        if _falls(merit, there, now + 1e-4 * length * slope):
            return there
        if length == first and there.trace is not None:
            back = step.corrected(problem.violation(there.off))
            there = problem.at(there.changes + back)
            if _falls(merit, there, now + 1e-4 * length * slope):
                return there
        length *= 0.5 if length > 0.1 * first else 0.25
    return None


def _falls(merit: Callable[[Point], float], there: Point, bound: float) -> bool:
    return (
        there.trace is not None and np.isfinite(there.missed) and merit(there) < bound
    )
