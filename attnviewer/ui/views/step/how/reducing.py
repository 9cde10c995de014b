"""Products of matrices, reduced to what is readable around the selected cell."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF

from attnviewer.ui.views.step.how.cross import SMALLEST_CELL, cell_for
from attnviewer.ui.views.step.how.desk import strongest_keys
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.subject import Operand, Subject

FEW, FEW_TERMS = 12, 6
"""How many rows or columns, and terms of a sum, are drawn where all of them would be
too small."""
Crossing: TypeAlias = Callable[[Sequence[int], Sequence[int], Sequence[int]], Cross]
"""Returns the product of some rows, columns and terms."""
Every: TypeAlias = tuple[range, range, range]
"""All rows, columns and terms of a product."""


def fitted(
    subject: Subject,
    cross: Crossing,
    every: Every,
    room: QRectF,
) -> Cross:
    """Return a product, reduced to what is readable around the selected cell."""
    whole, measures = cross(*every), subject.measures
    if cell_for(whole, room, measures)[0] >= measures(SMALLEST_CELL):
        return whole
    return reduced(subject, cross, every)


def reduced(subject: Subject, cross: Crossing, every: Every) -> Cross:
    """Return the product of the selected row with its strongest columns."""
    whole = cross(*every)
    row, column = subject.focus
    rows, columns, inner = every
    line = whole.result.values[row]  # (columns,)
    few = strongest_keys(line, min(FEW, len(columns)), column)
    terms = whole.left.values[row] * (
        whole.above.values[column]
        if whole.transposed
        else whole.above.values[:, column]
    )  # (inner,)
    largest = strongest_keys(np.asarray(terms), min(FEW_TERMS, len(inner)), None)
    return cross(around(row, len(rows), 1), few, largest)


def product_of(
    subject: Subject,
    left: Operand,
    above: Operand,
    result: Operand,
    caption: str,
    title: str,
    bias: Operand | None = None,
    *,
    transposed: bool = False,
) -> Cross:
    row, column = subject.focus
    return Cross(
        left,
        above,
        result,
        transposed,
        result.rows.index(row) if row in result.rows else 0,
        result.columns.index(column) if column in result.columns else 0,
        caption.format(left=left.step, above=title),
        title,
        subject.cell is not None,
        bias,
    )


def around(index: int, count: int, most: int) -> list[int]:
    first = max(0, min(index - most // 2, count - most))
    return list(range(first, min(first + most, count)))
