"""Arrays printed in a Jupyter notebook or in the text of a session."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from attnviewer.document.text.matlab_display import as_plain_rows
from attnviewer.document.text.printed import PrintedArrays, printed_arrays
from attnviewer.io.errors import FileFormatError
from attnviewer.io.matrices.collected import left_out_notices
from attnviewer.io.matrices.csv_file import read_csv_file, read_csv_text
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, bare, decode

NOTEBOOK = ".ipynb"
NOTEBOOK_LIMIT = 2**27
"""Maximum size in bytes; most of a large notebook is images, which are not read."""
_OLDEST = 3
"""The oldest major version of the format that is read; its cells are in worksheets."""

_Text = str | list[str]


class _Data(msgspec.Struct, rename={"plain": "text/plain"}):
    plain: _Text = ""


class _Output(msgspec.Struct):
    name: str = ""
    """Of a stream; in the format 3 it is called `stream`."""
    stream: str = ""
    text: _Text = ""
    data: _Data = msgspec.field(default_factory=_Data)


class _Cell(msgspec.Struct):
    cell_type: str
    source: _Text = ""
    input: _Text = ""
    outputs: list[_Output] = msgspec.field(default_factory=list)


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = msgspec.field(default_factory=list)


class _Notebook(msgspec.Struct):
    cells: list[_Cell] = msgspec.field(default_factory=list)
    worksheets: list[_Worksheet] = msgspec.field(default_factory=list)
    nbformat: int = 0


def read_notebook_file(path: Path, limit: int) -> Matrices:
    """Return the arrays that a Jupyter notebook prints or defines in its code.

    Nothing in it is run. The arrays have their names in the code.

    Parameters
    ----------
    path : Path
        The file, in the notebook format 3 or 4.
    limit : int
        Maximum size in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) has no usable arrays.
    """
    try:
        data = bare(read_bounded(path, min(limit, NOTEBOOK_LIMIT)))
        notebook = decode(data, _Notebook)
        if notebook.nbformat < _OLDEST:
            raise SchemaError(
                f"The notebook must be in the format {_OLDEST} or a newer one. "
                f"Got {notebook.nbformat} instead. Open it in Jupyter and save it.",
                "$.nbformat",
            )
        return _matrices(path, printed_arrays(_transcript(notebook)))
    except SchemaError as error:
        raise FileFormatError(path, str(error), error.location) from None
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


def read_text_file(path: Path, limit: int) -> Matrices:
    """Return the matrix of a table, or else the arrays printed in a text.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum size in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable; with the table's error
        if the text prints no arrays either.
    """
    try:
        return read_csv_file(path, limit)
    except FileFormatError:
        printed = _printed(path, limit)
        if printed is None:
            raise
        return printed


def _printed(path: Path, limit: int) -> Matrices | None:
    """Return the arrays that a text prints; None if there are none.

    Raises
    ------
    FileFormatError
        If there are some, and none is usable.
    """
    try:
        text = read_bounded(path, min(limit, NOTEBOOK_LIMIT)).decode("utf-8-sig")
        text = text.replace("\r\n", "\n")
        printed, displayed = printed_arrays(text), as_plain_rows(text)
    except ValueError:
        return None
    if printed.values or printed.left_out:
        return _matrices(path, printed)
    if displayed == text:
        return None
    try:  # one matrix of MATLAB, without its name
        return read_csv_text(path.stem, displayed)
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


def _transcript(notebook: _Notebook) -> str:
    """Return the code of a notebook, each cell with its output."""
    pieces = []
    within = (cell for sheet in notebook.worksheets for cell in sheet.cells)
    for cell in (*notebook.cells, *within):
        if cell.cell_type == "code":
            pieces.append(_joined(cell.source or cell.input))
            pieces += _shown(cell.outputs)
    return "\n\n".join(pieces)


def _shown(outputs: list[_Output]) -> Iterator[str]:
    """Yield the texts of outputs; a stream may come in pieces, between those of others.

    The pieces may end anywhere, even within a number.
    """
    streams: dict[str, str] = {}
    for output in outputs:
        text = _joined(output.text) or _joined(output.data.plain)
        if name := output.name or output.stream:
            streams[name] = streams.get(name, "") + text
        else:
            yield from streams.values()
            streams = {}
            yield text
    yield from streams.values()


def _joined(text: _Text) -> str:
    return text if isinstance(text, str) else "".join(text)


def _matrices(path: Path, printed: PrintedArrays) -> Matrices:
    notices = left_out_notices(list(printed.left_out.items()))
    if not printed.values:
        reason = "It has no arrays, neither in its code nor in what it prints."
        raise FileFormatError(path, " ".join(notices) or reason)
    named, tokens = next(iter(printed.tokens.items()), ("", ()))
    return Matrices(printed.values, notices, tokens, tokens_of=named)
