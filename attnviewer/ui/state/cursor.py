"""The selection in the input tables."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from attnviewer.document import Region


@dataclass(frozen=True, slots=True)
class InputSelection:
    """Selected cells of one input table.

    Parameters
    ----------
    table : str
        The matrix, or ``tokens`` or ``context_tokens``.
    block : Region
        The selected cells.
    """

    table: str
    block: Region


class InputCursor(QObject):
    """The selection of the input tables: they watch it, and undo restores it."""

    moved = Signal(object)
    """The `InputSelection` the user moved to; None if there is none."""
    wanted = Signal(object)
    """An `InputSelection` that the tables are to select, as far as it exists."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection: InputSelection | None = None

    @property
    def selection(self) -> InputSelection | None:
        """The current selection."""
        return self._selection

    def move(self, selection: InputSelection | None) -> None:
        """Report what the user selected."""
        if selection != self._selection:
            self._selection = selection
            self.moved.emit(selection)

    def go(self, selection: InputSelection | None) -> None:
        """Ask the tables to select a place; None keeps the selection."""
        if selection is not None:
            self.wanted.emit(selection)
            self.move(selection)
