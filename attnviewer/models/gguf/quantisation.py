"""Types of tensors in GGUF files: floats, and blocks of quantised numbers."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.safetensors import BFLOAT16


class Block(NamedTuple):
    """The numbers of a type that are stored together.

    Parameters
    ----------
    dtype : str
        The name of the type.
    n_numbers, n_bytes : int
        How many there are, and what they take.
    """

    dtype: str
    n_numbers: int
    n_bytes: int


FLOATS = {
    0: Block("F32", 1, 4),
    1: Block("F16", 1, 2),
    28: Block("F64", 1, 8),
    30: Block(BFLOAT16, 1, 2),
}
"""The types that are not quantised, by number."""


def block_of(path: Path, name: str, number: int) -> Block:
    """Return the blocks of a type.

    Parameters
    ----------
    path : Path
        The file, for messages.
    name : str
        The tensor, for messages.
    number : int
        The number of the type.

    Raises
    ------
    FileError
        If it is a quantised one and the package ``gguf`` is not installed, or
        (`FileFormatError`) an unknown one.
    """
    if number in FLOATS:
        return FLOATS[number]
    try:
        gguf = _library()
    except ImportError:
        raise FileError(
            path,
            "Quantised weights need the package 'gguf', which is not installed: "
            "pip install 'attnviewer[gguf]'.",
        ) from None
    try:
        kind = gguf.GGMLQuantizationType(number)
    except ValueError:
        raise FileFormatError(
            path, f"The type number {number} of its weights is not known.", name
        ) from None
    return Block(kind.name, *gguf.GGML_QUANT_SIZES[kind])


@cache
def is_dequantised(dtype: str) -> bool:
    """Return whether a type of blocks can be dequantised."""
    gguf = _library()
    _, n_bytes = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[dtype]]
    try:
        dequantised(np.zeros((1, n_bytes), np.uint8), dtype)
    except NotImplementedError:
        return False
    return True


def dequantised(blocks: NDArray[np.generic], dtype: str) -> NDArray[np.float32]:
    """Return quantised numbers as floats.

    Parameters
    ----------
    blocks : ndarray of uint8, shape (..., bytes)
        Whole blocks.
    dtype : str
        Their type, such as ``Q4_0``.

    Returns
    -------
    ndarray of float32, shape (..., columns)
        The numbers.
    """
    gguf = _library()
    # Scales of damaged files may be infinite or no numbers.
    with np.errstate(all="ignore"):
        numbers = gguf.dequantize(blocks, gguf.GGMLQuantizationType[dtype])
    return np.asarray(numbers, np.float32)


def _library() -> Any:
    import gguf

    return gguf
