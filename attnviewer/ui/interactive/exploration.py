"""Windows that Python sessions open."""

import atexit
import threading

from PySide6.QtCore import QEventLoop, QObject, Qt, Slot
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.features.settings import SettingsFeature
from attnviewer.ui.frame.remembered import recall, restore_geometry
from attnviewer.ui.interactive.input_hook import is_turning, turn_beside_prompt
from attnviewer.ui.launch import show_first
from attnviewer.ui.state.model.opening import ModelOpening
from attnviewer.ui.state.settings import NAME
from attnviewer.ui.window.app import continue_with_model
from attnviewer.ui.window.application import create_appearance, create_application
from attnviewer.ui.window.beginning import begin_window
from attnviewer.ui.window.closing import confirm_close
from attnviewer.ui.window.display import missing_display
from attnviewer.ui.window.main_window import MainWindow

_open: "list[Exploration]" = []
"""Those whose windows are open, which nobody else need hold."""


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
        """The document, with the changes that are made in the window."""
        return self._document

    @property
    def trace(self) -> Trace:
        """Every step of the document as it is now."""
        return self._document.compute()

    @property
    def is_open(self) -> bool:
        """Whether the window is open."""
        return self._window is not None

    def close(self) -> None:
        """Close the window without a question; the document stays."""
        if self._window is not None:
            self._window.confirm_close = None
            self._window.close()
            self.release()

    def wait(self) -> None:
        """Stay until the window is closed."""
        application = create_application()
        loop = QEventLoop() if is_turning() else application
        self._loop = loop
        while self.is_open:
            loop.exec()
        self._loop = None

    def release(self) -> None:
        """Let go of a window that has closed."""
        if self._window is None:
            return
        self._window.deleteLater()
        self._window = None
        _open.remove(self)
        if self._loop is not None:
            self._loop.quit()

    def _confirm_close(self, window: MainWindow, documents: list[Document]) -> bool:
        """Ask for documents that were opened in the window; Python has the first."""
        others = [each for each in documents if each is not self._document]
        return not others or confirm_close(window, others)


class _Watch(QObject):
    """Lets go of a window when it has closed."""

    def __init__(self, exploration: Exploration, window: MainWindow) -> None:
        super().__init__(window)
        self._exploration = exploration
        # As it closes, it still needs what is let go of.
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
        Whether to stay until the window is closed. None: unless the event loop runs
        beside the prompt, or runs already.
    way : str
        What a person can do where no window can be shown.

    Raises
    ------
    RuntimeError
        If no window can be shown.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("A window must be opened in the main thread of Python.")
    if QApplication.instance() is None and (reason := missing_display()) is not None:
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
        window.add(RecoveryFeature)  # which may open a dialog above it
    if block is None:
        block = not (is_turning() or turn_beside_prompt(lambda: exploration.is_open))
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
        Whether settings are read and kept: not those of another program.
    """
    appearance = create_appearance()
    if remembering:
        recall(appearance)
    window = MainWindow(appearance)
    # The end of it is no reason for Qt to end whatever loop comes next.
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
    """Leave no window to Python's end, and no worker."""
    for exploration in list(_open):
        exploration.close()
