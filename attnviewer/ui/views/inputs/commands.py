"""Actions on the selected cells."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from attnviewer.ui.views.inputs.cells.clipboard import Clipboard
from attnviewer.ui.views.inputs.cells.filling import fill_down, fill_right
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from attnviewer.ui.widgets.actions import (
    SEPARATOR,
    ActionRow,
    Rows,
    Shortcut,
    fill_menu,
    make_action,
)

Keys = QKeySequence.StandardKey

_MORE_KEYS = {"clear": ("Del", "Backspace"), "fill_down": ("Ctrl+D", "Ctrl+Shift+D")}

MenuPart = tuple[Callable[[CellTable], bool], Rows]
"""Lines of the context menu, and which tables they are for."""


class Commands(QObject):
    """Owns the actions on the focused table, and its context menu.

    The shortcuts work only while an input table has the focus, so that other views and
    open editors keep theirs. The actions are also enabled in views that they serve.

    Parameters
    ----------
    panel : QWidget
        The panel of the tables, which owns the commands.
    current_table : callable
        Returns the table that was focused last, if it still exists.
    clipboard : Clipboard
        What copies and pastes.
    is_own : callable
        Returns whether a table is one of the document's inputs.
    """

    def __init__(
        self,
        panel: QWidget,
        current_table: Callable[[], CellTable | None],
        clipboard: Clipboard,
        is_own: Callable[[CellTable], bool],
    ) -> None:
        super().__init__(panel)
        self._panel = panel
        self._current_table = current_table
        self._clipboard = clipboard
        self._menu = QMenu(panel)
        self._menu.setObjectName("inputs.menu")
        self._actions = [make_action(panel, row) for row in self._action_rows()]
        for action in self._actions:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.setEnabled(False)
            panel.addAction(action)
        for name, keys in _MORE_KEYS.items():
            several = panel.findChild(QAction, f"action.{name}")
            assert several is not None
            several.setShortcuts([QKeySequence(key) for key in keys])
        self._parts: Sequence[MenuPart] = ()
        self._served: dict[QWidget, Mapping[str, Callable[[], None]]] = {}
        self._elsewhere: Mapping[str, Callable[[], None]] = {}
        self._is_own = is_own
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    @property
    def actions(self) -> list[QAction]:
        """All actions."""
        return self._actions

    def rows(self) -> list[QAction | None]:
        """Return the actions in menu order."""
        block, fill = self._actions[:4], self._actions[6:]
        return [*block, SEPARATOR, *self._actions[4:6], SEPARATOR, *fill]

    def set_menu(self, parts: Sequence[MenuPart]) -> None:
        """Add sections to the context menu of the tables, below the commands.

        Parameters
        ----------
        parts : sequence of (callable, rows)
            For each section, a predicate that tells whether it applies to a table, and
            its rows.
        """
        self._parts = parts

    def serve(self, view: QWidget, commands: Mapping[str, Callable[[], None]]) -> None:
        """Enable some actions also while another view has the focus.

        Parameters
        ----------
        view : QWidget
            The view, which handles the keys of the actions itself.
        commands : mapping of str to callable
            What the actions do there, by their names.
        """
        self._served[view] = commands

    @Slot(QPoint)
    def show_menu(self, point: QPoint) -> None:
        """Open the context menu at a position on the screen."""
        table = self._current_table()
        if table is None or self._menu.isVisible():
            return
        self._menu.clear()
        fill_menu(self._menu, self.rows())
        for works_there, rows in self._parts:
            if works_there(table):
                fill_menu(self._menu, [SEPARATOR, *rows])
        self._menu.popup(point)

    def _action_rows(self) -> list[ActionRow]:
        clipboard = self._clipboard
        return [
            self._row("cut", self.tr("Cu&t"), clipboard.cut, Keys.Cut),
            self._row("copy", self.tr("&Copy"), clipboard.copy, Keys.Copy),
            self._row("copy_numpy", self.tr("Cop&y as NumPy"), clipboard.copy_as_numpy),
            self._row("paste", self.tr("&Paste"), clipboard.paste, Keys.Paste),
            self._row("clear", self.tr("&Delete"), CellTable.clear_selected),
            self._row(
                "select_all",
                self.tr("Select &all"),
                CellTable.selectAll,
                Keys.SelectAll,
            ),
            self._row("fill_down", self.tr("Fi&ll down"), fill_down),
            self._row("fill_right", self.tr("Fill ri&ght"), fill_right, "Ctrl+R"),
        ]

    def _row(
        self,
        name: str,
        text: str,
        command: Callable[[CellTable], object],
        shortcut: Shortcut = None,
    ) -> ActionRow:
        return ActionRow(name, text, self._run, shortcut, (name, command))

    def _run(self, request: tuple[str, Callable[[CellTable], object]]) -> None:
        name, command = request
        if name in self._elsewhere:
            self._elsewhere[name]()
            return
        table = self._current_table()
        if table is not None:
            command(table)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        # A menu or another window takes the focus only temporarily.
        if new is None or isinstance(new, QMenu | QMenuBar):
            return
        at_work = isinstance(new, CellTable) and self._is_own(new)
        self._elsewhere = self._served.get(new, {})
        for action in self._actions:
            name = action.objectName().removeprefix("action.")
            action.setEnabled(at_work or name in self._elsewhere)


def has_numbers(table: CellTable) -> bool:
    """Return whether the cells of a table are the numbers of a matrix."""
    return isinstance(table, MatrixTable)


def has_widths(table: CellTable) -> bool:
    """Return whether the columns of a table can be made wider and narrower."""
    return has_numbers(table) or has_tokens(table)


def has_tokens(table: CellTable) -> bool:
    """Return whether the rows of a table are tokens."""
    return table.cells.has_tokens
