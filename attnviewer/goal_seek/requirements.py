"""Targets resolved against a computation, as equations and inequalities."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from attnviewer.compute import Cell, Trace
from attnviewer.compute.arguments import check_name
from attnviewer.document import MASK
from attnviewer.goal_seek.quantities import CellValue, Gap, Quantity, RowValue
from attnviewer.goal_seek.targets import AnyTarget, RowTarget, Target, cell_text

LOGISTIC = ("softmax", "softmax1", "sink_softmax", "sigmoid")
"""Normalisers for which log(w / (1 − w)) of a weight is about linear in its score."""
SMALLEST = 5e-10
"""The weight that is sought instead of 0, and 1 − it instead of 1, where a normaliser
reaches neither; both lie within the tolerance."""

PEAKED = 0.1
"""The entropy below which a row is nearly one-hot; it then falls exponentially."""
LEAST = 1e-200
"""Smaller numbers count as this one on a curve, so that slopes stay finite."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """An equation or inequality for a number of a computation.

    Parameters
    ----------
    target : int
        The target that it is a part of, counted from zero.
    quantity : Quantity
        The number.
    relation : str
        ``=``, ``<=`` or ``>=``.
    wanted : float
        What it is compared with.
    curve : str
        The scale on which it is about linear in the scores: ``""``, ``logit``, ``log``
        or, of what is above 1, ``log excess``.
    """

    target: int
    quantity: Quantity
    relation: str
    wanted: float
    curve: str = ""

    def residual(self, value: float) -> float:
        """Return by how much a value is too large, or negative too small; else 0."""
        off = value - self.wanted
        if self.relation == "<=":
            return max(off, 0.0) if off == off else off
        if self.relation == ">=":
            return min(off, 0.0) if off == off else off
        return off

    def curved(self, value: float) -> tuple[float, float]:
        """Return how far a value is off on the curve, and the slope of the curve.

        With signs such that an inequality requires at most 0.
        """
        sign = -1.0 if self.relation == ">=" else 1.0
        if self.curve == "logit":
            share = min(max(value, LEAST), 1 - 1e-16)
            wanted = min(max(self.wanted, SMALLEST), 1 - SMALLEST)
            off = _logit(share) - _logit(wanted)
            return sign * off, sign / (share * (1 - share))
        if self.curve in ("log", "log excess"):
            floor = float(self.curve == "log excess")
            positive = max(value - floor, LEAST)
            wanted = max(self.wanted - floor, SMALLEST)
            return sign * math.log(positive / wanted), sign / positive
        return sign * (value - self.wanted), sign


def requirements(trace: Trace, targets: Sequence[AnyTarget]) -> tuple[Requirement, ...]:
    """Return what targets require; one of all heads is a requirement of each.

    Raises
    ------
    TypeError, ValueError
        If a target is none, or its step, row, column or head is not there.
    """
    found: list[Requirement] = []
    for number, target in enumerate(targets):
        if not isinstance(target, Target | RowTarget):
            raise TypeError(
                "The 'targets' parameter must hold Target and RowTarget. "
                f"Got {target!r} instead."
            )
        found += _resolved(trace, number, target)
    return tuple(found)


def _resolved(trace: Trace, number: int, target: AnyTarget) -> Iterable[Requirement]:
    step = target.step
    check_name("step", step, [name for name in trace if name != MASK])
    n_rows, n_columns = trace.matrix_shape(step)
    _check_inside("row", target.row, n_rows, step)
    if isinstance(target, Target):
        _check_inside("column", target.column, n_columns, step)
    for lead in _leads(trace, step, target.head):
        place = (*lead, target.row)[-len(trace.shape(step)) + 1 :]
        if isinstance(target, RowTarget):
            row = RowValue(target.statistic, step, place)
            curve = _row_curve(target)
            yield Requirement(number, row, target.relation, target.value, curve)
            continue
        cell = Cell(step, (*place, target.column))
        if isinstance(target.value, Cell):
            gap = Gap(cell, _checked(trace, target.value))
            yield Requirement(number, gap, target.relation, 0.0)
            continue
        own = CellValue(cell)
        curve = _curve(trace, step, target)
        yield Requirement(number, own, target.relation, target.value, curve)


def _row_curve(target: RowTarget) -> str:
    """Return the scale for a statistic of a row."""
    if target.statistic == "entropy":
        return "log" if 0 <= target.value < PEAKED else ""
    if target.statistic == "effective_keys" and target.value >= 1:
        return "log excess" if target.value < 1 + PEAKED else "log"
    return ""


def _curve(trace: Trace, step: str, target: Target) -> str:
    """Return the scale for a single number; none where it holds of every weight."""
    value = target.value
    assert not isinstance(value, Cell)
    normalize = trace.pipeline.rule_of(step)
    if normalize is None or normalize.normalizer.name not in LOGISTIC:
        return ""
    bounds = {">=": value <= SMALLEST, "<=": value >= 1 - SMALLEST}
    always = bounds.get(target.relation, False)
    return "" if always else "logit"


def _leads(trace: Trace, step: str, head: int | None) -> list[tuple[int, ...]]:
    """Return which matrices of a step are meant."""
    n_heads = trace.n_query_heads
    if head is not None:
        if head >= n_heads:
            raise ValueError(
                f"The 'head' must be from 0 to {n_heads - 1}. Got {head} instead."
            )
        return [trace.matrix_index(step, head)]
    return list(dict.fromkeys(trace.matrix_index(step, k) for k in range(n_heads)))


def _checked(trace: Trace, cell: Cell) -> Cell:
    """Return the cell that a target is compared with."""
    check_name("step", cell.step, [name for name in trace if name != MASK])
    shape = trace.shape(cell.step)
    inside = len(cell.index) == len(shape) and all(
        0 <= k < n for k, n in zip(cell.index, shape, strict=True)
    )
    if not inside:
        raise ValueError(
            f"The 'value' must lie inside '{cell.step}' {shape}. "
            f"Got {cell_text(cell)} instead."
        )
    return cell


def _check_inside(what: str, position: int, count: int, step: str) -> None:
    if position >= count:
        raise ValueError(
            f"The '{what}' of '{step}' must be from 0 to {count - 1}. "
            f"Got {position} instead."
        )


def _logit(share: float) -> float:
    return math.log(share) - math.log1p(-share)
