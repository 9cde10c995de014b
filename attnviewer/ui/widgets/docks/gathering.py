"""Where the window is narrow for its texts, the panels of both sides share one."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
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
"""Heights of a line, from which on a window has room for panels on both sides."""


class Gathering(QObject):
    """Puts the panels on the right behind those on the left, and back.

    Only panels that are where they opened take part. A panel that gets the keyboard
    focus comes to the front; one that goes behind another hands its focus on to that.

    Attributes
    ----------
    narrow : bool
        Whether there was no room for both sides when that was last asked.
    """

    resized = Signal()
    """The window has another size."""

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
        for dock in window.findChildren(QDockWidget):
            dock.visibilityChanged.connect(self._soon.start)
            dock.dockLocationChanged.connect(self._soon.start)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_keys)

    def fit(self) -> bool:
        """Gather or part the panels as the window has room; tell whether they moved."""
        room = self._window.width() / usual_line(self._window.font())
        hidden = all(dock.isHidden() for dock in (self._left, *self._right))
        # What a person has moved since then stays.
        if hidden or self.narrow == (room < BOTH_SIDES):
            return False
        self.narrow = not self.narrow
        return self._gather() if self.narrow else self._part()

    def _gather(self) -> bool:
        area, front = Qt.DockWidgetArea, self._front()
        moving = self._standing(self._right, area.RightDockWidgetArea)
        if not moving or not self._standing([self._left], area.LeftDockWidgetArea):
            return False
        for dock in moving:
            # By itself first: Qt 6.12 leaves those that share a place where they are.
            self._window.addDockWidget(area.LeftDockWidgetArea, dock)
            self._window.tabifyDockWidget(self._left, dock)
        front.raise_()
        return True

    def _part(self) -> bool:
        moving = self._standing(self._right, Qt.DockWidgetArea.LeftDockWidgetArea)
        for dock in moving:
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        return bool(moving)

    def _front(self) -> QDockWidget:
        """Return the panel with the keys, or else the one on the left."""
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
        elif event.type() == QEvent.Type.ChildPolished:
            for bar in self._bars():
                bar.setObjectName("docks.tabs")
                bar.setDrawBase(False)
                bar.setAccessibleName(self.tr("Panels"))
        return super().eventFilter(watched, event)

    def _bars(self) -> list[QTabBar]:
        only = Qt.FindChildOption.FindDirectChildrenOnly
        return self._window.findChildren(QTabBar, options=only)

    @Slot()
    def _hide_left_tabs(self) -> None:
        """Hide the tabs of panels that stand elsewhere now: Qt leaves them in sight."""
        used = {
            frozenset(d.windowTitle() for d in (dock, *others) if not d.isHidden())
            for dock in self._window.findChildren(QDockWidget)
            if (others := self._window.tabifiedDockWidgets(dock))
        }
        # The newest first: an older one with the same tabs has been left.
        for bar in reversed(self._bars()):
            titles = frozenset(bar.tabText(number) for number in range(bar.count()))
            bar.setVisible(titles in used and len(titles) > 1)
            used.discard(titles)

    @Slot()
    def _keep_focus_in_sight(self) -> None:
        """Hand the focus of a panel behind a tab to the one in front of it.

        Qt takes it from what is hidden alone, and keys would go where nobody sees it.
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
        # From what was hidden Qt hands the keys on, wherever that leads.
        handed = before is not None and isValid(before) and not before.isVisible()
        if now is None or handed or not isValid(now):
            return
        if now.window() is self._window:
            bring_forward(now)


def is_behind(dock: QDockWidget) -> bool:
    """Return whether a panel is, or was as it closed, behind another one's tab."""
    # Qt moves it out of sight, and does not hide it.
    return not dock.isFloating() and dock.geometry().right() < 0


def dock_of(widget: QWidget) -> QDockWidget | None:
    """Return the panel that a widget stands in; None if in none."""
    here: QWidget | None = widget
    while here is not None and not isinstance(here, QDockWidget):
        here = here.parentWidget()
    return here


def bring_forward(widget: QWidget) -> None:
    """Bring the panel that a widget stands in to the front of its tabs."""
    dock = dock_of(widget)
    if dock is not None and is_behind(dock):
        dock.raise_()
