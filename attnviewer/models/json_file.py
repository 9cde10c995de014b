"""The JSON files beside the weights."""

from pathlib import Path
from typing import TypeVar

from attnviewer.io.errors import FileFormatError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, bare, check_names, decode

LARGEST = 16 * 2**20
"""Maximum size of such a file, in bytes."""
MOST_ENTRIES = 2**18
_Layout = TypeVar("_Layout")


def read_json(path: Path, layout: type[_Layout]) -> _Layout:
    """Return the content of a file, decoded into a layout.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) does not fit the layout, or an
        object in it repeats a name.
    """
    data = read_bounded(path, LARGEST)
    try:
        data = bare(data)
        if data.count(b":") > MOST_ENTRIES:
            raise SchemaError(f"It has more than {MOST_ENTRIES:,} entries.")
        decoded = decode(data, layout)
        if data.lstrip().startswith(b"{"):
            check_names(data)
    except SchemaError as error:
        raise FileFormatError(path, str(error), error.location) from None
    return decoded
