"""Reasons why the targets of one row of weights cannot be met together."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.quantities import RowValue
from attnviewer.goal_seek.ranges import LESS_THAN_ONE, Ranges
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.row_bounds import Row, RowBounds, in_bits, row_of
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
    """Yield why the targets of a row of normalised scores contradict each other.

    Parameters
    ----------
    ranges : Ranges
        The ranges of the document's numbers.
    targets : sequence of Target or RowTarget
        The targets.
    required : sequence of Requirement
        What they require.
    """
    rows: dict[Row, list[Requirement]] = defaultdict(list)
    for asked in required:
        row = row_of(asked)
        if row is not None:
            rows[row].append(asked)
    for row, asked_of_row in rows.items():
        step, index = row
        if ranges.normalizer_of(step) is None or ranges.is_pinned(step, index):
            continue
        seen = [r for r in asked_of_row if ranges.sees_all(r.quantity)]
        if len(seen) > 1:
            yield from _of_row(ranges, targets, row, seen)


def _of_row(
    ranges: Ranges,
    targets: Sequence[AnyTarget],
    row: Row,
    asked: list[Requirement],
) -> Iterator[str]:
    bounds = ranges.of_row(*row)
    bounds.keep_to(asked)
    slack = SLACK * bounds.lows.size
    yield from _crossed(row, bounds, targets, asked)
    least, most = float(bounds.lows.sum()), float(bounds.highs.sum())
    if least > bounds.most_sum + slack:
        yield _sum_sentence(ranges, row, bounds, "at least", least)
    elif most < bounds.least_sum - slack:
        yield _sum_sentence(ranges, row, bounds, "at most", most)
    elif (bounds.lows >= 0).all() and np.isfinite(bounds.highs).all():
        yield from _statistics(targets, row, bounds, asked)


def _crossed(
    row: Row,
    bounds: RowBounds,
    targets: Sequence[AnyTarget],
    asked: Sequence[Requirement],
) -> Iterator[str]:
    """Yield that comparisons leave no value to a weight, if so."""
    if (bounds.lows > bounds.highs + SLACK * bounds.lows.size).any():
        yield (
            f"The targets of {_text(row)} contradict each other: "
            f"{_listed(targets, asked)}. Take one of them away."
        )


def _statistics(
    targets: Sequence[AnyTarget],
    row: Row,
    bounds: RowBounds,
    asked: Sequence[Requirement],
) -> Iterator[str]:
    """Yield which entropy the other targets of the row rule out."""
    low, high = bounds.entropy()
    unsure = UNSURE * bounds.lows.size
    for required in map(in_bits, asked):
        quantity = required.quantity
        if not isinstance(quantity, RowValue) or quantity.statistic != "entropy":
            continue
        too_high = required.relation != "<=" and required.wanted > high + unsure
        too_low = required.relation != ">=" and required.wanted < low - unsure
        if too_high or too_low:
            target = targets[required.target]
            others = [r for r in asked if r.target != required.target]
            leave = "leaves" if len(others) == 1 else "leave"
            yield (
                f"{target} conflicts with {_listed(targets, others)}, which "
                f"{leave} {_bound(target, high if too_high else low, too_high)} in "
                f"{_text(row)}. Take one of them away."
            )


def _text(row: Row) -> str:
    step, (*lead, place) = row
    return row_text(step, place, lead[0] if lead else None)


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
    ranges: Ranges, row: Row, bounds: RowBounds, bound: str, total: float
) -> str:
    normalizer, usual = ranges.normalizer_of(row[0]), ranges.of_row(*row)
    assert normalizer is not None
    asks = "less" if bound == "at least" else "more"
    if (bounds.least_sum, bounds.most_sum) != (usual.least_sum, usual.most_sum):
        limit = bounds.most_sum if bound == "at least" else bounds.least_sum
        must = f"its sum must be {'at most' if bound == 'at least' else 'at least'}"
        must = f"{must} {limit:.6g}"
    else:
        one = "less than 1" if normalizer.name in LESS_THAN_ONE else "1"
        must = f"the sum of a row of {normalizer.title} is {one}"
    return (
        f"The targets ask the weights of {_text(row)} to add up to {bound} "
        f"{total:.6g}, and {must}. Ask for {asks} in that row."
    )
