"""The least change within limits, and the point nearest to what cannot be met."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.goal_seek.gradient_rows import normal_step
from attnviewer.goal_seek.optimizers import bounded_minimum
from attnviewer.goal_seek.problem import Point, Problem
from attnviewer.goal_seek.sequential import EXACT

ROUNDS, ITERATIONS = 10, 60
"""Updates of the multipliers, and the most iterations between two of them."""
VAIN = 2
"""Consecutive rounds without progress after which the search gives up."""
STIFFEST = 1e8
"""The largest penalty on violated requirements."""
RIDGE = 1e-9
"""The weight of the squared change in the objective of the nearest point."""
PIECES = 4
"""The most pieces of a piecewise smooth function that one step linearises."""
TOGETHER = 200
"""The number of gradients from which on no further piece is linearised: each costs as
much again as all before it."""
CORRECTIONS = 12
"""The most Newton steps of the final correction."""


def least_within(problem: Problem, start: Point) -> Point:
    """Return the least change that meets all requirements within the bounds.

    The point may miss requirements, if none was found that does not.

    References
    ----------
    Augmented Lagrangian: Nocedal & Wright 2006, "Numerical Optimization", section
    17.4 and equation 17.66.
    """
    lows, highs = problem.free.lows, problem.free.highs
    point = problem.at(np.clip(start.changes, lows, highs))
    if point.trace is None:
        return point
    sizes = np.linalg.norm(problem.jacobian(point), axis=1)  # (requirements,)
    scales = 1 / np.where(sizes > 0, sizes, 1.0)
    factors = np.zeros_like(scales)
    stiff, before, vain = 10.0, np.inf, 0
    for _ in range(ROUNDS):
        point = _settled(problem, point, scales, factors, stiff)
        if point.trace is None:
            break
        pushed = factors + stiff * scales * point.off
        factors = np.where(problem.equal, pushed, np.maximum(pushed, 0.0))
        missed = float(np.abs(problem.violation(point.off) * scales).max())
        if missed <= 1e-8:
            break
        if missed > before / 4:
            stiff = min(stiff * 8, STIFFEST)
        vain = vain + 1 if missed > 0.9 * before else 0
        if vain == VAIN:
            break
        before = missed
    return corrected(problem, point)


def _settled(
    problem: Problem, start: Point, scales: Array, factors: Array, stiff: float
) -> Point:
    """Return the minimum of the augmented Lagrangian near a start."""

    def function(changes: Array) -> tuple[float, Array]:
        point = problem.at(changes)
        if point.trace is None or not np.isfinite(point.missed):
            return np.inf, np.zeros_like(changes)
        pushed = factors + stiff * scales * point.off
        pushed = np.where(problem.equal, pushed, np.maximum(pushed, 0.0))
        value = 0.5 * point.norm**2 + float((pushed**2).sum()) / (2 * stiff)
        return value, changes + problem.pull(point, pushed * scales)

    lows, highs = problem.free.lows, problem.free.highs
    return problem.at(bounded_minimum(function, start.changes, lows, highs, ITERATIONS))


def nearest_within(problem: Problem, start: Point) -> Point:
    """Return a point within the bounds that misses the targets by the least it can.

    A local minimum of the sum of squares, in the targets' own units. A small penalty on
    the size of the change keeps the minimum at a finite distance.
    """

    def function(changes: Array) -> tuple[float, Array]:
        point = problem.at(changes)
        if point.trace is None or not np.isfinite(point.missed):
            return np.inf, np.zeros_like(changes)
        residuals = point.residuals
        value = 0.5 * float(residuals @ residuals) + 0.5 * RIDGE * point.norm**2
        # `pull` applies the slopes of the curves, which the residuals are not on.
        return value, problem.pull(point, residuals / point.bends) + RIDGE * changes

    lows, highs = problem.free.lows, problem.free.highs
    begin = np.clip(start.changes, lows, highs)
    if not np.isfinite(start.missed):
        begin = np.zeros_like(begin)
    found = bounded_minimum(function, begin, lows, highs, 3 * ITERATIONS)
    point = problem.at(found)
    better = corrected(problem, point)
    return better if better.met or objective(better) < objective(point) else point


def objective(point: Point) -> float:
    """Return the objective of `nearest_within` at a point; ∞ where it is undefined."""
    if not np.isfinite(point.missed):
        return np.inf
    return float(point.residuals @ point.residuals) + RIDGE * point.norm**2


def corrected(problem: Problem, point: Point) -> Point:
    """Return a point nearby that misses less, by Newton's method within the bounds.

    A step that makes it worse has crossed a kink. The next step then satisfies the
    linearisations on both sides, and so follows the kink.
    """
    lows, highs = problem.free.lows, problem.free.highs
    seen = [point]
    for _ in range(CORRECTIONS):
        if point.trace is None or point.missed <= EXACT:
            break
        missed = problem.violation(point.off)
        wrong = problem.equal | (missed > 0)
        slopes = [problem.jacobian(at)[wrong] for at in seen]
        rows = np.concatenate(slopes)
        off = np.concatenate(
            [
                at.off[wrong] + of @ (point.changes - at.changes)
                for at, of in zip(seen, slopes, strict=True)
            ]
        )
        step = normal_step(rows, off)
        # Numbers that would cross a bound stay; the others are corrected instead.
        stays = (point.changes + step < lows) | (point.changes + step > highs)
        if stays.any() and not stays.all():
            step = np.zeros_like(step)
            step[~stays] = normal_step(rows[:, ~stays], off)
        there = problem.at(np.clip(point.changes + step, lows, highs))
        if there.missed < point.missed:
            point, seen = there, [there]
        elif there.trace is not None and len(seen) < PIECES and off.size < TOGETHER:
            seen.append(there)
        else:
            break
    return point
