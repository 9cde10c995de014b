"""The page of an operation: its picture and the playback controls."""

from typing import Protocol

from PySide6.QtCore import QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFont, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from attnviewer.compute import Spec
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step.how.drawing import Drawing
from attnviewer.ui.views.step.how.fold_note import FoldNote
from attnviewer.ui.views.step.how.head_tabs import HeadTabs
from attnviewer.ui.views.step.how.operands import InputTables
from attnviewer.ui.views.step.how.playback import Playback
from attnviewer.ui.views.step.how.stage import Stage
from attnviewer.ui.views.step.how.transport import Transport

LOW = 18
"""Height in lines of text below which the heads stand beside the transport."""
HIGH = 28
"""Height in lines from which the line of a step without heads has a row of its own."""
PRESENTED = 1.25
"""How much larger numbers are in a presentation."""


class TemperatureControl(Protocol):
    """A widget that shows the temperature, and edits it."""

    def show_spec(self, spec: Spec) -> None:
        """Show the temperature of a spec."""

    def fit(self, width: int) -> None:
        """Show the caption if it fits a width."""


class HowPage(QWidget):
    """Shows how the step is computed, and plays it.

    Attributes
    ----------
    stage : Stage
        The picture.
    playback : Playback
        Plays the computation.
    folds : FoldNote
        Says that tokens are not folded here.
    painted : Signal
        The picture has been painted.
    covers_changed : Signal
        Carries the steps that the picture shows: none while it is hidden.
    """

    painted = Signal()
    covers_changed = Signal(object)

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step.how.page")
        self._selection = workbench.selection
        self.stage = Stage(workbench.looks.of, self)
        self.playback = Playback(workbench, self)
        self.transport = Transport(self.playback, self)
        self.sheets = HeadTabs(self)
        self._temperature: TemperatureControl | None = None
        self._placed: tuple[QRectF | None, QFont] | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._controls = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._controls.setSpacing(0)
        self._controls.addWidget(self.transport, 1)
        self._controls.addWidget(self.sheets)
        self.folds = FoldNote(self)
        layout.addLayout(self._controls)
        layout.addWidget(self.folds)
        layout.addWidget(self.stage, 1)
        self.stage.painted.connect(self.painted)
        self.stage.cell_chosen.connect(self._on_chosen)
        self.stage.cell_hovered.connect(self._selection.hover)
        self.stage.composed.connect(self._on_composed)
        self.sheets.head_chosen.connect(self._selection.choose_head)
        self.playback.changed.connect(self._on_played)

    def set_tables(self, tables: InputTables) -> None:
        """Edit operands that are inputs in tables from now on."""
        self.stage.operands.set_tables(tables)

    def set_temperature(self, control: "TemperatureControl") -> None:
        """Show a control for the temperature above the bars of a row."""
        assert isinstance(control, QWidget)
        control.setParent(self.stage)
        control.hide()
        self._temperature, self._placed = control, None
        shown = self.stage.shown
        if shown is not None:
            control.show_spec(shown.computed.trace.spec)
            self._on_composed(self.stage.drawing)

    def show_step(self, shown: DisplayedStep) -> None:
        """Show a step."""
        trace = shown.computed.trace
        self.sheets.show_heads(trace, shown.step, shown.head)
        if self._temperature is not None:
            self._temperature.show_spec(trace.spec)
        self.folds.show_step(shown)
        self.stage.show_step(shown)
        self.transport.set_theme(shown.theme)
        self.transport.refresh()

    def forget(self) -> None:
        """Drop the numbers."""
        self.playback.stop()
        self.stage.show_step(None)

    def choose(self, cell: Position | None) -> None:
        """Show the operation of another cell."""
        self.stage.choose(cell)
        self.transport.refresh()

    def show_line(self, line: str, tip: str) -> None:
        """Show what the step is, beside the tabs of the heads where there are some."""
        self.sheets.show_line(line, tip)

    def present(self, on: bool) -> None:
        """Show the picture alone, with larger numbers, or as before."""
        self.transport.setHidden(on)
        self.stage.enlarge_numbers(PRESENTED if on else 1.0)

    def zoom_from(self, card: QRect) -> None:
        """Let the picture grow out of a rectangle on the screen."""
        self.stage.zoom_from(card)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = usual_line(self.font())
        low, high = self.height() < LOW * line, self.height() >= HIGH * line
        direction = QBoxLayout.Direction
        self._controls.setDirection(
            direction.LeftToRight if low else direction.TopToBottom
        )
        self.sheets.set_room(narrow=low, high=high)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        self.stage.setFocus(event.reason())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.playback.stop()
        self.covers_changed.emit(frozenset())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        playback = self.playback
        goals = {
            Qt.Key.Key_Left: playback.number - 1,
            Qt.Key.Key_Right: playback.number + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: playback.count - 1,
        }
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Space:
            playback.toggle()
        elif event.key() in goals:
            playback.go(goals[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and playback.is_playing:
            playback.stop()
        elif event.key() == Qt.Key.Key_Escape and self._selection.cell is not None:
            self._selection.choose_here(None)
        else:
            super().keyPressEvent(event)

    @Slot(object)
    def _on_composed(self, drawing: Drawing) -> None:
        if self.isVisible():
            self.covers_changed.emit(drawing.covers)
        control = self._temperature
        if control is None:
            return
        assert isinstance(control, QWidget)
        rect = drawing.control("temperature")
        before, self._placed = self._placed, (rect, control.font())
        if self._placed == before:
            return  # as after most edits: asking it for its size takes long
        if rect is not None:
            control.fit(int(rect.width()))
        control.setVisible(rect is not None)
        if rect is not None:
            size = control.sizeHint().boundedTo(rect.size().toSize())
            control.setGeometry(QRect(rect.topLeft().toPoint(), size))
            control.raise_()

    @Slot()
    def _on_played(self) -> None:
        self.stage.play(self.playback.progress)

    @Slot(str, object)
    def _on_chosen(self, step: str, cell: Position | None) -> None:
        self.playback.stop()
        self._selection.choose_cell(step, cell)
