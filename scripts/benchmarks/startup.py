"""How long a cold start takes, beside the least that Qt and pyqtgraph can do.

Every start is a process of its own, timed from outside until it has ended; it ends
as soon as it has told of what is timed. The first, which is not timed, leaves behind
the bytecode of all modules, as an installation does, and the window's place; nobody
asks for these where sizes are small.
"""

import os
import subprocess
import sys
import tempfile
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
from attnviewer.ui.pyside_imports import import_without_reading_sources

import_without_reading_sources()

from PySide6.QtCore import QSettings

from attnviewer import cli
from attnviewer.ui import launch
from attnviewer.ui.window.main_window import MainWindow

ini = QSettings.Format.IniFormat
QSettings.setDefaultFormat(ini)
QSettings.setPath(ini, QSettings.Scope.UserScope, ".")
launch.missing_display = lambda: None  # otherwise a picture would be drawn instead

class Watched(MainWindow):
    def show(self):
        super().show()
        {shown}

    def begin(self, document, place=None):
        super().begin(document, place)
        {begun}

    def complete(self):
        super().complete()
        {completed}

launch.MainWindow = Watched
cli.main([])
"""
_SETTINGS = """
[General]
theme=light
toured=true
"""
_SCREEN = """
{"screens": [{"name": "large", "x": 0, "y": 0, "width": 1920, "height": 1200,
"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}
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
    exposed = _event("window.windowHandle()", "Expose")
    starts = {
        BARE: _until(exposed, _BARE),
        f"{BARE}, NumPy imported": _until(exposed, "import numpy" + _BARE),
        OURS: _ours(shown=f"self.{_event('self.windowHandle()', 'Expose')}"),
    }
    return _started(starts, BARE, SHOWN, settings)


def until_painted(settings: Settings) -> Result:
    """Measure from the command to the first picture of numbers."""
    starts = {
        BARE_PICTURE: _until(_event("window.viewport()", "Paint"), _PICTURE),
        OURS: _ours(begun="self.step_view.painted.connect(end)"),
        f"{OURS}, all views": _ours(
            completed=f"self.{_event('self.statusBar()', 'Paint')}"
        ),
    }
    return _started(starts, BARE_PICTURE, PAINTED, settings)


def _ours(shown: str = "pass", begun: str = "pass", completed: str = "pass") -> str:
    """Return a program that does what the command does, and something more."""
    watching = _OURS.format(shown=shown, begun=begun, completed=completed)
    return _PRELUDE + watching


def _event(watched: str, event: str) -> str:
    return f"watch = Watch({watched}, QEvent.Type.{event})"


def _until(awaited: str, window: str) -> str:
    """Return a program that opens a window and ends after what is awaited."""
    return f"{_PRELUDE}{window}{_SHOW}{awaited}\napplication.exec()"


def _started(
    starts: dict[str, str], beside: str, goal: Goal, settings: Settings
) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        run = partial(_run, _home(Path(folder)))
        if not settings.quick:
            run(_ours(completed="QTimer.singleShot(0, self.close)"))
        rows = timed(
            [
                Variant(
                    name=name,
                    call=partial(run, code),
                    goal=goal if name == OURS and not settings.quick else None,
                )
                for name, code in starts.items()
            ],
            settings,
            beside=beside,
        )
    return Result(rows, [f"Ratios are shares of {beside}'s time, Python's included."])


def _home(folder: Path) -> Path:
    """Make a folder where the command finds the settings of a person who knows it."""
    file = folder / "attnviewer" / "attnviewer.ini"
    file.parent.mkdir()
    file.write_text(_SETTINGS, encoding="utf-8")
    (folder / "screen.json").write_text(_SCREEN, encoding="utf-8")
    return folder


def _run(folder: Path, code: str) -> None:
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["XDG_DATA_HOME"] = str(folder)
    if PLATFORM == "offscreen":
        # Its own screen is smaller than the window.
        environment["QT_QPA_PLATFORM"] = "offscreen:configfile=screen.json"
    command = [sys.executable, "-c", code]
    subprocess.run(command, env=environment, cwd=folder, check=True)
