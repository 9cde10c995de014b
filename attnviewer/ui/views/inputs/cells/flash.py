"""The cells of the last edit flash."""

from time import perf_counter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import BoolArray
from attnviewer.document import Region

Strength: TypeAlias = NDArray[np.float32]
"""The brightness of cells, from 0 to 1."""

SECONDS = 0.5
STRENGTH = 0.6
"""The initial opacity of the flash."""
_FRAME = 33
_MOST_JOINED = 2**16
"""The most cells of an enclosing block for which the edits' own cells are tracked."""


class Flash(QObject):
    """The cells of one table that have just changed, and their fading highlight.

    Edits made before any of them was painted, such as the parts of one step of undo,
    flash together; otherwise a later edit replaces an earlier one.

    Attributes
    ----------
    moved : Signal
        A `Region` must be repainted.
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
        """Start the flash of a region.

        Parameters
        ----------
        region : Region
            The changed region.
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
        """End the flash."""
        self._timer.stop()
        region, self._region, self._cells = self._region, None, None
        if region is not None:
            self.moved.emit(region)

    def strength(self, block: Region) -> Strength | None:
        """Return the brightness of the cells of a block, from 0 to 1.

        None if none flashes. Asking counts as painting them.
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
    """Return the union of both, as the block that encloses them."""
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
