"""The folder that file dialogs start in, and the program's data folder."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from attnviewer.ui.state.settings import NAME


def documents_folder() -> Path:
    """Return the user's documents folder, or the home folder without one."""
    location = QStandardPaths.StandardLocation.DocumentsLocation
    documents = Path(QStandardPaths.writableLocation(location))
    return documents if documents.is_dir() else Path.home()


def data_folder() -> Path:
    """Return the program's data folder, which may not exist yet."""
    # Not the application's, as our window may be embedded in another application.
    location = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(location)) / NAME / NAME
