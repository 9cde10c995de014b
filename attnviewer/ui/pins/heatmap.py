"""Pinning numbers in the heatmap of a step."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontInfo,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QApplication

from attnviewer.document import exact_text
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.pins.combined import DELETE, ENTER, combined_words, edits
from attnviewer.ui.pins.commands import PinCommands
from attnviewer.ui.pins.target import Target, cells_target, name_of, selected_target
from attnviewer.ui.pins.writer import PinWriter
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.arrow_keys import walk
from attnviewer.ui.widgets.cell_editor import CellEditor, begins_number
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.reason import ReasonBubble

if TYPE_CHECKING:
    from attnviewer.ui.views.step.heatmap import GroupedHeatmap

_TABS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
_CHARACTERS, _ABOVE_TEXT = 6, 10
"""The least room of an editor, in characters and around a line."""
_SHARE, _LARGEST = 0.25, 1.8
"""What a number takes of the height of a cell, and how much larger it becomes."""


class HeatmapPinning(QObject):
    """Lets the numbers of a heatmap be pinned by typing and pasting."""

    def __init__(
        self,
        workbench: Workbench,
        heatmap: "GroupedHeatmap",
        writer: PinWriter,
        commands: PinCommands,
        reason: ReasonBubble,
        notice: NoticeBar,
    ) -> None:
        super().__init__(heatmap)
        self._workbench, self._heatmap = workbench, heatmap
        self._writer, self._commands = writer, commands
        self._reason, self._notice = reason, notice
        self._editor: CellEditor | None = None
        self._target: Target | None = None
        heatmap.installEventFilter(self)
        heatmap.box.sigRangeChanged.connect(self._lie_over_cell)
        selection = workbench.selection
        selection.step_changed.connect(self.give_up)
        selection.head_changed.connect(self.give_up)
        selection.cell_changed.connect(self._give_up_unless_refused)
        workbench.opened.connect(self.give_up)

    def commit(self) -> bool:
        """Commit what is being typed; return whether it was not refused."""
        return self._editor is None or self._take(self._editor, every=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor and self._editor is not None:
            return self._of_editor(self._editor, event)
        if watched is self._heatmap and event.type() == QEvent.Type.Resize:
            self._lie_over_cell()
        return (
            watched is self._heatmap
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and self._writer.takes(self._workbench.selection.step)
            and self._press(event)
        )

    def _press(self, event: QKeyEvent) -> bool:
        cell, plain = self._workbench.selection.cell, not event.modifiers()
        if cell is not None and self._heatmap.combines(cell) and edits(event):
            self._refuse_combined(cell)
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        elif event.key() in DELETE and plain:
            self._commands.unpin()
        elif self._editor is not None and cell is not None and begins_number(event):
            self._editor.setFocus()  # what was refused comes first
        elif cell is not None and begins_number(event):
            QApplication.sendEvent(self._open(cell, typed=True), event)
        elif event.key() == Qt.Key.Key_Escape and self._editor is not None:
            self.give_up()
        elif cell is not None and plain and event.key() in (*ENTER, Qt.Key.Key_F2):
            if self._editor is not None:
                self._editor.setFocus()
                return True
            self._open(cell, typed=False)
        else:
            return False
        return True

    # ----------------------------------------------------------------- editor

    def _open(self, cell: Position, *, typed: bool) -> CellEditor:
        self.give_up()
        workbench, (row, column) = self._workbench, cell
        workbench.engine.catch_up()
        rows, columns = range(row, row + 1), range(column, column + 1)
        target = cells_target(workbench, workbench.selection.step, rows, columns)
        self._heatmap.bring_into_sight(cell)
        editor = CellEditor(self._heatmap.viewport())
        editor.setAlignment(Qt.AlignmentFlag.AlignCenter)
        editor.setAccessibleName(name_of(workbench, target))
        editor.load(exact_text(self._commands.value_of(target)))
        editor.typed = typed
        editor.selectAll()
        if not typed:
            editor.end(False)
        editor.textEdited.connect(self._reason.clear)
        editor.installEventFilter(self)
        self._editor, self._target = editor, target
        self._lie_over_cell()
        editor.show()
        editor.setFocus()
        return editor

    @Slot()
    def _lie_over_cell(self) -> None:
        """Cover the cell, in a size in which a number can be read."""
        if self._editor is None or self._target is None:
            return
        cell = self._target.rows[0], self._target.columns[0]
        rect = self._heatmap.cell_rect(cell).toAlignedRect()
        self._editor.setFont(_font_for(rect.height()))
        metrics = self._editor.fontMetrics()
        least = QSize(
            metrics.horizontalAdvance("0" * _CHARACTERS), metrics.height() + _ABOVE_TEXT
        )
        over = QRect(rect.topLeft(), rect.size().expandedTo(least))
        over.moveCenter(rect.center())
        room = self._heatmap.viewport().rect()
        over.moveLeft(max(0, min(over.left(), room.width() - over.width())))
        over.moveTop(max(0, min(over.top(), room.height() - over.height())))
        self._editor.lie_over(over)

    def _of_editor(self, editor: CellEditor, event: QEvent) -> bool:
        """Handle an event of the editor; return whether it goes no further."""
        if (
            isinstance(event, QFocusEvent)
            and event.lostFocus()
            and event.reason() != Qt.FocusReason.PopupFocusReason  # its own menu
            and not editor.refused
        ):
            self._take(editor, every=False)
        if not isinstance(event, QKeyEvent):
            return False
        key = Qt.Key(event.key())
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        leave = editor.leaving(event)
        if key == Qt.Key.Key_Escape:
            self._close()
        elif key in _TABS:
            if self._take(editor, every=False):
                self._move(0, _TABS[key])
        elif leave == "fill":
            self._take(editor, every=True)
        elif leave == "enter" and self._take(editor, every=False):
            shift = Qt.KeyboardModifier.ShiftModifier
            self._move(-1 if event.modifiers() & shift else 1, 0)
        elif leave == "step" and self._take(editor, every=False):
            self._step(event)
        return leave is not None or key in _TABS or key == Qt.Key.Key_Escape

    def _take(self, editor: CellEditor, *, every: bool) -> bool:
        """Pin what is typed and close; return whether it was not refused."""
        target = selected_target(self._workbench) if every else self._target
        assert target is not None
        # What was only looked at is not pinned.
        if every or editor.isModified():
            try:
                self._writer.write(target, editor.text())
            except ValueError as error:
                editor.refuse(str(error))
                self._say(str(error), target)
                return False
        self._close()
        return True

    def _close(self) -> None:
        focused = self._editor is not None and self._editor.hasFocus()
        self.give_up()
        if focused:
            self._heatmap.setFocus()

    @Slot()
    def _give_up_unless_refused(self) -> None:
        """Discard what is being typed; what was refused stays, to be mended."""
        if self._editor is None or not self._editor.refused:
            self.give_up()

    @Slot()
    def give_up(self) -> None:
        """Discard what is being typed."""
        editor, self._editor = self._editor, None
        if editor is not None:
            if editor.refused:
                self._reason.clear()
            editor.hide()
            editor.deleteLater()

    def _move(self, down: int, across: int) -> None:
        selection, (n_rows, n_columns) = self._workbench.selection, self._shape
        if selection.cell is not None and not self._writer.asking:
            assert self._target is not None
            row, column = self._target.rows[0], self._target.columns[0]
            self._go(
                (
                    min(max(row + down, 0), n_rows - 1),
                    min(max(column + across, 0), n_columns - 1),
                )
            )

    def _step(self, event: QKeyEvent) -> None:
        selection, box = self._workbench.selection, self._heatmap.box
        goal = walk(event, selection.cell, self._shape, box.page)
        if goal is not None and not self._writer.asking:
            self._go(goal)

    def _go(self, cell: Position) -> None:
        self._heatmap.bring_into_sight(cell)
        self._workbench.selection.choose_here(cell)

    @property
    def _shape(self) -> tuple[int, int]:
        assert self._target is not None
        return self._target.shape

    # ------------------------------------------------------------------ paste

    def _paste(self) -> None:
        target = selected_target(self._workbench)
        if target is None:
            self._commands.refuse()
            return
        try:
            read = self._writer.paste(target, QGuiApplication.clipboard().text())
        except ValueError as error:
            self._say(str(error), target)
            return
        if read:
            self._notice.show_message(read)

    def _refuse_combined(self, cell: Position) -> None:
        self._say_at(combined_words(), cell)

    def _say(self, reason: str, target: Target) -> None:
        self._say_at(reason, (target.rows[0], target.columns[0]))

    def _say_at(self, reason: str, cell: Position) -> None:
        rect = self._heatmap.cell_rect(cell).toAlignedRect()
        corner = self._heatmap.viewport().mapToGlobal(rect.topLeft())
        self._reason.say(reason, QRect(corner, rect.size()))


def _font_for(height: float) -> QFont:
    """Return the font of numbers, larger in large cells."""
    font = fixed_font()
    usual = QFontInfo(font).pixelSize()
    font.setPixelSize(round(min(max(_SHARE * height, usual), _LARGEST * usual)))
    return font
