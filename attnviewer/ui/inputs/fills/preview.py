"""The first cells of a fill, before it is done."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.fonts import fixed_font
from attnviewer.ui.numbers import decimals_for, fitted_number

ROWS, COLUMNS = 4, 6
_CHARACTERS = 8
_FRAME = 20


class FillPreview(QLabel):
    """Shows the upper left cells of a block; its size stays the same."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("fill.preview")
        self.setFont(fixed_font())
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        metrics = self.fontMetrics()
        # Room for the title, what is left out, and a note.
        self.setMinimumSize(
            metrics.horizontalAdvance("0") * (_CHARACTERS + 1) * COLUMNS + 2 * _FRAME,
            metrics.lineSpacing() * (ROWS + 2) + _FRAME,
        )

    def show_cells(
        self, matrix: str, values: Array | BoolArray, note: str = ""
    ) -> None:
        """Show the first cells of what a matrix gets, and a note below them."""
        lines = [f"{matrix} =", *_rows(values), *([note] if note else [])]
        self.tell("\n".join(lines))

    def tell(self, text: str) -> None:
        """Show a text instead."""
        self.setText(text)
        self.setAccessibleName(text)


def _rows(values: Array | BoolArray) -> list[str]:
    first = values[:ROWS, :COLUMNS]
    if first.dtype == np.bool_:
        texts = [[str(bool(cell)) for cell in row] for row in first]
    else:
        numbers = first.astype(np.float64)
        decimals = decimals_for(numbers, 4)
        texts = [[fitted_number(c, decimals, _CHARACTERS) for c in r] for r in numbers]
    width = max(len(text) for row in texts for text in row) + 1
    more = " …" if values.shape[1] > COLUMNS else ""
    rows = ["".join(text.rjust(width) for text in row) + more for row in texts]
    return [*rows, "…".rjust(width)] if len(values) > ROWS else rows
