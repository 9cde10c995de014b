"""The parts of a window that features share, and register with."""

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow, QToolBar, QVBoxLayout, QWidget

from attnviewer.ui.frame.bar import Bar
from attnviewer.ui.frame.menu_bar import MenuBar
from attnviewer.ui.frame.menus import Menus
from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.frame.work_line import WorkLine
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow
from attnviewer.ui.widgets.docks import Docks, FramedDock, Panel
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.tab_order import order_tabs


class Frame(QObject):
    """Bars, docks, menus and messages of a window, which features add their parts to.

    Features are built first, then the frame is assembled from their parts, and only
    then are they connected, so that each finds all the others.

    Attributes
    ----------
    reason : ReasonBubble
        Explains refusals beside a control.
    notice : NoticeBar
        Shows how commands ended.
    status : StatusBar
        The status bar.
    work : WorkLine
        Shows the progress of long work.
    menu_bar, menus
        The menus; features add rows to their groups.
    bar : Bar
        The toolbar of the most used choices.
    panels : list of Panel
        What the docks will show, in order.
    panel_rows : list of ActionRow
        Rows below them in their menu.
    above_step : list of QWidget
        Widgets above the step.
    bars_above, bars : list of QToolBar
        The toolbars above that one and below it, each in a line of its own.
    around : list of QWidget
        Widgets that a presentation hides.
    docks : Docks
        The docks, once the frame is assembled.
    """

    docks: Docks

    def __init__(
        self,
        window: QMainWindow,
        workbench: Workbench,
        step_view: StepView,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self.window, self.appearance = window, appearance
        self.workbench, self.step_view = workbench, step_view
        self.reason = ReasonBubble(window)
        self.notice = NoticeBar(window)
        self.status = StatusBar(workbench.engine, workbench.selection, window)
        self.work = WorkLine(workbench.engine, self.notice, self.status)
        self.work.follow(workbench.filler)
        workbench.filler.failed.connect(self.notice.refuse)
        self.menu_bar = MenuBar(window)
        window.setMenuBar(self.menu_bar)
        window.setStatusBar(self.status)
        self.menus = Menus(window, workbench, step_view, appearance)
        self.bar = Bar(self.menus.undo, self.menus.redo, window)
        self.panels: list[Panel] = []
        self.panel_rows: list[ActionRow] = []
        self.above_step: list[QWidget] = []
        self.bars_above: list[QToolBar] = []
        self.bars: list[QToolBar] = []
        self.around: list[QWidget] = [self.bar]
        self._features: dict[type[Feature], Feature] = {}

    @property
    def features(self) -> "list[Feature]":
        """The features built so far, in order."""
        return list(self._features.values())

    def build(self, kind: "type[_F]") -> "_F":
        """Build a feature."""
        feature = kind(self)
        self._features[kind] = feature
        return feature

    def feature(self, kind: "type[_F]") -> "_F":
        """Return a feature that has been built."""
        feature = self._features[kind]
        assert isinstance(feature, kind)
        return feature

    def dock(self, title: str) -> FramedDock:
        """Make the dock of a panel, for `panels`."""
        return FramedDock(title, self.window)

    def assemble(self) -> None:
        """Assemble the window from the parts that features added."""
        window = self.window
        self.status.insertPermanentWidget(1, self.work)
        self._centre = self._build_centre()
        self.docks = Docks(window, self.panels, self.step_view)
        area, corner = Qt.DockWidgetArea, Qt.Corner
        window.setCorner(corner.BottomLeftCorner, area.LeftDockWidgetArea)
        window.setCorner(corner.BottomRightCorner, area.RightDockWidgetArea)
        for bar in (*self.bars_above, self.bar, *self.bars):
            window.addToolBarBreak()
            window.addToolBar(bar)
        # Qt's own context menu could hide the toolbar for good.
        window.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.around.append(self.status)

    def fill_menus(self) -> None:
        """Fill the menu bar, once all features have added their rows."""
        panels = [*self.docks.toggles, SEPARATOR, *self.panel_rows, self.docks.menu]
        self.menus.add("view.panels", [self.menus.submenu(self.tr("Panel&s"), panels)])
        for menu in self.menus.build():
            self.menu_bar.addMenu(menu)
            menu.aboutToShow.connect(commit_pending_input)
        self.bar.add_export(self.menus.export)
        self.order_tabs()
        self.docks.filled.connect(self.order_tabs)

    def share_line(self, *, shared: bool) -> None:
        """Put the bar into the line of the one above it, or into its own again."""
        self.bar.fill_line(filled=not shared)
        if shared and self.window.toolBarBreak(self.bar):
            self.window.removeToolBarBreak(self.bar)
        elif not shared and not self.window.toolBarBreak(self.bar):
            self.window.insertToolBarBreak(self.bar)

    def order_bars(self) -> None:
        """Put the bars above the bar before it again, where a layout forgot that."""
        for above in self.bars_above:
            self.window.insertToolBar(self.bar, above)

    def show(self) -> None:
        """Show everything at once, in a window that is visible already."""
        # Left to itself, Qt would show them one after the other.
        for widget in (self.menu_bar, self.bar, self._centre, self.status):
            widget.show()
        layout = self.window.layout()
        assert layout is not None
        layout.activate()

    @Slot()
    def order_tabs(self) -> None:
        """Set the tab order to that of the panes."""
        order_tabs(self.window, self.panes)

    @property
    def panes(self) -> list[QWidget]:
        """The parts of the window in tab order: bars, left docks, step, right docks."""
        docks = list(zip(self.docks.all, self.panels, strict=True))
        on_left = Qt.DockWidgetArea.LeftDockWidgetArea
        left = [dock for dock, panel in docks if panel.area == on_left]
        right = [dock for dock, panel in docks if panel.area != on_left]
        # The step may have been built before the widgets above it.
        middle = self.notice, *self.above_step, self.step_view
        bars = *self.bars_above, self.bar, *self.bars
        return [*bars, *left, *middle, *right]

    def _build_centre(self) -> QWidget:
        centre = QWidget(self.window)
        centre.setObjectName("centre")
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in self.above_step:
            layout.addWidget(widget)
        layout.addWidget(self.step_view, 1)
        self.notice.lie_over(centre)
        self.window.setCentralWidget(centre)
        return centre


class Feature(QObject):
    """A part of the window that is built, connected and released on its own.

    Its constructor adds docks, bars and menu rows to the frame, and may use features
    that come earlier in the table.

    Parameters
    ----------
    frame : Frame
        The frame to add to.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.window)
        self.frame = frame

    @property
    def offers(self) -> Mapping[str, object]:
        """Attributes that the window gets from this feature, by name."""
        return {}

    def join(self) -> None:
        """Connect with the other features and with the docks, which exist now."""

    def settle(self) -> None:
        """Lay out, as the window is shown."""

    def fit(self) -> None:
        """Adapt to another window size."""

    def commit_editors(self) -> bool:
        """Commit what is being typed; return False if something is refused."""
        return True

    def release(self) -> None:
        """Release everything, as the window closes."""


_F = TypeVar("_F", bound=Feature)
