"""Weights in MXFP4: four bits for each number, and a scale for 32 of them."""

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array

BLOCK = 32
"""Numbers that share a scale."""
_NUMBERS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
_E2M1 = np.concatenate([_NUMBERS, -_NUMBERS])  # (16,), the sign is the highest bit
_BIAS, _NAN = 127, 255


def dequantised(blocks: NDArray[np.uint8], scales: NDArray[np.uint8]) -> Array:
    """Return the numbers of blocks, in float32, exactly.

    Parameters
    ----------
    blocks : ndarray of uint8, shape (..., count, 16)
        Two numbers in each byte, the first in its lower half: sign, two bits of
        exponent, one of mantissa (E2M1).
    scales : ndarray of uint8, shape (..., count)
        The exponent of the power of two that each block is multiplied by, plus 127
        (E8M0); 255 is NaN.

    Returns
    -------
    ndarray of float32, shape (..., 32 · count)

    References
    ----------
    Open Compute Project 2023, "OCP Microscaling Formats (MX) Specification v1.0",
    sections 5.3.3, 5.4.1 and 6.3.
    """
    numbers = np.empty((*blocks.shape[:-1], BLOCK), np.float32)  # (..., count, 32)
    numbers[..., ::2] = _E2M1[blocks & 15]
    numbers[..., 1::2] = _E2M1[blocks >> 4]
    exponents = scales.astype(np.int32) - _BIAS  # (..., count)
    with np.errstate(over="ignore"):  # what is not finite is reported by name
        np.ldexp(numbers, exponents[..., np.newaxis], out=numbers)
    numbers[scales == _NAN] = np.nan
    return numbers.reshape(*blocks.shape[:-2], -1)
