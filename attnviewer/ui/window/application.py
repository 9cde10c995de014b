"""The application that a process can have, and its appearance."""

import sys

from PySide6.QtWidgets import QApplication

from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.state.settings import NAME


def create_application() -> QApplication:
    """Return the running application, or make the one there can be."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    application = QApplication(sys.argv[:1])
    application.setApplicationName(NAME)
    application.setOrganizationName(NAME)
    application.setApplicationDisplayName(NAME)
    return application


def create_appearance() -> Appearance:
    """Return the appearance of all windows, or make the one there can be."""
    application = create_application()
    return application.findChild(Appearance) or Appearance(application)
