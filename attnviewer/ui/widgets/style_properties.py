"""Widget properties that style sheets select by."""

from PySide6.QtWidgets import QWidget


def set_styled(widget: QWidget, name: str, value: object) -> None:
    """Set a property that a style sheet selects by, and restyle the widget."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        # Style sheets read properties only when a widget is polished.
        widget.style().unpolish(widget)
        widget.style().polish(widget)
