"""How long a cold start takes, beside the least that Qt and pyqtgraph can do.

Every start is a process of its own, timed from outside until it has ended; it ends
as soon as it has told of what is timed. The first, which is not timed, leaves the
bytecode of all modules behind, as an installation does.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from comparison import Comparison, Goal, Result, Settings
from offscreen import PLATFORM
from timing import Variant, timed

SHOWN, PAINTED = Goal(1.7), Goal(1.3)
SIZE = 1600, 1000
BARE, BARE_PICTURE = "a bare QMainWindow", "a bare pyqtgraph ImageItem"
OURS = "attnviewer"

_PRELUDE = """
import os
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

def end():
    QTimer.singleShot(0, lambda: os._exit(0))  # when it has been dealt with

class Watch(QObject):
    def __init__(self, watched, awaited):
        super().__init__()
        self.awaited = awaited
        watched.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == self.awaited:
            end()
        return False
"""
_BARE = """
application = QApplication([])
window = QMainWindow()
"""
_PICTURE = """
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
import numpy as np
import pyqtgraph as pg

application = pg.mkQApp()
window = pg.GraphicsView()
box = pg.ViewBox()
box.addItem(pg.ImageItem(np.eye(4)))
window.setCentralItem(box)
"""
_OURS = """
from PySide6.QtCore import QSettings

from attnviewer import cli
from attnviewer.ui import launch
from attnviewer.ui.main_window import MainWindow

ini = QSettings.Format.IniFormat
QSettings.setDefaultFormat(ini)
QSettings.setPath(ini, QSettings.Scope.UserScope, {settings!r})
launch.missing_display = lambda: None  # otherwise a picture would be drawn instead

class Watched(MainWindow):
    def show(self):
        super().show()
        {shown}

    def showMaximized(self):  # as on a screen that is smaller than its window
        self.show()

    def fill(self, document):
        super().fill(document)
        {filled}

launch.MainWindow = Watched
cli.main([])
"""
_SETTINGS = """
[General]
theme=light
toured=true
"""
_SHOW = f"""
window.resize{SIZE}
window.show()
"""


def comparisons(settings: Settings) -> list[Comparison]:
    return [
        Comparison(f"until the window is shown, {PLATFORM}", until_shown),
        Comparison(f"until the first heatmap is painted, {PLATFORM}", until_painted),
    ]


def until_shown(settings: Settings) -> Result:
    """Measure from the command to the window on the screen."""
    least = f"{BARE}, NumPy imported"
    exposed = _event("window.windowHandle()", "Expose")
    with _command(shown=f"self.{_event('self.windowHandle()', 'Expose')}") as command:
        starts = {
            BARE: _until(exposed, _BARE),
            least: _until(exposed, "import numpy" + _BARE),
            OURS: command,
        }
        return _started(starts, BARE, SHOWN, settings)


def until_painted(settings: Settings) -> Result:
    """Measure from the command to the first picture of numbers."""
    with _command(filled="self.step_view.painted.connect(end)") as command:
        starts = {
            BARE_PICTURE: _until(_event("window.viewport()", "Paint"), _PICTURE),
            OURS: command,
        }
        return _started(starts, BARE_PICTURE, PAINTED, settings)


@contextmanager
def _command(shown: str = "", filled: str = "") -> Iterator[str]:
    """Return a program that does what the command does, not for the first time.

    Parameters
    ----------
    shown, filled : str
        What is done as well, once the window is shown or filled.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "attnviewer", "attnviewer.ini")
        file.parent.mkdir()
        file.write_text(_SETTINGS, encoding="utf-8")
        ours = _OURS.format(
            settings=folder, shown=shown or "pass", filled=filled or "pass"
        )
        yield _PRELUDE + ours


def _event(watched: str, event: str) -> str:
    return f"watch = Watch({watched}, QEvent.Type.{event})"


def _until(awaited: str, window: str) -> str:
    """Return a program that opens a window and ends after what is awaited."""
    return f"{_PRELUDE}{window}{_SHOW}{awaited}\napplication.exec()"


def _started(
    starts: dict[str, str], beside: str, goal: Goal, settings: Settings
) -> Result:
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    rows = timed(
        [
            Variant(
                name=name,
                call=partial(_run, code, environment),
                goal=goal if name == OURS and not settings.quick else None,
            )
            for name, code in starts.items()
        ],
        settings,
        beside=beside,
    )
    return Result(rows, [f"Ratios are shares of {beside}'s time, Python's included."])


def _run(code: str, environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
