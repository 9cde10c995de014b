"""The steps of a computation, read whole or in part."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

import numpy as np

from attnviewer.compute.arguments import (
    check_name,
    rows_or_columns,
    whole_number,
)
from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part, Shape
from attnviewer.compute.expression import Cell
from attnviewer.compute.head_groups import served_heads, serving_head
from attnviewer.compute.passes import Weights
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages import Stage

REMEMBERED = 2**22
"""Numbers of a step that is kept once it was looked at; windows of a larger one are
computed anew each time."""


KEPT_WHOLE = 2**18
"""Numbers of a step that is kept as well once it was looked at as a whole, as several
views do one after another."""


class StepReader(Mapping[str, Array]):
    """The steps of a computation by name, read whole, by window, row or cell.

    The steps from the scores to the weights are not stored but computed for the
    part that is looked at.

    Parameters
    ----------
    stages : sequence of Stage
        The stages in order.
    values : mapping of str to ndarray
        The steps that are stored.
    weights : Weights
        The attention weights, and the scores below them.
    remembered : int
        Up to how many numbers a step is kept that was computed to be looked at.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        values: Mapping[str, Array],
        weights: Weights,
        remembered: int = REMEMBERED,
    ) -> None:
        self.stages = stages_by_name(stages)
        self._values = {name: read_only(array) for name, array in values.items()}
        self._weights = weights
        self._remembered = remembered

    def __getitem__(self, step: str) -> Array:
        if step in self._values:
            return self._values[step]
        self._check_step(step)
        whole = self._compute(step, Part())
        if whole.size <= max(self._remembered, KEPT_WHOLE):
            self._values[step] = whole
        return whole

    def __iter__(self) -> Iterator[str]:
        return iter(self.stages)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.stages)

    # Arrays have no single truth: a trace equals itself alone.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        steps = ", ".join(f"{step} {self.shape(step)}" for step in self)
        return f"<{type(self).__name__}: {steps}>"

    def __len__(self) -> int:
        return len(self.stages)

    def __contains__(self, step: object) -> bool:
        return step in self.stages

    def shape(self, step: str) -> Shape:
        """Return the shape of a step, with its axes of batch and heads."""
        if step in self._values:
            return self._values[step].shape
        self._check_step(step)
        return self._weights.scores.shape

    def matrix_shape(self, step: str) -> tuple[int, int]:
        """Return the rows and columns of each matrix of a step; a vector is a row."""
        rows, columns = (1, 1, *self.shape(step))[-2:]
        return rows, columns

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages by what they do."""
        return Pipeline(self.stages.values())

    def _check_step(self, step: str) -> None:
        try:
            check_name("step", step, self.stages)
        except ValueError as error:
            raise KeyError(str(error)) from None

    def n_heads(self, step: str) -> int:
        """Return how many heads a step has; 1 for a step without a head axis."""
        shape = self.shape(step)
        return shape[-3] if self.stages[step].per_head and len(shape) > 2 else 1

    def head_of(self, step: str, head: int) -> int:
        """Return which of a step's heads serves a head of the queries.

        0 for a step without a head axis.
        """
        return serving_head(head, self.n_heads("weights"), self.n_heads(step))

    def served_by(self, step: str, own: int) -> range:
        """Return the heads of the queries that one of a step's own heads serves."""
        return served_heads(own, self.n_heads("weights"), self.n_heads(step))

    def place(self, step: str, head: int = 0) -> Index:
        """Return which of a step's matrices a head of the queries is served by.

        The index before that of the row; ``()`` where the step is one matrix.

        Raises
        ------
        KeyError, IndexError
            If there is no such step or head.
        """
        return self._lead(step, head, 0)

    def window(
        self,
        step: str,
        rows: slice = ALL,
        columns: slice = ALL,
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> Array:
        """Return a window of a step, shape (rows, columns).

        Parameters
        ----------
        step : str
            The step. One that is a single row, as a bias is, counts as a matrix.
        rows, columns : slice
            The window; everything by default.
        head : int
            Which head of the queries, counted from zero; of keys and values it is
            the one that serves it. Steps without heads give the same for all.
        batch : int or tuple of int
            Which batch item, by its index or counted from zero; steps without a
            batch give the same for all.

        Raises
        ------
        KeyError
            If there is no such step.
        IndexError
            If there is no such head or batch item.
        TypeError
            If rows or columns are no slices.
        """
        rows = rows_or_columns("rows", rows)
        columns = rows_or_columns("columns", columns)
        lead = self._lead(step, head, batch)
        if self._at_hand(step) or self._is_whole(step, rows, columns):
            window: Array = np.atleast_2d(self[step])[lead][rows, columns]
            return window
        if {rows.step, columns.step} - {None, 1}:
            return self._compute(step, Part(lead))[rows, columns]
        n_rows, n_columns = self.shape(step)[-2:]
        rows, columns = (
            slice(*part.indices(n))
            for part, n in ((rows, n_rows), (columns, n_columns))
        )
        return self._compute(step, Part(lead, rows, columns))

    def _at_hand(self, step: str) -> bool:
        """Return whether a step is stored, or small enough to be once looked at."""
        return step in self._values or math.prod(self.shape(step)) <= self._remembered

    def _is_whole(self, step: str, rows: slice, columns: slice) -> bool:
        """Return whether a window is all of a matrix of a step that is kept then."""
        shape = self.shape(step)
        parts = zip((rows, columns), shape[-2:], strict=True)
        whole = all(part.indices(size) == (0, size, 1) for part, size in parts)
        return whole and math.prod(shape) <= KEPT_WHOLE

    def _compute(self, step: str, part: Part) -> Array:
        with np.errstate(all="ignore"):
            if step == "weights":
                return read_only(self._weights.window(part))
            return read_only(self._weights.scores.window(step, part))

    def _lead(self, step: str, head: int, batch: int | Index) -> Index:
        """Return which matrix of a step serves a head of the queries and an item."""
        self._check_step(step)
        *axes, n_heads = self._weights.scores.shape[:-2] or (1,)
        item = batch
        if not isinstance(item, tuple):
            self._check_place("batch", item, math.prod(axes))
            item = tuple(map(int, np.unravel_index(item, axes))) if axes else ()
        if len(item) != len(axes) or any(
            not 0 <= k < n for k, n in zip(item, axes, strict=True)
        ):
            raise IndexError(
                f"The 'batch' must lie inside {tuple(axes)}. Got {batch} instead."
            )
        self._check_place("head", head, n_heads)
        if self.stages[step].per_head:
            item, axes = (*item, head), [*axes, n_heads]
        # An axis of fewer, as keys that heads share have, serves several places, and
        # a missing one all.
        own = self.shape(step)[:-2]
        beside = len(axes) - len(own)
        return tuple(
            k * size // n
            for k, size, n in zip(item[beside:], own, axes[beside:], strict=True)
        )

    @staticmethod
    def _check_place(name: str, place: int, count: int) -> None:
        whole_number(name, place)
        if not 0 <= place < count:
            raise IndexError(
                f"The '{name}' must be from 0 to {count - 1}. Got {place} instead."
            )

    def value(self, cell: Cell) -> float:
        """Return the number in a cell."""
        if self._at_hand(cell.step):
            return float(self[cell.step][cell.index])
        *row, column = cell.index
        return float(self.row(cell.step, tuple(row))[column])

    def row(self, step: str, index: Index) -> Array:
        """Return the row of a step at ``(…, row)``, shape (columns,)."""
        if self._at_hand(step):
            kept: Array = self[step][index]
            return kept
        *lead, row = index
        part = Part(tuple(lead), slice(row, row + 1))
        computed: Array = self._compute(step, part)[0]
        return computed

    def rows(self, step: str, rows: slice) -> Array:
        """Return some rows of all matrices of a step, shape (…, rows, columns)."""
        if self._at_hand(step):
            kept: Array = self[step][..., rows, :]
            return kept
        return self._compute(step, Part((), rows))

    def column(self, step: str, index: Index) -> Array:
        """Return the column of a step at ``(…, column)``, shape (rows,)."""
        *lead, column = index
        if self._at_hand(step):
            kept: Array = self[step][tuple(lead)][:, column]
            return kept
        part = Part(tuple(lead), columns=slice(column, column + 1))
        return self._compute(step, part)[:, 0]

    def hidden(
        self,
        step: str,
        rows: slice = ALL,
        columns: slice = ALL,
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> BoolArray | None:
        """Return which cells of a window of a step a mask hides, (rows, columns).

        None where nothing is hidden: before the mask, after the weights, and in
        variants without one. The parameters are those of `window`, without steps
        in its slices.
        """
        if step not in ("masked", "weights"):
            return None
        lead, (n_rows, n_columns) = (
            self._lead("weights", head, batch),
            self.shape("weights")[-2:],
        )
        rows, columns = (
            slice(*part.indices(n))
            for part, n in ((rows, n_rows), (columns, n_columns))
        )
        return self._weights.scores.hidden(Part(lead, rows, columns))


def stages_by_name(stages: Sequence[Stage]) -> Mapping[str, Stage]:
    """Return stages by the names of their steps, in order."""
    return MappingProxyType({stage.name: stage for stage in stages})


def read_only(array: Array) -> Array:
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
