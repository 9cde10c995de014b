"""How long a cold start takes, beside the least that Qt and pyqtgraph can do.

Every start is a process of its own, timed from outside until it has ended; it ends
as soon as it has told of what is timed. The first, which is not timed, leaves the
bytecode of all modules behind, as an installation does.
"""

import os
import subprocess
import sys
from functools import partial

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
from attnviewer.ui.app import create_application, create_window

window = create_window(wait=False)  # as the command opens it
window.appearance.choose("light")
application = create_application()
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
    starts = {
        BARE: _until(exposed, _BARE),
        least: _until(exposed, "import numpy" + _BARE),
        OURS: _until(exposed, _OURS),
    }
    return _started(starts, BARE, SHOWN, settings)


def until_painted(settings: Settings) -> Result:
    """Measure from the command to the first picture of numbers."""
    starts = {
        BARE_PICTURE: _until(_event("window.viewport()", "Paint"), _PICTURE),
        OURS: _until("window.step_view.painted.connect(end)", _OURS),
    }
    return _started(starts, BARE_PICTURE, PAINTED, settings)


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
