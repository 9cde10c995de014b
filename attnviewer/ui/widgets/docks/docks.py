"""The docks of a window, and how their layout is saved and restored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QFontInfo
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QMenu,
    QWidget,
)
from shiboken6 import isValid

from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.docks.dock_area_menu import DockAreaMenu
from attnviewer.ui.widgets.docks.dock_merger import DockMerger, is_behind
from attnviewer.ui.widgets.docks.panel import Panel
from attnviewer.ui.widgets.docks.shared_places import SharedPlaces
from attnviewer.ui.widgets.docks.title_bar import DockTitleBar

LAYOUT_VERSION = 3
"""Increased with every change of docks and bars that older layouts do not cover."""
NARROW = 1000
"""Added to the version of layouts of a narrow window."""
SHARE = 0.1875
"""A dock's initial share of the window's width."""
LARGEST_SHARE = 0.32
"""The most that large texts may increase it to, to leave room for the centre."""
HIGHEST_SHARE = 0.5
"""The largest initial share of the window's height for a dock below the centre."""
WIDEST = 34
"""The largest initial width, in line heights."""


@dataclass(frozen=True, slots=True)
class Widths:
    """The widths of docks, and the text size they go with, in pixels."""

    of: Mapping[QDockWidget, int]
    text_size: int


class Docks(QObject):
    """Puts panels into docks, which can be moved, floated and closed.

    Parameters
    ----------
    window : QMainWindow
        The window around which they lie.
    panels : sequence of Panel
        What they show.
    home : QWidget
        Gets the focus when a dock closes and no other widget had it before.

    Attributes
    ----------
    all : list of QDockWidget
        The docks, in the order of the panels.
    toggles : list of QAction
        The actions that show and hide each of them.
    menu : QMenu
        Moves each of them, and restores the initial layout.
    filled : Signal
        A dock has been filled, as it is first shown.
    reset : Signal
        The initial layout has been restored.
    """

    filled = Signal()
    reset = Signal()

    def __init__(
        self, window: QMainWindow, panels: Sequence[Panel], home: QWidget
    ) -> None:
        super().__init__(window)
        self._home = home
        self._window = window
        self._panels = panels
        self.menu = QMenu(self.tr("Arran&ge panels"), window)
        self.all = [self._add(panel) for panel in panels]
        self.toggles = [
            self._toggle(dock, panel)
            for dock, panel in zip(self.all, panels, strict=True)
        ]
        toggles = QActionGroup(self)
        toggles.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        for toggle in self.toggles:
            toggles.addAction(toggle)
        toggles.triggered.connect(self._give_keys)
        self.menu.addSeparator()
        row = ActionRow("docks.reset", self.tr("Reset layo&ut"), self._reset)
        self.menu.addAction(make_action(self.menu, row))
        self._opened = False
        self._came_from: QWidget | None = None
        self._text_size = QFontInfo(window.font()).pixelSize()
        self._wished: dict[QDockWidget, tuple[int, float]] = {}
        self._at_first = window.saveState(LAYOUT_VERSION)
        area = Qt.DockWidgetArea
        (left, *_), right = (
            [d for d in self.all if window.dockWidgetArea(d) == side]
            for side in (area.LeftDockWidgetArea, area.RightDockWidgetArea)
        )
        docks = dict(zip((p.name for p in panels), self.all, strict=True))
        always = [(docks[p.beside], docks[p.name]) for p in panels if p.beside]
        meanwhile = [
            (docks[p.meanwhile_beside], docks[p.name])
            for p in panels
            if p.meanwhile_beside
        ]
        self._places = SharedPlaces(window, always, meanwhile)
        self._merger = DockMerger(window, left, right)
        self._merger.resized.connect(self._on_resized)

    def open(self) -> None:
        """Set the docks' widths when the window is first shown.

        Afterwards their widths are up to the user.
        """
        moved = self._merger.fit()
        if moved or not self._opened:
            self._fit()
        self._opened = True

    @Slot()
    def _on_resized(self) -> None:
        if self._opened and self._merger.fit():
            self._fit()

    def _fit(self) -> None:
        self._places.tab()
        window = self._window
        line = usual_line(window.font())
        share = min(round(SHARE * window.width()), WIDEST * line)
        # Tabbed panels share one width.
        beside = [p for p in self._panels if p.narrowest and not p.beside]
        docks = [d for d, p in zip(self.all, self._panels, strict=True) if p in beside]
        widths = [max(p.narrowest * line, share) for p in beside]
        if self._merger.narrow:
            widths = [max(widths)] * len(widths)
        self._give(dict(zip(docks, widths, strict=True)))

    @Slot()
    def follow_font(self) -> None:
        """Scale the docks' widths with the text size."""
        before = self._text_size
        self._text_size = QFontInfo(self._window.font()).pixelSize()
        if not self._opened or self._text_size == before:
            return
        if self._merger.fit():
            self._fit()
        else:
            self._scale({d: d.width() for d in self.all if d.isVisible()}, before)

    def widths(self) -> "Widths":
        """Return the widths of the visible docks, to be restored later."""
        shown = {dock: dock.width() for dock in self.all if dock.isVisible()}
        return Widths(shown, QFontInfo(self._window.font()).pixelSize())

    def restore_widths(self, widths: "Widths") -> None:
        """Restore docks' widths, scaled to the current text size."""
        self._text_size = QFontInfo(self._window.font()).pixelSize()
        if widths.text_size != self._text_size:
            self._scale(widths.of, widths.text_size)

    def _scale(self, widths: Mapping[QDockWidget, int], text_size: int) -> None:
        # Not in line heights, which are rounded.
        growth = self._text_size / text_size
        scaled = {}
        for dock, width in widths.items():
            given, wished = self._wished.get(dock, (width, width))
            scaled[dock] = growth * (wished if width == given else width)
        self._give(scaled)

    def _give(self, widths: Mapping[QDockWidget, float]) -> None:
        """Set the docks' widths, as far as that leaves room for the centre."""
        most = self._most()
        given = {dock: min(round(width), most) for dock, width in widths.items()}
        # Scale from the requested widths, not from those that fitted.
        self._wished |= {dock: (given[dock], widths[dock]) for dock in given}
        self._window.resizeDocks(
            list(given), list(given.values()), Qt.Orientation.Horizontal
        )

    def _most(self) -> int:
        return round(LARGEST_SHARE * self._window.width())

    def open_panel(self, name: str) -> None:
        """Open a panel and raise it above those it is tabbed with; the focus stays.

        Parameters
        ----------
        name : str
            Its name, see `Panel`.
        """
        self._open(self.dock(name))

    def dock(self, name: str) -> QDockWidget:
        """Return the dock of a panel."""
        names = [panel.name for panel in self._panels]
        return self.all[names.index(name)]

    def narrow(self, name: str) -> None:
        """Make a dock no wider than its panel needs."""
        dock = self.dock(name)
        panel = self._panels[self.all.index(dock)]
        if self._opened and not dock.isFloating():
            self._give({dock: panel.narrowest * usual_line(self._window.font())})

    def hide_floating(self) -> None:
        """Hide floating docks when the main window closes."""
        for dock in self.all:
            if dock.isFloating():
                dock.hide()

    def toggle(self, name: str) -> QAction:
        """Return the action that shows and hides a panel."""
        names = [panel.name for panel in self._panels]
        return self.toggles[names.index(name)]

    def layout_state(self) -> QByteArray:
        """Return the docks' layout, to be restored later."""
        narrow = NARROW if self._merger.narrow else 0
        return self._window.saveState(LAYOUT_VERSION + narrow)

    def restore(self, state: object) -> bool:
        """Restore the docks' layout; return whether that was possible.

        Parameters
        ----------
        state : QByteArray
            The result of `layout_state`; anything else leaves the initial layout.
        """
        for narrow in (False, True):
            version = LAYOUT_VERSION + NARROW * narrow
            if isinstance(state, QByteArray) and self._window.restoreState(
                state, version
            ):
                self._merger.narrow = narrow
                self._opened = True
                return True
        self._put_as_at_first()
        self._opened = False
        return False

    def _reset(self, _data: object) -> None:
        self._put_as_at_first()
        self._merger.fit()
        self._fit()
        self.reset.emit()

    def _put_as_at_first(self) -> None:
        self._window.restoreState(self._at_first, LAYOUT_VERSION)
        self._places.forget()
        self._merger.narrow = False

    def _add(self, panel: Panel) -> QDockWidget:
        dock = panel.dock
        dock.setObjectName(f"dock.{panel.name}")
        area_menu = DockAreaMenu(dock, panel.toggle, self._window, self._close)
        self.menu.addMenu(area_menu)
        dock.fill_when_shown(partial(self._fill, panel, area_menu))
        self._window.addDockWidget(panel.area, dock)
        dock.setVisible(panel.opened)
        return dock

    def _fill(self, panel: Panel, area_menu: DockAreaMenu) -> None:
        dock = panel.dock
        content, heading = panel.parts()
        title_bar = DockTitleBar(heading, area_menu, dock)
        title_bar.button.setHidden(panel.own_menu)
        dock.setTitleBarWidget(title_bar)
        dock.setWidget(content)
        self.filled.emit()

    def _toggle(self, dock: QDockWidget, panel: Panel) -> QAction:
        action = dock.toggleViewAction()
        action.setText(panel.toggle)
        action.setObjectName(f"action.{dock.objectName()}")
        if panel.keys:
            action.setShortcut(panel.keys)
        return action

    @Slot(QAction)
    def _give_keys(self, toggle: QAction) -> None:
        """Focus a dock that the user opens; give the focus back when it closes.

        A dock behind another tab is raised instead of being closed.
        """
        # By name: Qt may hand over the same action as another object.
        name = toggle.objectName()
        dock = next(d for d in self.all if name == f"action.{d.objectName()}")
        if toggle.isChecked() or is_behind(dock):
            self._came_from = QApplication.focusWidget()
            self._open(dock)
            content = dock.widget()
            if content is not None:
                content.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._came_from is not None:
            self._return_focus()

    def _close(self, dock: QDockWidget) -> None:
        focus = QApplication.focusWidget()
        has_focus = focus is not None and dock.isAncestorOf(focus)
        dock.close()
        if has_focus:  # Qt would move it to a choice, which the next key would change
            self._return_focus()

    def _return_focus(self) -> None:
        """Give the focus back to where it was before a dock was opened."""
        target, self._came_from = self._came_from, None
        if target is None or not isValid(target) or not target.isVisible():
            target = self._home
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _open(self, dock: QDockWidget) -> None:
        dock.show()
        self._places.tab()
        dock.raise_()
        self._widen(dock)
        self._heighten(dock)

    def _widen(self, dock: QDockWidget) -> None:
        """Widen a dock to the width that its panel needs."""
        panel = self._panels[self.all.index(dock)]
        width = panel.narrowest * usual_line(self._window.font())
        narrow = dock.width() < min(width, self._most())
        if self._opened and narrow and not dock.isFloating():
            self._give({dock: width})

    def _heighten(self, dock: QDockWidget) -> None:
        """Make a dock below the centre as high as its contents, others as they need."""
        area = Qt.DockWidgetArea.BottomDockWidgetArea
        content, title = dock.widget(), dock.titleBarWidget()
        if dock.isFloating():
            return
        if self._window.dockWidgetArea(dock) != area:
            self._give_share(dock)
            return
        assert content is not None
        assert title is not None
        most = round(HIGHEST_SHARE * self._window.height())
        height = content.sizeHint().height() + title.sizeHint().height()
        if dock.height() < height:
            self._window.resizeDocks(
                [dock], [min(height, most)], Qt.Orientation.Vertical
            )

    def _give_share(self, dock: QDockWidget) -> None:
        """Make a dock as high as its panel needs; the others share what is left."""
        window, share = self._window, self._panels[self.all.index(dock)].share
        centre, beside = window.centralWidget(), window.tabifiedDockWidgets(dock)
        high = 0 if centre is None else centre.height()
        if dock.height() >= round(share * high):
            return
        others = [
            other
            for other in self.all
            if other.isVisible()
            and not other.isFloating()
            and other not in (dock, *beside)
            and window.dockWidgetArea(other) == window.dockWidgetArea(dock)
        ]
        # Given one dock alone, Qt grants only half of the height.
        rest = round((1 - share) * high) // max(1, len(others))
        heights = [round(share * high), *(rest for _ in others)]
        window.resizeDocks([dock, *others], heights, Qt.Orientation.Vertical)
