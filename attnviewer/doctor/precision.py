"""The precision in which numbers were computed, as far as they show it."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers


@dataclass(frozen=True, slots=True)
class Precision:
    """A floating-point type.

    Parameters
    ----------
    name : str
        Its usual name.
    digits : int
        The bits of its significand, the hidden one included.
    smallest : float
        The distance of its smallest numbers from each other.
    sums : int
        The bits in which products are added up.
    stored : int
        The bits of the results, where these have more than what is multiplied.
    """

    name: str
    digits: int
    smallest: float
    sums: int = 24
    stored: int = 0

    @property
    def roundoff(self) -> float:
        """The largest relative error of a number cut off to this type.

        That is twice the error of rounding to nearest: conversions to bfloat16 that
        drop the lower bits are common.
        """
        return 2.0 ** (1 - (self.stored or self.digits))

    @property
    def on_products(self) -> float:
        """The largest relative error of factors before they are multiplied."""
        return 2.0**-self.digits if self.stored else 0.0

    @property
    def on_sums(self) -> float:
        """The relative error of one addition."""
        return 2.0**-self.sums


FLOAT64 = Precision("float64", 53, 2.0**-1074, sums=53)
FLOAT32 = Precision("float32", 24, 2.0**-149)
TF32 = Precision("tf32", 11, 2.0**-149, stored=24)
FLOAT16 = Precision("float16", 11, 2.0**-24)
BFLOAT16 = Precision("bfloat16", 8, 2.0**-133)


SOME = 2**12
"""Numbers that are looked at first."""


def precision_of(array: Numbers) -> Precision:
    """Return the type with the fewest bits that holds every number of an array.

    An array of bfloat16 that was converted to float32 is recognised. Integers do not
    show a precision; it is then that of the stored type.
    """
    stored = {"float16": FLOAT16, "float32": FLOAT32}.get(array.dtype.name, FLOAT64)
    if stored == FLOAT64 and not _is_single(array.flat[-SOME:]):
        return FLOAT64  # as most are
    finite = array[np.isfinite(array)]
    if finite.size < 4 or (finite == np.rint(finite)).mean() > 0.9:
        return stored
    with np.errstate(over="ignore", invalid="ignore"):
        if not _is_single(finite):
            return FLOAT64
        single = finite.astype(np.float32)
        if not (single.view(np.uint32) & np.uint32(0xFFFF)).any():
            return BFLOAT16
        if np.array_equal(single.astype(np.float16), finite):
            return FLOAT16
    return FLOAT32


def _is_single(array: Numbers) -> bool:
    """Return whether float32 holds every finite number of an array."""
    with np.errstate(over="ignore", invalid="ignore"):
        single = array.astype(np.float32)
    return not ((single != array) & np.isfinite(array)).any()
