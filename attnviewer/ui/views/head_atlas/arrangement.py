"""Where the maps lie: layers across, heads down."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.compute import HeadLocation

SIZES = (32, 24, 16)
"""Widths of a map; the largest that lets all layers be in sight is taken."""
GAPS = {32: 3, 24: 3, 16: 2}
MARGIN = 4


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places of maps.

    Parameters
    ----------
    layers, heads : int
        How many there are.
    tile : int
        The width and height of a map.
    names : QSize
        Width of the names of heads, height of those of layers.
    """

    layers: int
    heads: int
    tile: int
    names: QSize

    @property
    def pitch(self) -> int:
        """From one map to the next."""
        return self.tile + GAPS[self.tile]

    @property
    def size(self) -> QSize:
        """The room that all need."""
        return QSize(
            self._corner.x() + self.layers * self.pitch + MARGIN,
            self._corner.y() + self.heads * self.pitch + MARGIN,
        )

    def rect_of(self, location: HeadLocation) -> QRect:
        """Return the place of a head's map."""
        assert location.layer is not None
        x = self._corner.x() + location.layer * self.pitch
        y = self._corner.y() + location.head * self.pitch
        return QRect(x, y, self.tile, self.tile)

    def location_at(self, point: QPoint) -> HeadLocation | None:
        """Return the head at a point; the gap behind a map belongs to it."""
        layer, head = (
            offset // self.pitch
            for offset in (point.x() - self._corner.x(), point.y() - self._corner.y())
        )
        inside = 0 <= layer < self.layers and 0 <= head < self.heads
        return HeadLocation(layer, head) if inside else None

    def column_name(self, layer: int) -> QRect:
        """Return where the name of a layer is written."""
        x = self._corner.x() + layer * self.pitch
        return QRect(x, 0, self.tile, self.names.height())

    def row_name(self, head: int) -> QRect:
        """Return where the name of a head is written."""
        y = self._corner.y() + head * self.pitch
        return QRect(0, y, self.names.width(), self.tile)

    @property
    def _corner(self) -> QPoint:
        return QPoint(self.names.width() + MARGIN, self.names.height() + MARGIN)


def arrange(layers: int, heads: int, room: int, names: QSize) -> Arrangement:
    """Lay maps out as large as a width allows; beyond the smallest they scroll."""
    choices = (Arrangement(layers, heads, tile, names) for tile in SIZES)
    every = list(choices)
    return next((each for each in every if each.size.width() <= room), every[-1])


def named(count: int, chosen: int | None, every: int) -> Sequence[int]:
    """Return which rows or columns have their names written.

    Parameters
    ----------
    count : int
        How many there are.
    chosen : int or None
        The one that always has its name.
    every : int
        How many of them one name needs.
    """
    return [
        place
        for place in range(count)
        if place == chosen
        or (place % every == 0 and (chosen is None or abs(place - chosen) >= every))
    ]
