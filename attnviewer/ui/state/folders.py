"""Where file dialogs begin, and where the program keeps what is its own."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from attnviewer.ui.state.settings import NAME


def documents_folder() -> Path:
    """Return the person's documents folder, or the home folder if there is none."""
    place = QStandardPaths.StandardLocation.DocumentsLocation
    documents = Path(QStandardPaths.writableLocation(place))
    return documents if documents.is_dir() else Path.home()


def data_folder() -> Path:
    """Return the folder for what the program keeps; it may not be there yet."""
    # Not that of the application, which may be another's with a window of ours in it.
    place = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(place)) / NAME / NAME
