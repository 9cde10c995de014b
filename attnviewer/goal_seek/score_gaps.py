"""Weights of one row that are required together, as requirements on their scores."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Cell, Index, Trace
from attnviewer.compute.stages import Normalize
from attnviewer.goal_seek.quantities import CellValue, Gap
from attnviewer.goal_seek.requirements import LOGISTIC, Requirement

LEAST = 1e-6
"""The smallest weight that is required by its score, on which smaller ones hardly
depend."""


def by_scores(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements with gaps between weights of a row as gaps between scores.

    The weights have the order of the scores. But the gap between weights also tends to
    0 while both vanish, so that a search for equal weights could diverge.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    if trace.spec.softcap is not None:  # scores that it saturates have no slopes
        return tuple(required)
    return tuple(_by_scores(trace, asked) for asked in required)


def _by_scores(trace: Trace, asked: Requirement) -> Requirement:
    gap = asked.quantity
    if not isinstance(gap, Gap) or gap.cell.step != gap.other.step:
        return asked
    if gap.cell.index[:-1] != gap.other.index[:-1]:
        return asked
    normalize = trace.pipeline.rule_of(gap.cell.step)
    if normalize is None or normalize.normalizer.name not in LOGISTIC:
        return asked
    if normalize.pins is not None:  # pinned weights do not follow from scores
        return asked
    source = normalize.inputs[0]
    scores = Gap(Cell(source, gap.cell.index), Cell(source, gap.other.index))
    known = np.isfinite(scores.value(trace))
    return replace(asked, quantity=scores) if known else asked


def by_ratios(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements on several weights of a row as gaps between its scores.

    The logarithm of the ratio of two weights of softmax is the gap between their scores
    over the temperature, so that it is less curved than the weights, and no gap follows
    from the others. The temperature must be fixed.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    if trace.spec.softcap is not None:  # scores that it saturates have no slopes
        return tuple(required)
    rows: dict[tuple[str, Index], list[Requirement]] = defaultdict(list)
    others = []
    for asked in required:
        weight = asked.quantity
        middle = asked.relation == "=" and LEAST <= asked.wanted <= 1 - LEAST
        if isinstance(weight, CellValue) and middle:
            rows[weight.cell.step, weight.cell.index[:-1]].append(asked)
        else:
            others.append(asked)
    for (step, index), asked_of_row in rows.items():
        normalize = trace.pipeline.rule_of(step)
        # Pinned weights do not follow from scores.
        if normalize is None or normalize.pins is not None:
            others += asked_of_row
        else:
            others += _ratios(trace, normalize, index, asked_of_row)
    return tuple(others)


def _ratios(
    trace: Trace, normalize: Normalize, index: Index, asked: Sequence[Requirement]
) -> Sequence[Requirement]:
    """Return the requirements on some weights of a row as ones on its scores."""
    normalizer, source = normalize.normalizer, normalize.inputs[0]
    if normalizer.name not in ("softmax", "softmax1", "sink_softmax"):
        return asked
    shares = {_key(each): each for each in asked}
    seen = np.flatnonzero(~np.isneginf(trace.row(source, index))).tolist()
    if not 1 < len(shares) == len(asked) or not shares.keys() <= set(seen):
        return asked
    first = max(asked, key=lambda each: each.wanted)
    wanted = {key: each.wanted for key, each in shares.items()}
    left = [key for key in seen if key not in wanted]
    rest = 1 - math.fsum(wanted.values())
    whole = normalizer.name == "softmax" and (
        not left or (len(left) == 1 and rest >= LEAST)
    )
    if whole and left:
        wanted[left[0]] = rest
    found = [] if whole else [first]
    own = Cell(source, (*index, _key(first)))
    for key, weight in wanted.items():
        if key != _key(first):
            gap = Gap(Cell(source, (*index, key)), own)
            ratio = normalizer.temperature * math.log(weight / first.wanted)
            target = shares.get(key, first).target
            found.append(Requirement(target, gap, "=", ratio))
    return found


def _key(asked: Requirement) -> int:
    weight = asked.quantity
    assert isinstance(weight, CellValue)
    return weight.cell.index[-1]
