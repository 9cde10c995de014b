"""Actions and menus, built from tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

Shortcut = QKeySequence.StandardKey | str | None


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One line of a menu.

    Parameters
    ----------
    name : str
        The action's object name is ``action.`` and this.
    text : str
        What the menu shows, with its mnemonic.
    callback : callable
        The slot; called with the action's `data`.
    shortcut : standard key, str or None
        Its shortcut.
    data : object
        Distinguishes it from others with the same callback.
    """

    name: str
    text: str
    callback: Callable[[Any], None]
    shortcut: Shortcut = None
    data: Any = None


SEPARATOR = None
Rows = Sequence[ActionRow | QAction | QMenu | None]


def fill_menu(menu: QMenu, rows: Rows) -> None:
    """Fill a menu with actions, submenus and separators (None), in order."""
    for row in rows:
        if row is SEPARATOR:
            menu.addSeparator()
        elif isinstance(row, QMenu):
            menu.addMenu(row)
        elif isinstance(row, QAction):
            menu.addAction(row)
        else:
            menu.addAction(make_action(menu, row))


def fill_choice(menu: QMenu, rows: Sequence[ActionRow]) -> QActionGroup:
    """Fill a menu with exclusive actions, exactly one of them checked."""
    group = QActionGroup(menu)
    for row in rows:
        action = make_action(menu, row)
        action.setCheckable(True)
        group.addAction(action)
        menu.addAction(action)
    return group


def make_action(parent: QWidget, row: ActionRow) -> QAction:
    """Make the action of a row."""
    return _RowAction(row, parent)


class _RowAction(QAction):
    def __init__(self, row: ActionRow, parent: QWidget) -> None:
        super().__init__(row.text, parent)
        self._row = row
        self.setObjectName(f"action.{row.name}")
        self.setData(row.data)
        if row.shortcut is not None:
            self.setShortcut(row.shortcut)
        self.triggered.connect(self._fire)

    @Slot()
    def _fire(self) -> None:
        self._row.callback(self._row.data)
