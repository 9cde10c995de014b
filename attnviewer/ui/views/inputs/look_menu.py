"""The menu lines for the look of the input tables."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.state.cursor import InputCursor
from attnviewer.ui.text.number_format import NumberFormat
from attnviewer.ui.views.inputs.commands import has_widths
from attnviewer.ui.views.inputs.dock import InputsPanel
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from attnviewer.ui.widgets.actions import (
    SEPARATOR,
    ActionRow,
    Rows,
    fill_menu,
    make_action,
)
from attnviewer.ui.widgets.format_menu import FormatMenu


class LookMenu(QObject):
    """Builds the lines; the number format applies to the table that was focused last.

    Attributes
    ----------
    rows : sequence
        For the View menu.
    format_menu : FormatMenu
        The menu of number formats.
    heat : QAction
        The action that switches heat colours.
    widths : QMenu
        The menu that fits or resets column widths.
    """

    def __init__(
        self, inputs: InputsPanel, cursor: InputCursor, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._inputs = inputs
        self._window = parent
        self._steps = [
            self._action("more", self.tr("&More decimals"), "Ctrl+.", 1),
            self._action("fewer", self.tr("&Fewer decimals"), "Ctrl+,", -1),
        ]
        self.format_menu = menu = FormatMenu("format", parent)
        fill_menu(menu, [SEPARATOR, *self._steps])
        menu.chosen.connect(self._choose)
        menu.aboutToShow.connect(self._check_format)
        look = inputs.look
        self.heat = heat = self._switch(
            "heat", self.tr("Heat colou&rs in the inputs"), on=look.heat
        )
        heat.setShortcut("Ctrl+H")
        heat.toggled.connect(look.set_heat)
        flash = self._switch("flash", self.tr("&Flash changed cells"), on=look.flashing)
        flash.toggled.connect(look.set_flashing)
        self.widths = QMenu(self.tr("Column &widths"), parent)
        fit, usual = self.tr("&Fit to the longest text"), self.tr("&Default")
        fill_menu(
            self.widths,
            [
                ActionRow("width.fit", fit, self._fit_width),
                ActionRow("width.usual", usual, self._reset_width),
            ],
        )
        self.rows: Rows = [menu, self.widths, heat, flash]
        for enable in (self._enable, self._enable_widths):
            cursor.moved.connect(enable)
            enable()

    def _action(self, name: str, text: str, keys: str, digits: int) -> QAction:
        row = ActionRow(f"decimals.{name}", text, self._step, keys, digits)
        return make_action(self._window, row)

    def _switch(self, name: str, text: str, *, on: bool) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(f"action.{name}")
        action.setCheckable(True)
        action.setChecked(on)
        return action

    @property
    def _table(self) -> MatrixTable | None:
        table = self._inputs.current_table()
        return table if isinstance(table, MatrixTable) else None

    @Slot(object)
    def _choose(self, format_: NumberFormat) -> None:
        if self._table is not None:
            self._inputs.look.set_format(self._table.name, format_)

    def _step(self, digits: int) -> None:
        if self._table is not None:
            self._choose(self._table.matrix.format_with(digits))

    @Slot()
    def _enable_widths(self) -> None:
        table = self._inputs.current_table()
        self.widths.setEnabled(table is not None and has_widths(table))

    def _fit_width(self, _data: object) -> None:
        table = self._inputs.current_table()
        if table is not None:
            table.headings.fit_width()

    def _reset_width(self, _data: object) -> None:
        table = self._inputs.current_table()
        if table is not None:
            table.headings.reset_width()

    @Slot()
    def _enable(self) -> None:
        there = self._table is not None
        self.format_menu.formats.setEnabled(there)
        for action in self._steps:
            action.setEnabled(there)

    @Slot()
    def _check_format(self) -> None:
        if self._table is not None:
            self.format_menu.check(self._table.matrix.format)
