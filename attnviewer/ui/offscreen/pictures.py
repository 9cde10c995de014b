"""Pictures of a step in the window."""

from pathlib import Path

from attnviewer.ui.offscreen.window import Sight, offscreen_window
from attnviewer.ui.pictures.saving import save_view
from attnviewer.ui.pictures.style import PAPER, Style, of_width
from attnviewer.ui.pictures.walk_saving import save_walk


def save_picture(
    sight: Sight,
    path: Path,
    *,
    paper: bool = False,
    scale: float = 2.0,
    width: float | None = None,
    size: tuple[int, int] | None = None,
    caption: bool = False,
) -> None:
    """Write a view of a step as a picture; the suffix is its format.

    Parameters
    ----------
    sight : Sight
        What to open, and how to show it.
    path : Path
        The file.
    paper : bool
        Light on white, whatever the theme.
    scale : float
        PNG pixels per screen pixel.
    width : float, optional
        Width on paper in millimetres; the view is laid out for it.
    size : tuple of two int, optional
        Width and height of the view, in screen pixels.
    caption : bool
        Whether to add a line below that states how it was computed.

    Raises
    ------
    ValueError
        If there is no such step, view, cell or size.
    FileError
        If the source cannot be read or the picture cannot be written.
    """
    theme = PAPER if paper else None
    preset = None if width is None else of_width(width)
    style = Style(preset, scale, theme=theme, size=size, caption=caption)
    with offscreen_window(sight) as window:
        save_view(window.step_view, path, style)


def save_moving_picture(
    sight: Sight,
    path: Path,
    *,
    paper: bool = False,
    size: tuple[int, int] | None = None,
    pace: int | None = None,
) -> None:
    """Write the walk through the selected query as an animation; see `save_walk`.

    Raises
    ------
    ValueError
        If there is no such step or cell, or the size or the pace is out of range.
    MissingPillowError
        If Pillow is not installed.
    FileError
        If the source cannot be read or the picture cannot be written.
    """
    with offscreen_window(sight) as window:
        theme = PAPER if paper else window.appearance.theme
        save_walk(window.workbench, path, theme, size=size, pace=pace)
