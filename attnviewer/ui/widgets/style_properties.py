"""Properties of widgets that style sheets look at."""

from PySide6.QtWidgets import QWidget


def set_styled(widget: QWidget, name: str, value: object) -> None:
    """Set a property that decides how a style sheet draws a widget."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        # A style sheet looks at a property only when the widget is polished.
        widget.style().unpolish(widget)
        widget.style().polish(widget)
