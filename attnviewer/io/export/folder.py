"""The folder that files are exported to, and names that it takes."""

from pathlib import Path

from attnviewer.io.errors import FileError, system_reason

LONGEST_NAME = 255
"""Bytes of a file's name that nearly every system takes."""


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


def shortened_name(name: str, most: int) -> str:
    """Return the beginning of a file's name, in so many bytes at most."""
    encoded = name.encode("utf-8", "surrogatepass")
    # A sign that is cut through is left out.
    return name if len(encoded) <= most else encoded[:most].decode("utf-8", "ignore")
