"""Arrays as Python code."""

import math
from typing import Any

import numpy as np

_BEGIN = "np.array(["


def numpy_text(values: np.ndarray[tuple[int, ...], np.dtype[Any]]) -> str:
    """Write an array as a call of ``np.array``, one row per line.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        Numbers, names, or booleans.

    Returns
    -------
    str
        Code that, with ``numpy`` as ``np``, evaluates to the same values bit for bit.
    """
    rows = (", ".join(map(_literal, row)) for row in values.tolist())
    between = ",\n" + " " * len(_BEGIN)
    return _BEGIN + between.join(f"[{row}]" for row in rows) + "])"


def _literal(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return "np.nan"
        return "np.inf" if value > 0 else "-np.inf"
    return repr(value)
