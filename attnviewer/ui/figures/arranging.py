"""The arrangement of the panels of a figure in rows and columns."""

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from attnviewer.ui.figures.elements import Block, Text
from attnviewer.ui.figures.finding import finding_of
from attnviewer.ui.figures.kinds import kind_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import ASPECT, SMALLER
from attnviewer.ui.figures.typeface import Typeface

BETWEEN = 14.0
"""Distance of rows of panels, and of the caption from them."""
BESIDE = 10.0
"""Distance of panels side by side; sloping labels may reach into it."""
_MOST = 6
"""In rows of more panels, all are equally wide."""
_SHARES = 16
"""The shares of a row that widths are tried in, before they are refined."""
_FINEST = 0.8
"""The least change of a width."""
_SLACK = 1.0
"""How far texts may reach into the margin."""
_WEIGHED = ("queries", "keys")
_Rows: TypeAlias = tuple[float, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Panels that have their widths.

    Parameters
    ----------
    rows : tuple of tuples of Block
        The panels row by row.
    """

    rows: tuple[tuple[Block, ...], ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All panels."""
        return tuple(itertools.chain(*self.rows))

    @property
    def height(self) -> float:
        """The height of all rows."""
        heights = (max(block.height for block in row) for row in self.rows)
        return sum(heights) + BETWEEN * (len(self.rows) - 1)

    @property
    def complete(self) -> bool:
        """Whether every row and column has its label."""
        return all(block.complete for block in self.blocks)


def arrangements(
    panels: Sequence[Panel], room: Room, heads: Sequence[float]
) -> list[Arrangement]:
    """Return the ways to arrange panels, the best one first.

    One with all labels, and these in a legible size, goes before one without; of these
    one that is as flat as figures in papers are goes before a high one; of flat ones
    that with the largest cells is the best, and of high ones the lowest. Where labels
    fit in none, panels stand below each other.

    Parameters
    ----------
    panels : sequence of Panel
        The panels.
    room : Room
        The room for all of them.
    heads : sequence of float
        The widths that the panels' letters and titles need.
    """
    layout = _Layout(panels, room)
    count, found = len(panels), []
    for n_rows in range(1, count + 1):
        across = math.ceil(count / n_rows)
        if math.ceil(count / across) != n_rows:
            continue
        if n_rows == 1 and 1 < count <= _MOST:
            widths = _widths(layout, heads)
        else:
            width = (room.width - (across - 1) * BESIDE) / across
            widths = (width,) * count
        every = range(count)
        rows = (every[n : n + across] for n in range(0, count, across))
        found.append(Arrangement(tuple(layout.row(row, widths) for row in rows)))
    flat = ASPECT * room.width

    def rank(one: Arrangement) -> tuple[bool, bool, float]:
        fits = all(
            layout.fits(block, head)
            for block, head in zip(one.blocks, heads, strict=True)
        )
        if not fits:
            return False, False, len(one.rows)
        is_flat = one.height <= flat
        return True, is_flat, _cells(one.blocks) if is_flat else -one.height

    return sorted(found, key=rank, reverse=True)


def _cells(blocks: Sequence[Block]) -> float:
    """Return the logarithm of the product of the panels' sizes of cells."""
    return sum(math.log(max(block.cell, 1e-3)) for block in blocks)


class _Layout:
    """Lays panels out in widths.

    Panels with the same colours share one bar, beneath a grid of heads if there is one.

    Parameters
    ----------
    panels : sequence of Panel
        The panels.
    room : Room
        The room for all of them.
    """

    def __init__(self, panels: Sequence[Panel], room: Room) -> None:
        self.width, self._panels = room.width, panels
        self.groups = _groups(panels)
        self._blocks: dict[tuple[int, float, _Rows], Block] = {}
        # Panels that are alike have cells of one size, also the last one of a row.
        beyond = BESIDE if len(self.groups) == len(panels) > 1 else 0.0
        self._rooms: list[Room] = [
            replace(
                room,
                figure=room.width,
                beyond=0.0 if panel is panels[-1] else beyond,
                named=not _is_named_elsewhere(panel, panels),
                marks=_marks_of(panel, panels),
            )
            for panel in panels
        ]
        bars = {self.block(place, room.width).bar for place in range(len(panels))}
        if len(panels) == 1 or None in bars or len(bars) > 1:
            return
        grids = [n for n, panel in enumerate(panels) if panel.view == "heads"]
        bearer = grids[-1] if grids else len(panels) - 1
        self._rooms = [
            replace(own, bar=place == bearer) for place, own in enumerate(self._rooms)
        ]
        self._blocks.clear()

    def row(self, places: Sequence[int], widths: Sequence[float]) -> tuple[Block, ...]:
        """Return panels side by side, given with the widths of all panels.

        Lines go along the rows of a heatmap of the same tokens where these have room
        for their labels.
        """
        blocks = [self.block(place, widths[place]) for place in places]
        beside = {
            _tokens(self._panels[place]): block.rows
            for place, block in zip(places, blocks, strict=True)
            if self._panels[place].view == "heatmap"
        }
        for number, place in enumerate(places):
            panel = self._panels[place]
            rows = beside.get(_tokens(panel)) if panel.view == "lines" else None
            if rows is not None and rows[1] > SMALLER:
                along = self.block(place, widths[place], rows)
                if along.complete and along.smallest >= SMALLER:
                    blocks[number] = along
        return tuple(blocks)

    def block(self, place: int, width: float, rows: _Rows = None) -> Block:
        """Return a panel in a width, along rows beside it if there are some."""
        key = place, round(width, 3), rows
        if key not in self._blocks:
            panel, own = self._panels[place], self._rooms[place]
            beyond = own.beyond if width < self.width else 0.0
            own = replace(own, width=width, beyond=beyond, rows=rows)
            self._blocks[key] = kind_of(panel.view)(panel, own)
        return self._blocks[key]

    def fits(self, block: Block, head: float) -> bool:
        """Return whether a panel has all labels, in a legible size, and its title."""
        face = self._rooms[0].face
        return (
            block.complete
            and block.smallest >= SMALLER
            and block.width >= head
            and not any(
                _is_outside(element, block.width, face)
                for element in block.elements
                if isinstance(element, Text) and not element.angle
            )
        )


def _is_outside(text: Text, width: float, face: Typeface) -> bool:
    """Return whether a level text reaches beyond a width."""
    extent = face.width(text.text, text.size, bold=text.bold, italic=text.italic)
    left = text.x - extent * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    return left < -_SLACK or left + extent > width + _SLACK


def _groups(panels: Sequence[Panel]) -> list[list[int]]:
    """Return the places of panels that are alike: of one view, with the same tokens."""
    groups: dict[object, list[int]] = {}
    for place, panel in enumerate(panels):
        axes = panel.trace.stages[panel.step].axes
        names = panel.computation.labels, panel.folds
        key = panel.view, panel.shape, axes, names
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _is_named_elsewhere(panel: Panel, panels: Sequence[Panel]) -> bool:
    """Return whether a grid of heads stands beside a heatmap of the same tokens."""
    return panel.view == "heads" and any(
        other.view == "heatmap" and _tokens(other) == _tokens(panel) for other in panels
    )


def _tokens(panel: Panel) -> Hashable:
    """Return what is equal for panels whose rows and columns are the same tokens."""
    axes = panel.trace.stages[panel.step].axes
    return panel.computation.labels, axes, panel.shape, panel.folds


def _marks_of(
    panel: Panel, panels: Sequence[Panel]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rows and columns of a grid of heads that have ticks.

    They are the query and the key of what is found in it, or in a panel of the same
    computation beside it.
    """
    if panel.view != "heads" or panel.trace.stages[panel.step].axes != _WEIGHED:
        return (), ()
    others = (one for one in panels if one.trace is panel.trace)
    found = next((f for one in (*others, panel) if (f := finding_of(one))), None)
    if found is None:
        return (), ()
    query, key = found.cell.query, found.cell.key
    if panel.shape[0] == panel.shape[1]:
        # Where not both have room, a row is named as a query, a column as a key.
        return (query, key), (key, query)
    return (query,), (key,)


def _widths(layout: _Layout, heads: Sequence[float]) -> tuple[float, ...]:
    """Return the widths of panels in one row.

    They give the largest cells for the area that the row takes, where all labels fit
    and the row is not too high. Panels that are alike are equally wide.
    """
    count, groups = len(heads), layout.groups
    whole = layout.width - (count - 1) * BESIDE
    flat = ASPECT * layout.width

    def spread(shares: Sequence[float]) -> tuple[float, ...]:
        widths = [0.0] * count
        for share, group in zip(shares, groups, strict=True):
            for place in group:
                widths[place] = share / len(group)
        return tuple(widths)

    def rank(shares: tuple[float, ...]) -> tuple[int, bool, float]:
        widths = spread(shares)
        blocks = layout.row(range(count), widths)
        fitting = sum(map(layout.fits, blocks, heads))
        height = max(block.height for block in blocks)
        area = count / 2 * math.log(max(height, 1.0))
        return fitting, height <= flat, _cells(blocks) - area

    tried = (
        tuple(
            whole * (stop - start) / _SHARES
            for start, stop in itertools.pairwise((0, *cuts, _SHARES))
        )
        for cuts in itertools.combinations(range(1, _SHARES), len(groups) - 1)
    )
    return spread(_refined(max(tried, key=rank), whole / _SHARES / 2, rank))


def _refined(
    widths: tuple[float, ...],
    change: float,
    rank: Callable[[tuple[float, ...]], tuple[int, bool, float]],
) -> tuple[float, ...]:
    """Return widths that rank higher, by ever smaller changes."""
    while change > _FINEST:
        better = max((widths, *_changed(widths, change)), key=rank)
        if better == widths:
            change /= 2
        widths = better
    return widths


def _changed(widths: tuple[float, ...], change: float) -> Iterator[tuple[float, ...]]:
    """Yield widths of which one panel has more, and another less."""
    for more, less in itertools.permutations(range(len(widths)), 2):
        if widths[less] > 2 * change:
            moved = list(widths)
            moved[more] += change
            moved[less] -= change
            yield tuple(moved)
