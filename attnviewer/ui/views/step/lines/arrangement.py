"""The arrangement of tokens and lines."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviewer.compute import Array
from attnviewer.ui.paint.fonts import enlargement

Side = Literal["queries", "keys"]

LEAST_LINES, USUAL_LINES = 0.3, 0.45
"""Shares of the width that the lines keep beside long tokens, and beside tokens that
could be larger than usual."""
MOST_LINES, MOST_OBLONG = 60.0, 2.0
"""Width of the lines on a wide screen: in heights of the text, or of all rows if that
is more. Longer ones are harder to follow."""
TIGHT, ROOMY = 1.2, 2.5
"""Heights of the rows that are chosen by themselves, in heights of the text."""
SPREAD, FEW = 0.85, 4
"""Share of a high room that so few rows take nevertheless; fewer take their part."""
LARGEST_TEXT, SMALLEST_TEXT = 1.85, 0.75
"""How many times as large texts may get where there are few rows, and how small where
all rows fit then, or beside those of another picture."""
NARROW = 28.0
"""Heights of the text, below which a width has no places for numbers alone."""
SHORT = 0.75
"""Share of the widest number that most numbers need."""
LEAST_TEXT = 3.0
"""Width of the texts there, in heights of the text, below which headings are cut."""
LOWEST, HIGHEST = 2.0, 6.0
"""Of the rows when zoomed: pixels, and heights of the text unless all rows fit."""


@dataclass(frozen=True, slots=True)
class LayoutConstraints:
    """The room for tokens and lines, and the numbers of these.

    Parameters
    ----------
    width, height : float
        The room below the headings, in pixels.
    counts : tuple of two int
        The numbers of queries and of keys.
    text : float
        Height of a line of text.
    labels : tuple of two float
        Widths of the longest query and the longest key.
    numbers : float
        Width of the numbers beside the tokens.
    zoom : float
        How much higher than by themselves the rows are.
    row : float or None
        The height of the rows where they are those of a picture to the left, which
        names the queries.
    """

    width: float
    height: float
    counts: tuple[int, int]
    text: float
    labels: tuple[float, float]
    numbers: float
    zoom: float = 1.0
    row: float | None = None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places; across from the left, down from below the headings.

    Parameters
    ----------
    height : float
        Height of what is in sight.
    counts : tuple of two int
        The numbers of queries and of keys.
    row : float
        Height of a row.
    left, right : float
        Where the lines begin and end.
    queries, keys : tuple of two float
        Where their texts begin and end.
    numbers : tuple of tuples
        The same of the numbers beside the queries and beside the keys; where there is
        little room, those of the texts, at whose outer ends they are.
    scrolled : float
        How much of what can be scrolled is scrolled away, 0 to 1.
    enlarged : float
        How many times as large as usual the texts are.
    """

    height: float
    counts: tuple[int, int]
    row: float
    left: float
    right: float
    queries: tuple[float, float]
    keys: tuple[float, float]
    numbers: tuple[tuple[float, float], tuple[float, float]]
    scrolled: float = 0.0
    enlarged: float = 1.0

    @property
    def is_shared(self) -> bool:
        """Whether texts give way to the numbers beside them."""
        return self.numbers[1] == self.keys

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that have names."""
        named = self.queries[1] > self.queries[0]
        return ("queries", "keys") if named else ("keys",)

    @property
    def beyond(self) -> float:
        """The number of pixels that the longer side needs beyond those in sight."""
        return max(0.0, max(self.counts) * self.row - self.height)

    @property
    def first(self) -> float:
        """The start of the longer side; above the room when scrolled."""
        return min(self.start("queries"), self.start("keys"))

    def count(self, side: Side) -> int:
        """Return how many tokens are on a side."""
        return self.counts[0 if side == "queries" else 1]

    def start(self, side: Side) -> float:
        """Return where the first token begins; above the room when scrolled.

        Both sides reach their ends together; one that fits stays. If both fit, they are
        in the middle.
        """
        beyond = self.count(side) * self.row - self.height
        free = max(0.0, self.height - max(self.counts) * self.row)
        return free / 2 - self.scrolled * max(0.0, beyond)

    def middle(self, side: Side, token: int) -> float:
        """Return the height of a token's middle."""
        return self.start(side) + (token + 0.5) * self.row

    def ends(self, side: Side, heights: Array) -> Array:
        """Return where lines end, shape (n,), for heights in rows of a side.

        A token out of sight is drawn nearer, at most as far from what is in sight as
        that is high: lines would all leave straight up or down otherwise.
        """
        heights = self.start(side) + heights * self.row
        above = np.minimum(heights, 0.0)
        below = np.maximum(heights - self.height, 0.0)
        nearer: Array = np.clip(heights, 0.0, self.height) + self.height * (
            np.expm1(above / self.height) - np.expm1(-below / self.height)
        )
        return nearer

    def in_sight(self, side: Side) -> range:
        """Return the tokens that are in sight, in part at least."""
        start = self.start(side)
        first = max(0, math.floor(-start / self.row))
        last = min(self.count(side), math.ceil((self.height - start) / self.row))
        return range(first, max(first, last))

    def token_at(self, x: float, y: float) -> tuple[Side, int] | None:
        """Return the token whose text or number is at a place."""
        if not 0 <= y < self.height or self.left < x < self.right:
            return None
        side: Side = "queries" if x <= self.left else "keys"
        texts = self.queries if side == "queries" else self.keys
        beside = self.numbers[0 if side == "queries" else 1]
        if not min(texts[0], beside[0]) <= x <= max(texts[1], beside[1]):
            return None
        token = math.floor((y - self.start(side)) / self.row)
        return (side, token) if 0 <= token < self.count(side) else None

    def scroll_to(self, side: Side, token: int) -> float:
        """Return how far to scroll, 0 to 1, for a token to be wholly in sight."""
        beyond = self.count(side) * self.row - self.height
        if beyond <= 0:
            return self.scrolled
        lowest = ((token + 1) * self.row - self.height) / beyond
        highest = token * self.row / beyond
        return min(1.0, max(0.0, min(max(self.scrolled, lowest), highest)))

    def scroll_to_middle(self, side: Side, token: int) -> float:
        """Return how far to scroll, 0 to 1, for a token to be in the middle.

        One that is wholly in sight stays where it is.
        """
        beyond = self.count(side) * self.row - self.height
        if self.scroll_to(side, token) == self.scrolled:
            return self.scrolled
        return min(1.0, max(0.0, ((token + 0.5) * self.row - self.height / 2) / beyond))


def arrange(room: LayoutConstraints, scrolled: float = 0.0) -> Arrangement:
    """Place tokens and lines in the middle of the room.

    Parameters
    ----------
    room : LayoutConstraints
        The room.
    scrolled : float
        How far it is scrolled, 0 to 1.
    """
    if room.row is not None:
        return _beside_rows(room, room.row, scrolled)
    gap = room.text / 2
    narrow = room.width < NARROW * room.text
    shrunk = _shrunk(room)
    enlarged = shrunk if narrow or shrunk < 1 else _enlarged(room)
    numbers = 0.0 if narrow else room.numbers * enlarged + gap
    labels = room.labels[0] * enlarged, room.labels[1] * enlarged
    if narrow:
        one, other = (max(label, LEAST_TEXT * room.text) for label in labels)
        labels = one + SHORT * room.numbers, other + SHORT * room.numbers
    free = max(0.0, room.width - 2 * numbers - 4 * gap)
    row = _row_height(room)
    high = min(room.height, max(room.counts) * row)
    most = max(MOST_LINES * room.text, MOST_OBLONG * high)
    lines = min(max(free - sum(labels), LEAST_LINES * free), most)
    texts = _shared(labels, free - lines)
    used = sum(texts) + lines + 2 * numbers + 4 * gap
    x = (room.width - used) / 2 + gap + numbers
    queries = x, x + texts[0]
    left = queries[1] + gap
    right = left + lines
    keys = right + gap, right + gap + texts[1]
    return Arrangement(
        max(1.0, room.height),
        room.counts,
        row,
        left,
        right,
        queries,
        keys,
        (queries, keys)
        if narrow
        else ((x - numbers, x - gap), (keys[1] + gap, keys[1] + numbers)),
        scrolled,
        enlarged,
    )


def _beside_rows(room: LayoutConstraints, row: float, scrolled: float) -> Arrangement:
    """Let lines begin at the left edge, and name the keys alone."""
    gap = room.text / 2
    fitting = min(enlargement(room.height, room.text), row / (room.text + 1))
    enlarged = max(SMALLEST_TEXT, fitting)
    numbers = SHORT * room.numbers * enlarged
    keys = min(enlarged * room.labels[1], (1 - LEAST_LINES) * room.width - numbers)
    end = room.width - gap
    start = end - numbers - gap - keys
    return Arrangement(
        max(1.0, room.height),
        room.counts,
        row,
        0.0,
        start - gap,
        (0.0, 0.0),
        (start, start + keys),
        ((0.0, 0.0), (end - numbers, end)),
        scrolled,
        enlarged,
    )


def _shrunk(room: LayoutConstraints) -> float:
    """Return how small texts are for all rows to be in sight; 1 if even that fails."""
    fitting = room.height / max(room.counts) / (TIGHT * room.text)
    return min(1.0, fitting) if fitting >= SMALLEST_TEXT else 1.0


def _enlarged(room: LayoutConstraints) -> float:
    """Return how large texts are, so that rows are not too far apart for them."""
    wanted = min(room.height / max(room.counts) / (ROOMY * room.text), LARGEST_TEXT)
    # Long ones are not cut for that.
    texts = sum(room.labels) + 2 * room.numbers
    return max(1.0, min(wanted, (1 - USUAL_LINES) * room.width / max(texts, 1.0)))


def _row_height(room: LayoutConstraints) -> float:
    fitting = room.height / max(room.counts)
    most = max(
        ROOMY * LARGEST_TEXT * room.text, SPREAD * room.height / max(FEW, *room.counts)
    )
    tight = TIGHT * room.text * _shrunk(room)
    own = min(max(fitting, tight), most)
    lowest = min(tight, max(LOWEST, fitting))
    return min(max(own * room.zoom, lowest), max(HIGHEST * room.text, own))


def _shared(wanted: tuple[float, float], there_is: float) -> tuple[float, float]:
    """Return two widths of at most so much: the longer one gives way first."""
    if sum(wanted) <= there_is:
        return wanted
    half = there_is / 2
    if wanted[0] <= half:
        return wanted[0], there_is - wanted[0]
    if wanted[1] <= half:
        return there_is - wanted[1], wanted[1]
    return half, half
