"""Pictures of the real window, drawn without a screen."""

import os
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

    Raises
    ------
    ValueError
        If there is no such step, view or cell, or texts cannot have that size.
    FileError
        If a source cannot be read or the picture not be written.
    """
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # The size is asked for in pixels of the picture, not of some screen.
        for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"):
            os.environ.pop(name, None)
    document = load(source)
    window = MainWindow(create_appearance())  # which leaves no trace of the file
    window.fill(document)
    window.step_view.open_page()
    try:
        window.appearance.choose(theme)
        window.appearance.set_text_size(text_size)
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        window.setMinimumSize(1, 1)
        window.resize(*size)
        window.workbench.open_step(step, cell)
        window.step_view.set_view(view)
        if baseline is not None:
            window.workbench.baseline.pin(load(baseline))
        window.show()
        window.step_view.difference.finish()
        # Layouts settle in posted events; two rounds, as splitters post their own.
        for _ in range(2):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        window.workbench.sensitivity.finish()  # which what is seen has asked for
        picture = QBuffer()
        picture.open(QIODevice.OpenModeFlag.WriteOnly)
        window.grab().save(picture, "PNG")
        write_atomically(path, bytes(picture.data().data()))
    finally:
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
