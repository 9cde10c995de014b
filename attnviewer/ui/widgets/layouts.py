"""Activating layouts before the next paint, not after it."""

from PySide6.QtWidgets import QWidget


def lay_out(widget: QWidget) -> None:
    """Activate the invalid layouts of a widget and of its ancestors.

    Qt propagates a change by one level per pass of the event loop and paints in
    between: widgets that move would be painted twice.
    """
    ancestor: QWidget | None = widget
    while ancestor is not None:
        layout = ancestor.layout()
        if layout is not None:
            layout.activate()
        ancestor = ancestor.parentWidget()
