"""How the input tables of one window show their numbers."""

from PySide6.QtCore import QObject, Signal

from attnviewer.ui.number_format import AUTOMATIC, NumberFormat


class TableLook(QObject):
    """What a person chose for the tables; documents come and go below it.

    Attributes
    ----------
    changed : Signal
        Something else is chosen now; the tables then follow.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._formats: dict[str, NumberFormat] = {}
        self._heat = False
        self._flashing = True

    @property
    def heat(self) -> bool:
        """Whether the ground of a cell has the colour of its number."""
        return self._heat

    @property
    def flashing(self) -> bool:
        """Whether changed cells flash."""
        return self._flashing

    def format_of(self, matrix: str) -> NumberFormat:
        """Return how the numbers of a matrix are written."""
        return self._formats.get(matrix, AUTOMATIC)

    def set_format(self, matrix: str, format_: NumberFormat) -> None:
        """Choose how the numbers of a matrix are written, in every document."""
        self._formats[matrix] = format_
        self.changed.emit()

    def set_heat(self, heat: bool) -> None:
        """Choose whether cells have the colours of their numbers."""
        self._heat = heat
        self.changed.emit()

    def set_flashing(self, flashing: bool) -> None:
        """Choose whether changed cells flash."""
        self._flashing = flashing
        self.changed.emit()
