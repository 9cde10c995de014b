"""A menu that moves a dock, for keyboard use."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu

from attnviewer.ui.widgets.actions import ActionRow, fill_choice, make_action

DockArea = Qt.DockWidgetArea | None
"""A side of the window, or none for a dock that floats."""


class DockAreaMenu(QMenu):
    """Moves a dock to a side of the window, floats it or closes it.

    Parameters
    ----------
    dock : QDockWidget
        The dock.
    title : str
        The menu's title.
    window : QMainWindow
        The dock's window.
    close : callable
        Closes a dock.
    """

    def __init__(
        self,
        dock: QDockWidget,
        title: str,
        window: QMainWindow,
        close: Callable[[QDockWidget], None],
    ) -> None:
        super().__init__(window)
        self.setTitle(title)
        self._dock = dock
        self._window = window
        self._close = close
        self.aboutToShow.connect(self._check)

    def _fill(self) -> None:
        area = Qt.DockWidgetArea
        sides: dict[str, tuple[str, DockArea]] = {
            "left": (self.tr("On the &left"), area.LeftDockWidgetArea),
            "right": (self.tr("On the &right"), area.RightDockWidgetArea),
            "below": (self.tr("&Below"), area.BottomDockWidgetArea),
            "floating": (self.tr("&Float"), None),
        }
        name = self._dock.objectName()
        rows = [
            ActionRow(f"{name}.{side}", text, self._move_to, data=where)
            for side, (text, where) in sides.items()
        ]
        self._area_actions = fill_choice(self, rows)
        self.addSeparator()
        row = ActionRow(
            f"{name}.close", self.tr("&Close"), self._close, data=self._dock
        )
        self.addAction(make_action(self, row))

    def _move_to(self, area: DockArea) -> None:
        dock = self._dock
        dock.show()
        dock.setFloating(area is None)
        if area is not None and self._window.dockWidgetArea(dock) != area:
            self._window.addDockWidget(area, dock)
        content = dock.widget()
        if content is not None:
            content.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _check(self) -> None:
        if self.isEmpty():  # its rows wait for the first time that it is opened
            self._fill()
        dock = self._dock
        area = None if dock.isFloating() else self._window.dockWidgetArea(dock)
        for action in self._area_actions.actions():
            action.setChecked(action.data() == area and not dock.isHidden())
