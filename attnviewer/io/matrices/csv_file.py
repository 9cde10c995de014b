"""Text tables of numbers: CSV, TSV and columns separated by spaces."""

import io
from pathlib import Path
from typing import TextIO

from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.matrices.arrays import as_floats
from attnviewer.io.matrices.delimited.dialect import find_table
from attnviewer.io.matrices.delimited.encoding import open_text
from attnviewer.io.matrices.delimited.reading import TableError, TableReader
from attnviewer.io.matrices.delimited.rows import RowError
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.reading import read_bounded


def read_csv_file(path: Path, limit: int) -> Matrices:
    """Return the matrix of a text file, with the names of its rows.

    The separator, decimal commas and names are detected. If a file can be read in two
    ways, a notice says which one was taken, or the file is refused.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum size in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    data = _content(path, limit)
    if not data or data.isspace():
        raise FileFormatError(path, "The file is empty.")
    text = open_text(path, data)
    by_commas = path.suffix.lower() != ".tsv"
    try:
        return _matrices(path.stem, text, quoted=b'"' in data, by_commas=by_commas)
    except RowError as error:
        raise FileFormatError(path, error.reason, f"line {error.line}") from None
    except TableError as error:
        raise FileFormatError(path, error.reason, error.location) from None


def read_csv_text(name: str, text: str) -> Matrices:
    """Return the matrix of a text, such as one copied with its headings.

    Parameters
    ----------
    name : str
        The matrix's name.
    text : str
        The text, see `read_csv_file`.

    Raises
    ------
    ValueError
        If it is unusable, with the place and the reason.
    """
    lines = io.StringIO(text, newline=None)
    try:
        return _matrices(name, lines, quoted='"' in text, by_commas=True)
    except RowError as error:
        raise ValueError(f"Line {error.line} of the text: {error.reason}") from None
    except TableError as error:
        location = f" ({error.location})" if error.location else ""
        raise ValueError(f"The text cannot be read{location}. {error.reason}") from None


def _matrices(name: str, text: TextIO, *, quoted: bool, by_commas: bool) -> Matrices:
    reader = TableReader(find_table(text), quoted=quoted, by_commas=by_commas)
    values = reader.values()
    notices = reader.notices()
    return Matrices({name: as_floats(values, notices, name)}, notices, reader.names())


def _content(path: Path, limit: int) -> bytes:
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        size = 0  # reading it will report the reason
    if size > limit:
        raise FileError(path, f"It has {size:,} bytes. At most {limit:,} are read.")
    return read_bounded(path, limit)
