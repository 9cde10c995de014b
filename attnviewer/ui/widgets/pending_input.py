"""Committing what is being typed before something else is done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit


def commit_pending_input() -> None:
    """Commit what is being typed, as leaving its field would.

    For commands that do not move the focus: a menu opened with the mouse, a tool
    button. A refused text stays in its field.
    """
    field = QApplication.focusWidget()
    if isinstance(field, QAbstractSpinBox):
        field.interpretText()
    elif isinstance(field, QPlainTextEdit):
        field.clearFocus()
    elif isinstance(field, QLineEdit):
        home = field.parentWidget()
        while home is not None and home.focusPolicy() == Qt.FocusPolicy.NoFocus:
            home = home.parentWidget()
        # A cell editor closes and its table gets the focus; a line edit takes it back.
        field.clearFocus()
        (home or field).setFocus()
