"""Pictures of the whole window."""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QBuffer, QIODevice

from attnviewer.io import write_atomically
from attnviewer.sources import ModelSource
from attnviewer.ui.offscreen.window import ScreenshotOptions, Size, offscreen_window


def save_screenshot(
    source: str | ModelSource,
    path: Path,
    *,
    size: Size = (1600, 1000),
    theme: Literal["light", "dark", "contrast"] = "light",
    step: str | None = None,
    view: str | None = None,
    cell: tuple[int, int] | None = None,
    text_size: int = 100,
    baseline: str | None = None,
    assign: str | None = None,
    layer: int | None = None,
) -> None:
    """Render the main window offscreen and save it as a PNG.

    Parameters
    ----------
    source : str or ModelSource
        ``example:ID``, the path of a file, or a model.
    path : Path
        The file to write; an existing one is replaced.
    size : tuple of two int
        Width and height in pixels.
    theme : str
        ``light``, ``dark`` or ``contrast``.
    step : str, optional
        The step to open; weights by default.
    view : str, optional
        How the step is shown, one of `attnviewer.views.VIEWS`; by default as a window
        opens it.
    cell : tuple of two int, optional
        Row and column of the cell to select.
    text_size : int
        Size of texts in percent, from 80 to 200.
    baseline : str, optional
        ``example:ID`` or the path of a file that the difference view compares with.
    assign : str, optional
        Roles of the arrays in a file of numbers, see `attnviewer.io.load`.
    layer : int, optional
        The layer of a recording; the first by default.

    Raises
    ------
    ValueError
        If there is no such step, view or cell, or texts cannot have that size.
    FileError
        If a source cannot be read or the picture cannot be written.
    """
    with offscreen_window(
        ScreenshotOptions(
            source,
            size,
            theme,
            step,
            view,
            cell,
            text_size,
            baseline,
            assign,
            layer=layer,
        )
    ) as window:
        picture = QBuffer()
        picture.open(QIODevice.OpenModeFlag.WriteOnly)
        window.grab().save(picture, "PNG")
        write_atomically(path, bytes(picture.data().data()))
