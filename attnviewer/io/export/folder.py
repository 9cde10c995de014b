"""The folder that files are exported to."""

from pathlib import Path

from attnviewer.io.errors import FileError, system_reason


def make_folder(folder: Path) -> None:
    """Make a folder, with those that it lies in, unless it is there.

    Raises
    ------
    FileError
        If that is not possible.
    """
    if "\0" in str(folder):
        raise FileError(folder, "The name holds a null character.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(folder, "It is a file, not a folder.") from None
    except OSError as error:
        raise FileError(folder, system_reason(error)) from error
