"""Where file dialogs begin."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths


def documents_folder() -> Path:
    """Return the person's documents folder, or the home folder if there is none."""
    place = QStandardPaths.StandardLocation.DocumentsLocation
    documents = Path(QStandardPaths.writableLocation(place))
    return documents if documents.is_dir() else Path.home()
