"""Context menus, which QTest has no way to open."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget


def context_menu(widget: QWidget, place: QPoint) -> QMenu:
    """Open the context menu at a place of a widget, as the right button does."""
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose_row(menu: QMenu, text: str) -> None:
    """Choose the row of a menu that has a text, and close the menu."""
    rows = {a.text().replace("&", ""): a for a in menu.actions() if a.isVisible()}
    rows[text].trigger()
    menu.close()
