"""Save dialogs."""

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.io import FileError
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.notice import NoticeBar

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


def ask_and_write(
    parent: QWidget,
    notice: NoticeBar,
    title: str,
    suggested: Path,
    kind: str,
    write: Callable[[Path], object],
) -> Path | None:
    """Ask for a file, write it, and tell how that ended.

    Parameters
    ----------
    parent, title, suggested, kind
        As in `ask_where_to_save`.
    notice : NoticeBar
        Where the refusal is shown.
    write : callable
        Writes the file; may raise `FileError`.

    Returns
    -------
    Path or None
        None if no file was written.
    """
    try:
        path = ask_where_to_save(parent, title, suggested, kind)
        if path is None:
            return None
        write(path)
    except FileError as error:
        notice.refuse(str(error))
        return None
    notice.show_message(_tr("{name} was written.").format(name=path.name))
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
