"""The history of visited cells, with back and forward."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Axis, Cell
from attnviewer.document import Region
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.heads import query_head
from attnviewer.ui.state.selection import Moves, SelectionModel
from attnviewer.ui.state.sensitivity import cell_there

MOST_KEPT = 100
"""The most cells in the history."""


class VisitHistory(QObject):
    """Visited cells, like the page history of a browser.

    A cell is recorded when a link or another step is opened; within one step, only
    links count. Recorded cells stay on their tokens when these move; another document
    has a history of its own.
    """

    input_entered = Signal(object)
    """The `InputSelection` of an input cell that a person went to."""
    changed = Signal()
    """The cells to go back or forward to have changed."""

    def __init__(
        self, engine: Engine, selection: SelectionModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._selection = selection
        self._behind: list[Cell] = []
        self._ahead: list[Cell] = []
        self._going = False
        self._here = self._selected()
        self._labels = engine.current.labels
        engine.computed.connect(self._follow_tokens)
        selection.cell_changed.connect(self._on_cell)
        selection.head_changed.connect(self._on_head)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a cell to go back to."""
        return bool(self._behind)

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a cell to go forward to."""
        return bool(self._ahead)

    def go(self, cell: Cell) -> None:
        """Select a cell and open its step; an input's in its table, too."""
        self._leave(self._behind)
        self._ahead.clear()
        self._show(cell)
        if not self._engine.current.trace.stages[cell.step].inputs:
            row, column = (0, *cell.index)[-2:]
            self.input_entered.emit(
                InputSelection(cell.step, Region(row, column, 1, 1))
            )

    def back(self) -> None:
        """Go back to the previous cell."""
        if self._behind:
            self._leave(self._ahead)
            self._show(self._behind.pop())

    def forward(self) -> None:
        """Go forward again."""
        if self._ahead:
            self._leave(self._behind)
            self._show(self._ahead.pop())

    @Slot()
    def clear(self) -> None:
        """Forget all cells, as those of another document."""
        self._behind.clear()
        self._ahead.clear()
        self._here = self._selected()
        self.changed.emit()

    def _leave(self, pile: list[Cell]) -> None:
        if self._here is not None:
            pile.append(self._here)
            del pile[:-MOST_KEPT]

    def _show(self, cell: Cell) -> None:
        trace, selection = self._engine.current.trace, self._selection
        # A recorded cell may be gone; the selection stays within what exists.
        *head, row, column = cell.index
        self._going = True
        if head and cell.step in trace:
            own = min(head[0], trace.n_heads(cell.step) - 1)
            served = query_head(trace, cell.step, own, selection.head)
            selection.choose_head(served)
        selection.choose_cell(cell.step, (row, column))
        self._going = False
        self._here = self._selected()
        self.changed.emit()

    def _selected(self) -> Cell | None:
        trace, selection = self._engine.current.trace, self._selection
        return cell_there(trace, selection.step, selection.cell, selection.head)

    @Slot(object)
    def _follow_tokens(self, computed: Computed) -> None:
        before, self._labels = self._labels, computed.labels
        if before != computed.labels:
            moves = cache(partial(Moves.between, before, computed.labels))
            for pile in (self._behind, self._ahead):
                pile[:] = [_moved(cell, computed, moves) for cell in pile]
        self._here = self._selected()

    @Slot(str, object)
    def _on_cell(self, step: str, _cell: object) -> None:
        if self._going:
            return
        if self._here is not None and step != self._here.step:
            self._leave(self._behind)
            self._ahead.clear()
            self.changed.emit()
        self._here = self._selected()

    @Slot()
    def _on_head(self) -> None:
        self._here = self._selected()


def _moved(
    cell: Cell, computed: Computed, moves: Callable[[tuple[Axis, Axis]], Moves]
) -> Cell:
    """Return where a cell is now; the cell itself while its step is not there."""
    if cell.step not in computed.trace:
        return cell
    axes = computed.trace.stages[cell.step].axes
    *head, row, column = cell.index
    return replace(cell, index=(*head, *moves(axes).cell((row, column))))
