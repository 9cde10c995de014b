"""Pictures of a step in the window."""

from pathlib import Path

from attnviewer.ui.offscreen.window import ScreenshotOptions, offscreen_window
from attnviewer.ui.pictures.saving import save_view
from attnviewer.ui.pictures.style import PAPER, Style
from attnviewer.ui.pictures.walk_saving import save_walk


def save_picture(
    options: ScreenshotOptions,
    path: Path,
    *,
    paper: bool = False,
    scale: float = 2.0,
    size: tuple[int, int] | None = None,
) -> None:
    """Write a view of a step as the window shows it; the suffix is its format.

    Parameters
    ----------
    options : ScreenshotOptions
        What to open, and how to show it.
    path : Path
        The file.
    paper : bool
        Light on white, whatever the theme.
    scale : float
        PNG pixels per screen pixel.
    size : tuple of two int, optional
        Width and height of the view, in screen pixels.

    Raises
    ------
    ValueError
        If there is no such step, view, cell or size.
    FileError
        If the source cannot be read or the picture cannot be written.
    """
    theme = PAPER if paper else None
    style = Style(scale=scale, theme=theme, size=size)
    with offscreen_window(options) as window:
        save_view(window.step_view, path, style)


def save_moving_picture(
    options: ScreenshotOptions,
    path: Path,
    *,
    paper: bool = False,
    size: tuple[int, int] | None = None,
    pace: int | None = None,
) -> None:
    """Write the computation for the selected query as an animation; see `save_walk`.

    Raises
    ------
    ValueError
        If there is no such step or cell, or the size or the pace is out of range.
    MissingPillowError
        If Pillow is not installed.
    FileError
        If the source cannot be read or the picture cannot be written.
    """
    with offscreen_window(options) as window:
        theme = PAPER if paper else window.appearance.theme
        save_walk(window.workbench, path, theme, size=size, pace=pace)
