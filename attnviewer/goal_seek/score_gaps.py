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
