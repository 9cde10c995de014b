"""Why targets cannot be met, as far as that is known before a search."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Cell, Index, Trace
from attnviewer.compute.normalizers import Normalizer
from attnviewer.document import Document
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import CellValue, Quantity, RowValue
from attnviewer.goal_seek.ranges import Ranges
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.targets import AnyTarget, cell_text

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
                _sums(ranges, required),
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
            yield f"{targets[asked.target]} cannot be: {found.why} {found.help}"


def _contradictions(
    targets: Sequence[AnyTarget], required: Sequence[Requirement]
) -> Iterator[str]:
    """Yield which two targets of one number contradict each other."""
    by_quantity: dict[Quantity, list[Requirement]] = defaultdict(list)
    for asked in map(_in_bits, required):
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


def _in_bits(asked: Requirement) -> Requirement:
    """Return a requirement on effective keys, 2 to the entropy, as one on that."""
    row = asked.quantity
    if not isinstance(row, RowValue) or row.statistic != "effective_keys":
        return asked
    bits = math.log2(asked.wanted) if asked.wanted > 0 else -math.inf
    entropy = replace(row, statistic="entropy")
    return replace(asked, quantity=entropy, wanted=bits)


def _sums(ranges: Ranges, required: Sequence[Requirement]) -> Iterator[str]:
    """Yield which required weights of one row have an impossible sum."""
    rows: dict[tuple[str, Index], list[Requirement]] = defaultdict(list)
    for asked in required:
        quantity = asked.quantity
        if isinstance(quantity, CellValue):
            step, (*row, _) = quantity.cell.step, quantity.cell.index
            pinned = ranges.is_pinned(step, tuple(row))
            if ranges.is_visible(quantity.cell) and not pinned:
                rows[step, tuple(row)].append(asked)
    for (step, index), asked_of_row in rows.items():
        normalizer = ranges.normalizer_of(step)
        if normalizer is None:
            continue
        if not (normalizer.convex or normalizer.name in ("softmax1", "sum")):
            continue
        lows = _strictest(asked_of_row, "<=", max)
        if not normalizer.signed:
            lows = {weight: max(low, 0.0) for weight, low in lows.items()}
        highs = _strictest(asked_of_row, ">=", min)
        count = ranges.visible(step, index)
        slack, row_text = SLACK * max(count, 1), cell_text(Cell(step, index))
        # Signed weights can compensate for each other unless all are required.
        decided = not normalizer.signed or len(lows) == count
        if decided and sum(lows.values()) > 1 + slack:
            yield _sum_sentence(normalizer, row_text, "at least", sum(lows.values()))
        decided = normalizer.name != "softmax1" and len(highs) == count
        if decided and sum(highs.values()) < 1 - slack:
            yield _sum_sentence(normalizer, row_text, "at most", sum(highs.values()))


def _strictest(
    asked: Sequence[Requirement], other: str, of: Callable[[float, float], float]
) -> dict[Quantity, float]:
    """Return the strictest bound of each weight, of the relations but `other`."""
    found: dict[Quantity, float] = {}
    for required in asked:
        if required.relation != other:
            wanted = required.wanted
            found[required.quantity] = of(found.get(required.quantity, wanted), wanted)
    return found


def _sum_sentence(normalizer: Normalizer, row: str, bound: str, total: float) -> str:
    must = "less than 1" if normalizer.name == "softmax1" else "1"
    return (
        f"The targets ask the weights of {row} to add up to {bound} {total:.6g}, and "
        f"the sum of a row of {normalizer.title} is {must}. Ask for "
        f"{'less' if bound == 'at least' else 'more'} in that row."
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
