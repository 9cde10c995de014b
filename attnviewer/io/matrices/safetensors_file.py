"""The tensors of a safetensors file as matrices."""

from pathlib import Path

import numpy as np

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.matrices.collected import Collected
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.safetensors import BFLOAT16, describe_tensors


def read_safetensors_file(path: Path, limit: int, *, finite: bool = True) -> Matrices:
    """Return the tensors of a file by name, mapped if it is large.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum number of bytes to read into memory, and of tensors that must be
        converted.
    finite : bool
        Whether tensors with NaN or +∞ are omitted.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    file = describe_tensors(path)
    if file.size > limit:
        data = file.mapped()
    else:
        try:
            data = np.fromfile(path, np.uint8, file.size)
        except OSError as error:
            raise FileError(path, system_reason(error)) from error
    if len(data) != file.size:
        raise FileFormatError(path, "Another program is writing to it.")
    gathered = Collected(path, limit, finite=finite)
    for name, tensor in file.tensors.items():
        try:
            stored = tensor.shown(data)
        except ValueError as error:
            gathered.leave_out(name, str(error))
        else:
            gathered.add(name, stored, bfloat16=tensor.dtype == BFLOAT16)
    return gathered.matrices()
