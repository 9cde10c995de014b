"""Why the targets of one row of weights cannot be met together."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Index
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import RowValue
from attnviewer.goal_seek.ranges import Ranges
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.row_bounds import RowBounds, in_bits, of_row
from attnviewer.goal_seek.targets import AnyTarget, RowTarget, row_text

SLACK = 2 * TOLERANCE
"""How far a sum may be off for each of its weights and still be met."""
UNSURE = 1e-6
"""The bits that an entropy may be off for each weight that is off by the tolerance."""
LISTED = 3
"""The most targets that are listed."""


def row_contradictions(
    ranges: Ranges, targets: Sequence[AnyTarget], required: Sequence[Requirement]
) -> Iterator[str]:
    """Yield why the targets of a row of weights contradict each other.

    Parameters
    ----------
    ranges : Ranges
        The ranges of the document's numbers.
    targets : sequence of Target or RowTarget
        The targets.
    required : sequence of Requirement
        What they require.
    """
    rows: dict[Index, list[Requirement]] = defaultdict(list)
    for asked in required:
        index = of_row(asked)
        if index is not None and not ranges.is_pinned("weights", index):
            rows[index].append(asked)
    for index, asked_of_row in rows.items():
        seen = [r for r in asked_of_row if ranges.sees_all(r.quantity)]
        if len(seen) > 1:
            yield from _of_row(ranges, targets, index, seen)


def _of_row(
    ranges: Ranges,
    targets: Sequence[AnyTarget],
    index: Index,
    asked: list[Requirement],
) -> Iterator[str]:
    bounds = ranges.of_row(index)
    bounds.keep_to(asked)
    slack = SLACK * bounds.lows.size
    yield from _crossed(index, bounds, targets, asked)
    least, most = float(bounds.lows.sum()), float(bounds.highs.sum())
    if least > bounds.most_sum + slack:
        yield _sum_sentence(ranges, index, bounds, "at least", least)
    elif most < bounds.least_sum - slack:
        yield _sum_sentence(ranges, index, bounds, "at most", most)
    elif (bounds.lows >= 0).all() and np.isfinite(bounds.highs).all():
        yield from _statistics(targets, index, bounds, asked)


def _crossed(
    index: Index,
    bounds: RowBounds,
    targets: Sequence[AnyTarget],
    asked: Sequence[Requirement],
) -> Iterator[str]:
    """Yield what comparisons ask of a weight that is less than what others ask."""
    if (bounds.lows > bounds.highs + SLACK * bounds.lows.size).any():
        row = _row(index)
        yield (
            f"The targets of {row} contradict each other: {_listed(targets, asked)}. "
            "Take one of them away."
        )


def _statistics(
    targets: Sequence[AnyTarget],
    index: Index,
    bounds: RowBounds,
    asked: Sequence[Requirement],
) -> Iterator[str]:
    """Yield which entropy the other targets of the row rule out."""
    low, high = bounds.entropy()
    unsure = UNSURE * bounds.lows.size
    for required in map(in_bits, asked):
        row = required.quantity
        if not isinstance(row, RowValue) or row.statistic != "entropy":
            continue
        too_high = required.relation != "<=" and required.wanted > high + unsure
        too_low = required.relation != ">=" and required.wanted < low - unsure
        if too_high or too_low:
            target = targets[required.target]
            others = [r for r in asked if r.target != required.target]
            leave = "leaves" if len(others) == 1 else "leave"
            yield (
                f"{target} cannot be together with {_listed(targets, others)}, which "
                f"{leave} {_bound(target, high if too_high else low, too_high)} in "
                f"{_row(index)}. Take one of them away."
            )


def _row(index: Index) -> str:
    *lead, row = index
    return row_text("weights", row, lead[0] if lead else None)


def _bound(target: AnyTarget, bits: float, most: bool) -> str:
    end = "at most" if most else "at least"
    assert isinstance(target, RowTarget)
    if target.statistic == "effective_keys":
        return f"{end} {2**bits:.4g} effective keys"
    return f"an entropy of {end} {bits:.4g} bits"


def _listed(targets: Sequence[AnyTarget], asked: Sequence[Requirement]) -> str:
    """Return targets in symbols; of many the first, and how many more there are."""
    own = list(dict.fromkeys(str(targets[required.target]) for required in asked))
    if len(own) > LISTED + 1:
        own = [*own[:LISTED], f"{len(own) - LISTED} more"]
    return f"{', '.join(own[:-1])} and {own[-1]}" if len(own) > 1 else own[0]


def _sum_sentence(
    ranges: Ranges, index: Index, bounds: RowBounds, bound: str, total: float
) -> str:
    row = _row(index)
    title, asks = ranges.normalizer.title, "less" if bound == "at least" else "more"
    usual = ranges.of_row(index)
    if (bounds.least_sum, bounds.most_sum) != (usual.least_sum, usual.most_sum):
        limit = bounds.most_sum if bound == "at least" else bounds.least_sum
        must = f"its sum shall be {'at most' if bound == 'at least' else 'at least'}"
        must = f"{must} {limit:.6g}"
    else:
        one = "less than 1" if ranges.normalizer.name == "softmax1" else "1"
        must = f"the sum of a row of {title} is {one}"
    return (
        f"The targets ask the weights of {row} to add up to {bound} {total:.6g}, and "
        f"{must}. Ask for {asks} in that row."
    )
