"""The visible cells, and their positions on the screen."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QTransform

from attnviewer.ui.views.step.heatmap.picture import Span


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The positions of the visible cells on the screen."""

    left: float
    top: float
    width: float
    height: float
    rows: Span
    columns: Span

    @classmethod
    def of(cls, transform: QTransform, sight: QRectF, shape: Span) -> "CellGrid":
        """Return the grid of the visible cells.

        Parameters
        ----------
        transform : QTransform
            From cells to pixels.
        sight : QRectF
            The visible part, in cells.
        shape : tuple of two int
            Rows and columns of the matrix.
        """
        return cls(
            transform.dx(),
            transform.dy(),
            transform.m11(),
            transform.m22(),
            (max(0, math.floor(sight.top())), min(shape[0], math.ceil(sight.bottom()))),
            (max(0, math.floor(sight.left())), min(shape[1], math.ceil(sight.right()))),
        )

    @property
    def n_rows(self) -> int:
        """The number of visible rows, including partly visible ones."""
        return max(0, self.rows[1] - self.rows[0])

    @property
    def n_columns(self) -> int:
        """The number of visible columns, including partly visible ones."""
        return max(0, self.columns[1] - self.columns[0])

    @property
    def n_cells(self) -> int:
        """The number of visible cells."""
        return self.n_rows * self.n_columns

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns of the visible cells."""
        return slice(*self.rows), slice(*self.columns)

    def around(self, rows: QRectF) -> "CellGrid":
        """Return the rectangle of some rows, including the lines above and below."""
        first, last = math.floor(rows.top()) - 1, math.ceil(rows.bottom()) + 1
        first, last = max(first, self.rows[0]), min(last, self.rows[1])
        return replace(self, rows=(first, max(first, last)))

    def x(self, column: float) -> float:
        """Return the left edge of a column."""
        return self.left + column * self.width

    def y(self, row: float) -> float:
        """Return the top edge of a row."""
        return self.top + row * self.height

    def rect(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell."""
        return QRectF(self.x(column), self.y(row), self.width, self.height)

    def pixels(self, row: int, column: int) -> QRect:
        """Return the rectangle of a cell in whole pixels; neighbours share an edge."""
        left, right = round(self.x(column)), round(self.x(column + 1))
        top, bottom = round(self.y(row)), round(self.y(row + 1))
        return QRect(left, top, right - left, bottom - top)


def cells_within(start: float, stop: float, count: int) -> Span:
    """Return the cells that a range overlaps, at least one."""
    first = min(max(0, int(start)), count - 1)
    return first, min(count, max(first + 1, -int(-stop // 1)))


def changed_rows(before: NDArray[Any], after: NDArray[Any]) -> Span:
    """Return the first row in which two arrays differ, and the one after the last."""
    ends = slice(None, None, max(1, len(after) - 1))
    if (before[ends] != after[ends]).reshape(len(after[ends]), -1).any(axis=1).all():
        return 0, len(after)  # as after most edits
    differ = (before != after).reshape(len(after), -1).any(axis=1)  # (rows,)
    indices = np.flatnonzero(differ)
    return (int(indices[0]), int(indices[-1]) + 1) if indices.size else (0, 0)
