"""Weights of one row that are asked for together, asked for by their scores."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Cell, Index, Trace
from attnviewer.goal_seek.quantities import CellValue, Gap
from attnviewer.goal_seek.requirements import LOGISTIC, Requirement

LEAST = 1e-6
"""The smallest weight that is asked for by a score; those below hardly depend on it."""


def by_scores(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements with gaps between weights of a row as gaps between scores.

    Weights are equal where their scores are, and a larger score is a larger weight. A
    gap between weights also closes while both vanish, which a search would go after for
    ever.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    spec, normalize = trace.spec, trace.pipeline.normalize
    # Scores that a soft cap saturates have no slopes, and pinned weights no scores.
    follows = spec.normalizer in LOGISTIC and spec.softcap is None
    if not follows or normalize.pins is not None:
        return tuple(required)
    (source,) = normalize.inputs
    return tuple(_by_scores(trace, source, asked) for asked in required)


def _by_scores(trace: Trace, source: str, asked: Requirement) -> Requirement:
    gap = asked.quantity
    if not isinstance(gap, Gap) or gap.steps != {"weights"}:
        return asked
    if gap.cell.index[:-1] != gap.other.index[:-1]:
        return asked
    scores = Gap(Cell(source, gap.cell.index), Cell(source, gap.other.index))
    known = np.isfinite(scores.value(trace))
    return replace(asked, quantity=scores) if known else asked


def by_ratios(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements with several weights of a row as gaps between its scores.

    The ratio of two weights of softmax is e to the gap between their scores over the
    temperature, so that the gap is simple where the weights are bent, and none follows
    from others. The temperature must not change.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    spec, normalize = trace.spec, trace.pipeline.normalize
    follows = spec.normalizer in ("softmax", "softmax1") and spec.softcap is None
    if not follows or normalize.pins is not None:
        return tuple(required)
    rows: dict[Index, list[Requirement]] = defaultdict(list)
    others = []
    for asked in required:
        weight = asked.quantity
        middle = asked.relation == "=" and LEAST <= asked.wanted <= 1 - LEAST
        if isinstance(weight, CellValue) and weight.steps == {"weights"} and middle:
            rows[weight.cell.index[:-1]].append(asked)
        else:
            others.append(asked)
    for index, asked_of_row in rows.items():
        others += _ratios(trace, index, asked_of_row)
    return tuple(others)


def _ratios(
    trace: Trace, index: Index, asked: Sequence[Requirement]
) -> Sequence[Requirement]:
    """Return the requirements on some weights of a row as ones on its scores."""
    (source,) = trace.pipeline.normalize.inputs
    shares = {_key(each): each for each in asked}
    seen = np.flatnonzero(~np.isneginf(trace.row(source, index))).tolist()
    if not 1 < len(shares) == len(asked) or not shares.keys() <= set(seen):
        return asked
    first = max(asked, key=lambda each: each.wanted)
    wanted = {key: each.wanted for key, each in shares.items()}
    left = [key for key in seen if key not in wanted]
    rest = 1 - math.fsum(wanted.values())
    whole = trace.spec.normalizer == "softmax" and (
        not left or (len(left) == 1 and rest >= LEAST)
    )
    if whole and left:
        wanted[left[0]] = rest
    found = [] if whole else [first]
    own = Cell(source, (*index, _key(first)))
    for key, weight in wanted.items():
        if key != _key(first):
            gap = Gap(Cell(source, (*index, key)), own)
            ratio = trace.spec.temperature * math.log(weight / first.wanted)
            target = shares.get(key, first).target
            found.append(Requirement(target, gap, "=", ratio))
    return found


def _key(asked: Requirement) -> int:
    weight = asked.quantity
    assert isinstance(weight, CellValue)
    return weight.cell.index[-1]
