"""Products of matrices, reduced to what is readable around the selected cell."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF

from attnviewer.ui.views.step.how.cross import SMALLEST_CELL, cell_for, width_of
from attnviewer.ui.views.step.how.desk import strongest_keys
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.subject import Operand, Subject

FEW, FEW_TERMS, FEWEST_TERMS = 12, 6, 2
"""How many rows or columns, and terms of a sum, are drawn where all of them would be
too small; and how many terms where the picture would be narrow."""
WIDE = 0.8
"""Share of the width that a reduced product takes if it can."""
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
    least = measures.least_cell(measures(SMALLEST_CELL))
    if cell_for(whole, room, measures)[0] >= least:
        return whole
    return reduced(subject, cross, every)


def filling(subject: Subject, cross: Crossing, every: Every, room: QRectF) -> Cross:
    """Return a reduced product that fills a room of its own.

    Fewer terms make its cells larger in a wide room. More rows take what is left of a
    high one, where no key or term is left out: these are chosen for the selected row.
    """
    measures = subject.measures
    for terms in range(FEW_TERMS, FEWEST_TERMS - 1, -1):
        found = reduced(subject, cross, every, terms)
        cell, labels = cell_for(found, room, measures)
        if width_of(found, cell, labels, measures) >= WIDE * room.width():
            break
    row, rows = subject.focus[0], len(every[0])
    if found.size[1:] != (len(every[1]), len(every[2])):
        return found
    for count in range(2, min(rows, FEW) + 1):
        more = around(row, rows, count)
        larger = cross(more, found.result.columns, found.left.columns)
        if cell_for(larger, room, measures)[0] < cell:
            break
        found = replace(larger, omitted=found.omitted, rest=found.rest)
    return found


def reduced(
    subject: Subject, cross: Crossing, every: Every, most_terms: int = FEW_TERMS
) -> Cross:
    """Return the product of the selected row with its strongest columns."""
    row, column = subject.focus
    rows, columns, inner = every
    line = cross([row], columns, inner).result.values[0]  # (columns,)
    few = strongest_keys(line, min(FEW, len(columns)), column)
    one = cross([row], [column], inner)
    with np.errstate(all="ignore"):
        terms = np.prod(one.factors, axis=0)  # (inner,)
        largest = strongest_keys(terms, min(most_terms, len(inner)), None)
        rest = float(np.delete(terms, largest).sum())
    found = cross(around(row, len(rows), 1), few, largest)
    return replace(found, omitted=len(inner) - len(largest), rest=rest)


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
