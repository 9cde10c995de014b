"""The steps of a computation, read whole or in part."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from attnviewer.compute.arguments import (
    batch_index,
    check_key,
    check_position,
    rows_or_columns,
)
from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    Part,
    Selection,
    Shape,
    read_only,
)
from attnviewer.compute.expression import Cell
from attnviewer.compute.head_groups import served_heads, serving_head
from attnviewer.compute.sections import Pipeline, sections
from attnviewer.compute.stages import Stage
from attnviewer.compute.weights import Weights

if TYPE_CHECKING:
    from attnviewer.compute.windowed import Overview
    from attnviewer.compute.windowed.sketched import Sampled

REMEMBERED = 2**22
"""The most numbers of a step that is cached once it is read; windows of a larger one
are recomputed each time."""
KEPT_WHOLE = 2**18
"""The most numbers of a step that is cached if it is read as a whole, as several views
do one after another."""


class StepReader(Mapping[str, Array]):
    """The steps of a computation by name, read whole, by window, row or cell.

    The steps from the scores to the weights are not stored but computed for the
    part that is read.

    Parameters
    ----------
    stages : sequence of Stage
        The stages in order.
    values : mapping of str to ndarray
        The steps that are stored.
    weights : Weights
        The attention weights, and the scores below them.
    remembered : int
        The most numbers of a step that is cached once it is read.
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
        self._last_rows: dict[str, tuple[Index, Array]] = {}

    def replace(self, steps: Mapping[str, Array]) -> None:
        """Read some of the stored steps from other arrays of the same numbers."""
        self._values |= {name: read_only(array) for name, array in steps.items()}

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

    # Arrays have no truth value, so traces compare by identity.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        steps = ", ".join(f"{step} {self.shape(step)}" for step in self)
        return f"<{type(self).__name__}: {steps}>"

    def __len__(self) -> int:
        return len(self.stages)

    def __contains__(self, step: object) -> bool:
        return step in self.stages

    @property
    def dtype(self) -> "np.dtype[np.floating[Any]]":
        """The type that steps are computed in."""
        return self._weights.scores.dtype

    def shape(self, step: str) -> Shape:
        """Return the shape of a step, with its axes of batch and heads."""
        if step in self._values:
            return self._values[step].shape
        self._check_step(step)
        return self._weights.shape(step)

    def matrix_shape(self, step: str) -> tuple[int, int]:
        """Return the rows and columns of each matrix of a step; a vector is a row."""
        rows, columns = (1, 1, *self.shape(step))[-2:]
        return rows, columns

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages by their role."""
        return sections(tuple(self.stages.values()))

    def _check_step(self, step: str) -> None:
        check_key("step", step, self.stages)

    def n_heads(self, step: str) -> int:
        """Return how many heads a step has; 1 for a step without a head axis."""
        shape = self.shape(step)
        return shape[-3] if self.stages[step].per_head and len(shape) > 2 else 1

    @property
    def n_query_heads(self) -> int:
        """The number of heads of the queries, and so of the weights."""
        return self.n_heads(self.pipeline.weights)

    def head_of(self, step: str, head: int) -> int:
        """Return which of a step's heads serves a head of the queries.

        0 for a step without a head axis.
        """
        return serving_head(head, self.n_query_heads, self.n_heads(step))

    def served_by(self, step: str, own: int) -> range:
        """Return the heads of the queries that one of a step's own heads serves."""
        return served_heads(own, self.n_query_heads, self.n_heads(step))

    def matrix_index(self, step: str, head: int = 0) -> Index:
        """Return the index of the matrix of a step that serves a head of the queries.

        The part of an index before the row; ``()`` where the step is one matrix.

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
            The step. A single row, such as a bias, counts as a matrix.
        rows, columns : slice
            The window; everything by default.
        head : int
            The head of the queries, counted from zero; of keys and values, the one
            that serves it. Ignored for steps without heads.
        batch : int or tuple of int
            The batch item, by its index or counted from zero; ignored for steps
            without a batch.

        Raises
        ------
        KeyError
            If there is no such step.
        IndexError
            If there is no such head or batch item.
        TypeError
            If rows or columns are not slices.
        """
        rows = rows_or_columns("rows", rows)
        columns = rows_or_columns("columns", columns)
        lead = self._lead(step, head, batch)
        if self._at_hand(step) or self._is_whole(step, rows, columns):
            window: Array = np.atleast_2d(self[step])[lead][rows, columns]
            return window
        if {rows.step, columns.step} - {None, 1}:
            return self._compute(step, Part(lead))[rows, columns]
        return self._compute(step, Part(lead, *self._bounded(step, rows, columns)))

    def sample(
        self,
        step: str,
        rows: Selection,
        columns: Selection = ALL,
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> tuple[Array, BoolArray | None]:
        """Return ascending rows and columns of a step, and which cells a mask hides.

        As `window` and `hidden` do, for those that do not follow one another.
        """
        part = Part(self._lead(step, head, batch), rows, columns)
        if self._at_hand(step):
            return part.of(np.atleast_2d(self[step])), self._hidden(step, part)
        return self._compute(step, part), self._hidden(step, part)

    def own_overview(
        self, matrix: "Sampled", step: str, most: int, *, head: int, read: bool
    ) -> "Overview | None":
        """Return an overview of a step that is made without its rows, or None.

        The parameters are those of `Weights.own_overview`.
        """
        if step in self._values:
            return None
        lead = self.matrix_index(step, head)
        return self._weights.own_overview(matrix, step, lead, most, read=read)

    def is_stored(self, step: str) -> bool:
        """Return whether reading a step computes nothing."""
        return step in self._values

    def _at_hand(self, step: str) -> bool:
        """Return whether a step is stored, or small enough to be cached."""
        return step in self._values or math.prod(self.shape(step)) <= self._remembered

    def _is_whole(self, step: str, rows: slice, columns: slice) -> bool:
        """Return whether a window is a whole matrix of a step that is then cached."""
        shape = self.shape(step)
        parts = zip((rows, columns), shape[-2:], strict=True)
        whole = all(part.indices(size) == (0, size, 1) for part, size in parts)
        return whole and math.prod(shape) <= KEPT_WHOLE

    def _compute(self, step: str, part: Part) -> Array:
        with np.errstate(all="ignore"):
            return read_only(self._weights.read(step, part))

    def _lead(self, step: str, head: int, batch: int | Index) -> Index:
        """Return which matrix of a step serves a head of the queries and an item."""
        self._check_step(step)
        *axes, n_heads = self._weights.scores.shape[:-2] or (1,)
        item = batch_index(batch, tuple(axes))
        check_position("head", head, n_heads)
        if self.stages[step].per_head:
            item, axes = (*item, head), [*axes, n_heads]
        # A shorter axis, as of shared keys, serves several heads; a missing one, all.
        lead = self.shape(step)[:-2]
        extra = len(axes) - len(lead)
        return tuple(
            serving_head(k, n, size)
            for k, n, size in zip(item[extra:], axes[extra:], lead, strict=True)
        )

    def value(self, cell: Cell) -> float:
        """Return the number in a cell."""
        if self._at_hand(cell.step):
            return float(self[cell.step][cell.index])
        *row, column = cell.index
        return float(self.row(cell.step, tuple(row))[column])

    def computed_value(self, cell: Cell) -> float:
        """Return the number in a cell as it is before its pins."""
        stage = self.stages[cell.step]
        if stage.pins is None:
            return self.value(cell)
        *lead, row, column = cell.index
        part = Part(tuple(lead), slice(row, row + 1), slice(column, column + 1))
        stage, inputs = stage.unpinned, list(stage.inputs)
        weighed = self.pipeline.weighed
        if self.pipeline.mistakes or not weighed.intersection(inputs):
            numbers = stage.forward(part, *(self[name] for name in inputs))
            return float(numbers[0, 0])
        # Of steps that are not stored, one row is enough.
        few = slice(row, row + 1)
        rows = [
            self.rows(name, few)
            if name in weighed or stage.takes_row(number, self.shape(name))
            else self[name]
            for number, name in enumerate(inputs)
        ]
        part = part._replace(rows=ALL)
        return float(stage.from_row(row).forward(part, *rows)[0, 0])

    def intended_value(self, cell: Cell) -> float:
        """Return what the right stage makes of a cell of a step with a mistake."""
        intended = self.stages[cell.step].intended
        assert intended is not None
        *lead, row, column = cell.index
        part = Part(tuple(lead), slice(row, row + 1), slice(column, column + 1))
        inputs = (self[name] for name in intended.inputs)
        return float(intended.forward(part, *inputs)[0, 0])

    def row(self, step: str, index: Index) -> Array:
        """Return the row of a step at ``(…, row)``, shape (columns,)."""
        if self._at_hand(step):
            kept: Array = self[step][index]
            return kept
        # An explanation reads many cells of the same row, one after the other.
        last, row = self._last_rows.get(step, ((), np.empty(0)))
        if last != index:
            *lead, number = index
            part = Part(tuple(lead), slice(number, number + 1))
            row = read_only(self._compute(step, part)[0])  # (columns,)
            self._last_rows[step] = index, row
        return row

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

    def pinned(
        self,
        step: str,
        rows: slice = ALL,
        columns: slice = ALL,
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> BoolArray | None:
        """Return which cells of a window of a step are pinned, (rows, columns).

        None where none of the step is. The parameters are those of `window`; its slices
        must have no steps.
        """
        pins = self.stages[step].pins
        if pins is None:
            return None
        lead = self._lead(step, head, batch)
        rows, columns = self._bounded(step, rows, columns)
        shape = rows.stop - rows.start, columns.stop - columns.start
        return pins.mask(shape, Part(lead, rows, columns))

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
        variants without a mask. The parameters are those of `window`; its slices must
        have no steps.
        """
        part = Part(self._lead(step, head, batch), *self._bounded(step, rows, columns))
        return self._hidden(step, part)

    def _hidden(self, step: str, part: Part) -> BoolArray | None:
        if step not in self.pipeline.masked:
            return None
        scores = self._weights.scores
        hidden = scores.hidden(part)
        if hidden is not None and self.pipeline.mistakes and step not in scores.steps:
            hidden = hidden & (part.of(self[step]) == 0)  # a mistake may give it weight
        pins = None if step in scores.steps else self.stages[step].pins
        return hidden if hidden is None or pins is None else pins.show(hidden, part)

    def _bounded(self, step: str, rows: slice, columns: slice) -> tuple[slice, slice]:
        """Return rows and columns of a step with their ends as numbers."""
        n_rows, n_columns = self.matrix_shape(step)
        return slice(*rows.indices(n_rows)), slice(*columns.indices(n_columns))


def stages_by_name(stages: Sequence[Stage]) -> Mapping[str, Stage]:
    """Return stages by the names of their steps, in order."""
    return MappingProxyType({stage.name: stage for stage in stages})
