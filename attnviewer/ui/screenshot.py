"""Pictures of the real window, drawn without a screen."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QBuffer, QEvent, QIODevice, Qt
from PySide6.QtWidgets import QApplication

from attnviewer.io import load, write_atomically
from attnviewer.ui.application import create_appearance
from attnviewer.ui.main_window import MainWindow

Size = tuple[int, int]


def save_screenshot(
    source: str,
    path: Path,
    *,
    size: Size = (1600, 1000),
    theme: Literal["light", "dark"] = "light",
    step: str | None = None,
    view: str = "heatmap",
    cell: tuple[int, int] | None = None,
    text_size: int = 100,
    baseline: str | None = None,
    assign: str | None = None,
) -> None:
    """Draw the main window offscreen and save it as a PNG.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    path : Path
        Where the picture goes; an existing file is replaced as a whole.
    size : tuple of two int
        Width and height in pixels.
    theme : str
        ``light`` or ``dark``.
    step : str, optional
        The step to open; weights by default.
    view : str
        How the step is shown, one of `attnviewer.views.VIEWS`.
    cell : tuple of two int, optional
        Row and column of the cell to select.
    text_size : int
        Size of texts in percent, from 80 to 200.
    baseline : str, optional
        ``example:ID`` or the path of a file that the difference view compares with.
    assign : str, optional
        Of a file of numbers, which array is what, see `attnviewer.io.load`.

    Raises
    ------
    ValueError
        If there is no such step, view or cell, or texts cannot have that size.
    FileError
        If a source cannot be read or the picture not be written.
    """
    with offscreen_window(
        Sight(source, size, theme, step, view, cell, text_size, baseline, assign)
    ) as window:
        picture = QBuffer()
        picture.open(QIODevice.OpenModeFlag.WriteOnly)
        window.grab().save(picture, "PNG")
        write_atomically(path, bytes(picture.data().data()))


@dataclass(frozen=True, slots=True)
class Sight:
    """What a window shows; see `save_screenshot` for each."""

    source: str
    size: Size = (1600, 1000)
    theme: Literal["light", "dark"] = "light"
    step: str | None = None
    view: str = "heatmap"
    cell: tuple[int, int] | None = None
    text_size: int = 100
    baseline: str | None = None
    assign: str | None = None
    head: int | None = None


@contextlib.contextmanager
def offscreen_window(sight: Sight) -> Iterator[MainWindow]:
    """Open a window without a screen, complete and laid out, and close it again.

    Raises
    ------
    ValueError
        If there is no such step, head, view or cell, or texts cannot have that size.
    FileError
        If a source cannot be read.
    """
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # The size is asked for in pixels of the picture, not of some screen.
        for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"):
            os.environ.pop(name, None)
    document = load(sight.source, sight.assign)
    window = MainWindow(create_appearance())  # which leaves no trace of the file
    window.fill(document)
    window.step_view.open_page()
    try:
        window.appearance.choose(sight.theme)
        window.appearance.set_text_size(sight.text_size)
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        window.setMinimumSize(1, 1)
        window.resize(*sight.size)
        window.workbench.open_step(sight.step, sight.cell)
        if sight.head is not None:
            window.workbench.open_head(sight.head)
        window.step_view.set_view(sight.view)
        if sight.baseline is not None:
            window.workbench.baseline.pin(load(sight.baseline))
        window.show()
        window.step_view.difference.finish()
        # Layouts settle in posted events; two rounds, as splitters post their own.
        for _ in range(2):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        window.workbench.sensitivity.finish()  # which what is seen has asked for
        yield window
    finally:
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
