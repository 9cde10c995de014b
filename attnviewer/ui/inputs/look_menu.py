"""The menu lines for the look of the input tables."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.actions import SEPARATOR, ActionRow, Rows, fill_menu, make_action
from attnviewer.ui.cursor import InputCursor
from attnviewer.ui.inputs.dock import InputsPanel
from attnviewer.ui.inputs.matrix.table import MatrixTable
from attnviewer.ui.number_format import AUTOMATIC, MOST_DIGITS, Kind, NumberFormat


class LookMenu(QObject):
    """Builds the lines; a number format is that of the table a person is in.

    Parameters
    ----------
    inputs : InputsPanel
        The tables and their look.
    cursor : InputCursor
        Where a person is in them.
    parent : QWidget
        The window; it owns the actions.

    Attributes
    ----------
    rows : sequence
        For the View menu.
    format_menu : QMenu
        Those of them that choose the number format.
    heat : QAction
        The one that switches heat colours.
    """

    def __init__(
        self, inputs: InputsPanel, cursor: InputCursor, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._inputs = inputs
        self._window = parent
        self._formats = QActionGroup(self)
        self._steps = [
            self._action("more", self.tr("&More decimals"), "Ctrl+.", 1),
            self._action("fewer", self.tr("&Fewer decimals"), "Ctrl+,", -1),
        ]
        self.format_menu = menu = QMenu(self.tr("Nu&mber format"), parent)
        fill_menu(
            menu,
            [
                self._format("auto", self.tr("&Automatic"), AUTOMATIC),
                self._digits("decimals", self.tr("&Decimals")),
                self._digits("significant", self.tr("&Significant digits"), 1),
                self._digits("scientific", self.tr("S&cientific")),
                SEPARATOR,
                *self._steps,
            ],
        )
        menu.aboutToShow.connect(self._check_format)
        look = inputs.look
        self.heat = heat = self._switch(
            "heat", self.tr("Heat colou&rs in the inputs"), on=look.heat
        )
        heat.setShortcut("Ctrl+H")
        heat.toggled.connect(look.set_heat)
        flash = self._switch("flash", self.tr("&Flash changed cells"), on=look.flashing)
        flash.toggled.connect(look.set_flashing)
        self.rows: Rows = [menu, heat, flash]
        cursor.moved.connect(self._enable)
        self._enable()

    def _digits(self, kind: Kind, title: str, fewest: int = 0) -> QMenu:
        menu = QMenu(title, self._window)
        for digits in range(fewest, MOST_DIGITS + 1):
            format_ = NumberFormat(kind, digits)
            menu.addAction(self._format(f"{kind}.{digits}", f"&{digits}", format_))
        return menu

    def _format(self, name: str, text: str, format_: NumberFormat) -> QAction:
        row = ActionRow(f"format.{name}", text, self._choose, data=format_)
        action = make_action(self._window, row)
        action.setCheckable(True)
        self._formats.addAction(action)
        return action

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
        table = self._inputs.current_table
        return table if isinstance(table, MatrixTable) else None

    def _choose(self, format_: NumberFormat) -> None:
        if self._table is not None:
            self._inputs.look.set_format(self._table.name, format_)

    def _step(self, digits: int) -> None:
        if self._table is not None:
            self._choose(self._table.matrix.format_with(digits))

    @Slot()
    def _enable(self) -> None:
        there = self._table is not None
        self._formats.setEnabled(there)
        for action in self._steps:
            action.setEnabled(there)

    @Slot()
    def _check_format(self) -> None:
        if self._table is None:
            return
        for action in self._formats.actions():
            action.setChecked(action.data() == self._table.matrix.format)
