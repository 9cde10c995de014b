"""The elements of figures: texts, lines, areas and cells, measured in points."""

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from attnviewer.ui.paint.color_scale import ColorScale, Rgb

Point: TypeAlias = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

HAIRLINE = 0.4
"""Width of frames, ticks and rules."""
DASH = (3.0, 2.0)
"""Lengths of a dash and of a gap."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text.

    Parameters
    ----------
    x, y : float
        Where its anchor is on the baseline.
    text : str
        The text.
    size : float
        Size of the font.
    anchor : str
        Which point of the line is at (x, y): ``start``, ``middle`` or ``end``.
    angle : float
        How far it is turned about its anchor, in degrees, clockwise.
    bold, italic : bool
        The cut.
    serif : bool
        Whether it is set in the font of captions.
    color : str
        Its colour; "" for the figure's ink.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    angle: float = 0.0
    bold: bool = False
    italic: bool = False
    serif: bool = False
    color: str = ""

    def moved(self, dx: float, dy: float) -> "Text":
        """Return the same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, or a cubic curve of four.

    Parameters
    ----------
    points : tuple of points
        Where it runs.
    width : float
        Its width.
    color : str
        Its colour; "" for the figure's ink.
    closed : bool
        Whether it returns to its start.
    curved : bool
        Whether the four points are those of a cubic Bézier curve.
    filled : bool
        Whether it is the area between the points, without a line.
    dashed : bool
        Whether the line has gaps.
    """

    points: tuple[Point, ...]
    width: float = HAIRLINE
    color: str = ""
    closed: bool = False
    curved: bool = False
    filled: bool = False
    dashed: bool = False

    def moved(self, dx: float, dy: float) -> "Stroke":
        """Return the same elsewhere."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells without gaps, each in one colour.

    Parameters
    ----------
    x, y : float
        The upper left corner.
    width, height : float
        The extent of all cells together.
    colors : ndarray of uint8, shape (rows, columns, 3)
        The colours.
    """

    x: float
    y: float
    width: float
    height: float
    colors: Rgb

    def moved(self, dx: float, dy: float) -> "Cells":
        """Return the same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


Element: TypeAlias = Text | Stroke | Cells


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A part of a figure, laid out from its own upper left corner.

    Parameters
    ----------
    elements : tuple of elements
        What is drawn, the lowest first.
    width, height : float
        Its extent.
    complete : bool
        Whether every row and column has its label, in a legible size.
    bar : tuple of str and ColorScale, or None
        The title and the colours of its one bar, which other blocks may share; None if
        it has none, or several, or one with numbers beyond its ends.
    cell : float
        The size of its cells, or what stands for it where it has none.
    smallest : float
        The size of its smallest labels; infinite where it has none.
    ticks : tuple of str
        The labels of its ticks that are not written at them.
    rows : tuple of two float, or None
        The top of the rows of a matrix and the height of each; None if it is no matrix.
    """

    elements: tuple[Element, ...]
    width: float
    height: float
    complete: bool = True
    bar: tuple[str, ColorScale] | None = None
    cell: float = 1.0
    smallest: float = math.inf
    ticks: tuple[str, ...] = ()
    rows: tuple[float, float] | None = None

    def at(self, x: float, y: float) -> tuple[Element, ...]:
        """Return its elements with the corner at a point."""
        return tuple(element.moved(x, y) for element in self.elements)


def frame(
    x: float,
    y: float,
    width: float,
    height: float,
    line: float = HAIRLINE,
    color: str = "",
) -> Stroke:
    """Return the outline of a rectangle."""
    right, bottom = x + width, y + height
    corners = ((x, y), (right, y), (right, bottom), (x, bottom))
    return Stroke(corners, line, color, closed=True)
