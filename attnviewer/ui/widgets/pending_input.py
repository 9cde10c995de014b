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
    elif isinstance(field, QLineEdit | QPlainTextEdit):
        home = field.parentWidget()
        while home is not None and home.focusPolicy() == Qt.FocusPolicy.NoFocus:
            home = home.parentWidget()
        field.clearFocus()
        # An editor in place closes, and what it lies in gets the focus; a field that
        # stays takes it back.
        (home if home is not None and field.isHidden() else field).setFocus()
