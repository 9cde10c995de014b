"""The menu of a head that has to be opened first."""

from PySide6.QtCore import QObject, QPoint, Signal

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.workbench import Workbench


class PendingMenu(QObject):
    """Asks for the menu of a head as soon as the head is the chosen one.

    Attributes
    ----------
    wanted : Signal
        The menu of the chosen head is to open, at a place of the screen.
    """

    wanted = Signal(QPoint)

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._asked: tuple[HeadLocation, QPoint] | None = None

    def ask(self, location: HeadLocation, spot: QPoint) -> None:
        """Ask for the menu of a head, which is being chosen."""
        self._asked = location, spot
        self.follow()

    def forget(self) -> None:
        """Ask for nothing: another head was chosen."""
        self._asked = None

    def follow(self) -> None:
        """Open the menu if the head is there by now."""
        if self._asked is None:
            return
        location, spot = self._asked
        present = self._workbench.head_location(self._workbench.selection.head)
        if location.layer is None or location == present:
            self._asked = None
            self.wanted.emit(spot)
