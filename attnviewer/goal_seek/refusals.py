"""Reasons why targets cannot be met that are known before a search."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import CellValue, Quantity
from attnviewer.goal_seek.ranges import Ranges
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.row_bounds import in_bits
from attnviewer.goal_seek.row_refusals import row_contradictions
from attnviewer.goal_seek.targets import AnyTarget

SLACK = 2 * TOLERANCE
"""How far apart two targets may be and still both be met."""


def refusal(
    document: Document,
    trace: Trace,
    targets: Sequence[AnyTarget],
    required: Sequence[Requirement],
) -> str:
    """Return why targets cannot be met, whatever is free; "" if no reason is known.

    Parameters
    ----------
    document : Document
        The document.
    trace : Trace
        What it computes now.
    targets : sequence of Target or RowTarget
        The targets.
    required : sequence of Requirement
        What they require.
    """
    ranges = Ranges(document, trace)
    return next(
        (
            reason
            for reasons in (
                _mistakes(document),
                _out_of_range(ranges, targets, required),
                _contradictions(targets, required),
                row_contradictions(ranges, targets, required),
                _undefined(trace, targets, required),
            )
            for reason in reasons
        ),
        "",
    )


def _mistakes(document: Document) -> Iterator[str]:
    for slip in document.spec.mistakes:
        yield (
            f"The document computes with a mistake: {slip.title}. No change can be "
            "followed through it. Remove the mistake first."
        )


def _out_of_range(
    ranges: Ranges, targets: Sequence[AnyTarget], required: Sequence[Requirement]
) -> Iterator[str]:
    for asked in required:
        found = ranges.of(asked.quantity)
        off = abs(np.array(found.steps) - asked.wanted)
        between = asked.relation == "=" and bool((off > TOLERANCE).all()) and off.size
        too_high = asked.relation != "<=" and asked.wanted > found.high + TOLERANCE
        too_low = asked.relation != ">=" and asked.wanted < found.low - TOLERANCE
        if too_high or too_low or between:
            yield f"{targets[asked.target]} is impossible: {found.why} {found.help}"


def _contradictions(
    targets: Sequence[AnyTarget], required: Sequence[Requirement]
) -> Iterator[str]:
    """Yield which two targets of one number contradict each other."""
    by_quantity: dict[Quantity, list[Requirement]] = defaultdict(list)
    for asked in map(in_bits, required):
        by_quantity[asked.quantity].append(asked)
    for same in by_quantity.values():
        lows = [r for r in same if r.relation != "<="]
        highs = [r for r in same if r.relation != ">="]
        if not lows or not highs:
            continue
        low = max(lows, key=lambda r: r.wanted)
        high = min(highs, key=lambda r: r.wanted)
        if low.wanted > high.wanted + SLACK:
            yield (
                f"{targets[low.target]} and {targets[high.target]} contradict each "
                "other. Take one of the two away."
            )


def _undefined(
    trace: Trace, targets: Sequence[AnyTarget], required: Sequence[Requirement]
) -> Iterator[str]:
    for asked in required:
        value = asked.quantity.value(trace)
        hidden = np.isneginf(value) and isinstance(asked.quantity, CellValue)
        if not np.isfinite(value) and not hidden:
            yield (
                f"{targets[asked.target].place} is {value:g} now, from where no change "
                "can be followed. Make it a finite number first."
            )
