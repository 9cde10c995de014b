"""What is being typed, before something else is done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit


def take_over_typed() -> None:
    """Have what is being typed taken over, as it is when its field is left.

    For whatever leaves the keys where they are: a menu that is opened with the
    mouse, a button of a tool bar. A text that is refused stays in its field.
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
        # An editor of cells goes, and its table has the keys; a line takes them back.
        field.clearFocus()
        (home or field).setFocus()
