"""Where the walk stands, and the clock that moves it on."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Move, QueryWalk
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.workbench import Workbench

PACE_MS = 1200
"""Between two moves at normal speed."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
NORMAL = SPEEDS.index(1.0)


class WalkPlayer(QObject):
    """Walks through the computation for one query, by itself or move by move.

    The selection follows the walk from its first move on, so that the step view and
    the explanation show what is being computed; it goes back to where it was when the
    walk is closed. After an edit the walk stays at the same move.
    """

    moved = Signal()
    """The walk, or the move that it is at, is another one."""
    playing_changed = Signal(bool)

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._selection = workbench.engine, workbench.selection
        self._clock = QTimer(self, interval=PACE_MS)
        self._clock.timeout.connect(self._advance)
        self._walk: QueryWalk | None = None
        self._query = 0
        self._number = 0
        self._shifted = True
        self._selecting = False
        self._came_from: tuple[str, tuple[int, int] | None] | None = None
        workbench.opened.connect(self._on_opened)
        workbench.engine.computed.connect(self._on_numbers)
        workbench.selection.head_changed.connect(self._on_numbers)
        workbench.selection.cell_changed.connect(self._on_cell)

    @property
    def walk(self) -> QueryWalk | None:
        """The walk; None while it is closed."""
        return self._walk

    @property
    def number(self) -> int:
        """The move that the walk is at, counted from zero."""
        return self._number

    @property
    def query(self) -> int:
        """The query, counted from zero."""
        return self._query

    @property
    def move(self) -> Move | None:
        """The move that the walk is at."""
        return None if self._walk is None else self._walk.move(self._number)

    @property
    def playing(self) -> bool:
        """Whether the walk moves on by itself."""
        return self._clock.isActive()

    @property
    def shifted(self) -> bool:
        """Whether softmax takes the row's maximum off first."""
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
        """Move on by itself; from the start if the walk was at its end."""
        if self._walk is None:
            return
        if self._number == len(self._walk) - 1:
            self.go(0)
        self._clock.start()
        self.playing_changed.emit(True)

    @Slot()
    def pause(self) -> None:
        """Stay at this move."""
        if self.playing:
            self._clock.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Pause if it moves on by itself, else play."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def go(self, number: int) -> None:
        """Go to a move; the ends stop it."""
        if self._walk is not None:
            self._number = max(0, min(number, len(self._walk) - 1))
            self._show()

    def go_to_phase(self, place: int) -> None:
        """Go to the first move of a phase."""
        if self._walk is not None:
            self.go(self._walk.phases[place].start)

    def set_query(self, query: int) -> None:
        """Walk for another query, from the same move on."""
        if query != self._query:
            self._query = query
            self._make()
            self._show()

    def set_speed(self, place: int) -> None:
        """Choose one of `SPEEDS`."""
        self._clock.setInterval(round(PACE_MS / SPEEDS[place]))

    def set_shifted(self, shifted: bool) -> None:
        """Let softmax take the row's maximum off first, or not."""
        if shifted == self._shifted:
            return
        self._shifted = shifted
        if self._walk is not None:
            self._make()
            self.moved.emit()

    def _make(self) -> None:
        """Walk anew, and stay at the same kind of number wherever it stands now."""
        before = None if self._walk is None else self._walk.place(self._number)
        trace = self._engine.current.trace
        self._query = min(self._query, trace.shape("scores")[-2] - 1)
        head = present_head(trace, self._selection.head)
        self._walk = QueryWalk(trace, self._query, head=head, shifted=self._shifted)
        self._number = 0 if before is None else self._walk.nearest(*before)

    def _show(self) -> None:
        """Say where the walk is, and select the cell there."""
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
            self._make()
            self.moved.emit()

    @Slot()
    def _on_cell(self) -> None:
        """Walk for the query that the person has selected elsewhere."""
        if self._walk is None or self._selecting:
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
