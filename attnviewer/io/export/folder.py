"""Export folders, and file names that fit every system."""

from pathlib import Path

from attnviewer.io.errors import FileError, system_reason

LONGEST_NAME = 255
"""Maximum length of a file's name on nearly every system, in bytes."""


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, unless it exists.

    Raises
    ------
    FileError
        If it cannot be created.
    """
    if "\0" in str(folder):
        raise FileError(folder, "The name holds a null character.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(folder, "It is a file, not a folder.") from None
    except OSError as error:
        raise FileError(folder, system_reason(error)) from error


def shortened_name(name: str, most: int) -> str:
    """Return a file's name, cut to a number of bytes."""
    encoded = name.encode("utf-8", "surrogatepass")
    # An incomplete character is dropped.
    return name if len(encoded) <= most else encoded[:most].decode("utf-8", "ignore")
