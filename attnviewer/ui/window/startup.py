"""The first view of a window: its step, before the rest is loaded."""

from PySide6.QtCore import QRect

from attnviewer.document import Document
from attnviewer.io import load
from attnviewer.sources import FIRST_EXAMPLE
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.window.main_window import MainWindow


def begin_window(
    window: MainWindow, document: Document, step_rect: QRect | None = None
) -> None:
    """Open a document in a window without making the user wait.

    In place of a large document, the first example is shown until a worker has
    computed it.
    """
    small = Engine.fits_a_frame(document)
    window.begin(document if small else load(FIRST_EXAMPLE), step_rect)
