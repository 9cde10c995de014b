"""The state of the walk, and the timer that plays it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Move, QueryWalk
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.selection import Moves, Position
from attnviewer.ui.state.workbench import Workbench

if TYPE_CHECKING:
    from attnviewer.ui.state.engine import Computed

PACE_MS = 1200
"""The interval between two moves at normal speed."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
NORMAL = SPEEDS.index(1.0)


class WalkPlayer(QObject):
    """Walks through the computation for one query, automatically or move by move.

    The selection follows the walk from its first move on, so that the step view and the
    explanation show what is being computed; closing the walk restores it. After an edit
    the walk stays at the same move.
    """

    moved = Signal()
    """The walk or its current move has changed."""
    playing_changed = Signal(bool)

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._selection = workbench.engine, workbench.selection
        self._clock = QTimer(self, interval=PACE_MS)
        self._clock.timeout.connect(self._advance)
        self._walk: QueryWalk | None = None
        self._computed: Computed | None = None
        self._query = 0
        self._number = 0
        self._shifted = True
        self._selecting = False
        self._came_from: tuple[str, Position | None] | None = None
        workbench.opened.connect(self._on_opened)
        workbench.engine.computed.connect(self._on_numbers)
        workbench.selection.head_changed.connect(self._on_head)
        workbench.selection.cell_changed.connect(self._on_cell)

    @property
    def walk(self) -> QueryWalk | None:
        """The walk; None while it is closed."""
        return self._walk

    @property
    def number(self) -> int:
        """The index of the current move."""
        return self._number

    @property
    def query(self) -> int:
        """The index of the query."""
        return self._query

    @property
    def move(self) -> Move | None:
        """The current move."""
        return None if self._walk is None else self._walk.move(self._number)

    @property
    def playing(self) -> bool:
        """Whether the walk is playing."""
        return self._clock.isActive()

    @property
    def shifted(self) -> bool:
        """Whether softmax subtracts the row's maximum first."""
        return self._shifted

    def open(self) -> None:
        """Begin with the query that is selected."""
        if self._walk is None:
            query = self._selected_query()
            self._query = 0 if query is None else query
            self._came_from = self._selection.step, self._selection.cell
            self._make()
            self.moved.emit()

    def close(self) -> None:
        """Stop, forget the walk, and select what was selected before it."""
        self.pause()
        self._walk = None
        self.moved.emit()
        came_from, self._came_from = self._came_from, None
        if came_from is not None:
            self._selection.choose_cell(*came_from)

    def play(self) -> None:
        """Play the walk; from the start if it is at its end."""
        if self._walk is None:
            return
        if self._number == len(self._walk) - 1:
            self.go(0)
        self._clock.start()
        self.playing_changed.emit(True)

    @Slot()
    def pause(self) -> None:
        """Pause at the current move."""
        if self.playing:
            self._clock.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Toggle between playing and pausing."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def go(self, number: int) -> None:
        """Go to a move, clamped to the ends."""
        if self._walk is not None:
            self._number = max(0, min(number, len(self._walk) - 1))
            self._show()

    def go_to_phase(self, index: int) -> None:
        """Go to the first move of a phase."""
        if self._walk is not None:
            self.go(self._walk.phases[index].start)

    def set_query(self, query: int) -> None:
        """Switch to another query, at the same move."""
        if query != self._query:
            self._query = query
            self._make()
            self._show()

    def set_speed(self, index: int) -> None:
        """Choose one of `SPEEDS`."""
        self._clock.setInterval(round(PACE_MS / SPEEDS[index]))

    def set_shifted(self, shifted: bool) -> None:
        """Choose whether softmax subtracts the row's maximum first."""
        if shifted == self._shifted:
            return
        self._shifted = shifted
        if self._walk is not None:
            self._make()
            self.moved.emit()

    def _make(self) -> None:
        """Rebuild the walk, and stay at the same kind of number."""
        before = None if self._walk is None else self._walk.phase_at(self._number)
        self._computed = self._engine.current
        trace = self._computed.trace
        self._query = min(self._query, trace.shape("scores")[-2] - 1)
        head = present_head(trace, self._selection.head)
        self._walk = QueryWalk(trace, self._query, head=head, shifted=self._shifted)
        self._number = 0 if before is None else self._walk.nearest(*before)

    def _show(self) -> None:
        """Emit the current move, and select its cell."""
        self.moved.emit()
        move = self.move
        if move is not None:
            *_, row, column = move.cell.index
            self._selecting = True
            self._selection.choose_cell(move.cell.step, (row, column))
            self._selecting = False

    def _selected_query(self) -> int | None:
        step, cell = self._selection.step, self._selection.cell
        stages = self._engine.current.trace.stages
        if cell is None or stages[step].axes[0] != "queries":
            return None
        return cell[0]

    @Slot()
    def _advance(self) -> None:
        if self._walk is None or self._number >= len(self._walk) - 1:
            self.pause()
        else:
            self.go(self._number + 1)

    @Slot()
    def _on_numbers(self) -> None:
        if self._walk is not None:
            self._follow_tokens()
            self._make()
            self.moved.emit()

    def _follow_tokens(self) -> None:
        """Keep what was selected before the walk on its tokens."""
        assert self._computed is not None
        before, after = self._computed.labels, self._engine.current.labels
        step, cell = self._came_from or ("", None)
        stage = self._computed.trace.stages.get(step)
        if stage is not None and cell is not None and before != after:
            moves = Moves.between(before, after, stage.axes)
            self._came_from = step, moves.cell(cell)

    @property
    def _is_outdated(self) -> bool:
        """Whether other numbers are here, of which `_on_numbers` is yet to hear.

        Meanwhile the selection follows its tokens; no user changes it.
        """
        return self._computed is not self._engine.current

    @Slot()
    def _on_head(self) -> None:
        if self._walk is not None and not self._is_outdated:
            self._make()
            self.moved.emit()

    @Slot()
    def _on_cell(self) -> None:
        """Switch to the query that the user has selected elsewhere."""
        if self._walk is None or self._selecting or self._is_outdated:
            return
        self._came_from = self._selection.step, self._selection.cell
        query = self._selected_query()
        if query is not None and query != self._query:
            self._query = query
            self._make()
            self.moved.emit()

    @Slot()
    def _on_opened(self) -> None:
        """Wait at the start of another computation."""
        self.pause()
        self._came_from = None
        if self._walk is not None:
            self._number = 0
            self.moved.emit()
