"""Numbers of a computation that targets are about, with their derivatives."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, Cell, Index, Shape, Trace, entropy
from attnviewer.goal_seek.targets import Statistic

Slope: TypeAlias = tuple[str, Index, float | Array]
"""A step, the index of a cell or a row of it, and the derivative with respect to it."""


class Quantity(ABC):
    """A number of a computation."""

    @property
    @abstractmethod
    def steps(self) -> frozenset[str]:
        """The steps that it is read from."""

    @abstractmethod
    def value(self, trace: Trace) -> float:
        """Return the number; NaN where it is undefined."""

    @abstractmethod
    def slopes(self, trace: Trace) -> Iterable[Slope]:
        """Return the derivatives with respect to the cells that it is read from."""


@dataclass(frozen=True, slots=True)
class CellValue(Quantity):
    """The number in a cell."""

    cell: Cell

    @property
    def steps(self) -> frozenset[str]:
        return frozenset({self.cell.step})

    def value(self, trace: Trace) -> float:
        return trace.value(self.cell)

    def slopes(self, trace: Trace) -> Iterable[Slope]:
        return ((self.cell.step, self.cell.index, 1.0),)


@dataclass(frozen=True, slots=True)
class Gap(Quantity):
    """By how much one cell is larger than another."""

    cell: Cell
    other: Cell

    @property
    def steps(self) -> frozenset[str]:
        return frozenset({self.cell.step, self.other.step})

    def value(self, trace: Trace) -> float:
        return trace.value(self.cell) - trace.value(self.other)

    def slopes(self, trace: Trace) -> Iterable[Slope]:
        yield self.cell.step, self.cell.index, 1.0
        yield self.other.step, self.other.index, -1.0


@dataclass(frozen=True, slots=True)
class RowValue(Quantity):
    """A statistic of the row of a step at ``(…, row)``."""

    statistic: Statistic
    step: str
    index: Index

    @property
    def steps(self) -> frozenset[str]:
        return frozenset({self.step})

    def value(self, trace: Trace) -> float:
        row = trace.row(self.step, self.index)  # (columns,)
        if self.statistic == "sum":
            return float(row.sum())
        bits = _entropy(row)
        return 2**bits if self.statistic == "effective_keys" else bits

    def slopes(self, trace: Trace) -> Iterable[Slope]:
        row = trace.row(self.step, self.index)  # (columns,)
        if self.statistic == "sum":
            slope = np.ones_like(row)
        else:
            slope = _entropy_slope(row)
            if self.statistic == "effective_keys":
                slope = slope * (np.log(2) * self.value(trace))
        return ((self.step, self.index, slope),)


def _entropy(row: Array) -> float:
    """Return a row's entropy in bits, as `RowStatistics` has it."""
    if not row.any():
        return 0.0
    return float(entropy(row / row.sum())) if (row >= 0).all() else math.nan


def _entropy_slope(row: Array) -> Array:
    """Return the derivative of a row's entropy in bits, shape (columns,).

    H = −Σ p log₂ p with the shares p = w / Σ w, so ∂H/∂wₖ = −(log₂ pₖ + H) / Σ w. Where
    a weight is 0 it would be +∞, and counts as 0: the weight is constant there
    except at kinks of the normaliser.
    """
    total = row.sum()
    positive = row > 0
    if not positive.any():
        return np.zeros_like(row)
    logarithms = np.log2(row / total, out=np.zeros_like(row), where=positive)
    slope: Array = np.where(positive, -(logarithms + _entropy(row)) / total, 0.0)
    return slope


def on_steps(
    slopes: Sequence[Iterable[Slope]], shapes: Mapping[str, Shape]
) -> dict[str, Array]:
    """Return slopes of several numbers, ready for `backward_of_each`.

    Each array is of shape (numbers, *that of its step).
    """
    arrays: dict[str, Array] = {
        step: np.zeros((len(slopes), *shape)) for step, shape in shapes.items()
    }
    for number, own in enumerate(slopes):
        for step, index, slope in own:
            arrays[step][(number, *index)] += slope
    return arrays
