"""Targets met by changing as few numbers as possible, by greedy search."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from attnviewer.compute import IndexArray
from attnviewer.goal_seek.problem import Point, Problem
from attnviewer.goal_seek.search import (
    UNMET_WORK,
    computations,
    least_change,
    least_change_near,
)

TRIED, ENOUGH = 32, 16
"""The most single cells that are tried, and the solutions after which it ends."""
STEPS = 16
"""The most steps of a search with few cells."""
ADDED = 3
"""The most cells that are added one by one for each requirement."""
KEPT = (0.5, 0.75, 0.9)
"""The shares of cells that a change is reduced to, while it meets the requirements."""
VAIN = 6
"""Consecutive cells that cannot be left out, after which no more are tried."""
LONG = 2000
"""The computations after which no more cells are added or left out one by one, unless
the document is so small that there is time for more."""


def fewest_cells(problem: Problem, first: Point | None = None) -> Point:
    """Return changes of few numbers that meet all requirements.

    A single cell, if changing one of the most sensitive suffices; of several, the one
    that changes least. Otherwise cells are added one by one, by their effect; where
    these are more than two, the least-squares change is also reduced to its largest
    cells. Cells that are not needed are removed. If nothing meets the requirements,
    the nearest point that was found is returned. The parameters are those of
    `least_change`.

    References
    ----------
    Pati, Rezaiifar & Krishnaprasad 1993, "Orthogonal Matching Pursuit"; Blumensath &
    Davies 2009, "Iterative Hard Thresholding for Compressed Sensing".
    """
    nothing = problem.at(np.zeros(problem.free.size))
    if nothing.met:
        return nothing
    alone = (point for point in _singles(problem, nothing) if point.met)
    singles = list(islice(alone, ENOUGH))
    if singles:
        return min(singles, key=lambda point: point.norm)
    added = _added(problem, nothing)
    if added.met and np.count_nonzero(added.changes) <= 2:
        return added
    whole = least_change(problem, first)
    found = [point for point in (added, _reduced(problem, whole)) if point.met]
    pruned = [_pruned(problem, point) for point in found]
    return min(
        pruned, key=lambda p: (np.count_nonzero(p.changes), p.norm), default=whole
    )


def _singles(problem: Problem, nothing: Point) -> Iterator[Point]:
    """Yield the changes of single cells, those with the largest slopes first."""
    missed = problem.violation(nothing.off)
    rows = problem.jacobian(nothing)  # (requirements, size)
    promise = np.abs(missed @ rows)  # (size,)
    for cell in np.argsort(-promise, kind="stable")[:TRIED]:
        yield _of(problem, nothing, np.array([cell]))


def _of(problem: Problem, start: Point, cells: IndexArray) -> Point:
    """Return the least change of some cells alone, near a start."""
    chosen = np.zeros(problem.free.size, dtype=bool)
    chosen[cells] = True
    few = problem.only(chosen)
    found = least_change_near(few, few.at(start.changes[chosen]), STEPS)
    changes = np.zeros(problem.free.size)
    changes[chosen] = found.changes
    return problem.at(changes)


def _added(problem: Problem, nothing: Point) -> Point:
    """Return a change of cells that were added one by one, the most helpful first."""
    point, cells = nothing, np.zeros(0, dtype=np.intp)
    most = min(problem.free.size, ADDED * len(problem.required) + 2)
    while not point.met and cells.size < most and point.trace is not None:
        if not _in_time(problem):
            break
        promise = np.abs(problem.violation(point.off) @ problem.jacobian(point))
        promise[cells] = -1.0
        cells = np.append(cells, np.argmax(promise))
        point = _of(problem, point, cells)
    return point


def _reduced(problem: Problem, whole: Point) -> Point:
    """Return a change of as few of the largest cells of another as suffice."""
    point = whole
    for share in KEPT:
        while point.met:
            order = np.argsort(-np.abs(point.changes), kind="stable")
            count = int(share * np.count_nonzero(point.changes))
            fewer = _of(problem, point, order[:count]) if count else None
            if fewer is None or not fewer.met:
                break
            point = fewer
    return point


def _pruned(problem: Problem, point: Point) -> Point:
    """Return a change without cells that are not needed, the smallest tried first."""
    order = np.argsort(np.abs(point.changes), kind="stable")
    vain = 0
    for cell in order[point.changes[order] != 0]:
        cells = np.flatnonzero(point.changes)
        if cells.size < 2 or vain == VAIN or not _in_time(problem):
            break
        fewer = _of(problem, point, cells[cells != cell])
        point, vain = (fewer, 0) if fewer.met else (point, vain + 1)
    return point


def _in_time(problem: Problem) -> bool:
    """Return whether there is time for another search with some cells alone."""
    return problem.followed.done <= max(LONG, computations(problem, UNMET_WORK))
