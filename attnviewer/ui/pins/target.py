"""The cells of a step that a pin would be for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import Axis, Pin
from attnviewer.document.labels import Labels, distinct_label, indexed_name
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("PinTarget")


@dataclass(frozen=True, slots=True)
class Target:
    """Some cells of one head of a computed step.

    Parameters
    ----------
    step : str
        The step.
    head : int or None
        The step's own head; None for a step without heads.
    rows, columns : tuple of int
        The rows and columns that cross in the cells.
    shape : tuple of two int
        The shape of the step's matrices.
    """

    step: str
    head: int | None
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    shape: tuple[int, int]

    @property
    def count(self) -> int:
        """The number of cells."""
        return len(self.rows) * len(self.columns)

    @property
    def row(self) -> "Target":
        """The whole rows of the cells."""
        return replace(self, columns=tuple(range(self.shape[1])))

    @property
    def column(self) -> "Target":
        """The whole columns of the cells."""
        return replace(self, rows=tuple(range(self.shape[0])))

    @property
    def whole(self) -> "Target":
        """The whole step of the head."""
        return self.row.column

    def pin(self, value: ArrayLike) -> Pin:
        """Return the pin that sets the cells.

        Parameters
        ----------
        value : float or array_like, shape (rows, columns)
            What they are set to.

        Raises
        ------
        ValueError
            If a number is neither finite nor minus infinity.
        """
        if np.ndim(value):
            return Pin(self.step, self.rows, self.columns, value, head=self.head)
        rows = _all_of(self.rows, self.shape[0])
        columns = _all_of(self.columns, self.shape[1])
        return Pin(self.step, rows, columns, value, head=self.head)

    def pins_on(self, pins: Sequence[Pin]) -> list[int]:
        """Return which pins act on some of the cells."""
        return [
            number
            for number, pin in enumerate(pins)
            if pin.step == self.step
            and (pin.head is None or self.head in (None, pin.head))
            and any(row in pin.rows for row in self.rows)
            and any(column in pin.columns for column in self.columns)
        ]

    def is_pinned_by(self, pin: Pin) -> bool:
        """Return whether a pin of the step acts on exactly these rows and columns."""
        own = target_of(pin, self.shape)
        return (set(own.rows), set(own.columns)) == (set(self.rows), set(self.columns))


def target_of(pin: Pin, shape: tuple[int, int]) -> Target:
    """Return the cells of a pin of a step of some shape."""
    rows, columns = (
        tuple(position for position in positions[:count] if position < count)
        for positions, count in zip((pin.rows, pin.columns), shape, strict=True)
    )
    return Target(pin.step, pin.head, rows, columns, shape)


def selected_target(workbench: Workbench) -> Target | None:
    """Return the marked rows and columns, or else the selected cell.

    None for an input, which is edited in its table, and where nothing is selected.
    """
    selection, trace = workbench.selection, workbench.engine.current.trace
    step, cell, marked = selection.step, selection.cell, selection.marked
    if not trace.stages[step].inputs:
        return None
    n_rows, n_columns = shape = trace.matrix_shape(step)
    if marked:
        rows = tuple(sorted(marked.rows)) or tuple(range(n_rows))
        columns = tuple(sorted(marked.columns)) or tuple(range(n_columns))
    elif cell is not None:
        rows, columns = (cell[0],), (cell[1],)
    else:
        return None
    return Target(step, _own_head(workbench, step), rows, columns, shape)


def cells_target(
    workbench: Workbench, step: str, rows: Sequence[int], columns: Sequence[int]
) -> Target:
    """Return a block of cells of the chosen head."""
    shape = workbench.engine.current.trace.matrix_shape(step)
    head = _own_head(workbench, step)
    return Target(step, head, tuple(rows), tuple(columns), shape)


def whole_step(workbench: Workbench, step: str) -> Target:
    """Return all cells of the chosen head."""
    rows, columns = workbench.engine.current.trace.matrix_shape(step)
    return cells_target(workbench, step, range(rows), range(columns))


def name_of(workbench: Workbench, target: Target) -> str:
    """Return the cells by name, such as ``scores[the, cat]`` or ``scores[the, :]``."""
    computed = workbench.engine.current
    stage, labels = computed.trace.stages[target.step], computed.labels
    name = stage.name if target.head is None else f"{stage.name} H{target.head}"
    row, column = (
        _name_of_lines(axis, labels, positions, count)
        for axis, positions, count in zip(
            stage.axes, (target.rows, target.columns), target.shape, strict=True
        )
    )
    return indexed_name(name, row, column)


def _name_of_lines(
    axis: Axis, labels: Labels, positions: tuple[int, ...], count: int
) -> str:
    """Return rows or columns by name: one, all as a colon, or several."""
    if len(positions) == count > 1:
        return ":"
    first, last = (
        distinct_label(axis, labels, index, token_label)
        for index in (positions[0], positions[-1])
    )
    if len(positions) == 1:
        return first
    if positions == tuple(range(positions[0], positions[-1] + 1)):
        return f"{first} … {last}"
    if len(positions) == 2:
        return _tr("{first} and {last}").format(first=first, last=last)
    return _tr("{first} and {count} more").format(first=first, count=len(positions) - 1)


def _all_of(positions: tuple[int, ...], count: int) -> slice | tuple[int, ...]:
    """Return all positions as a slice, which later tokens join."""
    return slice(None) if positions == tuple(range(count)) and count > 1 else positions


def _own_head(workbench: Workbench, step: str) -> int | None:
    trace = workbench.engine.current.trace
    if trace.n_heads(step) == 1:
        return None
    head = present_head(trace, workbench.selection.head)
    return own_head(trace, step, head)
