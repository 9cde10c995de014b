"""Activating layouts before the next paint, not after it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def lay_out(widget: QWidget) -> None:
    """Activate the invalid layouts of a widget and of its ancestors.

    Qt propagates a change by one level per pass of the event loop and paints in
    between: widgets that move would be painted twice. A window that is not on the
    screen yet is left to Qt.
    """
    ancestor: QWidget | None = widget
    while ancestor is not None:
        layout = ancestor.layout()
        # The layout of a main window deletes separators that are no longer used: Qt may
        # be about to show them, one child of the window after the other, and crash.
        waits = ancestor.isWindow() and not ancestor.testAttribute(
            Qt.WidgetAttribute.WA_Mapped
        )
        if layout is not None and not waits:
            layout.activate()
        ancestor = ancestor.parentWidget()
