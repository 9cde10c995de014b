"""Docks that share a place: tabbed together for as long as both are open."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow

Pairs = Sequence[tuple[QDockWidget, QDockWidget]]


class SharedPlaces(QObject):
    """Tabs docks together once they are open on the same side.

    Parameters
    ----------
    window : QMainWindow
        The window of the docks.
    always : sequence of tuple of two QDockWidget
        A dock, and one that is tabbed with it.
    meanwhile : sequence of tuple of two QDockWidget
        A dock, and one that is tabbed with it only while the former is open. It stands
        alone again afterwards, unless the user has moved it.
    """

    def __init__(self, window: QMainWindow, always: Pairs, meanwhile: Pairs) -> None:
        super().__init__(window)
        self._window = window
        self._always, self._meanwhile = always, meanwhile
        self._moved: set[QDockWidget] = set()
        for first, _ in meanwhile:
            first.toggleViewAction().toggled.connect(self._on_toggled)

    def tab(self) -> None:
        """Tab the docks together that share a place now."""
        # Only once both are open: Qt keeps showing the tab of a closed one.
        for first, other in self._always:
            self._tab(first, other)
        for first, other in self._meanwhile:
            if other not in self._moved and self._tab(first, other):
                self._moved.add(other)

    def forget(self) -> None:
        """Take all docks as standing where the user wants them."""
        self._moved.clear()

    def _tab(self, first: QDockWidget, other: QDockWidget) -> bool:
        window = self._window
        beside = window.dockWidgetArea(first) == window.dockWidgetArea(other)
        still = not any(dock.isHidden() or dock.isFloating() for dock in (first, other))
        if not (beside and still) or other in window.tabifiedDockWidgets(first):
            return False
        window.tabifyDockWidget(first, other)
        return True

    @Slot(bool)
    def _on_toggled(self, shown: bool) -> None:
        if shown:
            return
        for first, other in self._meanwhile:
            if first.isHidden() and other in self._moved:
                self._moved.discard(other)
                self._stand_alone(first, other)

    def _stand_alone(self, first: QDockWidget, other: QDockWidget) -> None:
        window = self._window
        area = window.dockWidgetArea(other)
        if not other.isFloating() and area == window.dockWidgetArea(first):
            hidden = other.isHidden()
            window.addDockWidget(area, other)
            other.setHidden(hidden)
