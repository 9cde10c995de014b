"""Requirements on weights of hard max, as requirements on scores."""

from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Cell, Index, Trace
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import CellValue, Gap
from attnviewer.goal_seek.requirements import Requirement

MARGIN = 1e-9
"""By how much the winning score must be larger, relative to the row's largest score,
so that rounding and ties do not decide."""


def decided(trace: Trace, required: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Return requirements, those on weights of hard max replaced by ones on scores.

    A key has the weight if its score is the largest of its row. A key must not have it:
    then the largest of the other scores is required to exceed its own.

    Parameters
    ----------
    trace : Trace
        The computation now.
    required : sequence of Requirement
        What is required.
    """
    found: list[Requirement] = []
    for asked in required:
        quantity = asked.quantity
        if not isinstance(quantity, CellValue):
            found.append(asked)
            continue
        normalize = trace.pipeline.rule_of(quantity.cell.step)
        if normalize is None or normalize.normalizer.name != "hardmax":
            found.append(asked)
        else:
            (source,) = normalize.inputs
            found += _on_scores(trace, source, asked, quantity.cell.index)
    return tuple(found)


def _on_scores(
    trace: Trace, source: str, asked: Requirement, weight: Index
) -> Iterator[Requirement]:
    *lead, own = weight
    scores = trace.row(source, tuple(lead))  # (n_k,)
    others = np.flatnonzero(np.isfinite(scores))
    others = others[others != own]
    margin = MARGIN * max(1.0, float(np.abs(scores[np.isfinite(scores)]).max()))

    def larger(key: int, other: int) -> Requirement:
        cells = (Cell(source, (*lead, k)) for k in (key, other))
        return Requirement(asked.target, Gap(*cells), ">=", margin)

    wins = asked.relation != "<=" and asked.wanted > TOLERANCE
    loses = asked.relation != ">=" and asked.wanted < 1 - TOLERANCE
    if wins:
        for other in others.tolist():
            yield larger(own, other)
    elif loses:
        yield larger(int(others[np.argmax(scores[others])]), own)
    else:
        yield asked
