"""The dialog that goes to a cell of the open step."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QWidget,
)

from attnviewer.ui.navigation.place_line import PlaceLine
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.step_titles import axis_name
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.widgets.companion_dialog import CompanionDialog
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.reason import ReasonLabel

WIDEST = 24
"""Width in lines of text."""


class GoToDialog(CompanionDialog):
    """Asks for a row and a column of the open step, and goes there.

    It stays open beside the heatmap, to go from match to match, until another step or
    document is opened.

    Attributes
    ----------
    chosen : Signal
        The cell to go to.
    """

    chosen = Signal(object)

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("go_to")
        self.setWindowTitle(self.tr("Go to"))
        self._workbench = workbench
        self._rows, self._columns = PlaceLine("row", self), PlaceLine("column", self)
        form = QFormLayout()
        self._titles = [QLabel(self), QLabel(self)]
        for title, line in zip(self._titles, self._lines, strict=True):
            title.setBuddy(line.line)
            form.addRow(title, line)
        self._reason = ReasonLabel("go_to.reason", self, lines=2)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Close, self)
        buttons.button(kinds.Close).setAutoDefault(False)
        layout = dialog_column(self)
        layout.addLayout(form)
        layout.addWidget(self._reason)
        layout.addWidget(buttons)
        self.setMinimumWidth(WIDEST * self.fontMetrics().height())
        # Tab leads from line to line before it visits their buttons.
        self.setTabOrder(self._rows.line, self._columns.line)
        buttons.rejected.connect(self.reject)
        self._rows.asked.connect(self._go_to_row)
        self._columns.asked.connect(self._go_to_column)
        for line in self._lines:
            line.edited.connect(self._clear)
        workbench.engine.computed.connect(self._read_labels)
        workbench.selection.step_changed.connect(self.reject)
        workbench.opened.connect(self.reject)
        self._read_labels()
        if workbench.selection.cell is not None:
            self._rows.current, self._columns.current = workbench.selection.cell

    def start(self) -> None:
        """Take the keyboard focus."""
        self._rows.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self._rows.line.selectAll()

    @property
    def _lines(self) -> tuple[PlaceLine, PlaceLine]:
        return self._rows, self._columns

    @Slot()
    def _read_labels(self) -> None:
        current, step = self._workbench.engine.current, self._workbench.selection.step
        if step not in current.trace:
            return
        axes = current.trace.stages[step].axes
        words = self.tr("&Row ({axis})"), self.tr("&Column ({axis})")
        counts = current.trace.matrix_shape(step)
        for line, title, text, axis, count in zip(
            self._lines, self._titles, words, axes, counts, strict=True
        ):
            title.setText(text.format(axis=axis_name(axis)))
            labels = lines_along(axis, current.labels, count)
            line.set_labels(labels, title.text().replace("&", ""))

    @Slot(int)
    def _go_to_row(self, by: int) -> None:
        self._go(by, 0)

    @Slot(int)
    def _go_to_column(self, by: int) -> None:
        self._go(0, by)

    def _go(self, down: int, across: int) -> None:
        """Go to what is typed, in one of the lines to another match."""
        self._workbench.engine.catch_up()
        try:
            cell = self._cell(down, across)
        except ValueError as error:
            self._reason.say(str(error))
            return
        self._reason.say("")
        self.chosen.emit(cell)

    def _cell(self, down: int, across: int) -> Position:
        """Return the cell; what is not typed stays as it is selected.

        Without a selected cell, it is that of the same token.
        """
        if self._rows.is_empty and self._columns.is_empty:
            self._rows.search()  # tells what is missing
        rows, columns = (
            None if line.is_empty else line.search(by)
            for line, by in zip(self._lines, (down, across), strict=True)
        )
        selection = self._workbench.selection
        shape = self._workbench.engine.current.trace.matrix_shape(selection.step)
        row, column = selection.cell or (columns, rows)
        row, column = (
            row if rows is None else rows,
            column if columns is None else columns,
        )
        assert row is not None
        assert column is not None
        return min(row, shape[0] - 1), min(column, shape[1] - 1)

    @Slot()
    def _clear(self) -> None:
        self._reason.say("")
