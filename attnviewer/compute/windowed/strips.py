"""Going over a matrix some rows at a time."""

from collections.abc import Iterator

AT_ONCE = 2**18
"""Cells that are gone over at a time: a few milliseconds' work. More would not stay
in the processor's cache, and the matrix products of fewer are slower."""


def strips(places: slice, size: int) -> Iterator[slice]:
    """Yield some rows or columns so many at a time, at least one.

    Parameters
    ----------
    places : slice with start and stop
        Which of them.
    size : int
        How many at a time; the last ones may be fewer.
    """
    size = max(1, size)
    for first in range(places.start, places.stop, size):
        yield slice(first, min(first + size, places.stop))
