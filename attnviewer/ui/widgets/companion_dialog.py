"""Dialogs that stay open beside the window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QWidget


class CompanionDialog(QDialog):
    """A dialog that does not block the window, and from which one can quit, too.

    Parameters
    ----------
    parent : QWidget
        The window.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # A window's shortcuts do nothing while another window is active.
        self.addActions(parent.window().findChildren(QAction, "action.quit"))
