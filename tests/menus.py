"""Menus, as far as QTest has no way to open them."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
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


def action_of(window: QWidget, name: str) -> QAction:
    """Return an action of a window, whose menu may never have been opened."""
    action = window.findChild(QAction, f"action.{name}")
    if action is None:  # many menus are filled when they open
        open_all(window)
        action = window.findChild(QAction, f"action.{name}")
    assert action is not None, name
    return action


def open_all(window: QWidget) -> None:
    """Fill all menus of a window, as opening each of them does."""
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
