"""The menus: their titles and groups, and the rows that belong to no feature."""

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Slot
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWhatsThis

from attnviewer.ui.frame.about_box import AboutBox
from attnviewer.ui.frame.concepts_dialog import ConceptsDialog
from attnviewer.ui.frame.keys_dialog import KeysDialog
from attnviewer.ui.frame.text_size_menu import TextSizeMenu
from attnviewer.ui.paint.appearance import Appearance, ThemeChoice
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import (
    SEPARATOR,
    ActionRow,
    Rows,
    fill_choice,
    fill_menu,
    make_action,
)
from attnviewer.views import VIEWS

Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class _Menu:
    """A menu of the bar: groups with separators between them, each of several slots.

    Rows are added to a slot by its name. A menu without a title is given as a whole,
    as the only row of its slot.
    """

    title: object
    groups: tuple[tuple[str, ...], ...]


_EXPORT = _Menu(
    QT_TRANSLATE_NOOP("Menus", "&Export"), (("export.steps",), ("export.pictures",))
)
_MENUS = (
    _Menu(
        QT_TRANSLATE_NOOP("Menus", "&File"),
        (
            ("file.open", "file.model", "file.import", "file.recent"),
            ("file.save",),
            ("file.reload",),
            ("file.export",),
            ("file.close", "file.quit"),
        ),
    ),
    _Menu(
        QT_TRANSLATE_NOOP("Menus", "&Edit"),
        (
            ("edit.undo", "edit.history"),
            ("edit.cells",),
            ("edit.fill",),
            ("edit.pins",),
            ("edit.texts",),
        ),
    ),
    _Menu("", (("tokens",),)),
    _Menu("", (("attention",),)),
    _Menu(
        QT_TRANSLATE_NOOP("Menus", "&View"),
        (
            ("view.pages",),
            ("view.baseline",),
            ("view.steps",),
            ("view.navigation",),
            ("view.look",),
            ("view.panels",),
            ("view.appearance", "view.presentation"),
        ),
    ),
    _Menu(QT_TRANSLATE_NOOP("Menus", "E&xamples"), (("examples",), ("lessons",))),
    _Menu(
        QT_TRANSLATE_NOOP("Menus", "&Help"),
        (("help.tour", "help.words", "help.log", "help.about"),),
    ),
)


class Menus(QObject):
    """Builds the menus of a window from the rows that its features add.

    Attributes
    ----------
    undo, redo : QAction
        Named after the edit they would undo or redo.
    export : QMenu
        The export menu, once the menus are built.
    """

    def __init__(
        self,
        window: QMainWindow,
        workbench: Workbench,
        step_view: StepView,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._appearance = appearance
        self._rows: dict[str, list[ActionRow | QAction | QMenu | None]] = {
            slot: []
            for menu in (_EXPORT, *_MENUS)
            for group in menu.groups
            for slot in group
        }
        edits = workbench.edits
        self.undo = _named(edits.createUndoAction(window, self.tr("&Undo")), "undo")
        self.undo.setShortcut("Ctrl+Z")
        self.redo = _named(edits.createRedoAction(window, self.tr("&Redo")), "redo")
        # Not the platform's standard keys, which include keys such as F14.
        self.redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self.export = QMenu(self.tr(str(_EXPORT.title)), window)
        self._add_general_rows(step_view)

    def add(self, slot: str, rows: Rows) -> None:
        """Append rows to a slot of a menu.

        Parameters
        ----------
        slot : str
            Its name, such as ``file.open``.
        rows : sequence
            The rows.
        """
        self._rows[slot] += rows

    def submenu(self, title: str, rows: Rows) -> QMenu:
        """Return a submenu with rows."""
        menu = QMenu(title, self._window)
        fill_menu(menu, rows)
        return menu

    def build(self) -> list[QMenu]:
        """Return the menus of the bar, once all rows have been added."""
        fill_menu(self.export, self._rows_of(_EXPORT))
        built = []
        for menu in _MENUS:
            rows = self._rows_of(menu)
            if menu.title:
                built.append(self.submenu(self.tr(str(menu.title)), rows))
            else:
                (whole,) = rows
                assert isinstance(whole, QMenu)
                built.append(whole)
        return built

    def _rows_of(self, menu: _Menu) -> Rows:
        rows: list[ActionRow | QAction | QMenu | None] = []
        for group in menu.groups:
            if rows:
                rows.append(SEPARATOR)
            rows += [row for slot in group for row in self._rows[slot]]
        return rows

    def _add_general_rows(self, step_view: StepView) -> None:
        """Add the rows that belong to no feature."""
        self.add("file.export", [self.export])
        close = ActionRow("close", self.tr("Close win&dow"), self._close, "Ctrl+W")
        self.add("file.close", [close])
        quit_ = ActionRow("quit", self.tr("&Quit"), self._quit, "Ctrl+Q")
        self.add("file.quit", [quit_])
        self.add("edit.undo", [self.undo, self.redo])
        self._views = QActionGroup(self)
        for name, view in VIEWS.items():
            row = ActionRow(
                name, self.tr(view.title), step_view.set_view, view.key, name
            )
            action = self._views.addAction(make_action(self._window, row))
            action.setCheckable(True)
            action.setChecked(name == step_view.view)
            self.add("view.pages", [action])
        step_view.header.view_chosen.connect(self._check_view)
        themes = QMenu(self.tr("Th&eme"), self._window)
        self._themes = fill_choice(themes, self._theme_rows())
        themes.aboutToShow.connect(self._check_theme)
        sizes = TextSizeMenu(self._appearance, self._window)
        self.add("view.appearance", [themes, sizes])
        self.add(
            "help.words",
            [
                ActionRow("concepts", self.tr("&Concepts"), self._show_concepts),
                self._whats_this(),
                ActionRow(
                    "keys",
                    self.tr("&Keyboard shortcuts"),
                    self._show_keys,
                    Keys.HelpContents,
                ),
            ],
        )
        about = ActionRow("about", self.tr("&About attnviewer"), self._show_about)
        self.add("help.about", [about])

    def _theme_rows(self) -> list[ActionRow]:
        titles: dict[ThemeChoice, str] = {
            "system": self.tr("Same as &system"),
            "light": self.tr("&Light"),
            "dark": self.tr("&Dark"),
            "contrast": self.tr("&High contrast"),
        }
        choose = self._appearance.choose
        return [
            ActionRow(f"theme.{name}", title, choose, data=name)
            for name, title in titles.items()
        ]

    @Slot()
    def _check_theme(self) -> None:
        for action in self._themes.actions():
            action.setChecked(action.data() == self._appearance.choice)

    @Slot(int)
    def _check_view(self, index: int) -> None:
        self._views.actions()[index].setChecked(True)

    def _close(self, _data: object) -> None:
        self._window.close()

    def _quit(self, _data: object) -> None:
        """Close all windows of this kind, until one stays open."""
        # Only these: the application may be another program's.
        for window in QApplication.topLevelWidgets():
            if isinstance(window, type(self._window)) and not window.close():
                return

    def _show_keys(self, _data: object) -> None:
        bar = self._window.menuBar()
        menus = [m for a in bar.actions() if isinstance(m := a.menu(), QMenu)]
        # The texts of undo and redo name the next edit.
        names = {self.undo: self.tr("Undo"), self.redo: self.tr("Redo")}
        KeysDialog(menus, names, self._window).open()

    def _show_concepts(self, _data: object) -> None:
        ConceptsDialog(self._window).open()

    def _whats_this(self) -> QAction:
        """Return the What's This? action."""
        action = _named(QWhatsThis.createAction(self._window), "whats_this")
        action.setText(self.tr("&What’s this?"))
        action.setIcon(QIcon())  # Qt's is black in every theme
        action.setToolTip(
            self.tr(
                "Click this, then a step, a choice or a heading, to see what it means"
            )
        )
        return action

    def _show_about(self, _data: object) -> None:
        AboutBox(self._window).open()


def _named(action: QAction, name: str) -> QAction:
    action.setObjectName(f"action.{name}")
    return action
