"""The preview of a fill."""

from collections.abc import Mapping
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.text.numbers import decimals_for, fitted_number

ROWS, COLUMNS = 4, 6
_CHARACTERS = 8
_ROOM = (_CHARACTERS + 1) * COLUMNS + 2
"""Characters per line."""
_BETWEEN = 3


class FillPreview(QLabel):
    """Shows the upper left cells of blocks, at a fixed size."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("fill.preview")
        self.setFont(fixed_font())
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.ensurePolished()
        # Room for the title, the ellipsis and a note.
        self.setText("\n".join(["…".rjust(_ROOM, "0")] * (ROWS + 3)))
        self.setMinimumSize(self.sizeHint())
        self.clear()

    def show_cells(
        self, filled: Mapping[str, Array | BoolArray], note: str = ""
    ) -> None:
        """Show the first cells of blocks, and a note below them.

        The blocks are side by side, as many as fit.
        """
        blocks, width = [], 0
        for columns in range(COLUMNS, 0, -1):
            blocks = [[f"{m} =", *_rows(v, columns)] for m, v in filled.items()]
            width = sum(max(map(len, block)) for block in blocks)
            if width + _BETWEEN * (len(blocks) - 1) <= _ROOM:
                break
        lines = _side_by_side(blocks)
        self.show_text("\n".join([*lines, note] if note else lines))

    def show_text(self, text: str) -> None:
        """Show a text instead."""
        self.setText(text)
        self.setAccessibleName(text)


def _side_by_side(blocks: list[list[str]]) -> list[str]:
    """Return the lines of adjacent blocks; those that do not fit are left out."""
    lines: list[str] = []
    for block in blocks:
        before = max(map(len, lines), default=0)
        gap = _BETWEEN if lines else 0
        wide = max(map(len, block))
        if lines and before + gap + wide > _ROOM:
            return [f"{lines[0]} …", *lines[1:]]
        rows = zip_longest(lines, block, fillvalue="")
        lines = [f"{left:<{before + gap}}{right}".rstrip() for left, right in rows]
    return lines


def _rows(values: Array | BoolArray, columns: int) -> list[str]:
    first = values[:ROWS, :columns]
    if first.dtype == np.bool_:
        texts = [[str(bool(cell)) for cell in row] for row in first]
    else:
        numbers = first.astype(np.float64)
        decimals = decimals_for(numbers, 4)
        texts = [[fitted_number(c, decimals, _CHARACTERS) for c in r] for r in numbers]
    width = max(len(text) for row in texts for text in row) + 1
    more = " …" if values.shape[1] > columns else ""
    rows = ["".join(text.rjust(width) for text in row) + more for row in texts]
    return [*rows, "…".rjust(width)] if len(values) > ROWS else rows
