"""Labels of rows and columns: their size and angle, and how many there are."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attnviewer.ui.figures.elements import HAIRLINE, Anchor, Element, Stroke, Text
from attnviewer.ui.figures.style import LABEL, SMALLER, SMALLEST
from attnviewer.ui.figures.typeface import Typeface

TICK_LENGTH, GAP = 2.0, 1.5
"""Length of a tick, and the gap between it and its label."""
APART = 0.3
"""The least gap between neighbouring labels."""
BESIDE = 2.0
"""The least gap between labels side by side on one line."""
LONGEST = 0.28
"""The longest label, as a share of the figure's width."""
_MOST_NUMBERS = 8
"""The most numbers along an axis that has not room for all of them."""
_LOOSE = 1.3
"""Distance of labels where some are left out, as a share of their height."""


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """The labelling of rows and columns.

    Parameters
    ----------
    size : float
        Size of the labels.
    angle : int
        That of the columns' labels: 0, 45, 60 or 90 degrees.
    every : tuple of two int
        Every which row and column has a label.
    """

    size: float
    angle: int
    every: tuple[int, int] = (1, 1)

    @property
    def turn(self) -> tuple[float, float]:
        """Sine and cosine of the angle."""
        return math.sin(math.radians(self.angle)), math.cos(math.radians(self.angle))


PLANS = (
    LabelPlan(LABEL, 0),
    LabelPlan(SMALLER, 0),
    LabelPlan(LABEL, 45),
    LabelPlan(SMALLER, 45),
    LabelPlan(SMALLER, 60),
    LabelPlan(SMALLER, 90),
    LabelPlan(SMALLEST, 90),
)
"""The ways to label every row and column, the preferred ones first."""


@dataclass(frozen=True, slots=True)
class LabelSpace:
    """The room that labels of rows and columns need around the cells.

    Parameters
    ----------
    face : Typeface
        Their font.
    rows, columns : tuple of str
        The labels, cut to the longest that is drawn.
    plan : LabelPlan
        How they are drawn.
    numbered : tuple of two bool
        Whether rows and columns count from zero: then some labels are enough.
    ticks : tuple of two tuples of int, optional
        The rows and columns that have a tick; by default those that the plan labels.
    """

    face: Typeface
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    plan: LabelPlan
    numbered: tuple[bool, bool] = (False, False)
    ticks: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def of(
        cls,
        face: Typeface,
        labels: tuple[Sequence[str], Sequence[str]],
        plan: LabelPlan,
        room: float,
    ) -> "LabelSpace":
        """Return the space of some labels in a figure of a width."""
        longest = room * LONGEST
        rows, columns = (face.all_elided(side, plan.size, longest) for side in labels)
        numbered = is_numbered(rows), is_numbered(columns)
        return cls(face, rows, columns, plan, numbered)

    @property
    def line(self) -> float:
        """Height of the tallest line."""
        texts = {*self.rows, *self.columns, "x"}
        size = self.plan.size
        return self.face.rise(texts, size) + self.face.drop(texts, size)

    @property
    def left(self) -> float:
        """The width that labels of rows need."""
        return self._widest(self._drawn(0)) + GAP + TICK_LENGTH

    @property
    def above(self) -> float:
        """The height that labels of columns need."""
        widest, line = self._widest(self._drawn(1)), self.line
        if self.plan.angle == 0:
            height = line
        elif self.plan.angle < 90:
            rise = self.face.rise({*self.columns}, self.plan.size)
            sine, cosine = self.plan.turn
            height = widest * sine + rise * cosine
        else:
            height = widest
        return height + GAP + TICK_LENGTH

    def above_corner(self, height: float) -> float:
        """Return how far the first row's label reaches above cells of a height."""
        size = self.plan.size
        ink = self.face.rise({*self.rows}, size) - middle_of(self.face, size)
        return max(0.0, ink - height / 2)

    @property
    def beside_corner(self) -> float:
        """The width left of the cells that the first column's label may need."""
        size, width = self.plan.size, TICK_LENGTH + GAP
        if self.numbered[1]:
            # The first number may be wider than its cell.
            return max(width, self.face.width(self.columns[0], size) / 2 + BESIDE)
        if self.plan.angle < 90:
            return width
        ink = self.face.rise({*self.columns}, size) - middle_of(self.face, size)
        return max(width, ink + GAP)

    def widest_cell(self, room: float) -> float:
        """Return the widest cell with which the columns' labels end within a width.

        Parameters
        ----------
        room : float
            The width from the left edge of the cells.
        """
        return min(
            (room - reach) / (place + 0.5) for place, reach in enumerate(self._reaches)
        )

    def overhang(self, cell: float) -> float:
        """Return how far labels reach beyond the last cell of a width."""
        ends = (
            (place + 0.5) * cell + reach for place, reach in enumerate(self._reaches)
        )
        return max(0.0, max(ends) - len(self.columns) * cell)

    def fits(self, cell: tuple[float, float]) -> bool:
        """Return whether no label touches another at a width and height of cells.

        Axes that are numbered are not asked: they are `thinned`.
        """
        width, height = cell
        line, (rows_thin, columns_thin) = self.line + APART, self.numbered
        if len(self.rows) > 1 and height < line and not rows_thin:
            return False
        if columns_thin:
            return self.plan.angle == 0
        if len(self.columns) == 1:
            return self.plan.angle > 0 or width >= self._widest(self.columns)
        if self.plan.angle == 0:
            return width >= self._widest(self.columns) + BESIDE
        return width * self.plan.turn[0] >= line

    def thinned(self, cell: tuple[float, float]) -> "LabelSpace":
        """Return the same with as many numbers as do not touch each other."""
        every = [1, 1]
        if self.numbered[0]:
            every[0] = _step((self.line + APART) / cell[1], len(self.rows))
            if every[0] > 1:
                every[0] = _step(self.line * _LOOSE / cell[1], len(self.rows))
        if self.numbered[1]:
            needed = self._widest(self.columns) + BESIDE
            every[1] = _step(needed / cell[0], len(self.columns))
        if all(self.numbered) and self.rows == self.columns:
            every = [max(every)] * 2
        return replace(self, plan=replace(self.plan, every=(every[0], every[1])))

    def spread(self, cell: tuple[float, float]) -> "LabelSpace":
        """Return the same with as many labels as do not touch each other."""
        needed = self.line * _LOOSE
        every = [max(1, math.ceil(needed / extent)) for extent in (cell[1], cell[0])]
        for side, count in enumerate((len(self.rows), len(self.columns))):
            if self.numbered[side]:
                every[side] = _step(every[side], count)
        return replace(self, plan=replace(self.plan, every=(every[0], every[1])))

    def marked(
        self, marks: tuple[Sequence[int], Sequence[int]], cell: float, *, named: bool
    ) -> "LabelSpace":
        """Return the same with ticks at few rows and columns.

        These are the first, the marked ones and the last.

        Parameters
        ----------
        marks : tuple of two sequences of int
            The rows and columns to be distinguished from the others.
        cell : float
            Width and height of a cell.
        named : bool
            Whether these are labelled, as many as do not touch; a tick alone is enough
            where labels stand elsewhere.
        """
        apart = self.line * _LOOSE if named else 2 * HAIRLINE
        sides = []
        for labels, wanted in zip((self.rows, self.columns), marks, strict=True):
            kept: list[int] = []
            for place in (*wanted, 0, len(labels) - 1):
                if all(abs(place - other) * cell >= apart for other in kept):
                    kept.append(place)
            sides.append(tuple(sorted(kept)))
        rows, columns = (
            tuple(
                label if named and place in kept else ""
                for place, label in enumerate(labels)
            )
            for labels, kept in zip((self.rows, self.columns), sides, strict=True)
        )
        return replace(self, rows=rows, columns=columns, ticks=(sides[0], sides[1]))

    def _drawn(self, side: int) -> list[str]:
        """Return the labels of rows or columns that are not left out."""
        labels = self.columns if side else self.rows
        return [labels[place] for place in self._ticks(side)]

    def _ticks(self, side: int) -> Sequence[int]:
        """Return the rows or columns that have a tick."""
        if self.ticks is not None:
            return self.ticks[side]
        count = len(self.columns if side else self.rows)
        return range(0, count, self.plan.every[side])

    @property
    def _reaches(self) -> list[float]:
        """How far each column's label reaches to the right of the column's middle."""
        size = self.plan.size
        widths = [self.face.width(label, size) for label in self.columns]
        if self.plan.angle == 0:
            return [width / 2 for width in widths]
        below = middle_of(self.face, size) + self.face.drop({*self.columns}, size)
        if self.plan.angle == 90:
            return [below for _ in widths]
        sine, cosine = self.plan.turn
        return [width * cosine + below * sine for width in widths]

    def _widest(self, texts: Sequence[str]) -> float:
        return max((self.face.width(text, self.plan.size) for text in texts), default=0)

    def row_labels(self, x: float, y: float, height: float) -> Iterator[Element]:
        """Yield ticks and labels left of cells of a height, from their corner."""
        middle = middle_of(self.face, self.plan.size)
        for place in self._ticks(0):
            at = y + (place + 0.5) * height
            yield Stroke(((x - TICK_LENGTH, at), (x, at)))
            if not self.rows[place]:
                continue
            right = x - TICK_LENGTH - GAP
            yield Text(right, at + middle, self.rows[place], self.plan.size, "end")

    def column_labels(
        self, x: float, y: float, width: float, *, below: bool = False
    ) -> Iterator[Element]:
        """Yield ticks and labels above cells of a width, or below them."""
        size, angle = self.plan.size, self.plan.angle
        middle = middle_of(self.face, size)
        away = 1.0 if below else -1.0
        edge = y + away * (TICK_LENGTH + GAP)
        anchor: Anchor = "end" if below else "start"
        for place in self._ticks(1):
            at, label = x + (place + 0.5) * width, self.columns[place]
            yield Stroke(((at, y), (at, y + away * TICK_LENGTH)))
            if not label:
                continue
            if angle == 0:
                texts = self.columns
                rise, drop = self.face.rise(texts, size), self.face.drop(texts, size)
                base = edge + rise if below else edge - drop
                yield Text(at, base, label, size, "middle")
            elif angle == 90:
                yield Text(at + middle, edge, label, size, anchor, -90.0)
            else:
                # The middle of the line's start is above the tick.
                right, down = (middle * part for part in self.plan.turn)
                yield Text(at + right, edge + down, label, size, anchor, -angle)


def is_numbered(labels: Sequence[str]) -> bool:
    """Return whether labels count from zero, so that some of them tell the others."""
    return all(label == str(place) for place, label in enumerate(labels))


def _step(least: float, count: int) -> int:
    """Return a round step between the numbers of an axis that has not room for all."""
    if least <= 1:
        return 1
    least = max(least, count / _MOST_NUMBERS)
    power = int(10 ** math.floor(math.log10(least)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def middle_of(face: Typeface, size: float) -> float:
    """Return how far below the middle of a line of text its baseline is.

    That is between the middle of small letters and that of capitals.
    """
    return (face.rise("x", size) + face.rise("0", size)) / 4
