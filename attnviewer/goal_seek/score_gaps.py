"""Comparisons of two weights of one row, as comparisons of their scores."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Cell, Trace
from attnviewer.goal_seek.quantities import Gap
from attnviewer.goal_seek.requirements import LOGISTIC, Requirement


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
    (source,) = normalize.inputs
    scores = Gap(Cell(source, gap.cell.index), Cell(source, gap.other.index))
    known = np.isfinite(scores.value(trace))
    return replace(asked, quantity=scores) if known else asked
