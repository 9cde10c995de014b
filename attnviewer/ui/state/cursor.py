"""The selection in the input tables."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from attnviewer.document import Region


@dataclass(frozen=True, slots=True)
class InputPlace:
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
    """The `InputPlace` the user moved to; None if there is none."""
    wanted = Signal(object)
    """An `InputPlace` that the tables are to select, as far as it exists."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: InputPlace | None = None

    @property
    def place(self) -> InputPlace | None:
        """The current selection."""
        return self._place

    def move(self, place: InputPlace | None) -> None:
        """Report what the user selected."""
        if place != self._place:
            self._place = place
            self.moved.emit(place)

    def go(self, place: InputPlace | None) -> None:
        """Ask the tables to select a place; None keeps the selection."""
        if place is not None:
            self.wanted.emit(place)
            self.move(place)
