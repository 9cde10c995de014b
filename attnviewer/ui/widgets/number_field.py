"""Boxes of whole numbers in forms."""

from PySide6.QtWidgets import QSpinBox, QWidget

_INDENT = 6
"""What Qt leaves out of the padding that a style sheet gives a box, in pixels."""


def number_field(parent: QWidget) -> QSpinBox:
    """Return a box whose text begins where that of choices above it begins."""
    field = QSpinBox(parent)
    field.lineEdit().setTextMargins(_INDENT, 0, 0, 0)
    return field
