"""NumPy's files: one array in ``.npy``, several in ``.npz``."""

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.io.archive import read_archive
from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.matrices.arrays import as_floats, check_shape
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.npy import NpyError, read_npy, read_npy_header

if TYPE_CHECKING:
    from attnviewer.compute import Array


def read_npy_file(path: Path, limit: int) -> Matrices:
    """Return the array of a file, which stays on the disk where it can.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        How many bytes may be read at once; for a file that stays on the disk, none
        are.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) used.
    """
    notices: list[str] = []
    name = path.stem
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header = read_npy_header(file, size)
        check_shape(header.shape)
        array = np.memmap(
            *(path, header.dtype, "r", header.start),
            shape=header.shape,
            order=header.order,
        )
        if array.dtype.kind != "f" and size > limit:
            reason = (
                f"Its whole numbers would take more than {limit:,} bytes as floats."
            )
            raise FileFormatError(path, reason)
        return Matrices({name: as_floats(array, notices, name)}, notices)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    except ValueError as error:  # of which `NpyError` is one
        raise FileFormatError(path, str(error)) from None


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
    values: dict[str, Array] = {}
    notices: list[str] = []
    for part, content in read_archive(path, limit, compressed=True).items():
        name = str(PurePosixPath(part).with_suffix(""))
        if not part.endswith(".npy"):
            notices.append(f"'{part}' is no array and was left out.")
            continue
        try:
            array = read_npy(content)
            check_shape(array.shape)
            values[name] = as_floats(array, notices, name)
        except (NpyError, ValueError) as error:
            raise FileFormatError(path, str(error), part) from None
    if not values:
        raise FileFormatError(path, "There are no arrays in it.")
    return Matrices(values, notices)
