"""The docks of a window, their places and how to get them back."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QMenu,
    QWidget,
)
from shiboken6 import isValid

from attnviewer.ui.actions import ActionRow, make_action
from attnviewer.ui.docks.place_menu import PlaceMenu
from attnviewer.ui.docks.title_bar import DockTitleBar

LAYOUT_VERSION = 1
"""Grows with every change of the docks that an older layout says nothing about."""
SHARE = 0.1875
"""Of the window's width, for each dock, as it opens."""
LARGEST_SHARE = 0.32
"""What large texts may make of it, so that the centre has room, too."""
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
    """

    name: str
    title: str
    toggle: str
    content: QWidget
    heading: QWidget
    area: Qt.DockWidgetArea
    narrowest: int
    opened: bool = True


class Docks(QObject):
    """Puts panels into docks, which can be moved, floated and closed.

    Parameters
    ----------
    window : QMainWindow
        The window around which they stand.
    panels : sequence of Panel
        What they show.

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
        self._line = window.fontMetrics().height()
        self._at_first = window.saveState(LAYOUT_VERSION)

    def open(self) -> None:
        """Give the docks their widths, as the window is shown for the first time.

        Later they are as wide as the person likes.
        """
        if not self._opened:
            self._opened = True
            self._fit()

    def _fit(self) -> None:
        window = self._window
        line = window.fontMetrics().height()
        share = min(round(SHARE * window.width()), WIDEST * line)
        most = round(LARGEST_SHARE * window.width())
        beside = [p for p in self._panels if p.narrowest]
        docks = [d for d, p in zip(self.all, self._panels, strict=True) if p in beside]
        widths = [min(max(p.narrowest * line, share), most) for p in beside]
        window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)

    @Slot()
    def follow_font(self) -> None:
        """Keep the docks' widths in proportion to the size of texts."""
        before, self._line = self._line, self._window.fontMetrics().height()
        if self._opened and self._line != before:
            most = round(LARGEST_SHARE * self._window.width())
            share = self._line / before
            widths = [min(round(dock.width() * share), most) for dock in self.all]
            self._window.resizeDocks(self.all, widths, Qt.Orientation.Horizontal)

    def layout_state(self) -> QByteArray:
        """Return where the docks are, to be restored later."""
        return self._window.saveState(LAYOUT_VERSION)

    def restore(self, state: object) -> bool:
        """Put the docks to where they were; tell whether that was possible.

        Parameters
        ----------
        state : QByteArray
            What `layout_state` has returned; anything else leaves the docks at first.
        """
        restored = isinstance(state, QByteArray) and self._window.restoreState(
            state, LAYOUT_VERSION
        )
        if not restored:
            self._window.restoreState(self._at_first, LAYOUT_VERSION)
        self._opened = restored
        return restored

    def _reset(self, _data: object) -> None:
        self._window.restoreState(self._at_first, LAYOUT_VERSION)
        self._fit()

    def _add(self, panel: Panel) -> QDockWidget:
        dock = QDockWidget(panel.title, self._window)
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
        return action

    @Slot(QAction)
    def _give_keys(self, toggle: QAction) -> None:
        """Let a dock that a person opens have the keys; give them back afterwards."""
        if toggle.isChecked():
            self._came_from = QApplication.focusWidget()
            # By name: Qt may hand over the same action as another object.
            for dock in self.all:
                content = dock.widget()
                if toggle.objectName() == f"action.{dock.objectName()}" and content:
                    content.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._came_from is not None and isValid(self._came_from):
            self._came_from.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._came_from = None
