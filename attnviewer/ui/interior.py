"""What is in the window: the views around a workbench. It owns no numbers."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from attnviewer.compute import CellChange
from attnviewer.document import Document
from attnviewer.ui.actions import SEPARATOR, fill_menu
from attnviewer.ui.assigning import Importer, WaysIn
from attnviewer.ui.bar import Bar
from attnviewer.ui.choices.attention_menu import AttentionMenu
from attnviewer.ui.choices.dimensions_dialog import DimensionsDialog
from attnviewer.ui.choices.head_menu import HeadMenu
from attnviewer.ui.choices.precision_menu import PrecisionMenu
from attnviewer.ui.choices.spec_bar import SpecBar
from attnviewer.ui.edit_speed import EditSpeed
from attnviewer.ui.explain import ExplainPanel
from attnviewer.ui.explain.mouse_buttons import MouseButtons
from attnviewer.ui.exporting import Exporter
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.presence import Presence
from attnviewer.ui.files.recent import RecentFiles, RecentMenu
from attnviewer.ui.files.reloading import Reloader
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.flow import FlowStrip
from attnviewer.ui.history import HistoryPanel
from attnviewer.ui.inputs import InputsPanel, TokenCommands
from attnviewer.ui.inputs.commands import has_numbers, has_tokens, has_widths
from attnviewer.ui.inputs.look_menu import LookMenu
from attnviewer.ui.lines_beside import LinesBeside
from attnviewer.ui.log.shown import show_log
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.menu_bar import MenuBar
from attnviewer.ui.menus import Menus
from attnviewer.ui.models.parts import ModelParts
from attnviewer.ui.notes import NotesArea
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.panels import build_docks
from attnviewer.ui.pictures.commands import PictureCommands
from attnviewer.ui.presentation import Presentation
from attnviewer.ui.reason import ReasonBubble
from attnviewer.ui.status import StatusBar
from attnviewer.ui.step import StepView
from attnviewer.ui.step.difference.glance import LastEditNote
from attnviewer.ui.step.difference.pinning import Pinning
from attnviewer.ui.step_menu import StepMenu
from attnviewer.ui.tab_order import order_tabs
from attnviewer.ui.texts import DocumentTexts
from attnviewer.ui.token_lights import TokenLights
from attnviewer.ui.tour import Tour, stops_through
from attnviewer.ui.typed import take_over_typed
from attnviewer.ui.walk import WalkPanel
from attnviewer.ui.work_line import WorkLine
from attnviewer.ui.workbench import Workbench


class Interior(QObject):
    """What fills a window: the views on a workbench and the bars around them.

    Parameters
    ----------
    window : MainWindow
        The window, which may be in sight already.
    workbench : Workbench
        The document and what all views share.
    step_view : StepView
        The view in the middle, which may be in sight already.

    Attributes
    ----------
    flow, explain, lines, walk, inputs
        The other views.
    tour : Tour
        Points to the parts of the window.
    """

    def __init__(
        self, window: MainWindow, workbench: Workbench, step_view: StepView
    ) -> None:
        super().__init__(window)
        self._window = window
        self.workbench = workbench
        self.step_view = step_view
        appearance = window.appearance
        engine, selection = workbench.engine, workbench.selection

        self.reason = ReasonBubble(window)
        self.notice = NoticeBar(window)
        self.flow = FlowStrip(engine, selection, workbench.looks, appearance, window)
        self.explain = ExplainPanel(
            engine,
            selection,
            workbench.edits,
            workbench.sensitivity,
            appearance,
            window,
        )
        self.lines = LinesBeside(workbench, appearance, window)
        self.walk = WalkPanel(workbench, appearance, window)
        self.inputs = InputsPanel(workbench.edits, self.reason, window)
        self.inputs.look.follow_sensitivity(workbench.sensitivity)
        self.explain.visited.input_entered.connect(self.inputs.enter)
        self.explain.told.connect(self.notice.tell)
        self._mouse_buttons = MouseButtons(self.explain.visited, window)
        self.spec_bar = SpecBar(workbench.edits, self.reason, window)
        self.status = StatusBar(engine, selection, window)
        self.inputs.told.connect(self.status.show_input)
        self.inputs.statistics_told.connect(self.status.show_statistics)
        TokenLights(workbench, self.inputs, window)
        self.last_edit = LastEditNote(workbench, window)
        self.status.insertPermanentWidget(1, self.last_edit)
        self.work = WorkLine(engine, self.notice, self.status)
        self.status.insertPermanentWidget(1, self.work)
        self.last_edit.wanted.connect(self._show_last_edit)
        self.exporter = Exporter(workbench, step_view, self.notice, window)
        self.origins = Origins(window)
        self.saver = Saver(workbench, self.origins, self.inputs, self.notice, window)
        self.opener = Opener(workbench, self.origins, self.saver, self.notice, window)
        self.reloader = Reloader(
            workbench, self.origins, self.saver, self.inputs, self.notice, window
        )
        self.importer = Importer(self.opener, self.origins, self.notice, window)
        WaysIn(window, self.importer)
        self.work.follow(self.opener.reader)
        self.work.follow(self.reloader.reader)
        self.work.follow(self.exporter)
        self._presence = Presence(workbench, self.origins, self.notice, window)
        recent = RecentFiles(workbench, self.origins, window)
        self.models = ModelParts(
            workbench, step_view, self.opener, self.reason, self.notice, window
        )
        self.work.follow(workbench.model)
        self._recent = RecentMenu(recent, self.opener, self.notice, window)
        self._notes = NotesArea(window)
        self._menu_bar = MenuBar(window)
        window.setMenuBar(self._menu_bar)
        window.setStatusBar(self.status)
        self._texts = DocumentTexts(
            workbench,
            self.origins,
            self._menu_bar,
            self._notes,
            self.status,
            window,
        )
        EditSpeed(workbench, step_view, self.status)
        self._centre = self._build_centre()
        self.docks = build_docks(
            window,
            inputs=self.inputs,
            notes=self._notes,
            explain=self.explain,
            lines=self.lines,
            history=HistoryPanel(workbench.edits, window),
            walk=self.walk,
            effect=self.models.effect,
        )
        step_view.header.offer_walk(self.docks.toggle("walk"))
        self._token_commands = TokenCommands(
            self.inputs, workbench.edits, self.reason, window
        )
        self._menus = Menus(window, workbench, appearance)
        self._pinning = Pinning(workbench.baseline, window)
        stops = stops_through(
            self.inputs, self.flow, self.step_view.header, self.explain
        )
        self.tour = Tour(window, stops, appearance)
        self._attention = AttentionMenu(
            window, workbench.edits, self.reason, self._open_dimensions
        )
        self.pictures = PictureCommands(workbench, step_view, self.notice, window)
        StepMenu(workbench, step_view, self.flow, self.pictures, self.notice)
        self._export = self._menus.export(self.exporter, self.pictures)
        self._bar = Bar(
            self.spec_bar,
            self._menus,
            self._pinning,
            workbench.baseline,
            self._export,
            window,
        )
        window.addToolBar(self._bar)
        self.models.add_bars()
        # Qt's own menu could hide the bar for good.
        window.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.presentation = Presentation(
            window,
            self.docks,
            [self._bar, self.models.comparing, self.status],
            self.step_view,
            appearance,
            self.notice,
        )
        self.models.bar.hide_in(self.presentation.action)
        self._fill_menu_bar()
        self._order_tabs()
        self.lines.filled.connect(self._order_tabs)

        workbench.opened.connect(self._show_document)
        workbench.model.changed.connect(self._show_place)
        engine.failed.connect(self.notice.refuse)
        self.models.bring_forward(self.docks)
        self.inputs.dimensions_wanted.connect(self._open_dimensions)
        self.inputs.clipboard.told.connect(self.notice.tell)
        self.inputs.clipboard.offered.connect(self.notice.offer)
        self.inputs.clipboard.withdrawn.connect(self.notice.withdraw)
        appearance.changed.connect(self.fit)
        appearance.changed.connect(self.docks.follow_font)

    def show(self) -> None:
        """Come into sight as a whole, in a window that is there already."""
        # Left to itself, Qt would show one after the other.
        for widget in (self._menu_bar, self._bar, self._centre, self.status):
            widget.show()
        layout = self._window.layout()
        assert layout is not None
        layout.activate()

    def settle(self) -> None:
        """Take the room that the window has, as it comes into sight."""
        self.docks.open()
        self._mouse_buttons.watch(self._window.windowHandle())
        if self._window.focusWidget() is None:
            # Qt would take what Tab visits first, wherever that is.
            self.step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def fit(self) -> None:
        """Share out the room of a window of another size."""
        self._bar.fit()
        self.models.bar.fit()
        self._menu_bar.fit()
        self._notes.fit()

    def changed_documents(self) -> list[Document]:
        """Return the documents whose changes would be lost."""
        take_over_typed()
        taken = self.inputs.take_over()
        changed = self.workbench.changed
        if not taken and not self.workbench.modified:
            changed.append(self.workbench.document)
        return changed

    def release(self) -> None:
        """Let go of everything but the workbench; what is being exported is written."""
        # Qt leaves floating docks in sight. Deleted with the window, one would hand its
        # focus on, and an open editor would then write into what is gone.
        self.docks.hide_floating()
        self.opener.reader.close()
        self.importer.close()
        self.reloader.close()
        self._presence.close()
        self.exporter.finish()
        self.pictures.recorder.finish()
        self.last_edit.release()
        self.spec_bar.release()
        self.inputs.release()
        self.reason.clear()

    @Slot()
    def _order_tabs(self) -> None:
        left, *right = self.docks.all
        # The step may have come before what is above it.
        middle = self.notice, self.flow, self.step_view
        bars = self._bar, self.models.bar, self.models.comparing
        order_tabs(self._window, [*bars, left, *middle, *right])

    @Slot()
    def _show_document(self) -> None:
        document = self.workbench.document
        self.inputs.set_document(document)
        self.spec_bar.set_document(document)
        self._show_place()

    @Slot()
    def _show_place(self) -> None:
        for view in (self.explain, self.status):
            view.show_place(self.workbench.place)

    @Slot()
    def _open_dimensions(self, _data: object = None) -> None:
        DimensionsDialog(self.workbench.edits, self._window).open()

    def _show_log(self, _data: object) -> None:
        show_log(self.notice)

    @Slot(object)
    def _show_last_edit(self, largest: CellChange | None) -> None:
        self.workbench.baseline.choose("last_edit")
        self.step_view.set_view("difference")
        if largest is not None:
            self.step_view.difference.open_change(largest)

    def _build_centre(self) -> QWidget:
        centre = QWidget(self._window)
        centre.setObjectName("centre")
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.flow)
        layout.addWidget(self.step_view, 1)
        self.notice.lie_over(centre)
        self._window.setCentralWidget(centre)
        return centre

    def _fill_menu_bar(self) -> None:
        menus, bar = self._menus, self._menu_bar
        look = LookMenu(self.inputs, self.workbench.edits.cursor, self._window)
        reload = self.reloader.rows
        bar.addMenu(
            menus.file(
                self.opener,
                [
                    self.models.commands.open_row,
                    self.models.commands.back,
                    self.models.reconnecting.find,
                ],
                self.importer,
                self._recent,
                self.saver,
                reload,
                self._export,
            )
        )
        fill, tokens = self.inputs.fills.menu, menus.tokens(self._token_commands)
        cells = self.inputs.commands.rows()
        bar.addMenu(menus.edit(cells, fill, self.importer, self._texts.rows))
        bar.addMenu(tokens)
        heads = HeadMenu(self.workbench, self.reason, self._window)
        self.step_view.head_menu_wanted.connect(heads.open_at)
        precision = PrecisionMenu(self.workbench.engine, self._window)
        fill_menu(self._attention.menu, [SEPARATOR, heads, SEPARATOR, precision])
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
        bar.addMenu(menus.help(self.tour, self._show_log))
        for menu in (action.menu() for action in bar.actions()):
            assert isinstance(menu, QMenu)
            menu.aboutToShow.connect(take_over_typed)
        self.inputs.commands.set_menu(
            [
                (has_numbers, [fill]),
                (has_tokens, [tokens]),
                (has_numbers, [look.format_menu, look.heat]),
                (has_widths, [look.widths]),
            ]
        )
