"""Requirements of maximum entropy, as equal weights."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Cell, Trace
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import Gap, RowValue
from attnviewer.goal_seek.requirements import Requirement


def levelled(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements, those of maximum entropy replaced by equal weights.

    The slope of the entropy is 0 at its maximum, so that a search would only approach
    it.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    found: list[Requirement] = []
    for asked in required:
        equal = tuple(_equal(trace, asked))
        found += equal or (asked,)
    return tuple(found)


def _equal(trace: Trace, asked: Requirement) -> Iterator[Requirement]:
    row = asked.quantity
    if not isinstance(row, RowValue):
        return
    normalize = trace.pipeline.rule_of(row.step)
    if normalize is None:
        return
    source = normalize.inputs[0]
    seen = np.flatnonzero(~np.isneginf(trace.row(source, row.index))).tolist()
    most = {"entropy": math.log2(len(seen) or 1), "effective_keys": float(len(seen))}
    wanted = most.get(row.statistic, math.inf) - TOLERANCE
    if asked.relation == "<=" or asked.wanted < wanted:
        return
    first, *others = (Cell(row.step, (*row.index, key)) for key in seen)
    for other in others:
        yield Requirement(asked.target, Gap(first, other), "=", 0.0)
