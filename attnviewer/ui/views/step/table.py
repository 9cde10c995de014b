"""A step as a table of numbers, to read, to copy from and to pin.

Cells, rows and columns are those of the step; a folded group is a single line.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QMenu,
    QWidget,
)

from attnviewer.compute import Array, Dirty
from attnviewer.document import Region
from attnviewer.document.text.blocks import MOST_COPIED, block_text
from attnviewer.document.text.numpy_text import numpy_text
from attnviewer.ui.paint.folded_content import grouped_content
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.folding import folded_words
from attnviewer.ui.text.matrix_sizes import step_with_size
from attnviewer.ui.text.number_format import (
    AUTOMATIC,
    NumberFormat,
)
from attnviewer.ui.views.step.pin_delegate import PinDelegate
from attnviewer.ui.views.step.table_model import StepTableModel
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.cell_editor import begins_number
from attnviewer.ui.widgets.edited_table import TABBED, EditedTable
from attnviewer.ui.widgets.format_menu import FormatMenu
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.marking import Line

NUMBER_CHARACTERS, LABEL_CHARACTERS = 11, 24
"""Room for a number, and the most for the label of a row."""
BESIDE_TEXT, ABOVE_TEXT = 12, 11


class StepTable(EditedTable):
    """Shows a step's numbers; the current cell is the selected one.

    Attributes
    ----------
    cell_chosen : Signal
        The person went to another cell: its position.
    painted : Signal
        The table has been painted.
    tabbed : Signal
        Tab committed a text: by how many cells it moves.
    copied : Signal
        What was copied.
    refused : Signal
        Why nothing was copied.
    """

    cell_chosen = Signal(object)
    painted = Signal()
    tabbed = Signal(int)
    copied = Signal(str)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.table")
        self.setAccessibleName(self.tr("Table"))
        self._cell: Position | None = None
        self._lines = FoldedLines()
        self._formats: dict[str, NumberFormat] = {}
        self._shown: tuple[str, int] | None = None
        self._more_rows: Rows = ()
        self._model = StepTableModel(self)
        self.setModel(self._model)
        self.setItemDelegate(PinDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # One block of cells, which is what a clipboard can hold.
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFont(fixed_font())
        self._fit()
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
            header.setHighlightSections(True)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def let_edit(self, takes: Callable[[str], bool], rows: Rows) -> None:
        """Let the user edit numbers, by a delegate that writes them.

        Parameters
        ----------
        takes : callable
            Returns whether the numbers of a step can be edited.
        rows : sequence of ActionRow
            What the context menu offers besides.
        """
        self._model.set_editable(takes)
        self._more_rows = rows
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )

    def show_step(self, shown: DisplayedStep) -> None:
        """Show one head of a step."""
        if self._shown != (shown.step, shown.head):
            self._shown = shown.step, shown.head
            # What is being typed is for a cell that is not shown any more.
            for editor in self.editors:
                self.closeEditor(
                    editor, QAbstractItemDelegate.EndEditHint.RevertModelCache
                )
        content = grouped_content(shown)
        folds = content.folding, self._lines.folding
        changed = shown.changed if folds == (None, None) else None
        self.show_content(content, shown.theme, changed)
        # `painted` tells of edits that no cell shows as well.
        self.viewport().update(0, 0, 1, 1)

    def show_content(
        self, content: StepContent, theme: Theme, changed: Sequence[Dirty] | None = None
    ) -> None:
        """Show a step (see `StepTableModel.set_content`).

        The selected block stays unless the shape is another one.
        """
        self._lines = FoldedLines(content.folding)
        self._model.set_content(content, theme, changed)
        self._follow_format()
        description = step_with_size(content.step, content.shape)
        if content.folding is not None:
            description = f"{description} {folded_words(content.folding)}"
        self.setAccessibleDescription(description)
        self.choose(self._cell)

    def forget(self) -> None:
        """Let go of the numbers; the selected block stays."""
        self._model.forget()

    def choose(self, cell: Position | None) -> None:
        """Go to the selected cell."""
        self._cell = cell
        if cell is None:
            self.selectionModel().clear()
            return
        shown = self._lines.shown(cell)
        assert shown is not None
        index = self._model.index(*shown)
        # Moving to where we are would shrink a selected block to one cell.
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)

    @property
    def selected_block(self) -> Region | None:
        """The selected cells, all of those that are shown as one; None without any."""
        block = self._shown_block
        return None if block is None else self._lines.block_of_step(block)

    @property
    def combines_selected(self) -> bool:
        """Whether any selected number combines several of the step."""
        here, there = self._shown_block, self.selected_block
        if here is None or there is None:
            return False
        return (here.height, here.width) != (there.height, there.width)

    def line_of_step(self, line: Line, index: int) -> int | None:
        """Return the row or column of the step that one stands for; None for several.

        Parameters
        ----------
        line : str
            ``row`` or ``column``.
        index : int
            The row or column of the table.
        """
        tokens = self._lines.tokens(index, rows=line == "row")
        return tokens[0] if len(tokens) == 1 else None

    @property
    def _shown_block(self) -> Region | None:
        """The selected cells as they are shown."""
        ranges = self.selectionModel().selection()
        if ranges.isEmpty():
            return None
        block = ranges.first()
        return Region(block.top(), block.left(), block.height(), block.width())

    def copy(self) -> None:
        """Copy the selected block, tab-separated, as numbers that read back exactly."""
        self._copy_as(block_text)

    def copy_as_numpy(self) -> None:
        """Copy the selected block as NumPy code."""
        self._copy_as(numpy_text)

    def _copy_as(self, write: Callable[[Array], str]) -> None:
        block, content = self._shown_block, self._model.content
        if content is None or block is None:
            return
        count = block.height * block.width
        if count > MOST_COPIED:
            reason = self.tr(
                "At most {most:,} cells can be copied. Got {count:,} instead."
            )
            self.refused.emit(reason.format(most=MOST_COPIED, count=count))
            return
        values = content.matrix.window(block.rows, block.columns)  # (height, width)
        QGuiApplication.clipboard().setText(write(values))
        text = self.tr("{rows}×{columns} cells of {step} copied")
        size = {"rows": block.height, "columns": block.width}
        self.copied.emit(text.format(**size, step=content.step))

    @property
    def number_format(self) -> NumberFormat:
        """The format of the numbers of the step that is shown."""
        content = self._model.content
        return AUTOMATIC if content is None else self._format_of(content.step)

    @Slot(object)
    def set_number_format(self, format_: NumberFormat) -> None:
        """Write the numbers of the step that is shown in another way."""
        if self._model.content is not None:
            self._formats[self._model.content.step] = format_
            self._follow_format()

    def _format_of(self, step: str) -> NumberFormat:
        return self._formats.get(step, AUTOMATIC)

    def _follow_format(self) -> None:
        if self.number_format != self._model.format:
            self._model.set_format(self.number_format)
            self._fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        formats = FormatMenu("step.format", menu)
        formats.check(self.number_format)
        formats.chosen.connect(self.set_number_format)
        copy = ActionRow("step.copy", self.tr("&Copy"), self._copy)
        numpy = ActionRow("step.numpy", self.tr("Copy as &NumPy"), self._copy_as_numpy)
        more = [SEPARATOR, *self._more_rows] if self._more_rows else []
        fill_menu(menu, [copy, numpy, *more, SEPARATOR, formats])
        menu.popup(event.globalPos())

    def _copy(self, _data: object) -> None:
        self.copy()

    def _copy_as_numpy(self, _data: object) -> None:
        self.copy_as_numpy()

    def edit(  # type: ignore[override]
        self,
        index: ModelIndex,
        trigger: QAbstractItemView.EditTrigger,
        event: QEvent,
    ) -> bool:
        # Other keys are not the beginning of a number.
        if trigger == QAbstractItemView.EditTrigger.AnyKeyPressed and not (
            isinstance(event, QKeyEvent) and begins_number(event)
        ):
            return False
        return super().edit(index, trigger, event)

    def editor_closed(self, hint: QAbstractItemDelegate.EndEditHint) -> None:
        if hint in TABBED:
            self.tabbed.emit(TABBED[hint])

    @Slot()
    def forget_formats(self) -> None:
        """Write all numbers as at first: those to come are of another document."""
        self._formats.clear()
        self._follow_format()

    def event(self, event: QEvent) -> bool:
        # Else the keys would change the numbers of an input table.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._more_decimals(event)
        ):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _more_decimals(event: QKeyEvent) -> int:
        """Return how many decimals more a key asks for; 0 for other keys."""
        if event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            return 0
        keys = {Qt.Key.Key_Period.value: 1, Qt.Key.Key_Comma.value: -1}
        return keys.get(event.key(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Give numbers and labels the room that the font asks for."""
        metrics = self.fontMetrics()
        number, label = (
            metrics.horizontalAdvance("0" * count) + BESIDE_TEXT
            for count in (
                max(NUMBER_CHARACTERS, self.number_format.characters),
                LABEL_CHARACTERS,
            )
        )
        self.horizontalHeader().setDefaultSectionSize(number)
        self.verticalHeader().setDefaultSectionSize(metrics.height() + ABOVE_TEXT)
        self.verticalHeader().setMaximumWidth(label)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        more = self._more_decimals(event)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
        elif more:
            stepped = self.number_format.stepped(more, self._model.decimals)
            self.set_number_format(stepped)
            event.accept()
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            shown = current.row(), current.column()
            if shown != self._lines.shown(self._cell):
                cell = self._lines.of_step(shown)
                self._cell = cell
                self.cell_chosen.emit(cell)


def table_page(workbench: Workbench, parent: QWidget) -> StepTable:
    """Return the table as a page of the step view."""
    table = StepTable(parent)
    table.cell_chosen.connect(workbench.selection.choose_here)
    workbench.opened.connect(table.forget_formats)
    return table
