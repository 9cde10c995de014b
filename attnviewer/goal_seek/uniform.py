"""Rows of weights that shall be as even as can be."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Cell, Trace
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import Gap, RowValue
from attnviewer.goal_seek.requirements import Requirement


def levelled(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements with the largest entropy asked for as equal weights.

    There the entropy has no slope, and no search could come exactly to where it is
    largest.

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
    (source,) = normalize.inputs
    seen = np.flatnonzero(~np.isneginf(trace.row(source, row.index))).tolist()
    most = {"entropy": math.log2(len(seen) or 1), "effective_keys": float(len(seen))}
    wanted = most.get(row.statistic, math.inf) - TOLERANCE
    if asked.relation == "<=" or asked.wanted < wanted:
        return
    first, *others = (Cell(row.step, (*row.index, key)) for key in seen)
    for other in others:
        yield Requirement(asked.target, Gap(first, other), "=", 0.0)
