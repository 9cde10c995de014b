"""The main window: puts the views around a workbench, and owns no numbers."""

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import CellChange
from attnviewer.document import Document
from attnviewer.ui.actions import SEPARATOR
from attnviewer.ui.bar_button import BarButton
from attnviewer.ui.choices.attention_menu import AttentionMenu
from attnviewer.ui.choices.dimensions_dialog import DimensionsDialog
from attnviewer.ui.choices.precision_menu import PrecisionMenu
from attnviewer.ui.choices.spec_bar import SpecBar
from attnviewer.ui.docks import Docks, Panel
from attnviewer.ui.engine import Computed
from attnviewer.ui.explain import ExplainPanel
from attnviewer.ui.exporting import Exporter
from attnviewer.ui.flow import FlowStrip
from attnviewer.ui.history import HistoryPanel
from attnviewer.ui.inputs import InputsPanel, TokenCommands
from attnviewer.ui.inputs.commands import has_numbers, has_tokens
from attnviewer.ui.inputs.look_menu import LookMenu
from attnviewer.ui.menu_bar import MenuBar
from attnviewer.ui.menus import Menus
from attnviewer.ui.notes import NotesArea
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.opening import Opener
from attnviewer.ui.presentation import Presentation
from attnviewer.ui.reason import ReasonBubble
from attnviewer.ui.status import StatusBar
from attnviewer.ui.step import StepView
from attnviewer.ui.step.difference.glance import LastEditNote
from attnviewer.ui.step.difference.pinning import PinButton, Pinning
from attnviewer.ui.tab_order import order_tabs
from attnviewer.ui.theme import Appearance
from attnviewer.ui.token_lights import TokenLights
from attnviewer.ui.tour import Tour, stops_through
from attnviewer.ui.typed import take_over_typed
from attnviewer.ui.walk import WalkPanel
from attnviewer.ui.work_line import WorkLine
from attnviewer.ui.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable

LINES_FOR_NAMES = {"button.pin": 80, "button.undo": 100, "button.redo": 100}
"""Width of a window whose bar has room for a button's name, in heights of a line."""


class MainWindow(QMainWindow):
    """A workbench and the views on it.

    Parameters
    ----------
    document : Document
        What is opened first.
    appearance : Appearance
        The theme in force.

    Attributes
    ----------
    workbench : Workbench
        The document and what all views share.
    flow, step_view, explain, inputs
        The views.
    confirm_close : callable or None
        Asked with the window and the titles of changed documents before the window
        closes; None closes without asking.
    closing : Signal
        The window is about to close, and nothing keeps it from that.
    tour : Tour
        Points to the parts of the window.
    """

    closing = Signal()

    def __init__(self, document: Document, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setMinimumSize(QSize(960, 600))
        self.resize(1600, 1000)
        self.appearance = appearance
        self.confirm_close: Callable[[MainWindow, list[str]], bool] | None = None
        self.workbench = workbench = Workbench(document, self)
        engine, selection = workbench.engine, workbench.selection
        self._awaiting_paint: float | None = None
        self._buttons: list[BarButton | PinButton] = []

        self.reason = ReasonBubble(self)
        self.notice = NoticeBar(self)
        self.flow = FlowStrip(engine, selection, workbench.looks, appearance, self)
        self.step_view = StepView(workbench, appearance, self)
        self.explain = ExplainPanel(
            engine,
            selection,
            workbench.edits,
            workbench.sensitivity,
            appearance,
            self,
        )
        self.walk = WalkPanel(workbench, appearance, self)
        self.inputs = InputsPanel(workbench.edits, self.reason, self)
        self.inputs.look.follow_sensitivity(workbench.sensitivity)
        self.explain.visited.input_entered.connect(self.inputs.enter)
        self.explain.told.connect(self.notice.tell)
        self.spec_bar = SpecBar(workbench.edits, self.reason, self)
        self.status = StatusBar(engine, selection, self)
        self.inputs.told.connect(self.status.show_input)
        TokenLights(workbench, self.inputs, self)
        self.last_edit = LastEditNote(workbench, self)
        self.status.insertPermanentWidget(1, self.last_edit)
        self.work = WorkLine(engine, self.notice, self.status)
        self.status.insertPermanentWidget(1, self.work)
        self.last_edit.wanted.connect(self._show_last_edit)
        self.exporter = Exporter(workbench, self.notice, self)
        self.opener = Opener(workbench, self.inputs, self.notice, self)
        self._notes = NotesArea(self)
        self._bar = MenuBar(self)
        self.setMenuBar(self._bar)
        self.setStatusBar(self.status)
        centre = self._build_centre()
        self.docks = self._build_docks()
        self._token_commands = TokenCommands(
            self.inputs, workbench.edits, self.reason, self
        )
        self._menus = Menus(self, workbench, appearance)
        self._pinning = Pinning(workbench.baseline, self)
        stops = stops_through(
            self.inputs, self.flow, self.step_view.header, self.explain
        )
        self.tour = Tour(self, stops, appearance)
        self._attention = AttentionMenu(
            self, workbench.edits, self.reason, self._open_dimensions
        )
        bar = QToolBar(self.tr("Choices"), self)
        self.presentation = Presentation(
            self,
            self.docks,
            [bar, self.status],
            self.step_view,
            appearance,
            self.notice,
        )
        self._fill_menu_bar()
        self._fill_bar(bar)
        left, *right = self.docks.all
        order_tabs(self, [bar, left, centre, *right])

        workbench.opened.connect(self._show_document)
        workbench.edits.cleanChanged.connect(self._show_title)
        engine.computed.connect(self._on_computed)
        engine.failed.connect(self.notice.refuse)
        self.inputs.dimensions_wanted.connect(self._open_dimensions)
        self.inputs.clipboard.told.connect(self.notice.tell)
        self.inputs.clipboard.offered.connect(self.notice.offer)
        self.inputs.clipboard.withdrawn.connect(self.notice.withdraw)
        self.step_view.painted.connect(self._on_painted)
        appearance.changed.connect(self._fit_bars)
        appearance.changed.connect(self.docks.follow_font)
        self._show_texts()

    @property
    def document(self) -> Document:
        """The open document."""
        return self.workbench.document

    @Slot()
    def _show_document(self) -> None:
        document = self.workbench.document
        self.inputs.set_document(document)
        self.spec_bar.set_document(document)
        self._show_texts()

    def _show_texts(self) -> None:
        self._notes.set_text(self.workbench.document.notes)
        self._show_title()

    @Slot()
    def _show_title(self) -> None:
        modified = self.workbench.modified
        title = self.workbench.document.title
        self.setWindowTitle(f"{title}[*] — attnviewer")
        self.setWindowModified(modified)
        if modified:
            title = self.tr("{title} — modified").format(title=title)
        self._bar.show_title(title)
        self.status.show_modified(modified)

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        self._awaiting_paint = computed.edited_at
        if computed.edited_at is None:  # another document, which was not edited
            self.status.show_speed(None)

    @Slot()
    def _on_painted(self) -> None:
        if self._awaiting_paint is not None:
            self.status.show_speed(perf_counter() - self._awaiting_paint)
            self._awaiting_paint = None

    @Slot()
    def _open_dimensions(self, _data: object = None) -> None:
        DimensionsDialog(self.workbench.edits, self).open()

    @Slot(object)
    def _show_last_edit(self, largest: CellChange | None) -> None:
        self.workbench.baseline.choose("last_edit")
        self.step_view.set_view("difference")
        if largest is not None:
            self.step_view.difference.open_change(largest)

    def _build_centre(self) -> QWidget:
        centre = QWidget(self)
        centre.setObjectName("centre")
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.flow)
        layout.addWidget(self.step_view, 1)
        self.setCentralWidget(centre)
        return centre

    def _build_docks(self) -> Docks:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.inputs, 1)
        column.addWidget(self._notes)
        left.setFocusProxy(self.inputs)
        history = HistoryPanel(self.workbench.edits, self)
        area = Qt.DockWidgetArea
        docks = Docks(
            self,
            [
                Panel(
                    "inputs",
                    self.tr("Inputs"),
                    self.tr("&Inputs"),
                    left,
                    self.inputs.heading,
                    area.LeftDockWidgetArea,
                    narrowest=22,
                ),
                Panel(
                    "explain",
                    self.tr("Explain"),
                    self.tr("E&xplain"),
                    self.explain,
                    self.explain.heading,
                    area.RightDockWidgetArea,
                    narrowest=20,
                ),
                Panel(
                    "history",
                    self.tr("History"),
                    self.tr("Histor&y"),
                    history,
                    history.heading,
                    area.RightDockWidgetArea,
                    narrowest=20,
                    opened=False,
                ),
                Panel(
                    "walk",
                    self.tr("Step by step"),
                    self.tr("&Step by step"),
                    self.walk,
                    self.walk.heading,
                    area.BottomDockWidgetArea,
                    narrowest=0,
                    opened=False,
                ),
            ],
        )
        for toggle, keys in zip(
            docks.toggles[2:], ("Ctrl+Shift+H", "F10"), strict=True
        ):
            toggle.setShortcut(keys)
        corner = Qt.Corner
        self.setCorner(corner.BottomLeftCorner, area.LeftDockWidgetArea)
        self.setCorner(corner.BottomRightCorner, area.RightDockWidgetArea)
        return docks

    def _fill_menu_bar(self) -> None:
        menus, bar = self._menus, self.menuBar()
        look = LookMenu(self.inputs, self.workbench.edits.cursor, self)
        self._export = menus.export(self.exporter)
        bar.addMenu(menus.file(self.opener, self._export))
        fill, tokens = self.inputs.fills.menu, menus.tokens(self._token_commands)
        bar.addMenu(menus.edit(self.inputs.commands.rows(), fill))
        bar.addMenu(tokens)
        self._attention.menu.addSeparator()
        self._attention.menu.addMenu(PrecisionMenu(self.workbench.engine, self))
        bar.addMenu(self._attention.menu)
        docks = self.docks
        panels = [*docks.toggles, SEPARATOR, docks.menu]
        bar.addMenu(
            menus.view(
                self.step_view,
                self.flow,
                self._pinning.actions,
                look.rows,
                self.explain.commands.rows,
                panels,
                self.presentation.action,
            )
        )
        bar.addMenu(menus.examples(self.opener))
        bar.addMenu(menus.help(self.tour))
        for menu in (action.menu() for action in bar.actions()):
            assert isinstance(menu, QMenu)
            menu.aboutToShow.connect(take_over_typed)
        self.inputs.commands.set_menu(
            [
                (has_numbers, [fill]),
                (has_tokens, [tokens]),
                (has_numbers, [look.format_menu, look.heat]),
            ]
        )

    def _fill_bar(self, bar: QToolBar) -> None:
        bar.setObjectName("bar")
        bar.setMovable(False)
        bar.addWidget(self.spec_bar)
        spacer = QWidget(bar)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(spacer)
        for action, sign, name in (
            (self._menus.undo, "⟲", self.tr("Undo")),
            (self._menus.redo, "⟳", self.tr("Redo")),
        ):
            self._buttons.append(BarButton(action, sign, name, bar))
            bar.addWidget(self._buttons[-1])
        self._buttons.append(PinButton(self._pinning, self.workbench.baseline, bar))
        bar.addWidget(self._buttons[-1])
        export = QToolButton(bar)
        export.setObjectName("export")
        export.setText(self.tr("Export"))
        export.setAccessibleName(self.tr("Export"))
        export.setMenu(self._export)
        export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        bar.addWidget(export)
        self.addToolBar(bar)
        # Qt's own menu could hide the bar for good.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.docks.open()
        if self.focusWidget() is None:
            # Qt would take what Tab visits first, wherever that is.
            self.step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bars()
        self._notes.fit()

    @Slot()
    def _fit_bars(self) -> None:
        lines = self.width() / self.fontMetrics().height()
        for button in self._buttons:
            least = LINES_FOR_NAMES[button.objectName()]
            button.show_name(named=lines >= least)
        self._bar.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        take_over_typed()
        changed = [document.title for document in self.workbench.set_aside]
        if not self.inputs.take_over() or self.workbench.modified:
            changed.append(self.workbench.document.title)
        if changed and self.confirm_close and not self.confirm_close(self, changed):
            event.ignore()
            return
        self.presentation.leave()
        self.closing.emit()
        self.workbench.close()
        self.last_edit.release()
        self.spec_bar.release()
        self.inputs.release()
        self.reason.clear()
        super().closeEvent(event)
