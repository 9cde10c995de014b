"""The subject of a picture: a step of a trace, around one of its cells."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from attnviewer.compute import Array, BoolArray, Stage, Trace
from attnviewer.compute.stages import Comparison, Normalize
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.step_scale import step_scale
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.views.step.how.measures import Measures

ARRIVED = 0.9
"""Share of a cell's duration after which its number is shown."""

MOST_DRAWN = 2**20
"""The most cells of a matrix that are drawn: more do not fit a screen."""

Indices = Sequence[int]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the animation of an operation.

    Parameters
    ----------
    done : int
        Cells that are filled.
    share : float
        How far the next one is, from 0 to 1.
    down : bool
        Whether cells are filled column after column.
    """

    done: int
    share: float = 1.0
    down: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """A matrix of an operation, or some of its rows and columns.

    Parameters
    ----------
    step : str
        The step.
    head : int
        The step's own head.
    rows, columns : tuple of int
        The rows and columns of the step's matrix.
    values : ndarray, shape (rows, columns)
        Their numbers; NaN where these are withheld.
    hidden, pinned : ndarray of bool, shape (rows, columns), or None
        Masked cells, and pinned ones.
    row_labels, column_labels : tuple of str
        Their labels.
    given : bool
        Whether it is an input.
    """

    step: str
    head: int
    rows: Indices
    columns: Indices
    values: Array
    hidden: BoolArray | None
    pinned: BoolArray | None
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    given: bool


class Subject:
    """The subject of a picture.

    Parameters
    ----------
    shown : DisplayedStep
        The step and its trace.
    cell : tuple of two int, or None
        The selected cell of the step.
    look_of : callable
        Returns the colours of a step.
    measures : Measures
        Sizes.
    progress : Progress or None
        How far the operation has been played; None if it is not.
    """

    def __init__(
        self,
        shown: DisplayedStep,
        cell: Position | None,
        look_of: Callable[[str], Look],
        measures: Measures,
        progress: Progress | None = None,
    ) -> None:
        self.shown = shown
        self.theme = shown.theme
        self.trace: Trace = shown.computed.trace
        self.step = shown.step
        self.stage: Stage = self.trace.stages[shown.step]
        self.head = present_head(self.trace, shown.head)
        self.measures = measures
        self.progress = progress
        self.cell = cell
        self._look_of = look_of

    @cached_property
    def normalize(self) -> Normalize | None:
        """The stage that normalises the step, or the scores computed from it; or None.

        For a step after the weights, there is none.
        """
        return self.trace.pipeline.normalize_of(self.step)

    @cached_property
    def comparison(self) -> Comparison | None:
        """The comparison that the step is computed from; None for none or several."""
        return self.trace.pipeline.comparison_of(self.step)

    @property
    def works_out(self) -> bool:
        """Whether it may be seen how numbers follow from others.

        Not while a mistake is asked for: the right rule gives other numbers.
        """
        return not self.shown.computed.veil.mistakes

    def with_measures(self, measures: Measures) -> "Subject":
        """Return the same subject in other sizes."""
        return Subject(self.shown, self.cell, self._look_of, measures, self.progress)

    def tells(self, *steps: str) -> bool:
        """Return whether the numbers of all these steps may be seen."""
        return not self.shown.computed.withheld.intersection(steps)

    @property
    def focus(self) -> Position:
        """The selected cell; the first one if there is none."""
        if self.cell is None:
            return 0, 0
        rows, columns = self.trace.matrix_shape(self.step)
        return min(self.cell[0], rows - 1), min(self.cell[1], columns - 1)

    @property
    def row_share(self) -> float:
        """The progress of a picture of a whole row, during the row's first cell."""
        if self.progress is None or self.focus[1]:
            return 1.0
        return self.progress.share

    def empty(self, operand: "Operand") -> BoolArray | None:
        """Return which cells have not been played yet, shape (rows, columns).

        None while the operation is not played.
        """
        progress = self.progress
        if progress is None or operand.step != self.step:
            return None
        n_rows, n_columns = self.trace.matrix_shape(self.step)
        rows, columns = np.ix_(operand.rows, operand.columns)
        order = columns * n_rows + rows if progress.down else rows * n_columns + columns
        return np.asarray(order >= progress.done + (progress.share >= ARRIVED))

    def operand(
        self,
        step: str,
        rows: Sequence[int] | None = None,
        columns: Sequence[int] | None = None,
        head: int | None = None,
    ) -> Operand:
        """Return a matrix of a step, or some of its rows and columns.

        More than can be drawn have neither numbers nor labels.

        Parameters
        ----------
        step : str
            The step.
        rows, columns : sequence of int, optional
            Which; all by default.
        head : int, optional
            The query head; the chosen one by default.
        """
        trace = self.trace
        query_head = self.head if head is None else head
        n_rows, n_columns = trace.matrix_shape(step)
        rows = range(n_rows) if rows is None else rows
        columns = range(n_columns) if columns is None else columns
        head_there = own_head(trace, step, query_head)
        given = not trace.stages[step].inputs
        shape = len(rows), len(columns)
        if math.prod(shape) > MOST_DRAWN:
            nothing = np.broadcast_to(np.float32(np.nan), shape)
            return Operand(
                step, head_there, rows, columns, nothing, None, None, (), (), given
            )
        row_names, column_names = self.labels(step)
        return Operand(
            step,
            head_there,
            rows,
            columns,
            *self._numbers(step, query_head, rows, columns),
            tuple(row_names[row] for row in rows),
            tuple(column_names[column] for column in columns),
            given,
        )

    def _numbers(
        self, step: str, head: int, rows: Indices, columns: Indices
    ) -> tuple[Array, BoolArray | None, BoolArray | None]:
        """Return some cells of a step, and which are masked and pinned."""
        down, across = _span(rows), _span(columns)
        every = (len(rows), len(columns)) == (
            down.stop - down.start,
            across.stop - across.start,
        )

        def read(window: Callable[..., Any]) -> Any:
            cells = window(step, down, across, head=head)  # a window around them
            if cells is None or every:
                return cells
            own = np.subtract(rows, down.start), np.subtract(columns, across.start)
            return cells[np.ix_(*own)]

        values = read(self.trace.window)
        if not self.tells(step):
            return values, None, None
        return values, read(self.trace.hidden), read(self.trace.pinned)

    def labels(self, step: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of the rows and columns of a step."""
        axes, labels = self.trace.stages[step].axes, self.shown.computed.labels
        rows, columns = self.trace.matrix_shape(step)
        return lines_along(axes[0], labels, rows), lines_along(axes[1], labels, columns)

    def scale(self, step: str) -> ColorScale:
        """Return the colour scale of a step, the same as in the other views."""
        look, theme = self._look_of(step), self.theme
        return step_scale(self.shown.computed, step, self.head, theme, look)


def _span(indices: Indices) -> slice:
    """Return the rows or columns from the first to the last of some."""
    if isinstance(indices, range):
        return slice(indices.start, indices.stop)
    return slice(min(indices), max(indices) + 1)
