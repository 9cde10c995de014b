"""From the command to the open window, or to a picture of it."""

import tempfile
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMessageBox

from attnviewer.ui.app import create_application, create_window
from attnviewer.ui.display import missing_display
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.screenshot import save_screenshot
from attnviewer.ui.theme import known_choice


def launch(source: str) -> int:
    """Open the window on a source and stay until it is closed.

    Where no window can be seen, a picture of it is written instead and the ways
    to go on are named.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    FileError
        If the source cannot be read.
    """
    reason = missing_display()
    if reason is not None:
        return _draw_instead(source, reason)
    window = create_window(source)
    window.confirm_close = _confirm_close
    settings = QSettings()
    window.appearance.choose(known_choice(settings.value("theme")))
    _show(window)
    code = create_application().exec()
    settings.setValue("theme", window.appearance.choice)
    return code


def _show(window: MainWindow) -> None:
    room = window.screen().availableGeometry().size()
    # The frame needs room as well.
    if room.width() > window.width() and room.height() > window.height() + 40:
        window.show()
    else:
        window.showMaximized()


def _confirm_close(window: MainWindow, titles: list[str]) -> bool:
    answer = QMessageBox.question(
        window,
        window.tr("Close attnviewer"),
        window.tr("Changes in {titles} will be lost. Close all the same?").format(
            titles=", ".join(f"“{title}”" for title in titles)
        ),
        QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel,
        QMessageBox.StandardButton.Cancel,
    )
    return answer == QMessageBox.StandardButton.Close


def _draw_instead(source: str, reason: str) -> int:
    path = Path(tempfile.mkdtemp(prefix="attnviewer-")) / "window.png"
    save_screenshot(source, path)
    print(  # noqa: T201
        f"{reason} The window was drawn into a picture instead: {path}\n"
        "To go on: start a virtual display with "
        "`xvfb-run -s '-screen 0 1600x1000x24' attnviewer`, or use the command line: "
        "`attnviewer screenshot`, `attnviewer export`, `attnviewer --help`."
    )
    return 0
