"""The menus and the keys that go with them."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMessageBox, QWhatsThis

from attnviewer.io import list_examples
from attnviewer.ui.action_text import action_text
from attnviewer.ui.actions import SEPARATOR, ActionRow, Rows, fill_choice, fill_menu
from attnviewer.ui.assigning import Importer
from attnviewer.ui.concepts.dialog import ConceptsDialog
from attnviewer.ui.exporting import Exporter
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.flow import FlowStrip
from attnviewer.ui.inputs import TokenCommands
from attnviewer.ui.keys_dialog import KeysDialog
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.manual import ManualWindow
from attnviewer.ui.pictures.commands import PictureCommands
from attnviewer.ui.step import StepView
from attnviewer.ui.text_size_menu import TextSizeMenu
from attnviewer.ui.theme import Appearance, ThemeChoice
from attnviewer.ui.tour import Tour
from attnviewer.ui.workbench import Workbench
from attnviewer.version import __version__
from attnviewer.views import VIEWS

Keys = QKeySequence.StandardKey


class Menus(QObject):
    """Builds the menus of a window.

    Parameters
    ----------
    window : MainWindow
        The window; it owns the menus.
    workbench : Workbench
        Whose edits are undone and redone.
    appearance : Appearance
        The theme in force.

    Attributes
    ----------
    undo, redo : QAction
        Named after the edit they would undo or redo.
    """

    def __init__(
        self, window: MainWindow, workbench: Workbench, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window = window
        self._appearance = appearance
        self._manual: ManualWindow | None = None
        edits = workbench.edits
        self.undo = _named(edits.createUndoAction(window, self.tr("&Undo")), "undo")
        self.undo.setShortcut("Ctrl+Z")
        self.redo = _named(edits.createRedoAction(window, self.tr("&Redo")), "redo")
        # Not the platform's own lists, which have keys such as F14.
        self.redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])

    def file(
        self,
        opener: Opener,
        model: Rows,
        importer: Importer,
        recent: QMenu,
        saver: Saver,
        reload: Rows,
        export: QMenu,
    ) -> QMenu:
        """Return the File menu."""
        return self._menu(
            self.tr("&File"),
            [
                ActionRow("new", self.tr("&New…"), opener.new, Keys.New),
                ActionRow("open", self.tr("&Open…"), opener.open_file, Keys.Open),
                *model,
                ActionRow("import", self.tr("&Import…"), importer.ask, "Ctrl+Shift+O"),
                ActionRow(
                    "import_again", self.tr("Import a&gain…"), importer.ask_again
                ),
                recent,
                _SetAsideMenu(opener, self._window),
                SEPARATOR,
                ActionRow("save", self.tr("&Save"), saver.save, Keys.Save),
                ActionRow(
                    "save_as", self.tr("Save &as…"), saver.save_as, "Ctrl+Shift+S"
                ),
                SEPARATOR,
                *reload,
                SEPARATOR,
                export,
                SEPARATOR,
                ActionRow("quit", self.tr("&Quit"), self._quit, "Ctrl+Q"),
            ],
        )

    def export(self, exporter: Exporter, pictures: PictureCommands) -> QMenu:
        """Return the ways to export."""
        step, every = self.tr("This &step as CSV…"), self.tr("&All steps as CSV…")
        return self._menu(
            self.tr("&Export"),
            [
                ActionRow("export_step", step, exporter.export_step, "Ctrl+E"),
                ActionRow("export_all", every, exporter.export_all, "Ctrl+Shift+E"),
                ActionRow(
                    "export", self.tr("&Other formats…"), exporter.choose, "Ctrl+Alt+E"
                ),
                SEPARATOR,
                ActionRow("copy_step", self.tr("&Copy this step"), exporter.copy_step),
                exporter.with_headers,
                SEPARATOR,
                ActionRow(
                    "picture",
                    self.tr("&Picture of this view…"),
                    pictures.ask,
                    "Ctrl+Shift+P",
                ),
                ActionRow(
                    "copy_picture",
                    self.tr("Copy this &view as a picture"),
                    pictures.copy,
                    "Ctrl+Alt+C",
                ),
                ActionRow("gif", self.tr("Step &by step as GIF…"), pictures.ask_walk),
            ],
        )

    def edit(self, cells: Rows, fill: QMenu, importer: Importer, texts: Rows) -> QMenu:
        """Return the Edit menu, with what can be done with the selected cells."""
        paste = ActionRow(
            "paste_new",
            self.tr("Paste as &new document…"),
            importer.paste,
            "Ctrl+Shift+V",
        )
        fills = [SEPARATOR, fill, paste, SEPARATOR, *texts]
        rows = [self.undo, self.redo, SEPARATOR, *cells, *fills]
        return self._menu(self.tr("&Edit"), rows)

    def tokens(self, commands: TokenCommands) -> QMenu:
        """Return the Tokens menu."""
        return self._menu(self.tr("T&okens"), commands.rows)

    def view(
        self,
        step: StepView,
        flow: FlowStrip,
        pinning: Rows,
        look: Rows,
        explain: Rows,
        panels: Rows,
        presentation: QAction,
    ) -> QMenu:
        """Return the View menu."""
        go = flow.go
        themes = QMenu(self.tr("Th&eme"), self._window)
        self._themes = fill_choice(themes, self._theme_rows())
        themes.aboutToShow.connect(self._check_theme)
        return self._menu(
            self.tr("&View"),
            [
                *(
                    ActionRow(name, self.tr(view.title), step.set_view, view.key, name)
                    for name, view in VIEWS.items()
                ),
                SEPARATOR,
                *pinning,
                SEPARATOR,
                ActionRow("step.next", self.tr("&Next step"), go, "Alt+Right", 1),
                ActionRow("step.back", self.tr("&Previous step"), go, "Alt+Left", -1),
                SEPARATOR,
                *look,
                SEPARATOR,
                self._menu(self.tr("Explanat&ion"), explain),
                self._menu(self.tr("Panel&s"), panels),
                SEPARATOR,
                themes,
                TextSizeMenu(self._appearance, self._window),
                presentation,
            ],
        )

    def examples(self, opener: Opener) -> QMenu:
        """Return the menu of the bundled examples."""
        return self._menu(
            self.tr("E&xamples"),
            [
                ActionRow(
                    f"example.{info.id}",
                    action_text(info.title),
                    opener.open_example,
                    data=info.id,
                )
                for info in list_examples()
            ],
        )

    def help(self, tour: Tour, show_log: Callable[[object], None]) -> QMenu:
        """Return the Help menu."""
        return self._menu(
            self.tr("&Help"),
            [
                ActionRow("tour", self.tr("&Tour"), tour.start),
                ActionRow("manual", self.tr("&Manual"), self._show_manual, "Ctrl+F1"),
                ActionRow("concepts", self.tr("&Concepts"), self._tell_concepts),
                self._whats_this(),
                ActionRow("keys", self.tr("&Keys"), self._tell_keys, Keys.HelpContents),
                ActionRow("log", self.tr("Show &log file"), show_log),
                ActionRow("about", self.tr("&About attnviewer"), self._tell_about),
            ],
        )

    def _menu(self, title: str, rows: Rows) -> QMenu:
        menu = QMenu(title, self._window)
        fill_menu(menu, rows)
        return menu

    def _theme_rows(self) -> list[ActionRow]:
        titles: dict[ThemeChoice, str] = {
            "system": self.tr("As the &system"),
            "light": self.tr("&Light"),
            "dark": self.tr("&Dark"),
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

    def _quit(self, _data: object) -> None:
        self._window.close()

    def _tell_keys(self, _data: object) -> None:
        bar = self._window.menuBar()
        menus = [m for a in bar.actions() if isinstance(m := a.menu(), QMenu)]
        # Undo and redo are named after the edit that is next.
        names = {self.undo: self.tr("Undo"), self.redo: self.tr("Redo")}
        KeysDialog(menus, names, self._window).open()

    def _tell_concepts(self, _data: object) -> None:
        ConceptsDialog(self._window).open()

    def _show_manual(self, _data: object) -> None:
        if self._manual is None:
            self._manual = ManualWindow(self._window)
        self._manual.come_forward()

    def _whats_this(self) -> QAction:
        """Return what lets a person point at a thing to be told what it is."""
        action = _named(QWhatsThis.createAction(self._window), "whats_this")
        action.setText(self.tr("&What’s this?"))
        action.setToolTip(self.tr("Then click on a step, a choice or a heading"))
        return action

    def _tell_about(self, _data: object) -> None:
        text = self.tr(
            "attnviewer {version}\n\nA desktop workbench for the attention "
            "mechanism of transformers: edit any number, and every matrix that "
            "depends on it follows."
        )
        box = QMessageBox(self._window)
        box.setObjectName("about")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("About attnviewer"))
        box.setText(text.format(version=__version__))
        box.open()


class _SetAsideMenu(QMenu):
    """Lists the documents that were set aside, anew each time it opens."""

    def __init__(self, opener: Opener, parent: QMainWindow) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("&Changed documents"))
        self._opener = opener
        self.aboutToShow.connect(self._list)

    @Slot()
    def _list(self) -> None:
        self.clear()
        rows = [
            ActionRow(f"reopen.{i}", action_text(d.title), self._opener.reopen, data=d)
            for i, d in enumerate(self._opener.set_aside)
        ]
        fill_menu(self, rows)
        if not rows:
            self.addAction(self.tr("None")).setEnabled(False)


def _named(action: QAction, name: str) -> QAction:
    action.setObjectName(f"action.{name}")
    return action
