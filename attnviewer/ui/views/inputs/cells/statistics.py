"""Sum, mean and extremes of the selected cells."""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Array
from attnviewer.ui.text.numbers import full_number, significant_number
from attnviewer.ui.views.inputs.cells.table import CellTable, table_with_the_keys

MOST_SUMMED = 2**18
"""The most cells that are summed; larger selections are only counted."""

_DIGITS = 10


class SelectionStatistics(QObject):
    """Follows the selection of the table that has the focus.

    Attributes
    ----------
    changed : Signal
        Carries the statistics in one line; "" for a single cell.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._text = ""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._update_text)

    def watch(self, table: CellTable) -> None:
        """Follow the selection and the cells of one more table."""
        table.block_selected.connect(self._update_text)
        # Several tables may show the same cells.
        once = Qt.ConnectionType.UniqueConnection
        for changed in (table.model().dataChanged, table.model().modelReset):
            changed.connect(self._update_text, once)

    @Slot()
    def _update_text(self) -> None:
        text = self._now()
        if text != self._text:
            self._text = text
            self.changed.emit(text)

    def _now(self) -> str:
        table = table_with_the_keys()
        blocks = [] if table is None else table.selected_blocks()
        count = sum(block.height * block.width for block in blocks)
        if table is None or count < 2:
            return ""
        counted = self.tr("Count {:,}").format(count)
        if count > MOST_SUMMED or not table.cells.has_numbers:
            return counted
        numbers = np.concatenate([table.cells.values(b).ravel() for b in blocks])
        total, mean, low, high = (_written(number) for number in _statistics(numbers))
        return self.tr(
            "Sum {total} · Mean {mean} · {counted} · Min {low} · Max {high}"
        ).format(total=total, mean=mean, counted=counted, low=low, high=high)


def _written(number: float) -> str:
    if np.isfinite(number):
        return significant_number(number, _DIGITS)
    return full_number(number)


def _statistics(numbers: Array) -> Iterable[float]:
    """Return sum, mean, minimum and maximum of numbers, shape (n,)."""
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    # Dividing first keeps the mean finite when the sum overflows.
    mean = total / numbers.size
    if not np.isfinite(mean):
        mean = float((numbers / numbers.size).sum())
    return total, mean, float(numbers.min()), float(numbers.max())
