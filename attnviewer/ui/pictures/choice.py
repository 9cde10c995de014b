"""The choices for a picture of the current view."""

from dataclasses import dataclass, field
from typing import Literal

from attnviewer.ui.figures.style import FigureStyle
from attnviewer.ui.pictures.style import Style

Kind = Literal["figure", "view"]


@dataclass(frozen=True, slots=True)
class PictureChoice:
    """A figure of the current view, or the view as the window shows it.

    Parameters
    ----------
    kind : str
        ``figure`` or ``view``.
    figure : FigureStyle
        The style of a figure.
    with_cell : bool
        Whether a figure frames the selected cell.
    view : Style
        The style of the view.
    """

    kind: Kind = "figure"
    figure: FigureStyle = field(default_factory=FigureStyle)
    with_cell: bool = False
    view: Style = field(default_factory=Style)
