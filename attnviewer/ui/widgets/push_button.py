"""Push buttons with a name and what they do."""

from PySide6.QtWidgets import QPushButton, QWidget


def push_button(name: str, text: str, clicked: object, parent: QWidget) -> QPushButton:
    """Return a button that calls a slot, or emits a signal, when it is clicked."""
    button = QPushButton(text, parent)
    button.setObjectName(name)
    button.clicked.connect(clicked)
    return button
