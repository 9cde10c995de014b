"""Stages that pin cells of their step."""

import math
from collections.abc import Sequence
from functools import cache
from typing import TypeVar, cast

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    Part,
    Selection,
    positions,
)
from attnviewer.compute.changes import Dirty
from attnviewer.compute.expression import Cell, Expression, Number, Product, Sum
from attnviewer.compute.formula import Formula
from attnviewer.compute.number_text import short_number
from attnviewer.compute.pins import PinnedCells
from attnviewer.compute.stages.base import Stage, Steps, Stored
from attnviewer.compute.stages.point_wise import PointWise

S = TypeVar("S", bound=Stage)


def pinned(stage: S, pins: PinnedCells) -> S:
    """Return a stage with pins, of a subtype of the stage's own type.

    Parameters
    ----------
    stage : Stage
        The stage.
    pins : PinnedCells
        Its pins, at least one.
    """
    held = cast("S", object.__new__(_pinned_type(type(stage))))
    vars(held).update(vars(stage), pins=pins, _unpinned=stage)
    return held


class _Pinned(Stage):
    """The changes of a stage by pins."""

    pins: PinnedCells
    _unpinned: Stage

    @property
    def unpinned(self) -> Stage:
        return self._unpinned

    def __reduce__(self) -> tuple[object, ...]:
        return pinned, (self._unpinned, self.pins)

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        if self.pins.shares:
            wide = part._replace(columns=ALL)
            rows = self._unpinned.forward(wide, *inputs)  # (..., rows, n_k)
            self.pins.hold(rows, wide)
            return rows[..., part.columns]
        numbers = self._unpinned.forward(part, *inputs, out=out)
        if any(np.may_share_memory(numbers, array) for array in inputs):
            numbers = numbers.copy()
        self.pins.hold(numbers, part)
        return numbers

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        computed = self._unpinned.forward(Part(), *inputs)  # (..., rows, columns)
        if gradient.ndim == output.ndim:
            passed = self.pins.pass_back(gradient, computed)  # (..., rows, columns)
        else:
            passed = np.stack([self.pins.pass_back(g, computed) for g in gradient])
        return self._unpinned.backward(inputs, computed, passed)

    def of_extremes(self, numbers: Array) -> Array | None:
        return None

    def from_row(self, row: int) -> Stage:
        return pinned(self._unpinned.from_row(row), self.pins.from_row(row))

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        cell = Cell(self.name, index)
        value = steps.value(cell)
        computed = self._unpinned.explain(_Computed(steps, self), index, limit)
        written: Expression = Number(computed.value)
        effects, symbols = [], "computed"
        for how, number in self.pins.at(index):
            written_number = short_number(number)
            if how == "set":
                written, effects, symbols = (
                    Number(number),
                    [f"pinned to {written_number}"],
                    "pinned",
                )
            elif how == "add":
                written, symbols = Sum((written, Number(number))), f"{symbols} + pin"
                effects.append(f"a pin adds {written_number}")
            elif written.evaluate() == -math.inf:
                effects.append("a pin that scales leaves it hidden")
            else:
                written, symbols = Product(Number(number), written), f"pin · {symbols}"
                effects.append(f"a pin scales it by {written_number}")
        if not effects:
            if value == computed.value or not computed.value:
                return computed
            written = Product(Number(value / computed.value), written)
            symbols = "computed · (1 − Σ pinned) / Σ others"
            effects.append("shares what the pins of its row leave")
        words = f"{', '.join(effects)} (computed {short_number(computed.value)})."
        note = words[0].upper() + words[1:]
        return Formula(cell, value, symbols, (written,), note, computed=computed)


class _PinnedStored(_Pinned):
    """A stored stage with pins, which act on what an update recomputes."""

    def update(self, inputs: Sequence[Array], output: Array, reached: Dirty) -> None:
        if reached.columns is None or type(self._unpinned).update is Stage.update:
            super().update(inputs, output, reached)  # whole rows, by `forward`
            return
        self._unpinned.update(inputs, output, reached)
        if reached.heads is None or output.ndim < 3:
            self._hold((), output, reached)
        else:
            for head in reached.heads.tolist():
                self._hold((head,), output[..., head, :, :], reached)

    def _hold(self, lead: Index, numbers: Array, reached: Dirty) -> None:
        rows: Selection = ALL if reached.rows is None else reached.rows
        columns: Selection = ALL if reached.columns is None else reached.columns
        part = Part(lead, rows, columns)
        if rows is ALL and columns is ALL:
            self.pins.hold(numbers, part)
            return
        block = Part((), rows, columns).of(numbers).copy()  # (..., rows, columns)
        self.pins.hold(block, part)
        *_, n_rows, n_columns = block.shape
        down, across = positions(rows, n_rows), positions(columns, n_columns)
        numbers[..., down[:, np.newaxis], across] = block


class _PinnedPointWise(_Pinned, PointWise):
    """A stage on single scores with pins, which can show what a mask hides."""

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        self._on_scores.apply(scores, part, *others)
        self.pins.hold(scores, part)

    def hidden(self, scores: Array, part: Part, *others: Array) -> BoolArray | None:
        hidden = self._on_scores.hidden(scores, part, *others)
        if hidden is None:
            return None
        return self.pins.show(np.broadcast_to(hidden, scores.shape), part)

    def seen(self, lead: Index, first: int, last: int, n_keys: int) -> slice:
        seen = self._on_scores.seen(lead, first, last, n_keys)
        pins = self.pins.columns(lead, slice(first, last + 1), n_keys)
        return seen if pins is None else slice_over(seen, pins)

    @property
    def _on_scores(self) -> PointWise:
        assert isinstance(self._unpinned, PointWise)
        return self._unpinned


class _Computed:
    """Steps where one has the numbers that were computed, before its pins.

    Parameters
    ----------
    steps : Steps
        All steps.
    stage : _Pinned
        The pinned one.
    """

    def __init__(self, steps: Steps, stage: _Pinned) -> None:
        self._steps, self._stage = steps, stage
        self.shape = steps.shape
        self.row, self.column = steps.row, steps.column

    def value(self, cell: Cell) -> float:
        if cell.step != self._stage.name:
            return self._steps.value(cell)
        return self._steps.computed_value(cell)

    def computed_value(self, cell: Cell) -> float:
        return self._steps.computed_value(cell)

    def intended_value(self, cell: Cell) -> float:
        return self._steps.intended_value(cell)


def slice_over(some: slice, others: slice) -> slice:
    """Return a slice that holds all of two slices."""
    return slice(min(some.start, others.start), max(some.stop, others.stop))


@cache
def _pinned_type(kind: type[Stage]) -> type[Stage]:
    """Return the subtype of a type of stages that has pins."""
    changed = _Pinned
    if issubclass(kind, Stored):
        changed = _PinnedStored
    elif issubclass(kind, PointWise):
        changed = _PinnedPointWise
    return type(f"Pinned{kind.__name__}", (changed, kind), {})
