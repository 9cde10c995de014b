"""The buttons of the Lesson dock."""

from PySide6.QtWidgets import QPushButton, QWidget

from attnviewer.ui.widgets.push_button import push_button


def lesson_button(
    name: str, text: str, clicked: object, parent: QWidget
) -> QPushButton:
    """Return a button that Enter presses, too, while it has the focus."""
    button = push_button(f"lesson.{name}", text, clicked, parent)
    button.setAutoDefault(True)
    return button
