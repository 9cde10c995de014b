"""The menu of number formats."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.text.number_format import AUTOMATIC, MOST_DIGITS, Kind, NumberFormat
from attnviewer.ui.widgets.actions import ActionRow, Rows, make_action
from attnviewer.ui.widgets.late_menu import LateMenu


class FormatMenu(QMenu):
    """A menu of number formats, one of them checked.

    Parameters
    ----------
    name : str
        Its actions are ``action.``, this, and the format.
    parent : QWidget
        The owner of the actions.

    Attributes
    ----------
    chosen : Signal
        Carries the chosen `NumberFormat`.
    formats : QActionGroup
        The actions that choose one; those of a submenu once it has been opened.
    """

    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Nu&mber format"))
        self._name = name
        self._owner = parent
        self._current = AUTOMATIC
        self.formats = QActionGroup(self)
        self.addAction(self._format("auto", self.tr("&Automatic"), AUTOMATIC))
        self._add_digits("decimals", self.tr("&Decimals"))
        self._add_digits("significant", self.tr("&Significant digits"), 1)
        self._add_digits("scientific", self.tr("S&cientific"))

    def check(self, format_: NumberFormat) -> None:
        """Check the current format."""
        self._current = format_
        for action in self.formats.actions():
            action.setChecked(action.data() == format_)

    def _add_digits(self, kind: Kind, title: str, fewest: int = 0) -> None:
        menu = LateMenu(partial(self._digits, kind, fewest), self)
        menu.setTitle(title)
        self.addMenu(menu)

    def _digits(self, kind: Kind, fewest: int) -> Rows:
        formats = {n: NumberFormat(kind, n) for n in range(fewest, MOST_DIGITS + 1)}
        return [self._format(f"{kind}.{n}", f"&{n}", f) for n, f in formats.items()]

    def _format(self, name: str, text: str, format_: NumberFormat) -> QAction:
        row = ActionRow(f"{self._name}.{name}", text, self.chosen.emit, data=format_)
        action = make_action(self._owner, row)
        action.setCheckable(True)
        action.setChecked(format_ == self._current)
        self.formats.addAction(action)
        return action
