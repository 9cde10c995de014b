"""The process's one QApplication, and its appearance."""

import sys

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from attnviewer.paths import resource
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.settings import NAME
from attnviewer.ui.widgets.accessible import install_descriptions

ICON = resource("icons", "attnviewer.svg")


def create_application() -> QApplication:
    """Return the running application, or create it."""
    install_descriptions()
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    application = QApplication(sys.argv[:1])
    application.setApplicationName(NAME)
    application.setOrganizationName(NAME)
    application.setApplicationDisplayName(NAME)
    application.setWindowIcon(QIcon(str(ICON)))
    return application


def create_appearance() -> Appearance:
    """Return the appearance that all windows share, or create it."""
    application = create_application()
    return application.findChild(Appearance) or Appearance(application)
