"""Ranges of numbers, one after another."""

import numpy as np

from attnviewer.compute.arrays import IndexArray


def in_ranges(starts: IndexArray, counts: IndexArray) -> IndexArray:
    """Return the numbers of ranges, the first of each given, shape (sum of counts,)."""
    ends = counts.cumsum()
    shifts: IndexArray = np.repeat(starts - ends + counts, counts)
    return shifts + np.arange(shifts.size)
