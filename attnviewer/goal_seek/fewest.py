"""Targets met by changing as few numbers as can be found."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute import Array, IndexArray
from attnviewer.goal_seek.problem import Point, Problem
from attnviewer.goal_seek.search import least_change, near

SINGLE = 64
"""The most single cells that are tried; of a small document these are all."""
SHARPENINGS = 12
"""Rounds in which a least-squares change is concentrated on fewer cells."""
NEGLIGIBLE = 1e-3
"""The share of the largest change below which a cell is given up."""
MOST_FOR_EACH = 3
"""The most cells that are added for each requirement, before a sparse change is sought
in another way."""


def fewest_cells(problem: Problem) -> Point:
    """Return changes of few numbers that meet all requirements.

    One cell if any of the most sensitive ones can do it alone, and that with the least
    change. Otherwise the fewest of three ways: cells added one by one, the most helpful
    first; the least-squares change, concentrated step by step; either of them without
    the cells that turn out not to be needed. Where nothing meets the requirements, the
    nearest that was found.

    References
    ----------
    Pati, Rezaiifar & Krishnaprasad 1993, "Orthogonal Matching Pursuit"; Gorodnitsky &
    Rao 1997, "Sparse Signal Reconstruction from Limited Data Using FOCUSS".
    """
    nothing = problem.at(np.zeros(problem.free.size))
    if nothing.met:
        return nothing
    singles = [point for point in _singles(problem, nothing) if point.met]
    if singles:
        return min(singles, key=lambda point: point.norm)
    whole = least_change(problem)
    if not whole.met:
        return whole
    found = [_added(problem, nothing), _sharpened(problem, whole)]
    pruned = [_pruned(problem, point) for point in found if point.met]
    return min((whole, *pruned), key=lambda p: (np.count_nonzero(p.changes), p.norm))


def _singles(problem: Problem, nothing: Point) -> Iterator[Point]:
    """Yield the changes of one cell each, of those whose slopes promise most."""
    missed = problem.violation(nothing.off)
    rows = problem.jacobian(nothing)  # (requirements, size)
    promise = np.abs(missed @ rows)  # (size,)
    for cell in np.argsort(-promise, kind="stable")[:SINGLE]:
        yield _of(problem, nothing, np.array([cell]))


def _of(problem: Problem, start: Point, cells: IndexArray) -> Point:
    """Return the least change of some cells alone, near a start."""
    chosen = np.zeros(problem.free.size, dtype=bool)
    chosen[cells] = True
    few = problem.only(chosen)
    found = near(few, few.at(start.changes[chosen]))
    changes = np.zeros(problem.free.size)
    changes[chosen] = found.changes
    return problem.at(changes)


def _added(problem: Problem, nothing: Point) -> Point:
    """Return a change of cells that were added one by one, the most helpful first."""
    point, cells = nothing, np.zeros(0, dtype=np.intp)
    most = min(problem.free.size, MOST_FOR_EACH * len(problem.required) + 2)
    while not point.met and cells.size < most and point.trace is not None:
        promise = np.abs(problem.violation(point.off) @ problem.jacobian(point))
        promise[cells] = -1.0
        cells = np.append(cells, np.argmax(promise))
        point = _of(problem, point, cells)
    return point


def _sharpened(problem: Problem, whole: Point) -> Point:
    """Return a change of the cells on which a least-squares change concentrates."""
    changes = whole.changes
    rows = problem.jacobian(whole)  # (requirements, size)
    missed = problem.violation(whole.off)
    active = problem.equal | (missed > -1e-6)
    wanted = (rows @ changes - missed)[active]
    for _ in range(SHARPENINGS):
        # The least change where large changes so far cost less.
        eased = rows[active] * np.abs(changes)
        changes = np.abs(changes) * np.linalg.lstsq(eased, wanted, rcond=1e-12)[0]
    return _of(problem, problem.at(changes), _large(changes))


def _large(changes: Array) -> IndexArray:
    sizes = np.abs(changes)
    return np.flatnonzero(sizes > NEGLIGIBLE * sizes.max())


def _pruned(problem: Problem, point: Point) -> Point:
    """Return a change without the cells that are not needed, the smallest first."""
    order = np.argsort(np.abs(point.changes), kind="stable")
    for cell in order[point.changes[order] != 0]:
        cells = np.flatnonzero(point.changes)
        if cells.size < 2:
            break
        fewer = _of(problem, point, cells[cells != cell])
        if fewer.met:
            point = fewer
    return point
