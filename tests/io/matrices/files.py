"""What the tests of several formats share."""

import json
import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

from attnviewer.io import FileError
from attnviewer.io.matrices import Matrices, read_matrices

NUMBERS = [[1.5, -2.0, 3.25], [0.0, 0.001, 7.0]]


def refusal(path: Path, limit: int = 2**20) -> str:
    """Return the one line with which a file is refused, without its path."""
    with pytest.raises(FileError) as caught:
        read_matrices(path, limit)
    told = str(caught.value)
    named = str(path).replace("\0", r"\x00").replace("\ud800", r"\ud800")
    assert told.startswith(named)
    assert told.isprintable()
    return told.removeprefix(named).lstrip(":, ")


def plain(matrices: Matrices) -> dict[str, object]:
    """Return the numbers as nested lists."""
    return {name: array.tolist() for name, array in matrices.values.items()}


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.touch, (self.trace,)


def evil_pickle(trace: Path) -> bytes:
    """Return a pickle that makes a file, as can be checked, when it is loaded."""
    content = pickle.dumps(Evil(trace))
    pickle.loads(content)
    trace.unlink()
    return content


def npy_header(
    shape: object = (2, 2), descr: object = "<f8", version: bytes = b"\1\0"
) -> bytes:
    """Return the beginning of a file in NumPy's format, written by hand."""
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}\n"
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text.encode()


def safetensors(
    tensors: Mapping[str, tuple[str, list[int], bytes]], **extra: object
) -> bytes:
    """Return a safetensors file, written by hand after its description."""
    described: dict[str, object] = {}
    data = b""
    for name, (dtype, shape, content) in tensors.items():
        offsets = [len(data), len(data) + len(content)]
        described[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        data += content
    header = json.dumps(described | extra).encode()
    return len(header).to_bytes(8, "little") + header + data
