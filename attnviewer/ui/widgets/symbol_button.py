"""Tool buttons that show a symbol."""

from PySide6.QtWidgets import QToolButton, QWidget


def symbol_button(
    name: str, symbol: str, title: str, parent: QWidget | None = None
) -> QToolButton:
    """Return a button with a symbol; its tool tip and accessible name say what it does.

    Parameters
    ----------
    name : str
        Its object name.
    symbol : str
        What is written on it.
    title : str
        What it does.
    parent : QWidget, optional
        What it is in.
    """
    button = QToolButton(parent)
    button.setObjectName(name)
    button.setText(symbol)
    button.setToolTip(title)
    button.setAccessibleName(title)
    return button
