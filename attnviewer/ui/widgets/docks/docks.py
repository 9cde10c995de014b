"""The docks of a window, their places and how to get them back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QObject, Qt, Slot
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
from attnviewer.ui.widgets.docks.framed_dock import FramedDock
from attnviewer.ui.widgets.docks.gathering import Gathering, is_behind
from attnviewer.ui.widgets.docks.place_menu import PlaceMenu
from attnviewer.ui.widgets.docks.title_bar import DockTitleBar

LAYOUT_VERSION = 2
"""Grows with every change of the docks that an older layout says nothing about."""
NARROW = 1000
"""Added to the version of a layout for a window without room on both sides."""
SHARE = 0.1875
"""Of the window's width, for each dock, as it opens."""
LARGEST_SHARE = 0.32
"""What large texts may make of it, so that the centre has room, too."""
HIGHEST_SHARE = 0.5
"""Of the window's height, for a dock below the centre as it is opened."""
WIDEST = 34
"""In heights of a line."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What a dock shows.

    Parameters
    ----------
    name : str
        The dock's object name is ``dock.`` and this.
    title : str
        What it is called.
    toggle : str
        The text of the menu line that shows and hides it.
    content, heading : QWidget
        The panel, and what it says of itself in one line.
    area : Qt.DockWidgetArea
        Where it opens.
    narrowest : int
        Its width in a small window, in heights of a line; 0 for one below the centre.
    opened : bool
        Whether it is shown at first.
    beside : str
        The name of an earlier panel that it shares a place with, each behind its tab;
        "" for a place of its own.
    keys : str
        What shows and hides it; "" for none.
    """

    name: str
    title: str
    toggle: str
    content: QWidget
    heading: QWidget
    area: Qt.DockWidgetArea
    narrowest: int
    opened: bool = True
    beside: str = ""
    keys: str = ""


@dataclass(frozen=True, slots=True)
class Widths:
    """How wide docks are, and the size of texts then, in pixels."""

    of: Mapping[QDockWidget, int]
    text_size: int


class Docks(QObject):
    """Puts panels into docks, which can be moved, floated and closed.

    Attributes
    ----------
    all : list of QDockWidget
        The docks, in the order of the panels.
    toggles : list of QAction
        What shows and hides each of them.
    menu : QMenu
        Moves each of them, and puts all back to where they opened.
    """

    def __init__(self, window: QMainWindow, panels: Sequence[Panel]) -> None:
        super().__init__(window)
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
        reset = ActionRow("docks.reset", self.tr("&As at first"), self._reset)
        self.menu.addAction(make_action(self.menu, reset))
        self._opened = False
        self._came_from: QWidget | None = None
        self._text_size = QFontInfo(window.font()).pixelSize()
        self._wished: dict[QDockWidget, tuple[int, float]] = {}
        self._at_first = window.saveState(LAYOUT_VERSION)
        area = Qt.DockWidgetArea
        (left,), right = (
            [d for d in self.all if window.dockWidgetArea(d) == side]
            for side in (area.LeftDockWidgetArea, area.RightDockWidgetArea)
        )
        docks = dict(zip((p.name for p in panels), self.all, strict=True))
        self._sharing = [(docks[p.beside], docks[p.name]) for p in panels if p.beside]
        self._gathering = Gathering(window, left, right)
        self._gathering.resized.connect(self._on_resized)

    def open(self) -> None:
        """Give the docks their widths, as the window is shown for the first time.

        Later they are as wide as the person likes.
        """
        moved = self._gathering.fit()
        if moved or not self._opened:
            self._fit()
        self._opened = True

    @Slot()
    def _on_resized(self) -> None:
        if self._opened and self._gathering.fit():
            self._fit()

    def _fit(self) -> None:
        self._share()
        window = self._window
        line = usual_line(window.font())
        share = min(round(SHARE * window.width()), WIDEST * line)
        # What shares a place with another panel is as wide as that.
        beside = [p for p in self._panels if p.narrowest and not p.beside]
        docks = [d for d, p in zip(self.all, self._panels, strict=True) if p in beside]
        widths = [max(p.narrowest * line, share) for p in beside]
        if self._gathering.narrow:
            widths = [max(widths)] * len(widths)
        self._give(dict(zip(docks, widths, strict=True)))

    @Slot()
    def follow_font(self) -> None:
        """Keep the docks' widths in proportion to the size of texts."""
        before = self._text_size
        self._text_size = QFontInfo(self._window.font()).pixelSize()
        if not self._opened or self._text_size == before:
            return
        if self._gathering.fit():
            self._fit()
        else:
            self._scale({d: d.width() for d in self.all if d.isVisible()}, before)

    def widths(self) -> "Widths":
        """Return how wide the docks in sight are, to be restored later."""
        shown = {dock: dock.width() for dock in self.all if dock.isVisible()}
        return Widths(shown, QFontInfo(self._window.font()).pixelSize())

    def restore_widths(self, widths: "Widths") -> None:
        """Give docks the widths they had, in proportion to the size of texts now."""
        self._text_size = QFontInfo(self._window.font()).pixelSize()
        if widths.text_size != self._text_size:
            self._scale(widths.of, widths.text_size)

    def _scale(self, widths: Mapping[QDockWidget, int], text_size: int) -> None:
        # Not in heights of a line, which are rounded.
        growth = self._text_size / text_size
        scaled = {}
        for dock, width in widths.items():
            given, wished = self._wished.get(dock, (width, width))
            scaled[dock] = growth * (wished if width == given else width)
        self._give(scaled)

    def _give(self, widths: Mapping[QDockWidget, float]) -> None:
        """Give docks their widths, as far as the centre keeps room, too."""
        most = self._most()
        given = {dock: min(round(width), most) for dock, width in widths.items()}
        # Smaller texts start from what was wished, not from what there was room for.
        self._wished |= {dock: (given[dock], widths[dock]) for dock in given}
        self._window.resizeDocks(
            list(given), list(given.values()), Qt.Orientation.Horizontal
        )

    def _most(self) -> int:
        return round(LARGEST_SHARE * self._window.width())

    def open_panel(self, name: str) -> None:
        """Open a panel, in front of others at its place; the keys stay where they are.

        Parameters
        ----------
        name : str
            Its name, see `Panel`.
        """
        names = [panel.name for panel in self._panels]
        self._open(self.all[names.index(name)])

    def hide_floating(self) -> None:
        """Hide the docks that have windows of their own, as this window closes."""
        for dock in self.all:
            if dock.isFloating():
                dock.hide()

    def toggle(self, name: str) -> QAction:
        """Return what shows and hides a panel, by the panel's name."""
        names = [panel.name for panel in self._panels]
        return self.toggles[names.index(name)]

    def layout_state(self) -> QByteArray:
        """Return where the docks are, to be restored later."""
        narrow = NARROW if self._gathering.narrow else 0
        return self._window.saveState(LAYOUT_VERSION + narrow)

    def restore(self, state: object) -> bool:
        """Put the docks to where they were; tell whether that was possible.

        Parameters
        ----------
        state : QByteArray
            What `layout_state` has returned; anything else leaves the docks at first.
        """
        for narrow in (False, True):
            version = LAYOUT_VERSION + NARROW * narrow
            if isinstance(state, QByteArray) and self._window.restoreState(
                state, version
            ):
                self._gathering.narrow = narrow
                self._opened = True
                return True
        self._put_as_at_first()
        self._opened = False
        return False

    def _reset(self, _data: object) -> None:
        self._put_as_at_first()
        self._gathering.fit()
        self._fit()

    def _put_as_at_first(self) -> None:
        self._window.restoreState(self._at_first, LAYOUT_VERSION)
        self._gathering.narrow = False

    def _add(self, panel: Panel) -> QDockWidget:
        dock = FramedDock(panel.title, self._window)
        dock.setObjectName(f"dock.{panel.name}")
        places = PlaceMenu(dock, panel.toggle, self._window)
        self.menu.addMenu(places)
        dock.setTitleBarWidget(DockTitleBar(panel.heading, places, dock))
        dock.setWidget(panel.content)
        self._window.addDockWidget(panel.area, dock)
        dock.setVisible(panel.opened)
        return dock

    def _toggle(self, dock: QDockWidget, panel: Panel) -> QAction:
        action = dock.toggleViewAction()
        action.setText(panel.toggle)
        action.setObjectName(f"action.{dock.objectName()}")
        if panel.keys:
            action.setShortcut(panel.keys)
        return action

    @Slot(QAction)
    def _give_keys(self, toggle: QAction) -> None:
        """Let a dock that a person opens have the keys; give them back afterwards.

        One that is behind another is brought forward instead of being closed.
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
        elif self._came_from is not None and isValid(self._came_from):
            self._came_from.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._came_from = None

    def _open(self, dock: QDockWidget) -> None:
        dock.show()
        self._share()
        dock.raise_()
        self._widen(dock)
        self._heighten(dock)

    def _share(self) -> None:
        """Put docks that share a place, and stand on one side, behind each other."""
        # Only once both are open: Qt keeps the tabs of a closed one in sight.
        window = self._window
        for first, other in self._sharing:
            beside = window.dockWidgetArea(first) == window.dockWidgetArea(other)
            still = not any(d.isHidden() or d.isFloating() for d in (first, other))
            if beside and still and other not in window.tabifiedDockWidgets(first):
                window.tabifyDockWidget(first, other)

    def _widen(self, dock: QDockWidget) -> None:
        """Give a dock the width that its panel needs, if it has less."""
        panel = self._panels[self.all.index(dock)]
        width = panel.narrowest * usual_line(self._window.font())
        narrow = dock.width() < min(width, self._most())
        if self._opened and narrow and not dock.isFloating():
            self._give({dock: width})

    def _heighten(self, dock: QDockWidget) -> None:
        """Give a dock below the centre the height of all that it shows."""
        area = Qt.DockWidgetArea.BottomDockWidgetArea
        content, title = dock.widget(), dock.titleBarWidget()
        if self._window.dockWidgetArea(dock) != area or dock.isFloating():
            return
        assert content is not None
        assert title is not None
        most = round(HIGHEST_SHARE * self._window.height())
        height = content.sizeHint().height() + title.sizeHint().height()
        if dock.height() < height:
            self._window.resizeDocks(
                [dock], [min(height, most)], Qt.Orientation.Vertical
            )
