"""Save dialogs."""

import os
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.io import FileError
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Asking")


def ask_where_to_save(
    parent: QWidget, title: str, suggested: Path, kind: str
) -> Path | None:
    """Ask for a file to write, and complete its name with the suffix of its kind.

    Parameters
    ----------
    parent : QWidget
        The window or dialog that asks.
    title : str
        The dialog's title.
    suggested : Path
        The suggested file, with the right suffix.
    kind : str
        The name of the file type.

    Returns
    -------
    Path or None
        None if the dialog was cancelled.

    Raises
    ------
    FileError
        If the name was typed without its suffix and the completed name exists: the
        dialog has not asked whether to overwrite that file.
    """
    suffix = suggested.suffix.lower()
    name, _filter = QFileDialog.getSaveFileName(
        parent, title, str(suggested), f"{kind} (*{suffix})"
    )
    if not name:
        return None
    path = Path(name)
    if path.suffix.lower() == suffix:
        return path
    path = path.with_name(path.name + suffix)
    check_is_new(path)
    return path


def check_is_new(path: Path) -> None:
    """Check that a file which the dialog has not asked about overwrites none.

    Raises
    ------
    FileError
        If it exists.
    """
    if os.path.exists(path):  # noqa: PTH110 (which says no of names too long to be)
        reason = _tr("It already exists and was not overwritten.")
        raise FileError(path, reason)


def ask_for_session(parent: QWidget, title: str, suggested: Path) -> Path | None:
    """Ask for a session file to write, see `ask_where_to_save`."""
    return ask_where_to_save(parent, title, suggested, _tr("attnviewer sessions"))
