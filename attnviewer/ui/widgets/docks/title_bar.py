"""The heading of a dock, by which it is dragged."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMenu, QToolButton, QWidget


class DockTitleBar(QWidget):
    """A panel's heading as title bar, with a menu that moves the dock.

    Dragging it moves the dock, a double click floats it. The menu is not a Tab stop:
    the View menu has the same commands.

    Attributes
    ----------
    button : QToolButton
        Opens the menu; so does a right click anywhere on the heading.
    """

    def __init__(self, heading: QWidget, menu: QMenu, dock: QDockWidget) -> None:
        super().__init__(dock)
        # Without it, a plain widget does not paint its background.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._menu = menu
        self.button = button = QToolButton(self)
        button.setObjectName(f"{dock.objectName()}.menu")
        button.setText("⋯")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        name = self.tr("Place of {panel}").format(panel=dock.windowTitle())
        button.setAccessibleName(name)
        button.setToolTip(self.tr("Move, float or close this panel"))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 7, 6, 3)
        row.setSpacing(0)
        row.addWidget(heading, 1)
        row.addWidget(button)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu.popup(event.globalPos())
