"""The main window: puts the views around a workbench, and owns no numbers."""

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
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
from attnviewer.ui.choices.attention_menu import AttentionMenu
from attnviewer.ui.choices.dimensions_dialog import DimensionsDialog
from attnviewer.ui.choices.spec_bar import SpecBar
from attnviewer.ui.elided_label import ElidedLabel
from attnviewer.ui.engine import Computed
from attnviewer.ui.explain import ExplainPanel
from attnviewer.ui.exporting import Exporter
from attnviewer.ui.flow import FlowStrip
from attnviewer.ui.history import HistoryPanel
from attnviewer.ui.inputs import InputsPanel, TokenCommands
from attnviewer.ui.inputs.commands import has_numbers, has_tokens
from attnviewer.ui.inputs.look_menu import LookMenu
from attnviewer.ui.menus import Menus
from attnviewer.ui.notes import NotesArea
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.opening import Opener
from attnviewer.ui.reason import ReasonBubble
from attnviewer.ui.status import StatusBar
from attnviewer.ui.step import StepView
from attnviewer.ui.step.difference.glance import LastEditNote
from attnviewer.ui.step.difference.pinning import PinButton, Pinning
from attnviewer.ui.tab_order import order_tabs
from attnviewer.ui.theme import Appearance
from attnviewer.ui.typed import take_over_typed
from attnviewer.ui.walk import WalkPanel
from attnviewer.ui.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable

DOCK_SHARE = 0.1875
"""Of the window's width, for each dock, as it opens."""
NARROWEST_INPUTS, NARROWEST_EXPLAIN, WIDEST_DOCK = 300, 250, 480
MENU_BAR_FRAME = 7
"""Padding and border of the menu bar, as its style has them."""
BESIDE_MENU = 26
"""Padding of a menu's title, and the room between titles."""


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
    """

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
        self._docks_fitted = False

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
        self.last_edit = LastEditNote(workbench, self)
        self.status.insertPermanentWidget(1, self.last_edit)
        self.last_edit.wanted.connect(self._show_last_edit)
        self.exporter = Exporter(workbench, self.notice, self)
        self.opener = Opener(workbench, self.inputs, self.notice, self)
        self._notes = NotesArea(self)
        self._title = ElidedLabel("title")
        self.setStatusBar(self.status)
        centre = self._build_centre()
        self._build_docks()
        self._token_commands = TokenCommands(
            self.inputs, workbench.edits, self.reason, self
        )
        self._menus = Menus(self, workbench, appearance)
        self._pinning = Pinning(workbench.baseline, self)
        self._attention = AttentionMenu(
            self, workbench.edits, self.reason, self._open_dimensions
        )
        self._fill_menu_bar()
        bar = self._build_bar()
        left, *right = self._docks
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
        appearance.changed.connect(self._fit_corners)
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
        self._title.setText(title)
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

    def _build_docks(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.inputs, 1)
        column.addWidget(self._notes)
        area = Qt.DockWidgetArea
        self._docks = [
            self._add_dock("inputs", self.tr("Inputs"), left, area.LeftDockWidgetArea),
            self._add_dock(
                "explain", self.tr("Explain"), self.explain, area.RightDockWidgetArea
            ),
            self._add_dock(
                "history",
                self.tr("History"),
                HistoryPanel(self.workbench.edits, self),
                area.RightDockWidgetArea,
            ),
            self._add_dock(
                "walk", self.tr("Step by step"), self.walk, area.BottomDockWidgetArea
            ),
        ]
        for dock in self._docks[2:]:
            dock.hide()
        corner = Qt.Corner
        self.setCorner(corner.BottomLeftCorner, area.LeftDockWidgetArea)
        self.setCorner(corner.BottomRightCorner, area.RightDockWidgetArea)

    def _add_dock(
        self, name: str, title: str, content: QWidget, area: Qt.DockWidgetArea
    ) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"dock.{name}")
        # The panels bear their own headings; an empty widget hides Qt's.
        dock.setTitleBarWidget(QWidget(dock))
        dock.setWidget(content)
        self.addDockWidget(area, dock)
        return dock

    def _dock_actions(self) -> list[QAction]:
        texts = (
            self.tr("&Inputs"),
            self.tr("E&xplain"),
            self.tr("Histor&y"),
            self.tr("&Step by step"),
        )
        actions = [dock.toggleViewAction() for dock in self._docks]
        for action, text, dock in zip(actions, texts, self._docks, strict=True):
            action.setText(text)
            action.setObjectName(f"action.{dock.objectName()}")
        for action, keys in zip(actions[2:], ("Ctrl+Shift+H", "F10"), strict=True):
            action.setShortcut(keys)
        return actions

    def _fill_menu_bar(self) -> None:
        menus, bar = self._menus, self.menuBar()
        docks = self._dock_actions()
        look = LookMenu(self.inputs, self.workbench.edits.cursor, self)
        self._export = menus.export(self.exporter)
        bar.addMenu(menus.file(self.opener, self._export))
        fill, tokens = self.inputs.fills.menu, menus.tokens(self._token_commands)
        bar.addMenu(menus.edit(self.inputs.commands.rows(), fill))
        bar.addMenu(tokens)
        bar.addMenu(self._attention.menu)
        bar.addMenu(
            menus.view(
                self.step_view,
                self.flow,
                self._pinning.actions,
                look.rows,
                self.explain.commands.rows,
                docks,
            )
        )
        bar.addMenu(menus.examples(self.opener))
        bar.addMenu(menus.help())
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
        brand = QLabel("attnviewer", bar)
        brand.setObjectName("brand")
        corners = Qt.Corner.TopLeftCorner, Qt.Corner.TopRightCorner
        for corner, label in zip(corners, (brand, self._title), strict=True):
            bar.setCornerWidget(label, corner)

    def _build_bar(self) -> QToolBar:
        bar = QToolBar(self.tr("Choices"), self)
        bar.setObjectName("bar")
        bar.setMovable(False)
        bar.addWidget(self.spec_bar)
        spacer = QWidget(bar)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(spacer)
        bar.addWidget(_button(bar, self._menus.undo, "⟲", self.tr("Undo")))
        bar.addWidget(_button(bar, self._menus.redo, "⟳", self.tr("Redo")))
        bar.addWidget(PinButton(self._pinning, self.workbench.baseline, bar))
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
        return bar

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._docks_fitted:
            # Later they are as wide as the person likes.
            self._docks_fitted = True
            share = min(round(DOCK_SHARE * self.width()), WIDEST_DOCK)
            left, right = NARROWEST_INPUTS, NARROWEST_EXPLAIN
            widths = [max(left, share), max(right, share), max(right, share)]
            beside = self._docks[: len(widths)]
            self.resizeDocks(beside, widths, Qt.Orientation.Horizontal)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_corners()
        self._notes.fit()

    @Slot()
    def _fit_corners(self) -> None:
        """Make the corners as high as the menus; the title gets what they leave."""
        bar = self.menuBar()
        brand = bar.cornerWidget(Qt.Corner.TopLeftCorner)
        self._title.setFixedWidth(max(0, self.width() - self._menus_width()))
        # A menu bar lays its corners out anew only when it is given them.
        corners = Qt.Corner.TopLeftCorner, Qt.Corner.TopRightCorner
        for corner, label in zip(corners, (brand, self._title), strict=True):
            label.setFixedHeight(bar.sizeHint().height() - MENU_BAR_FRAME)
            bar.setCornerWidget(label, corner)
            label.show()

    def _menus_width(self) -> int:
        """Return what the menus need; the document's title gets the rest."""
        bar = self.menuBar()
        brand = bar.cornerWidget(Qt.Corner.TopLeftCorner)
        mnemonic = Qt.TextFlag.TextShowMnemonic.value
        return (
            2 * MENU_BAR_FRAME
            + brand.sizeHint().width()
            + sum(
                bar.fontMetrics().size(mnemonic, action.text()).width() + BESIDE_MENU
                for action in bar.actions()
            )
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        take_over_typed()
        changed = [document.title for document in self.workbench.set_aside]
        if not self.inputs.take_over() or self.workbench.modified:
            changed.append(self.workbench.document.title)
        if changed and self.confirm_close and not self.confirm_close(self, changed):
            event.ignore()
            return
        self.workbench.close()
        self.last_edit.release()
        self.spec_bar.release()
        self.inputs.release()
        self.reason.clear()
        super().closeEvent(event)


def _button(bar: QToolBar, action: QAction, sign: str, name: str) -> QToolButton:
    button = QToolButton(bar)
    button.setObjectName(action.objectName().replace("action", "button"))
    button.setText(f"{sign} {name}")
    button.setAccessibleName(name)
    button.setToolTip(
        action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    )
    button.setEnabled(action.isEnabled())
    button.clicked.connect(take_over_typed)
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    return button
