"""The room that a panel has in a figure."""

from dataclasses import dataclass

from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.paint.theme import Theme


@dataclass(frozen=True, slots=True)
class Room:
    """The room of a panel, and the style of what is laid out in it.

    Parameters
    ----------
    width : float
        Its width in points; its height follows.
    face : Typeface
        The font.
    theme : Theme
        The colours.
    bar : bool
        Whether it has a colour bar of its own.
    figure : float
        The width of the whole figure; 0 if that is its own.
    beyond : float
        How far labels may reach beyond its right edge.
    named : bool
        Whether the rows and columns are named here; if not, another panel names them.
    marks : tuple of two tuples of int
        The rows and columns that small cells have ticks at.
    rows : tuple of two float, or None
        The top of the rows of the matrix beside it and the height of each, which lines
        of its tokens go along unless there are more keys; None if there is none.
    """

    width: float
    face: Typeface
    theme: Theme
    bar: bool = True
    figure: float = 0.0
    beyond: float = 0.0
    named: bool = True
    marks: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    rows: tuple[float, float] | None = None

    @property
    def whole(self) -> float:
        """The width of the figure, which heights and longest labels depend on."""
        return self.figure or self.width
