"""The shapes of which a picture of an operation consists, in pixels.

A picture is composed as plain data, so that it can be painted on a window, in a figure
or in an animation, and so that a test can read what it shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.state.selection import Position

Hue: TypeAlias = Literal["text", "muted", "query", "key", "value", "accent", "bar"]
"""A colour by its purpose."""
Align: TypeAlias = Literal["left", "center", "right"]
Weight: TypeAlias = Literal["normal", "bold"]
Face: TypeAlias = Literal["text", "number"]


LABEL_WIDTH, LABEL_HEIGHT = 120.0, 1.5
"""The most width of a bar's number, in pixels, and its height in heights of its
font."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a rectangle, elided if it is too long.

    Parameters
    ----------
    text : str
        The text.
    rect : QRectF
        Its rectangle; the text is centred vertically.
    size : float
        The height of its font, in pixels.
    hue, align, weight, face : str
        How it looks.
    upright : bool
        Whether it reads upwards from the lower edge, in print.
    """

    text: str
    rect: QRectF
    size: float
    hue: Hue = "text"
    align: Align = "center"
    weight: Weight = "normal"
    face: Face = "text"
    upright: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A matrix, or some of its rows and columns, as a grid of cells.

    Parameters
    ----------
    step : str
        The step.
    head : int
        The step's own head.
    rows, columns : tuple of int
        The rows and columns of the step that are drawn.
    transposed : bool
        Whether the step's rows are drawn as columns.
    rect : QRectF
        Of all cells.
    cell : float
        The side of a cell, with its gap.
    gap : float
        The distance of two cells.
    values : ndarray, shape (down, across)
        The numbers, as they are drawn.
    hidden : ndarray of bool, shape (down, across), or None
        Masked cells.
    colors : ndarray of uint8, shape (down, across, 3)
        The colours of the cells.
    texts : tuple of tuple of str
        The numbers as they are written; empty if cells are too small.
    size : float
        The height of their font, in pixels.
    decimals : int
        Their decimals.
    lit : tuple of int or None, twice
        The drawn row and column that belong to the selected cell; None for no line.
    dims : bool
        Whether cells that are not lit are dimmed.
    framed : Position or None
        The drawn cell with the selection frame.
    lane : Hue or None
        The colour of the frame around the lit line; None for no frame.
    empty : ndarray of bool, shape (down, across), or None
        Cells that are still to come while the operation is played.
    pinned : ndarray of bool, shape (down, across), or None
        Pinned cells.
    editable : bool
        Whether the step is an input with all its rows, which is edited here.
    """

    step: str
    head: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    transposed: bool
    rect: QRectF
    cell: float
    gap: float
    values: Array
    hidden: BoolArray | None
    colors: Rgb
    texts: tuple[tuple[str, ...], ...]
    size: float
    decimals: int
    lit: tuple[int | None, int | None] = (None, None)
    dims: bool = False
    framed: Position | None = None
    lane: Hue | None = None
    empty: BoolArray | None = None
    pinned: BoolArray | None = None
    editable: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns as they are drawn."""
        down, across = self.values.shape
        return down, across

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a drawn cell, without its gap."""
        side = self.cell - self.gap
        left = self.rect.left() + column * self.cell
        return QRectF(left, self.rect.top() + row * self.cell, side, side)

    def line_rect(self, row: int | None, column: int | None) -> QRectF:
        """Return the rectangle of a drawn row, a drawn column or a cell."""
        down, across = self.shape
        first = self.cell_rect(row or 0, column or 0)
        last = self.cell_rect(
            down - 1 if row is None else row, across - 1 if column is None else column
        )
        return first.united(last)

    def cell_at(self, point: QPointF) -> Position | None:
        """Return the row and column of the step at a point; None outside."""
        if not self.rect.contains(point):
            return None
        down, across = self.shape
        row = min(int((point.y() - self.rect.top()) / self.cell), down - 1)
        column = min(int((point.x() - self.rect.left()) / self.cell), across - 1)
        if self.transposed:
            row, column = column, row
        return self.rows[row], self.columns[column]


@dataclass(frozen=True, slots=True)
class Beam:
    """A tinted band from an operand to the cell that is computed from it."""

    rect: QRectF
    hue: Hue


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its number above it and a name below.

    Parameters
    ----------
    rect : QRectF
        The bar.
    label : str
        Its number; "" for none.
    size : float
        The height of the number's font, in pixels.
    lit : bool
        Whether it belongs to the selected cell.
    color : tuple of int or None
        Its colour; None for that of bars.
    """

    rect: QRectF
    label: str
    size: float
    lit: bool = False
    color: tuple[int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars beside each other on one line.

    Parameters
    ----------
    rects : ndarray, shape (n_bars, 4)
        Left, top, width and height of each.
    labels : tuple of str
        Their numbers; "" for none.
    size : float
        The height of the numbers' font, in pixels.
    lit : int or None
        The one that belongs to the selected cell.
    colors : ndarray of uint8, shape (n_bars, 3), or None
        Their colours; None for that of bars.
    """

    rects: Array
    labels: tuple[str, ...]
    size: float
    lit: int | None = None
    colors: Rgb | None = None

    @cached_property
    def reaches(self) -> Array:
        """Left, top, right and bottom of all that is painted of each."""
        left, top, width, height = self.rects.T
        # No letter is wider than the font is high.
        longest = [min(self.size * len(label), LABEL_WIDTH) for label in self.labels]
        above = [LABEL_HEIGHT * self.size if label else 1.0 for label in self.labels]
        half = np.maximum(longest, width) / 2 + 1.0  # (n_bars,)
        middle = left + width / 2
        sides = middle - half, top - above, middle + half, top + height + 1.0
        return np.array(sides).T

    def each(self) -> Iterator[Bar]:
        """Yield the bars."""
        for number, (left, top, width, height) in enumerate(self.rects.tolist()):
            color = None if self.colors is None else self.colors[number].tolist()
            yield Bar(
                QRectF(left, top, width, height),
                self.labels[number],
                self.size,
                number == self.lit,
                color and (color[0], color[1], color[2]),
            )


@dataclass(frozen=True, slots=True)
class Rule:
    """A line."""

    start: QPointF
    end: QPointF
    hue: Hue = "muted"
    width: float = 1.0
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class Ribbon:
    """A band from one vertical line to another.

    Parameters
    ----------
    start, end : QPointF
        The middles of its ends.
    thickness : float
        Its thickness.
    hue : Hue
        Its colour.
    lit : bool
        Whether it belongs to the selected key.
    curved : bool
        Whether it bends from one height to the other.
    reach : float
        How much of it is drawn, from its start: from 0 to 1.
    """

    start: QPointF
    end: QPointF
    thickness: float
    hue: Hue = "value"
    lit: bool = False
    curved: bool = True
    reach: float = 1.0


@dataclass(frozen=True, slots=True)
class Dial:
    """A circle in which the pair of columns of a vector is an arrow.

    Parameters
    ----------
    center : QPointF
        Its centre.
    radius : float
        Its radius.
    before, after : QPointF
        The ends of the arrows, as shares of the radius, y upwards.
    label : str
        The angle between them.
    lit : bool
        Whether it belongs to the selected row.
    """

    center: QPointF
    radius: float
    before: QPointF
    after: QPointF
    label: str
    size: float
    lit: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A box with a border that holds a part of the picture."""

    rect: QRectF


@dataclass(frozen=True, slots=True)
class Control:
    """The place of a widget that lies over the picture, such as the temperature."""

    name: str
    rect: QRectF


FANNED = 6
"""The offset of each sheet behind another one, in pixels."""


@dataclass(frozen=True, slots=True)
class Fan:
    """The sheets of the other heads, behind the one in front."""

    rect: QRectF
    count: int


Shape: TypeAlias = (
    Panel | Control | Fan | Beam | Sheet | Ribbon | Rule | Dial | Bars | Text
)


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A picture of an operation.

    Parameters
    ----------
    shapes : tuple of shapes
        In the order in which they are painted.
    covers : frozenset of str
        The steps that it shows.
    """

    shapes: tuple[Shape, ...]
    covers: frozenset[str]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The matrices."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Sheet))

    def control(self, name: str) -> QRectF | None:
        """Return the place of a widget; None if the picture has none for it."""
        controls = (s for s in self.shapes if isinstance(s, Control))
        return next((c.rect for c in controls if c.name == name), None)

    @property
    def bounds(self) -> QRectF:
        """The rectangle of all that is drawn but a fan, which fills the whole room."""
        bounds = QRectF()
        for shape in self.shapes:
            rect = getattr(shape, "rect", None)
            if rect is not None and not isinstance(shape, Fan):
                bounds = bounds.united(rect)
        return bounds

    def sheet_at(self, point: QPointF) -> Sheet | None:
        """Return the matrix at a point."""
        for sheet in reversed(self.sheets):
            if sheet.rect.contains(point):
                return sheet
        return None
