"""Iteration over a matrix some rows at a time."""

from collections.abc import Iterator

AT_ONCE = 2**18
"""Cells that are processed at a time, in a few milliseconds. More would not fit the
processor's cache; with fewer, matrix products are slower."""


def strips(span: slice, size: int) -> Iterator[slice]:
    """Yield ranges of at most `size` rows or columns.

    Parameters
    ----------
    span : slice with start and stop
        The rows or columns.
    size : int
        How many at a time, at least one; the last range may be shorter.
    """
    size = max(1, size)
    for first in range(span.start, span.stop, size):
        yield slice(first, min(first + size, span.stop))
