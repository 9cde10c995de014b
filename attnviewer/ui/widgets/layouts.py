"""Layouts that settle before the next paint, not after it."""

from PySide6.QtWidgets import QWidget


def lay_out(widget: QWidget) -> None:
    """Lay out a widget and all that it stands in, as far as something has changed.

    Qt passes a change on by one level in each turn of the event loop, and paints in
    between: what has moved would be painted twice.
    """
    place: QWidget | None = widget
    while place is not None:
        layout = place.layout()
        if layout is not None:
            layout.activate()
        place = place.parentWidget()
