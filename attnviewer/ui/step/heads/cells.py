"""Where the cells of a small picture are."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.selection import Position

EVEN_FROM = 4
"""Cells of so many pixels are all of one size; unequal ones would catch the eye."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells side by side that fill a size.

    Parameters
    ----------
    shape : tuple of two int
        Rows and columns.
    size : QSize
        Of all of them together.
    """

    shape: tuple[int, int]
    size: QSize

    @classmethod
    def inside(cls, room: QSize, shape: tuple[int, int], aspect: float) -> "Cells":
        """Return the largest cells that have room.

        Parameters
        ----------
        room : QSize
            The room.
        shape : tuple of two int
            Rows and columns.
        aspect : float
            Height of them all over their width.
        """
        across = min(float(room.width()), room.height() / aspect)
        sides = max(1, int(across * aspect)), max(1, int(across))
        height, width = (
            side // count * count if side >= EVEN_FROM * count else side
            for side, count in zip(sides, shape, strict=True)
        )
        return cls(shape, QSize(width, height))

    def rect(self, cell: Position) -> QRect:
        """Return where a cell is."""
        lengths = self.size.height(), self.size.width()
        (top, bottom), (left, right) = (
            (place * length // count, (place + 1) * length // count)
            for place, length, count in zip(cell, lengths, self.shape, strict=True)
        )
        return QRect(left, top, right - left, bottom - top)

    def at(self, point: QPoint) -> Position | None:
        """Return the cell at a point."""
        if not QRect(QPoint(), self.size).contains(point):
            return None
        rows, columns = self.shape
        return (
            ((point.y() + 1) * rows - 1) // self.size.height(),
            ((point.x() + 1) * columns - 1) // self.size.width(),
        )

    def has(self, cell: Position | None) -> bool:
        """Return whether there is such a cell."""
        return cell is not None and cell[0] < self.shape[0] and cell[1] < self.shape[1]
