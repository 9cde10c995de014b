"""The size in which a dialog opens."""

from PySide6.QtWidgets import QDialog

_AROUND = 40, 60
"""Pixels of the screen beside a dialog, and below and above it with its frame."""


def resize_to_text(dialog: QDialog, characters: int, lines: int) -> None:
    """Resize a dialog to hold so much text, within its screen."""
    metrics, room = dialog.fontMetrics(), dialog.screen().availableGeometry()
    dialog.resize(
        min(metrics.averageCharWidth() * characters, room.width() - _AROUND[0]),
        min(metrics.lineSpacing() * lines, room.height() - _AROUND[1]),
    )
