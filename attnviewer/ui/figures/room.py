"""The room that a panel has in a figure."""

from dataclasses import dataclass

from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.paint.theme import Theme


@dataclass(frozen=True, slots=True)
class Room:
    """What a panel is laid out for.

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
    """

    width: float
    face: Typeface
    theme: Theme
    bar: bool = True
