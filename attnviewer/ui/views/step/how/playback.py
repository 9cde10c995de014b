"""Playing a computation: cell by cell, and then the step that follows."""

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step.how.subject import Progress
from attnviewer.ui.widgets.motion import is_reduced

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
NORMAL = SPEEDS.index(1.0)
FRAME_MS = 16
FIRST_ROW_MS, LATER_ROWS_MS, CALM_MS = 600, 200, 1000
"""The duration of a cell in the first row, in others, and with reduced motion."""


class Playback(QObject):
    """Fills the cells of a step one after another, then goes on to the next step.

    The selection follows, so that all views show what is being computed.

    Attributes
    ----------
    changed : Signal
        Another cell is being filled, or its progress has changed.
    playing_changed : Signal
        Carries whether it is playing.
    """

    changed = Signal()
    playing_changed = Signal(bool)

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self._engine, self._selection = workbench.engine, workbench.selection
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._advance)
        self._clock = QElapsedTimer()
        self._done = 0
        self._share = 0.0
        self._active = self._selecting = False
        self.speed = 1.0
        self.down = False
        workbench.opened.connect(self.stop)
        workbench.selection.cell_changed.connect(self._on_cell)
        workbench.selection.step_changed.connect(self._on_cell)

    @property
    def progress(self) -> Progress | None:
        """The progress of the animation; None unless it is being played."""
        if not self._active or not self.is_playing:
            return None
        return Progress(self._done, 1.0 if self.calm else self._share, self.down)

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    @property
    def calm(self) -> bool:
        """Whether motion is reduced: cells are filled at once, one a second."""
        return is_reduced(self._widget)

    @property
    def number(self) -> int:
        """The selected cell's number in the order of filling, counted from zero."""
        cell = self._selection.cell
        rows, columns = self._shape
        if cell is None:
            return 0
        row, column = min(cell[0], rows - 1), min(cell[1], columns - 1)
        return column * rows + row if self.down else row * columns + column

    @property
    def count(self) -> int:
        """The number of cells of the step."""
        rows, columns = self._shape
        return rows * columns

    @property
    def _shape(self) -> tuple[int, int]:
        trace, step = self._engine.current.trace, self._selection.step
        return trace.matrix_shape(step) if step in trace else (1, 1)

    @Slot()
    def toggle(self) -> None:
        """Play from the selected cell, or pause."""
        if self.is_playing:
            self.stop()
        else:
            self.play()

    def play(self) -> None:
        """Continue from the selected cell; from the first if that is the last."""
        number = self.number
        self._done = 0 if number == self.count - 1 else number
        self._active = True
        self._begin_cell()
        self._timer.start()
        self.playing_changed.emit(True)
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        """Pause, and show all numbers."""
        if self._timer.isActive():
            self._timer.stop()
            self._active = False
            self.playing_changed.emit(False)
            self.changed.emit()

    def go(self, number: int) -> None:
        """Pause at a cell, clamped to the ends."""
        self.stop()
        self._select(max(0, min(number, self.count - 1)))

    def set_speed(self, index: int) -> None:
        """Choose one of `SPEEDS`."""
        self.speed = SPEEDS[index]

    def set_down(self, down: bool) -> None:
        """Choose whether columns are filled one after another, instead of rows."""
        self.stop()
        self.down = down
        self.changed.emit()

    def _begin_cell(self) -> None:
        self._share = 0.0
        self._clock.restart()
        self._select(self._done)

    def _select(self, number: int) -> None:
        rows, columns = self._shape
        cell = (number % rows, number // rows) if self.down else divmod(number, columns)
        self._selecting = True
        self._selection.choose_here(cell)
        self._selecting = False

    @Slot()
    def _advance(self) -> None:
        per_line = self._shape[0 if self.down else 1]
        first = self._done < per_line
        takes = CALM_MS if self.calm else FIRST_ROW_MS if first else LATER_ROWS_MS
        # Since the last time: another speed holds from when it was chosen.
        self._share += self._clock.restart() * self.speed / takes
        if self._share < 1.0:
            if not self.calm:
                self.changed.emit()
            return
        self._done += 1
        if self._done >= self.count:
            self._next_step()
        else:
            self._begin_cell()
            self.changed.emit()

    def _next_step(self) -> None:
        """Go on with the next step that is computed; stop after the last one."""
        trace = self._engine.current.trace
        names = [name for name, stage in trace.stages.items() if stage.inputs]
        here = (
            names.index(self._selection.step) if self._selection.step in names else -1
        )
        if here + 1 >= len(names):
            self.stop()
            return
        self._selecting = True
        self._selection.choose_cell(names[here + 1], (0, 0))
        self._selecting = False
        self._done = 0
        self._begin_cell()
        self.changed.emit()

    @Slot()
    def _on_cell(self) -> None:
        """Pause where the user has selected something else."""
        if not self._selecting:
            self.stop()
            self.changed.emit()
