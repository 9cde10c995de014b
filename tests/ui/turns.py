"""Turns of the event loop after which views have followed an edit."""

from PySide6.QtWidgets import QApplication


def follow_picture() -> None:
    """Let the views that follow the picture do so."""
    for _ in range(3):  # one paints, one looks for newer input
        QApplication.processEvents()
