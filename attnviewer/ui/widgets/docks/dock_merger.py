"""Panels of both sides that share one side in a narrow window."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QTabBar,
    QTabWidget,
    QWidget,
)
from shiboken6 import isValid

from attnviewer.ui.paint.fonts import usual_line

BOTH_SIDES = 72
"""The least width, in line heights, of a window with panels on both sides."""
BOTH_SIDES_LOW = 78
"""That of a low window, whose centre needs width for want of height."""
LOW = 50
"""Line heights below which a window is low."""

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
"""As the window has hundreds of widgets further down."""


class DockMerger(QObject):
    """Moves the panels on the right behind those on the left, and back again.

    Only panels still at their initial positions take part. A panel that gets the
    keyboard focus comes to the front; one that moves behind another passes its focus to
    that one.

    Attributes
    ----------
    narrow : bool
        Whether there was no room for both sides when that was last asked.
    """

    resized = Signal()
    """The window has been resized."""

    def __init__(
        self, window: QMainWindow, left: QDockWidget, right: Sequence[QDockWidget]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._left = left
        self._right = right
        self.narrow = False
        for area in Qt.DockWidgetArea:
            if area in Qt.DockWidgetArea.AllDockWidgetAreas:
                window.setTabPosition(area, QTabWidget.TabPosition.North)
        window.installEventFilter(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._hide_left_tabs)
        self._soon.timeout.connect(self._keep_focus_in_sight)
        for dock in self._docks():
            dock.visibilityChanged.connect(self._soon.start)
            dock.dockLocationChanged.connect(self._soon.start)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_keys)

    def fit(self) -> bool:
        """Merge or split the panels to fit the window; return whether any moved."""
        line = usual_line(self._window.font())
        low = self._window.height() < LOW * line
        least = line * (BOTH_SIDES_LOW if low else BOTH_SIDES)
        hidden = all(dock.isHidden() for dock in (self._left, *self._right))
        # Docks the user has moved since then stay where they are.
        if hidden or self.narrow == (self._window.width() < least):
            return False
        self.narrow = not self.narrow
        return self._merge() if self.narrow else self._split()

    def _merge(self) -> bool:
        area, front = Qt.DockWidgetArea, self._front()
        moving = self._standing(self._right, area.RightDockWidgetArea)
        if not moving or not self._standing([self._left], area.LeftDockWidgetArea):
            return False
        for dock in moving:
            # Add it alone first: Qt 6.12 does not move docks that are tabbed together.
            self._window.addDockWidget(area.LeftDockWidgetArea, dock)
            self._window.tabifyDockWidget(self._left, dock)
        front.raise_()
        return True

    def _split(self) -> bool:
        moving = self._standing(self._right, Qt.DockWidgetArea.LeftDockWidgetArea)
        for dock in moving:
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        return bool(moving)

    def _front(self) -> QDockWidget:
        """Return the panel with the focus, or else the one on the left."""
        focused = self._window.focusWidget()
        docks = (dock for dock in self._right if dock.isAncestorOf(focused))
        return next(docks, self._left) if focused is not None else self._left

    def _standing(
        self, docks: Sequence[QDockWidget], area: Qt.DockWidgetArea
    ) -> list[QDockWidget]:
        window = self._window
        return [
            dock
            for dock in docks
            if not dock.isFloating() and window.dockWidgetArea(dock) == area
        ]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.resized.emit()
        elif event.type() == QEvent.Type.ChildPolished and isinstance(
            cast("QChildEvent", event).child(), QTabBar
        ):
            for bar in self._bars():
                bar.setObjectName("docks.tabs")
                bar.setDrawBase(False)
                bar.setAccessibleName(self.tr("Panels"))
        return super().eventFilter(watched, event)

    def _bars(self) -> list[QTabBar]:
        return self._window.findChildren(QTabBar, options=_DIRECT)

    def _docks(self) -> list[QDockWidget]:
        return self._window.findChildren(QDockWidget, options=_DIRECT)

    @Slot()
    def _hide_left_tabs(self) -> None:
        """Hide the tab bars of panels that have moved: Qt leaves them visible."""
        used = {
            frozenset(d.windowTitle() for d in (dock, *others) if not d.isHidden())
            for dock in self._docks()
            if (others := self._window.tabifiedDockWidgets(dock))
        }
        # Newest first: an older tab bar with the same tabs is obsolete.
        for bar in reversed(self._bars()):
            titles = frozenset(bar.tabText(number) for number in range(bar.count()))
            bar.setVisible(titles in used and len(titles) > 1)
            used.discard(titles)

    @Slot()
    def _keep_focus_in_sight(self) -> None:
        """Pass the focus from a panel behind a tab to the one in front of it.

        Qt only takes it from hidden widgets, so keys would go to a widget nobody sees.
        """
        focused = self._window.focusWidget()
        dock = None if focused is None else dock_of(focused)
        if dock is None or not is_behind(dock):
            return
        others = self._window.tabifiedDockWidgets(dock)
        front = next((d for d in others if d.isVisible() and not is_behind(d)), None)
        content = None if front is None else front.widget()
        if content is not None:
            content.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QWidget, QWidget)
    def _follow_keys(self, before: QWidget | None, now: QWidget | None) -> None:
        # Qt passes the focus of a hidden widget on, wherever that leads.
        handed = before is not None and isValid(before) and not before.isVisible()
        if now is None or not isValid(now) or now.window() is not self._window:
            return
        if handed:
            self._soon.start()
        else:
            bring_forward(now)


def is_behind(dock: QDockWidget) -> bool:
    """Return whether a panel is behind another one's tab, or was when it closed."""
    # Qt moves it outside the visible area instead of hiding it.
    return not dock.isFloating() and dock.geometry().right() < 0


def dock_of(widget: QWidget) -> QDockWidget | None:
    """Return the panel that contains a widget; None if there is none."""
    here: QWidget | None = widget
    while here is not None and not isinstance(here, QDockWidget):
        here = here.parentWidget()
    return here


def bring_forward(widget: QWidget) -> None:
    """Bring the panel that contains a widget to the front of its tabs."""
    dock = dock_of(widget)
    if dock is not None and is_behind(dock):
        dock.raise_()
