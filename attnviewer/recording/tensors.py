"""Copies of tensors as arrays of NumPy."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.doctor.reading.arrays import as_numbers


def copied(name: str, tensor: object) -> Numbers:
    """Return a copy of a tensor, which does not change with it or keep it alive.

    Parameters
    ----------
    name : str
        Its name in messages.
    tensor : array_like
        The tensor. Booleans remain such.
    """
    array = np.array(as_numbers(name, tensor))
    holds_booleans = str(getattr(tensor, "dtype", "")).endswith("bool")
    return array.astype(bool) if holds_booleans else array


def parts(result: object) -> list[object]:
    """Return the values that a layer returned, one by one.

    Parameters
    ----------
    result : object
        A tensor, a sequence, or a mapping such as the outputs of Hugging Face.
    """
    found = result
    if isinstance(result, Mapping):
        found = list(result.values())
    return list(found) if isinstance(found, list | tuple) else [found]
