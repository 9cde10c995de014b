"""The application and its window."""

import sys

from PySide6.QtWidgets import QApplication

from attnviewer.document import Document
from attnviewer.io import FIRST_EXAMPLE, load
from attnviewer.ui.engine import Engine
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.theme import Appearance


def create_application() -> QApplication:
    """Return the running application, or make the one there can be."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    application = QApplication(sys.argv[:1])
    application.setApplicationName("attnviewer")
    application.setOrganizationName("attnviewer")
    application.setApplicationDisplayName("attnviewer")
    return application


def create_appearance() -> Appearance:
    """Return the appearance of all windows, or make the one there can be."""
    application = create_application()
    application.setStyle("Fusion")
    return application.findChild(Appearance) or Appearance(application)


def create_window(source: str = FIRST_EXAMPLE, *, wait: bool = True) -> MainWindow:
    """Build the main window on a source, without showing it or entering a loop.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    wait : bool
        Whether the window is complete when it is returned. Otherwise the page of the
        step comes after the window has been painted, and instead of a large document
        the first example is shown until a worker has computed it.

    Returns
    -------
    MainWindow
        Not yet shown. The caller shows and closes it.

    Raises
    ------
    FileError
        If the source cannot be read.
    """
    return window_on(load(source), wait=wait)


def window_on(document: Document, *, wait: bool) -> MainWindow:
    """Do what `create_window` does, on a document that is there."""
    appearance = create_appearance()
    if wait or Engine.fits_a_frame(document):
        window = MainWindow(document, appearance)
        if wait:
            window.step_view.open_page()
        return window
    window = MainWindow(load(FIRST_EXAMPLE), appearance)
    window.opener.open_document(document)
    return window
