"""NumPy's files: one array in ``.npy``, several in ``.npz``."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.archive import read_archive
from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.export_markers import CONTEXT_TOKENS, TOKENS
from attnviewer.io.matrices.collected import Collected
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.texts import listed, statement_of, take_texts
from attnviewer.io.npy import MAGIC, NpyError, NpyHeader, read_npy_header
from attnviewer.io.strict_json import shortened


def read_npy_file(path: Path, limit: int) -> Matrices:
    """Return the array of a file, mapped if it is large.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum number of bytes to read into memory.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    gathered = Collected(path, limit)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if size <= limit:
                _add(gathered, path.stem, file.read(size))
            else:
                header = read_npy_header(file, size)
                gathered.add(path.stem, _mapped(path, header))
                file.seek(size - header.beyond)
                _notice_rest(gathered, path.stem, header.beyond, file.read(len(MAGIC)))
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    except NpyError as error:
        raise FileFormatError(path, str(error)) from None
    return gathered.matrices()


def _add(gathered: Collected, name: str, data: bytes) -> None:
    header = read_npy_header(io.BytesIO(data), len(data))
    gathered.add(name, header.shown(data))
    _notice_rest(gathered, name, header.beyond, data[len(data) - header.beyond :])


def _notice_rest(gathered: Collected, name: str, count: int, rest: bytes) -> None:
    """Add a notice of bytes after the end of an array."""
    if count:
        if rest.startswith(MAGIC):
            what, verb = "Another array", "was"
        elif count == 1:
            what, verb = "1 byte", "was"
        else:
            what, verb = f"{count:,} bytes", "were"
        where = f"after the end of '{shortened(name)}' in the file"
        gathered.add_notice(f"{what} {where} {verb} not read.")


def read_npz_file(path: Path, limit: int, *, finite: bool = True) -> Matrices:
    """Return the arrays of a file by name.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum total size of its arrays, in bytes.
    finite : bool
        Whether arrays with NaN or +∞ are omitted.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    parts = read_archive(path, limit, compressed=True)
    room = limit - sum(map(len, parts.values()))
    gathered = Collected(path, room, finite=finite)
    texts = take_texts(parts)
    for part, content in parts.items():
        if not part.endswith(".npy"):
            gathered.leave_out(part, "It is no array.")
            continue
        name = part.removesuffix(".npy")
        try:
            _add(gathered, name, content)
        except NpyError as error:
            gathered.leave_out(name, str(error))
    return replace(
        gathered.matrices(),
        tokens=listed(texts, TOKENS),
        context_tokens=listed(texts, CONTEXT_TOKENS),
        statement=statement_of(texts),
    )


def _mapped(path: Path, header: NpyHeader) -> NDArray[np.generic]:
    mapped = np.memmap(
        *(path, header.dtype, "r", header.start),
        shape=header.shape,
        order=header.order,
    )
    return np.asarray(mapped)
