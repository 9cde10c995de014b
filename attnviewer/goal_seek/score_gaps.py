"""Weights of one row that are compared with each other, compared by their scores."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Cell, Trace
from attnviewer.goal_seek.quantities import Gap
from attnviewer.goal_seek.requirements import LOGISTIC, Requirement


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
