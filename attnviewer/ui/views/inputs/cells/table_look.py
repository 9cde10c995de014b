"""The look of a window's input tables."""

from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.document import Document
from attnviewer.ui.state.sensitivity import Sensitivity
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.text.number_format import AUTOMATIC, NumberFormat
from attnviewer.ui.views.inputs.cells.fitted import FITTED

_WIDTHS = "inputs/widths/"
_NARROWEST, _WIDEST = 1.0, 80.0


class TableLook(QObject):
    """The user's choices for the tables.

    Number formats belong to a document: those of another one could round its numbers
    unasked.

    Attributes
    ----------
    changed : Signal
        A choice has changed; the tables follow.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._formats: dict[str, NumberFormat] = {}
        self._by_document: WeakKeyDictionary[Document, dict[str, NumberFormat]] = (
            WeakKeyDictionary()
        )
        self._heat = False
        self._flashing, self._calm = True, False
        self._settings = own_settings()
        self._widths: dict[str, float | None] = {}
        self._sensitivity: Sensitivity | None = None

    @property
    def heat(self) -> bool:
        """Whether cells are coloured by their numbers."""
        return self._heat

    @property
    def sensitivity(self) -> Sensitivity | None:
        """The gradients that colour the cells while shown, instead of their numbers."""
        return self._sensitivity

    def follow_sensitivity(self, sensitivity: Sensitivity) -> None:
        """Colour the cells by a sensitivity whenever that is shown."""
        self._sensitivity = sensitivity
        sensitivity.shown_changed.connect(self.changed)
        sensitivity.changed.connect(self._on_sensitivity)

    @Slot()
    def _on_sensitivity(self) -> None:
        if self._sensitivity is not None and self._sensitivity.shown:
            self.changed.emit()

    @property
    def flashing(self) -> bool:
        """Whether changed cells flash."""
        return self._flashing and not self._calm

    def set_document(self, document: Document) -> None:
        """Show another document, in its own number formats."""
        self._formats = self._by_document.setdefault(document, {})
        self.changed.emit()

    def format_of(self, matrix: str) -> NumberFormat:
        """Return the number format of a matrix."""
        return self._formats.get(matrix, AUTOMATIC)

    def set_format(self, matrix: str, format_: NumberFormat) -> None:
        """Set the number format of a matrix of the current document."""
        self._formats[matrix] = format_
        self.changed.emit()

    def width_of(self, table: str) -> float | None:
        """Return the user's column width of a table, in digits.

        None for the default. Unreadable settings are ignored.
        """
        if table not in self._widths:
            self._widths[table] = _number(self._settings.value(_WIDTHS + table))
        return self._widths[table]

    def set_width(self, table: str, digits: float | None) -> None:
        """Set the column width of a table, and remember it.

        Parameters
        ----------
        table : str
            The table.
        digits : float, optional
            Width for text, in digits, or `FITTED`; None for the default.
        """
        if digits is None:
            self._settings.remove(_WIDTHS + table)
        else:
            if digits != FITTED:
                digits = min(max(digits, _NARROWEST), _WIDEST)
            self._settings.setValue(_WIDTHS + table, digits)
        self._widths[table] = digits
        self.changed.emit()

    def set_heat(self, heat: bool) -> None:
        """Choose whether cells are coloured by their numbers."""
        self._heat = heat
        self.changed.emit()

    def set_flashing(self, flashing: bool) -> None:
        """Choose whether changed cells flash."""
        self._flashing = flashing
        self.changed.emit()

    def keep_calm(self, *, calm: bool) -> None:
        """Let nothing flash for now: changes come faster than a flash fades."""
        if calm != self._calm:
            self._calm = calm
            self.changed.emit()


def _number(kept: object) -> float | None:
    """Return a stored number; None if it is invalid."""
    try:
        return float(str(kept))
    except ValueError:
        return None
