"""The arrangement of the maps: layers across and heads down, or in sorted lines."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.compute import HeadLocation

SIZES = (32, 24, 16)
"""Widths of a map; the largest that lets all layers be in sight is taken."""
WHOLE, LINES = 16, 2
"""Larger ones, beside large texts, are multiples of so many pixels, up to so many lines
of text."""
GAP, GAP_OF_SMALLEST = 3, 2
MARGIN, BETWEEN = 4, 8
"""Around all maps, and between lines of named ones."""


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
        """The distance from one map to the next."""
        return _pitch(self.tile)

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

    def beside(self, location: HeadLocation, across: int, down: int) -> HeadLocation:
        """Return the head so many places away, or the last one on the way there."""
        assert location.layer is not None
        return HeadLocation(
            min(max(location.layer + across, 0), self.layers - 1),
            min(max(location.head + down, 0), self.heads - 1),
        )

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


@dataclass(frozen=True, slots=True)
class Lineup:
    """The places of maps in an order, each with its name and a number beneath.

    Parameters
    ----------
    order : tuple of HeadLocation
        The heads.
    columns : int
        How many lie in a line.
    tile : int
        The width and height of a map.
    name : QSize
        The room of a name, and of a number.
    """

    order: tuple[HeadLocation, ...]
    columns: int
    tile: int
    name: QSize

    @property
    def pitch(self) -> int:
        """The distance from one line to the next."""
        return self.tile + 2 * self.name.height() + BETWEEN

    @property
    def size(self) -> QSize:
        """The room that all need."""
        lines = -(-len(self.order) // self.columns)
        across = self.columns * self._wide + MARGIN
        return QSize(across, lines * self.pitch + 2 * MARGIN)

    def rect_of(self, location: HeadLocation) -> QRect:
        """Return the place of a head's map."""
        line, column = divmod(self.order.index(location), self.columns)
        x = MARGIN + column * self._wide + (self._wide - self.tile) // 2
        return QRect(x, MARGIN + line * self.pitch, self.tile, self.tile)

    def lines_of(self, location: HeadLocation) -> tuple[QRect, QRect]:
        """Return where the name of a head is written, and where its number."""
        place, height = self.rect_of(location), self.name.height()
        left = place.center().x() - self._wide // 2
        name = QRect(left, place.bottom() + 2, self._wide, height)
        return name, name.translated(0, height)

    def beside(self, location: HeadLocation, across: int, down: int) -> HeadLocation:
        """Return the head so many places away, or the same one beyond the ends."""
        place = self.order.index(location) + across + down * self.columns
        return self.order[place] if 0 <= place < len(self.order) else location

    def location_at(self, point: QPoint) -> HeadLocation | None:
        """Return the head at a point; its name and number belong to it."""
        column = (point.x() - MARGIN) // self._wide
        line = (point.y() - MARGIN) // self.pitch
        place = line * self.columns + column
        inside = 0 <= column < self.columns and 0 <= place < len(self.order)
        return self.order[place] if inside else None

    @property
    def _wide(self) -> int:
        return max(_pitch(self.tile), self.name.width())


def line_up(
    order: tuple[HeadLocation, ...], room: int, name: QSize, line: int
) -> Lineup:
    """Lay maps out in an order, line by line, as wide as there is room.

    Parameters
    ----------
    order : tuple of HeadLocation
        The heads.
    room : int
        The width of a line.
    name : QSize
        The room of a name.
    line : int
        The height of a line of text.
    """
    tile = _sizes(line)[0]
    wide = max(_pitch(tile), name.width())
    return Lineup(order, max(1, (room - MARGIN) // wide), tile, name)


def arrange(
    layers: int, heads: int, room: QSize, names: QSize, line: int
) -> Arrangement:
    """Lay maps out as large as there is room.

    Those larger than the usual fit both ways. The usual ones may scroll down, and the
    smallest ones across as well.

    Parameters
    ----------
    layers, heads : int
        How many there are.
    room : QSize
        The room in sight.
    names : QSize
        Width of the names of heads, height of those of layers.
    line : int
        The height of a line of text.
    """
    every = [Arrangement(layers, heads, tile, names) for tile in _sizes(line)]
    for each in every:
        high = each.tile <= SIZES[0] or each.size.height() <= room.height()
        if high and each.size.width() <= room.width():
            return each
    return every[-1]


def _sizes(line: int) -> tuple[int, ...]:
    """Return the widths of maps beside texts of a size, the largest first."""
    largest = WHOLE * round(LINES * line / WHOLE)
    return (*range(largest, SIZES[0], -WHOLE), *SIZES)


def _pitch(tile: int) -> int:
    return tile + (GAP_OF_SMALLEST if tile == SIZES[-1] else GAP)


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
