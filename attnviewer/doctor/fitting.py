"""Least-squares fits of the parameter of a mistake."""

from collections.abc import Callable

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Range

Difference = Callable[[float], Numbers | None]
"""From a parameter to the differences that are left, flat; None where it fails."""

GRID, STEPS = 40, 12
ENDED = 1e-6
"""Relative changes that are no longer worth another step if nothing is gained."""

SLOW, PATIENCE = 0.5, 2
"""Steps in a row that leave more than a share of the differences before it is ended.

Where the differences can become zero, a step leaves far less.
"""

DIGITS = range(1, 7)


def fit(difference: Difference, limits: Range, *, quick: bool = False) -> float | None:
    """Return the parameter that leaves the smallest differences.

    A grid over the range, then Gauss-Newton steps from the two best of it, which end
    at full precision where the differences become zero.

    Parameters
    ----------
    difference : callable
        From a parameter to the differences.
    limits : Range
        Where to look.
    quick : bool
        Whether to look at fewer numbers.
    """
    count = GRID // 4 if quick else GRID
    costs = [(_cost(difference(p)), p) for p in grid(limits, count)]
    if min(costs)[0] == np.inf:
        return None
    ends = [
        refined(difference, p, limits) for _, p in sorted(costs)[: 1 if quick else 3]
    ]
    return min(ends, key=lambda p: _cost(difference(p)))


def grid(limits: Range, count: int) -> list[float]:
    """Return numbers all over a range."""
    spaced = np.geomspace if limits.logarithmic else np.linspace
    return [float(p) for p in spaced(limits.low, limits.high, count)]


def rounded(parameter: float) -> list[float]:
    """Return the parameter rounded to few digits, fewest first, and unrounded."""
    few = [float(f"{parameter:.{digits}g}") for digits in DIGITS]
    near = [p for p in few if abs(p - parameter) < 1e-4 * abs(parameter)]
    return [*dict.fromkeys(near), parameter]


def _cost(values: Numbers | None) -> float:
    if values is None:
        return np.inf
    with np.errstate(all="ignore"):
        total = float(np.abs(values).sum())
    return total if np.isfinite(total) else np.inf


def refined(difference: Difference, start: float, limits: Range) -> float:
    """Return a parameter after Gauss-Newton steps.

    Parameters
    ----------
    difference : callable
        From a parameter to the differences.
    start : float
        The first parameter.
    limits : Range
        Where to look.
    """
    at, best = start, start
    now = difference(start)
    lowest, slow = _cost(now), 0
    for _ in range(STEPS):
        width = 1e-6 * abs(at)
        above, below = difference(at + width), difference(at - width)
        if now is None or above is None or below is None:
            break
        with np.errstate(all="ignore"):
            slope = (above - below) / (2 * width)
            curvature = float(slope @ slope)
            move = -float(slope @ now) / curvature if curvature > 0 else 0.0
        if not np.isfinite(move) or not move:
            break
        ratio = np.exp(np.clip(move / at, -1, 1)) if limits.logarithmic else 1.0
        at = float(at * ratio) if abs(move) > 0.1 * abs(at) else at + move
        if not limits.low <= at <= limits.high:
            break
        now = difference(at)
        cost = _cost(now)
        ended = cost >= lowest and abs(move) < ENDED * abs(at)
        slow = slow + 1 if cost > SLOW * lowest else 0
        if cost < lowest:
            best, lowest = at, cost
        if ended or slow > PATIENCE:
            break
    return best
