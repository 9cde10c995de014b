"""Arrays of any library, in the precision that they came in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arguments import any_array
from attnviewer.compute.arrays import Numbers

FLOATS = "float16", "float32", "float64"


def as_numbers(name: str, values: object) -> Numbers:
    """Return an array of floats.

    float16, float32 and float64 keep their type, by which the precision of a
    computation is known. Narrower types, such as bfloat16, become float32; whole
    numbers and booleans float64.

    Parameters
    ----------
    name : str
        The array's name in messages.
    values : array_like
        The array, of NumPy or of another library.

    Raises
    ------
    ValueError
        If it holds anything but real numbers, or none at all.
    """
    array = _numpys(name, values)
    if array.dtype.kind == "V" and not array.dtype.name.startswith("void"):
        array = array.astype(np.float32)  # bfloat16 and float8 of ml_dtypes
    if array.dtype.kind not in "biuf":
        held = {"O": "objects", "V": "bytes without a type", "U": "text", "S": "text"}
        kind = held.get(array.dtype.kind, str(array.dtype))
        raise ValueError(f"The '{name}' must hold real numbers. Got {kind} instead.")
    if not array.size:
        raise ValueError(
            f"The '{name}' must have dimensions of at least 1 each. "
            f"Got shape {array.shape} instead."
        )
    if array.dtype.name not in FLOATS:
        return array.astype(np.float64)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _numpys(name: str, values: Any) -> NDArray[Any]:
    """Return an array of any library as one of NumPy."""
    if str(getattr(values, "dtype", "")).endswith("torch.bfloat16"):
        values = values.detach().float()  # NumPy has no such type
    if hasattr(values, "cpu"):
        values = values.detach().cpu()  # it may lie on another device
    try:
        return any_array(f"'{name}'", values)
    except TypeError as error:
        raise ValueError(str(error)) from None
