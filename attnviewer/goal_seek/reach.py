"""Tests whether the free numbers can reach a target within their limits."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.goal_seek.problem import TOLERANCE, Point, Problem
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.search import eased
from attnviewer.goal_seek.targets import AnyTarget

PROBES, SEED = 2, 1
"""How many random changes slopes are evaluated at, besides no change; their seed."""
HARD, KINKED = "hardmax", ("hardmax", "sparsemax")
"""The piecewise constant normaliser, and the piecewise linear ones: slopes that are
equal at all probes may still differ elsewhere."""
SAME = 1e-12
"""The relative difference of slopes that counts as rounding."""


def beyond_reach(problem: Problem, targets: Sequence[AnyTarget]) -> str:
    """Return why targets are out of reach of what is free; "" if nothing is known.

    A target whose gradient on every free number is exactly 0, here and at random
    changes, is cut off. One whose gradient is the same everywhere is linear, so that
    the limits bound it.
    """
    points = [problem.at(changes) for changes in _probes(problem)]
    slopes = [
        problem.jacobian(point) for point in points if point.trace is not None
    ]  # each (requirements, size)
    missed = np.abs(points[0].residuals) > TOLERANCE  # (requirements,)
    still = ~np.any([rows.any(axis=1) for rows in slopes], axis=0)
    cut_off = missed & still
    rules = _normalizers(points[0])
    if cut_off.any():
        asked = problem.required[int(np.argmax(cut_off))]
        flat = _is_flat(problem, cut_off)
        # Normalisers other than hardmax have slopes elsewhere; the search finds them.
        return (
            ""
            if flat and HARD not in rules
            else _cut_off(problem, asked, targets, flat)
        )
    straight = np.all(
        [
            np.abs(rows - slopes[0]).max(axis=1) <= _rounding(slopes[0])
            for rows in slopes
        ],
        axis=0,
    )
    for number in np.flatnonzero(missed & straight):
        asked = problem.required[number]
        if not rules.isdisjoint(KINKED) and _is_late(points[0], asked):
            continue
        reason = _too_far(problem, points[0], asked, slopes[0][number])
        if reason:
            return f"{targets[asked.target]} is impossible: {reason}"
    return ""


def _probes(problem: Problem) -> list[Array]:
    """Return the changes to evaluate: none, and random ones within the limits."""
    size = problem.free.size
    rng = np.random.default_rng(SEED)
    lows, highs = (
        np.clip(b, -0.5, 0.5) for b in (problem.free.lows, problem.free.highs)
    )
    drawn = [rng.uniform(lows, highs) for _ in range(PROBES)]
    return [np.zeros(size), *drawn]


def _rounding(rows: Array) -> Array:
    """Return which differences from slopes count as rounding, (requirements,)."""
    allowed: Array = SAME * np.abs(rows).max(axis=1)
    return allowed


def _is_flat(problem: Problem, cut_off: BoolArray) -> bool:
    """Return whether the gradient is 0 only because of the normaliser."""
    easy = eased(problem)
    if easy is None:
        return False
    slopes = [easy.jacobian(easy.at(changes)) for changes in _probes(easy)]
    return bool(np.any([rows[cut_off].any() for rows in slopes]))


def _cut_off(
    problem: Problem, asked: Requirement, targets: Sequence[AnyTarget], flat: bool
) -> str:
    target, names = targets[asked.target], problem.free.names
    free = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    if flat:
        return (
            f"{target} cannot be sought with {free} alone: hardmax changes in steps, "
            "and between them no change moves the number. Choose softmax, or free "
            "numbers that reach it without the weights, such as the values."
        )
    return (
        f"{target} is impossible: it does not depend on anything that may change, as "
        f"no change of {free} reaches it. Free numbers that it is computed from."
    )


def _normalizers(point: Point) -> set[str]:
    """Return the names of what normalises scores."""
    assert point.trace is not None
    return {s.normalizer.name for s in point.trace.pipeline.normalizing}


def _is_late(point: Point, asked: Requirement) -> bool:
    """Return whether a requirement is on the weights or on steps after them."""
    assert point.trace is not None
    pipeline = point.trace.pipeline
    late = {s.name for s in (*pipeline.weighing, pipeline.mix, *pipeline.after)}
    slopes = asked.quantity.slopes(point.trace)
    return not late.isdisjoint(step for step, _, _ in slopes)


def _too_far(problem: Problem, nothing: Point, asked: Requirement, slope: Array) -> str:
    """Return why limits keep a linear number from what is asked; "" if they do not."""
    lows, highs = problem.free.lows, problem.free.highs
    trace = nothing.trace
    assert trace is not None
    value = asked.quantity.value(trace)
    sign = -1.0 if asked.relation == ">=" else 1.0
    slope = slope * sign
    with np.errstate(invalid="ignore"):
        ends = np.where(slope != 0, [slope * lows, slope * highs], 0.0)  # (2, size)
    low, high = value + ends.min(axis=0).sum(), value + ends.max(axis=0).sum()
    too_high = asked.relation != "<=" and asked.wanted > high + TOLERANCE
    too_low = asked.relation != ">=" and asked.wanted < low - TOLERANCE
    if not (too_high or too_low):
        return ""
    return (
        f"within the limits it can be from {low:.6g} to {high:.6g}. Allow larger "
        "changes, or free more numbers."
    )
