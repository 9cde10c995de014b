"""Windows opened from Python sessions."""

import atexit
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, Qt, Slot

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.features.settings import SettingsFeature
from attnviewer.ui.frame.remembered import recall, restore_geometry
from attnviewer.ui.interactive.input_hook import (
    event_loop_is_running,
    run_beside_prompt,
)
from attnviewer.ui.launch import show_first
from attnviewer.ui.offscreen.drawing import invisible_reason
from attnviewer.ui.state.model.opening import ModelOpening
from attnviewer.ui.state.settings import NAME
from attnviewer.ui.window.app import continue_with_model
from attnviewer.ui.window.application import create_appearance, create_application
from attnviewer.ui.window.closing import confirm_close
from attnviewer.ui.window.main_window import MainWindow
from attnviewer.ui.window.startup import begin_window

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

_open: "list[Exploration]" = []
"""Keeps explorations alive while their windows are open."""


class Exploration:
    """A document in a window that was opened from Python.

    Parameters
    ----------
    document : Document
        The document.
    window : MainWindow
        The window, with the document in it.
    """

    def __init__(self, document: Document, window: MainWindow) -> None:
        self._document = document
        self._window: MainWindow | None = window
        self._loop: QEventLoop | QApplication | None = None
        window.confirm_close = self._confirm_close
        _Watch(self, window)

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        return f"<Exploration of {self._document.title!r}, {state}>"

    @property
    def document(self) -> Document:
        """The document, with the changes made in the window."""
        return self._document

    @property
    def trace(self) -> Trace:
        """The trace of the document in its present state."""
        return self._document.compute()

    @property
    def is_open(self) -> bool:
        """Whether the window is open."""
        return self._window is not None

    def close(self) -> None:
        """Close the window without asking; the document stays."""
        if self._window is not None:
            self._window.confirm_close = None
            self._window.close()
            self.release()

    def wait(self) -> None:
        """Block until the window is closed."""
        application = create_application()
        loop = QEventLoop() if event_loop_is_running() else application
        self._loop = loop
        while self.is_open:
            loop.exec()
        self._loop = None

    def release(self) -> None:
        """Release a closed window."""
        if self._window is None:
            return
        self._window.deleteLater()
        self._window = None
        _open.remove(self)
        if self._loop is not None:
            self._loop.quit()

    def _confirm_close(self, window: MainWindow, documents: list[Document]) -> bool:
        """Ask about other documents opened in the window; Python holds the first."""
        others = [each for each in documents if each is not self._document]
        return not others or confirm_close(window, others)


class _Watch(QObject):
    """Releases a window when it has closed."""

    def __init__(self, exploration: Exploration, window: MainWindow) -> None:
        super().__init__(window)
        self._exploration = exploration
        # Queued: while closing, the window still needs what is released.
        window.closing.connect(self._on_closing, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def _on_closing(self) -> None:
        self._exploration.release()


def show(
    what: Document | ModelOpening, block: bool | None = None, *, way: str = ""
) -> Exploration:
    """Open a window on a document or on a model, see `attnviewer.explore`.

    Parameters
    ----------
    what : Document or ModelOpening
        The document, or the model.
    block : bool, optional
        Whether to block until the window is closed. By default only if no event loop
        runs, neither already nor beside the prompt.
    way : str
        An alternative to name if no window can be shown.

    Raises
    ------
    RuntimeError
        If no window can be shown.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("A window must be opened in the main thread of Python.")
    if (reason := invisible_reason()) is not None:
        raise RuntimeError(f"{reason} No window can be opened. {way}".rstrip())
    document = what if isinstance(what, Document) else what.read()
    application = create_application()
    mine = application.applicationName() == NAME
    window = _window(document, remembering=mine)
    if isinstance(what, ModelOpening):
        continue_with_model(window, what)
    exploration = Exploration(document, window)
    _open.append(exploration)
    if mine and restore_geometry(window):
        window.show()
    else:
        show_first(window)
    window.activateWindow()
    if mine:
        window.add(RecoveryFeature)  # may open a dialog above the window
    if block is None:
        block = not (
            event_loop_is_running() or run_beside_prompt(lambda: exploration.is_open)
        )
    if block:
        exploration.wait()
    return exploration


def _window(document: Document, *, remembering: bool) -> MainWindow:
    """Return a window with a document in it.

    Parameters
    ----------
    document : Document
        The document.
    remembering : bool
        Whether to read and store settings; not in another application's process.
    """
    appearance = create_appearance()
    if remembering:
        recall(appearance)
    window = MainWindow(appearance)
    # Closing it must not make Qt quit the next event loop.
    window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
    begin_window(window, document)
    window.complete()
    if window.document is not document:
        window.feature(FilesFeature).opener.open_document(document)
    if remembering:
        window.add(SettingsFeature)
    return window


@atexit.register
def _close_all() -> None:
    """Close all windows and workers before the interpreter exits."""
    for exploration in list(_open):
        exploration.close()
