"""The column in which a dialog is laid out."""

from PySide6.QtWidgets import QDialog, QVBoxLayout

_MARGINS = 16, 14, 16, 14


def dialog_column(dialog: QDialog) -> QVBoxLayout:
    """Return a dialog's layout, with the margins that all dialogs have."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(*_MARGINS)
    return column
