"""What the person looks at: one selection that all views watch."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from PySide6.QtCore import QObject, Signal, Slot

Position = tuple[int, int]
"""Row and column of a cell, counted from zero."""

Fit = Callable[[str, Position | None], tuple[str, Position | None]]
"""Returns the step and cell that are there, nearest to those that were asked for."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Whole rows and columns; in the steps of weights, queries and keys."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns)

    def within(self, shape: tuple[int, int]) -> Self:
        """Return those of a matrix of some shape."""
        n_rows, n_columns = shape
        return type(self)(
            frozenset(row for row in self.rows if row < n_rows),
            frozenset(column for column in self.columns if column < n_columns),
        )


@dataclass(frozen=True, slots=True)
class Moves:
    """Where rows and columns of a step went as tokens came, went and moved.

    Parameters
    ----------
    rows, columns : mapping of int to int, or None
        The places afterwards by those before, without what is gone; None where
        nothing moved.
    """

    rows: Mapping[int, int] | None
    columns: Mapping[int, int] | None

    def cell(self, cell: Position) -> Position:
        """Return where a cell is now; one that is gone keeps its place."""
        row, column = cell
        return (
            row if self.rows is None else self.rows.get(row, row),
            column if self.columns is None else self.columns.get(column, column),
        )

    def marked(self, marked: Marked) -> Marked:
        """Return where marked rows and columns are now."""
        return Marked(
            _moved(marked.rows, self.rows), _moved(marked.columns, self.columns)
        )


def _moved(places: frozenset[int], moves: Mapping[int, int] | None) -> frozenset[int]:
    if moves is None:
        return places
    return frozenset(moves[place] for place in places if place in moves)


class SelectionModel(QObject):
    """The chosen step, head and cell, and the cell under the pointer.

    The cell belongs to the chosen step. Views set it and watch it; none of them
    keeps a copy.
    """

    step_changed = Signal(str)
    head_changed = Signal(int)
    cell_changed = Signal(str, object)
    """Step and position; the position is None when no cell is selected."""
    hover_changed = Signal(str, object)
    """Step and position under the pointer; the position is None when it left."""
    marked_changed = Signal()
    """Other rows or columns are marked."""

    def __init__(self, fit: Fit | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fit = fit
        self._step = "weights"
        self._head = 0
        self._cell: Position | None = None
        self._hovered: tuple[str, Position | None] = (self._step, None)
        self._hovered_heads: tuple[int, ...] | None = None
        self._marked = Marked()

    @property
    def step(self) -> str:
        """Name of the chosen step."""
        return self._step

    @property
    def head(self) -> int:
        """The chosen head, counted from zero."""
        return self._head

    @property
    def cell(self) -> Position | None:
        """The selected cell of the chosen step."""
        return self._cell

    @property
    def hovered(self) -> tuple[str, Position | None]:
        """Step and position under the pointer; no position when there is none."""
        return self._hovered

    @property
    def hovered_heads(self) -> tuple[int, ...]:
        """The heads whose cell is under the pointer: several where combined.

        None of them where the cell is of a head that is not in the open document.
        """
        return (self._head,) if self._hovered_heads is None else self._hovered_heads

    @property
    def marked(self) -> Marked:
        """The rows and columns of the chosen step that are marked together."""
        return self._marked

    def mark(self, marked: Marked) -> None:
        """Mark rows and columns of the chosen step, as to add them up."""
        if marked != self._marked:
            self._marked = marked
            self.marked_changed.emit()

    def choose_step(self, step: str) -> None:
        """Open a step; the cell at the same place of it is the selected one then."""
        self._choose(step, self._cell)

    def choose_head(self, head: int) -> None:
        """Show another head of all steps that have heads."""
        if head != self._head:
            self._head = head
            self.head_changed.emit(head)

    def choose_cell(self, step: str, cell: Position | None) -> None:
        """Select a cell, opening its step if another one is open."""
        self._choose(step, cell)

    @Slot(object)
    def choose_here(self, cell: Position | None) -> None:
        """Select a cell of the chosen step."""
        self._choose(self._step, cell)

    def follow(self, moves: Moves) -> None:
        """Keep what is selected and marked on its tokens, which have moved."""
        if self._cell is not None:
            self._choose(self._step, moves.cell(self._cell))
        self.mark(moves.marked(self._marked))

    def refit(self) -> None:
        """Look again whether what is selected is there."""
        self._choose(self._step, self._cell)

    def hover(
        self,
        step: str,
        cell: Position | None,
        heads: tuple[int, ...] | None = None,
    ) -> None:
        """Say which cell is under the pointer, and of which heads if not the chosen."""
        self._hovered = step, cell
        self._hovered_heads = heads
        self.hover_changed.emit(step, cell)

    def _choose(self, step: str, cell: Position | None) -> None:
        if self._fit is not None:
            step, cell = self._fit(step, cell)
        if (step, cell) == (self._step, self._cell):
            return
        other_step = step != self._step
        self._step, self._cell = step, cell
        if other_step:
            self.step_changed.emit(step)
        self.cell_changed.emit(step, cell)
