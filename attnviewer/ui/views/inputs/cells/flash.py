"""The cells of the last edit light up for a moment."""

from time import perf_counter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import BoolArray
from attnviewer.document import Region

Strength: TypeAlias = NDArray[np.float32]
"""How brightly cells are lit, from 0 to 1."""

SECONDS = 0.5
STRENGTH = 0.6
"""How much of a cell's ground is the flash at first; it fades from there."""
_FRAME = 33
_MOST_JOINED = 2**16
"""Cells up to which edits of one turn are kept apart inside what encloses them."""


class Flash(QObject):
    """What has just changed in one table, and how brightly it is still lit.

    Edits that follow each other before anything of them was seen, as when a step of
    undo has several parts, flash together; a later edit takes the place of an
    earlier one.

    Attributes
    ----------
    moved : Signal
        The light changed in a `Region`, which is to be painted again.
    """

    moved = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.enabled = True
        self._region: Region | None = None
        self._cells: BoolArray | None = None
        self._since = 0.0
        self._seen = False
        self._timer = QTimer(self, interval=_FRAME)
        self._timer.timeout.connect(self._fade)

    @Slot(object, object)
    def start(self, region: Region, cells: BoolArray | None) -> None:
        """Light up a region.

        Parameters
        ----------
        region : Region
            What was changed.
        cells : ndarray of bool, shape (height, width), or None
            Which of its cells; None for all.
        """
        if not self.enabled or (cells is not None and not cells.any()):
            return
        if self._region is not None:
            if self._seen:
                self.moved.emit(self._region)
            else:
                region, cells = _joined((self._region, self._cells), (region, cells))
        self._region, self._cells = region, cells
        self._since, self._seen = perf_counter(), False
        self._timer.start()

    @Slot()
    def stop(self) -> None:
        """Put the light out."""
        self._timer.stop()
        region, self._region, self._cells = self._region, None, None
        if region is not None:
            self.moved.emit(region)

    def strength(self, block: Region) -> Strength | None:
        """Return how brightly the cells of a block are lit, from 0 to 1.

        None where none of them is. Asking counts as having seen them.
        """
        region = self._region
        if region is None:
            return None
        self._seen = True
        rows = _within(region.rows, block.rows)
        columns = _within(region.columns, block.columns)
        if not (rows and columns):
            return None
        left = 1 - (perf_counter() - self._since) / SECONDS
        lit = np.zeros((block.height, block.width), np.float32)
        here = (
            slice(rows.start - block.row, rows.stop - block.row),
            slice(columns.start - block.column, columns.stop - block.column),
        )
        if self._cells is None:
            lit[here] = 1
        else:
            lit[here] = self._cells[
                rows.start - region.row : rows.stop - region.row,
                columns.start - region.column : columns.stop - region.column,
            ]
        lit *= STRENGTH * max(left, 0.0)
        return lit

    @Slot()
    def _fade(self) -> None:
        if perf_counter() - self._since >= SECONDS:
            self.stop()
        elif self._region is not None:
            self.moved.emit(self._region)


def _within(one: slice, other: slice) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))


_Lit = tuple[Region, BoolArray | None]


def _joined(one: _Lit, other: _Lit) -> _Lit:
    """Return both, as what encloses them."""
    regions = one[0], other[0]
    top, left = min(r.row for r in regions), min(r.column for r in regions)
    bottom = max(r.rows.stop for r in regions)
    right = max(r.columns.stop for r in regions)
    whole = Region(top, left, bottom - top, right - left)
    if whole.height * whole.width > _MOST_JOINED:
        return whole, None
    cells = np.zeros((whole.height, whole.width), np.bool_)
    for region, some in (one, other):
        cells[
            region.row - top : region.rows.stop - top,
            region.column - left : region.columns.stop - left,
        ] |= True if some is None else some
    return whole, cells
