"""Tool buttons that show their names where there is room."""

from PySide6.QtWidgets import QToolButton


class NamedButton(QToolButton):
    """A button that shows its name or only a symbol."""

    def show_name(self, *, named: bool) -> None:
        """Show the name, or only a symbol."""
        # Not an ABC: its metaclass does not combine with that of Qt classes.
        raise NotImplementedError
