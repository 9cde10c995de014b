"""The keys near each query."""

import numpy as np

from attnviewer.compute.arrays import BoolArray


def band(rows: slice, keys: slice, query_offset: int, window: int) -> BoolArray | None:
    """Return which keys of a tile lie less than `window` from the query; None if none.

    Parameters
    ----------
    rows, keys : slice
        The tile.
    query_offset : int
        Position of the first query among the keys.
    window : int
        The first distance that is too far.
    """
    first, stop = rows.start + query_offset, rows.stop + query_offset
    if not window or first - window >= keys.stop - 1 or stop - 1 + window <= keys.start:
        return None
    positions = np.arange(first, stop)[:, np.newaxis]  # (rows, 1)
    near: BoolArray = np.abs(positions - np.arange(keys.start, keys.stop)) < window
    return near
