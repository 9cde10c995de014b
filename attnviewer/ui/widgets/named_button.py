"""Buttons of a bar, whose names are shown where there is room for them."""

from PySide6.QtWidgets import QToolButton


class NamedButton(QToolButton):
    """A button that bears its name, or a sign alone."""

    def show_name(self, *, named: bool) -> None:
        """Show the name, or the sign alone."""
        raise NotImplementedError
