"""The sizes of all that is in the strip, and the width that they need."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from PySide6.QtCore import QSize

from attnviewer.ui.views.flow.graph import Edge, FlowGraph, Node, Place, stacked
from attnviewer.ui.views.flow.heights import LOWEST, height_of
from attnviewer.ui.views.flow.places import Letters
from attnviewer.ui.views.flow.texts import steady, wrapped

LARGEST, SMALLEST = 110, 40
"""The side of a map's room: what it starts at, and what it shrinks to before words
go."""
LEAST = 12
"""Least width and height of a map."""
_MARGIN, _TIGHT_MARGIN = 12, 6
TO_NAME, NAME_GAP = 14, 5
"""Length of an arrow from the words on an edge to a name, and from that to its card."""
BESIDE: tuple[Place, ...] = ("query", "key", "value")
"""Places whose cards have their name on the left."""
CENTRES: Mapping[Place, float] = {"query": 0.18, "key": 0.55, "value": 0.85}
"""Where the lanes run, as a share of the height."""
_THIRDS: Mapping[Place, float] = {
    **{"query": 1 / 6, "main": 1 / 3, "key": 1 / 2, "all": 1 / 2},
    **{"keys and values": 2 / 3, "value": 5 / 6},
}
"""The same where there are names only."""
_LANE_HEIGHT = 0.27
_MAIN_BOTTOM = 0.63
_JOINING_BOTTOM = 0.8
_CONTEXT_TOP = 0.4
_LARGEST_CELL = 26
_PADDING, _TIGHT_PADDING = 4, 2
"""Between a map and its card's frame."""
_SHEETS, _LOW_SHEETS, _TIGHT_SHEETS = 9, 5, 3
"""By how much the sheets behind a card stick out, and in lower cards."""
_GAP = 18
_STACKING = 7
"""Between a card and the one that enters it from below."""
_LEAD, _FORK, _TIGHT_FORK = 7, 24, 15
"""Length of an edge beside its words, and of a bend before them."""
_WORDS = 92
"""Approximate width of words before they are broken into lines."""
_UNBOUNDED = 10**6


@dataclass(frozen=True, slots=True)
class Density:
    """The density of the strip: the smaller, the more is made short or left out."""

    side: float = LARGEST
    without: frozenset[str] = frozenset()
    """Steps whose operation is not written on the edge."""
    signs: bool = False
    """Whether pills have a sign only."""
    pitch: float = 1.0
    tight: bool = False
    """Whether margins are narrow and names beside cards are broken into two lines."""
    stacks: bool = False
    """Whether what joins stands below the card that it enters."""
    names: float = 1.0
    """A factor on the letters of names."""
    longest: float = _UNBOUNDED
    """The most width of a name."""
    squeezed: float = 1.0
    """A factor on all lengths from left to right."""


class Sizes:
    """The sizes of everything at one density, and the width that they need."""

    def __init__(
        self, graph: FlowGraph, height: int, letters: Letters, density: Density
    ) -> None:
        self.graph = graph = stacked(graph) if density.stacks else graph
        self.letters = letters
        self.density = density
        self.height = height_of(height, letters)
        self.mapless = height == LOWEST
        self.nodes = {node.key: node for node in graph.nodes}
        self.columns = 1 + max(node.column for node in graph.nodes)
        self.most_heads = max(node.n_heads for node in graph.nodes)
        self.entered = {
            edge.target: self.nodes[edge.source]
            for edge in graph.edges
            if self.nodes[edge.source].place == "joining"
        }
        self._stacking: frozenset[Place] = frozenset(
            self.nodes[target].place
            for target, node in self.entered.items()
            if self.stands_below(target, node)
        )

    def across(self, length: float) -> int:
        """Return a length from left to right."""
        return round(self.letters.pixels(length) * self.density.squeezed)

    @cached_property
    def needed(self) -> int:
        """The least width for everything."""
        return sum(self.widths) + sum(self.gaps) + 2 * self.margin

    @property
    def margin(self) -> int:
        """The width left free at either end."""
        return self.across(_TIGHT_MARGIN if self.density.tight else _MARGIN)

    @property
    def _padding(self) -> int:
        return _TIGHT_PADDING if self.density.tight else _PADDING

    @property
    def title_height(self) -> int:
        """The height of a line of a name."""
        return ceil(self.letters.title_height * self.density.names)

    @cached_property
    def widths(self) -> list[int]:
        """The width of each column."""
        widths = [0] * self.columns
        for node in self.graph.nodes:
            width = self.pill(node).width() if node.operation else self.width(node)
            widths[node.column] = max(widths[node.column], width)
        for step, node in self.entered.items():
            # The words of the step that it joins stand above it.
            words = self.words(step).width() + 2 * self.across(_LEAD)
            widths[node.column] = max(widths[node.column], words)
        return widths

    @cached_property
    def gaps(self) -> list[int]:
        """The width between each column and the next."""
        gap = self.across(_GAP * self.density.pitch)
        gaps = [gap] * (self.columns - 1)
        for edge in self.graph.edges:
            target = self.nodes[edge.target]
            words = self.words(edge.target).width() if edge.operation else 0
            before = target.column - 1
            bent = target.place in BESIDE and self.bends(edge)
            if not words and bent:
                fork = _TIGHT_FORK if self.density.tight else _FORK
                gaps[before] = max(gaps[before], self.across(fork))
            if not words or edge.target in self.entered:
                continue
            lead = self.across(_FORK if bent else _LEAD)
            lead += self.across(TO_NAME if target.place in BESIDE else _LEAD)
            gaps[before] = max(gaps[before], words + lead)
        return gaps

    def bends(self, edge: Edge) -> bool:
        """Return whether an edge leaves its height."""
        return self.nodes[edge.source].place != self.nodes[edge.target].place

    @cached_property
    def _operations(self) -> Mapping[str, str]:
        return self.graph.on_edges

    def lines(self, step: str) -> tuple[str, ...]:
        """Return the words on the edge to a step, in lines."""
        if self.mapless or step in self.density.without:
            return ()
        node, letters = self.nodes[step], self.letters
        room = self.height * _LANE_HEIGHT
        if node.place not in BESIDE:
            room = self.centre(node) - letters.pixels(4)
        most = max(1, int(room / letters.word_height))
        operation = self._operations[step]
        return wrapped(operation, letters.word, letters.pixels(_WORDS), most)

    def words(self, step: str) -> QSize:
        """Return the size of the words on the edge to a step."""
        return self._size_of(self.lines(step))

    def _size_of(self, lines: tuple[str, ...]) -> QSize:
        widths = [self.letters.word(steady(line)) for line in lines]
        return QSize(max(widths, default=0), len(lines) * self.letters.word_height)

    def pill_lines(self, node: Node) -> tuple[str, ...]:
        """Return the words in a pill."""
        if self.density.signs:
            return ("+" if node.operation.startswith("+") else "×",)
        letters = self.letters
        most = max(1, int(self.height * _LANE_HEIGHT / letters.word_height))
        return wrapped(node.operation, letters.word, letters.pixels(_WORDS), most)

    def pill(self, node: Node) -> QSize:
        """Return the size of a pill."""
        size = self._size_of(self.pill_lines(node))
        padding = self.letters.pixels(3)
        height = size.height() + 2 * padding
        if self.mapless:
            height = min(height, self.height // 3)
        ends = self.across(5 if self.density.signs else 10)
        return QSize(size.width() + 2 * ends, height)

    def sheets(self, node: Node) -> int:
        """Return how many sheets stand behind a card; fewer where heads share it."""
        if node.n_heads < self.most_heads:
            return min(node.n_heads - 1, 1)
        return min(node.n_heads - 1, 2)

    def out(self, node: Node) -> int:
        """Return by how much its sheets stick out of a card."""
        if self.mapless or not self.sheets(node):
            return 0
        lower = node.place in BESIDE or node.place == "joining"
        out = _LOW_SHEETS if lower else _SHEETS
        return self.letters.pixels(_TIGHT_SHEETS if self.density.tight else out)

    def stands_below(self, target: str, node: Node) -> bool:
        """Return whether what joins a step stands below its card."""
        return self.density.stacks and node.column == self.nodes[target].column

    def centre(self, node: Node) -> int:
        """Return the y of a node's centre, where edges arrive."""
        place, height, letters = node.place, self.height, self.letters
        if place == "joining":
            top, bottom = self._band(node)
            return (top + bottom) // 2
        if self.mapless:
            return round(height * _THIRDS[place])
        if place in CENTRES:
            return round(height * CENTRES[place])
        above = self.title_height + letters.pixels(3)
        if place in self._stacking:
            return above + self._stacked_room(place) // 2
        tops = {"main": 0, "all": 0, "keys and values": round(height * _CONTEXT_TOP)}
        low = round(height * _MAIN_BOTTOM)
        if place != "main":
            low = height - letters.word_height - letters.pixels(5)
        return (tops[place] + above + low) // 2

    @property
    def level_of_values(self) -> int:
        """The y at which values run beneath all else."""
        lanes = _THIRDS if self.mapless else CENTRES
        return round(self.height * lanes["value"])

    def _stacked_room(self, place: Place) -> int:
        """Return the height for each of two cards, one below the other."""
        pixels = self.letters.pixels
        low = self.level_of_values if place == "main" else self.height
        names = 2 * self.title_height + pixels(3) + pixels(2)
        return max(0, low - pixels(3) - names - pixels(_STACKING)) // 2

    def _band(self, node: Node) -> tuple[int, int]:
        """Return the top and bottom of the room for what joins."""
        letters = self.letters
        entered = (e.target for e in self.graph.edges if e.source == node.name)
        target = self.nodes[next(entered)]
        line = self.centre(target)
        if self.mapless:
            middle = line + self.name_height + 1
            return middle, middle
        if self.stands_below(target.name, node):
            room = self._stacked_room(target.place)
            top = line + (room + 1) // 2 + letters.pixels(_STACKING)
            return top, top + room
        below = self.title_height + letters.pixels(2)
        low = round(self.height * _JOINING_BOTTOM)
        if target.place == "all":
            low = self.height - letters.pixels(2)
        return line + letters.pixels(9), low - below

    def room(self, node: Node) -> int:
        """Return the most height of a card with its sheets."""
        if node.place in BESIDE:
            return round(self.height * _LANE_HEIGHT)
        if node.place == "joining":
            top, bottom = self._band(node)
            return bottom - top
        if node.place in self._stacking:
            return self._stacked_room(node.place)
        above = self.title_height + self.letters.pixels(3)
        start = (
            round(self.height * _CONTEXT_TOP) if node.place == "keys and values" else 0
        )
        return 2 * (self.centre(node) - start - above)

    def map(self, node: Node) -> QSize:
        """Return the size of a map."""
        pixels = self.letters.pixels
        high = self.room(node) - self.out(node) - 2 * pixels(self._padding)
        side = self.across(self.density.side)
        rows, columns = node.shape
        cell = min(side / columns, min(side, high) / rows, pixels(_LARGEST_CELL))
        if cell >= 4:  # as unequal cells would be conspicuous
            cell = int(cell)
        least, low = self.across(LEAST), min(pixels(LEAST), high)
        width = max(least, min(side, round(cell * columns)))
        return QSize(width, max(low, round(cell * rows)))

    def card(self, node: Node) -> QSize:
        """Return the size of a card."""
        pixels = self.letters.pixels
        if self.mapless:
            width = self.name(node) + 2 * self.across(self._padding)
            return QSize(width, self.name_height)
        size = self.map(node)
        ends = 2 * self.across(self._padding)
        return QSize(size.width() + ends, size.height() + 2 * pixels(self._padding))

    @property
    def name_height(self) -> int:
        """The height of cards that have a name only."""
        return self.height // 3 - 1

    @property
    def names(self) -> float:
        """The size of the letters of names, as a share of the usual one."""
        if not self.mapless:
            return self.density.names
        return min(
            self.density.names, (self.name_height - 1) / self.letters.title_height
        )

    def name_lines(self, node: Node) -> tuple[str, ...]:
        """Return a card's name in lines; where it is tight, two words stand in two."""
        words = tuple(node.name.split())
        lane = 0 if self.mapless else self.height * _LANE_HEIGHT
        if node.place in BESIDE and self.density.tight and len(words) == 2:
            return words if 2 * self.title_height <= lane else (node.name,)
        return (node.name,)

    def name(self, node: Node) -> int:
        """Return the width of a card's name."""
        longest = max(map(self.letters.title, self.name_lines(node)))
        wanted = ceil(longest * self.names)
        return min(wanted, max(4, round(self.density.longest * self.density.squeezed)))

    def names_beside(self, column: int) -> int:
        """Return the width of the names on the left of a column's cards."""
        if self.mapless:
            return 0
        return max(
            (
                self.name(node) + self.across(NAME_GAP)
                for node in self.graph.nodes
                if node.column == column and node.place in BESIDE
            ),
            default=0,
        )

    def width(self, node: Node) -> int:
        """Return the width of a step with its name."""
        card = self.card(node).width() + self.out(node)
        if node.place in BESIDE:
            return self.names_beside(node.column) + card
        return max(card, self.name(node))
