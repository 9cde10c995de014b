"""NumPy's files: one array in ``.npy``, several in ``.npz``."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.archive import read_archive
from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.exported import CONTEXT_TOKENS, STATEMENT, TOKENS
from attnviewer.io.matrices.gathered import Gathered
from attnviewer.io.matrices.matrices import Matrices, own_tokens
from attnviewer.io.npy import NpyError, NpyHeader, read_npy, read_npy_header
from attnviewer.io.strict_json import SchemaError, decode, shortened


def read_npy_file(path: Path, limit: int) -> Matrices:
    """Return the array of a file, which stays on the disk if it is large.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        How many bytes may be read into memory.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) used.
    """
    gathered = Gathered(path, limit)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if size <= limit:
                gathered.add(path.stem, read_npy(file.read(limit + 1)))
            else:
                gathered.add(path.stem, _mapped(path, read_npy_header(file, size)))
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    except NpyError as error:
        raise FileFormatError(path, str(error)) from None
    return gathered.matrices()


def read_npz_file(path: Path, limit: int) -> Matrices:
    """Return the arrays of a file by their names.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        How many bytes its arrays may have together.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) used.
    """
    parts = read_archive(path, limit, compressed=True)
    gathered = Gathered(path, limit - sum(map(len, parts.values())))
    texts = _own_texts(parts)
    for part, content in parts.items():
        if not part.endswith(".npy"):
            gathered.leave_out(part, "It is no array.")
            continue
        try:
            gathered.add(part.removesuffix(".npy"), read_npy(content))
        except NpyError as error:
            raise FileFormatError(path, str(error), shortened(part)) from None
    read = gathered.matrices()
    if not texts:
        return read
    return replace(
        read,
        tokens=own_tokens(_listed(texts, TOKENS), read.values),
        context_tokens=_listed(texts, CONTEXT_TOKENS),
        statement=_statement(texts),
    )


def _own_texts(parts: dict[str, bytes]) -> dict[str, NDArray[np.str_]]:
    """Take the texts out of a file that was exported."""
    texts: dict[str, NDArray[np.str_]] = {}
    if f"{STATEMENT}.npy" not in parts:
        return texts
    for name in (STATEMENT, TOKENS, CONTEXT_TOKENS):
        try:
            array = read_npy(parts[f"{name}.npy"])
        except (KeyError, NpyError):
            continue
        if array.dtype.kind == "U":
            del parts[f"{name}.npy"]
            texts[name] = array
    return texts


def _listed(texts: Mapping[str, NDArray[np.str_]], name: str) -> tuple[str, ...]:
    array = texts.get(name)
    return tuple(array.tolist()) if array is not None and array.ndim == 1 else ()


def _statement(texts: Mapping[str, NDArray[np.str_]]) -> dict[str, Any]:
    """Return how a file that was exported was computed; {} if that is not readable."""
    told = texts.get(STATEMENT)
    try:
        return decode(str(told).encode(), dict[str, Any])
    except (SchemaError, UnicodeEncodeError):
        return {}


def _mapped(path: Path, header: NpyHeader) -> NDArray[np.generic]:
    mapped = np.memmap(
        *(path, header.dtype, "r", header.start),
        shape=header.shape,
        order=header.order,
    )
    return np.asarray(mapped)
