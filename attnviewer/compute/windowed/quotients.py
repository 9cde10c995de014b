"""Overviews of numerators over a divisor per row, such as softmax weights."""

from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.pooling import pool
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.blocks import NAN, SEEN, Extremes, Means
from attnviewer.compute.windowed.overview import MOST, Overview
from attnviewer.compute.windowed.strips import AT_ONCE, strips


class Quotients(Overview):
    """The overview of numerators over the divisor of their row.

    An edit of one key changes few numerators but all divisors. So the blocks of each
    single row of numerators are stored as well, and divided again instead of every
    number.

    Parameters
    ----------
    numerators : Windowed
        Numbers that are not negative.
    divisors : ndarray, shape (rows,)
        Above 0, or NaN for a row of NaN.
    most : int
        The most rows and columns of blocks.
    """

    of_numerators = True

    def __init__(self, numerators: Windowed, divisors: Array, most: int = MOST) -> None:
        self._undivided = Overview(numerators, (numerators.shape[0], most))
        self._divisors = divisors
        super().__init__(numerators, most)

    def divide(
        self, numerators: Windowed, divisors: Array, blocks: Sequence[Dirty]
    ) -> None:
        """Update the overview after an edit.

        Parameters
        ----------
        numerators : Windowed
            As they are now.
        divisors : ndarray, shape (rows,)
            As they are now.
        blocks : sequence of Dirty
            Where the numerators may have changed; their heads are ignored.
        """
        self._undivided.refresh(numerators, blocks)
        self._divisors = divisors
        self.refresh(numerators, [EVERYTHING])

    def limits(self) -> tuple[float, float] | None:
        """Return the limits of the quotients, exact to the last bit."""
        undivided, exact = self._undivided.extremes, self._divisors
        lows, highs = undivided.lows.min(axis=1), undivided.highs.max(axis=1)  # (rows,)
        known = (lows <= highs) & np.isfinite(exact)
        if not known.any():
            return None
        type_ = undivided.lows.dtype
        low, high = (
            (ends[known] / exact[known]).astype(type_) for ends in (lows, highs)
        )
        return float(low.min()), float(high.max())

    def reading_means(self) -> Iterator[None]:
        yield from self._undivided.reading_means()
        yield from super().reading_means()

    def _pool(self, rows: slice, columns: slice, *, extremes: bool = True) -> None:
        height, width = self.block[0], columns.stop - columns.start
        # Dividing mixed types is three times slower.
        divisors = self._divisors.astype(self.extremes.highs.dtype)  # (rows,)
        for few in strips(rows, AT_ONCE // (height * width)):
            own = slice(few.start * height, few.stop * height)
            divisor = divisors[own, np.newaxis]  # (rows, 1)
            if extremes:
                undivided = self._undivided.extremes.of_part(own, columns)
                self.extremes.write(few, columns, _divided(undivided, divisor, height))
            if self._means is not None:
                means = self._undivided.means().of_part(own, columns)
                sums = means.sums / divisor  # (rows, columns)
                sums[means.shares == 0] = 0  # also where the divisor is NaN
                divided = Means(sums, means.shares).pooled((height, 1))
                self._means.write(few, columns, divided)


def _divided(undivided: Extremes, divisor: Array, height: int) -> Extremes:
    """Divide the extremes of single rows, and pool them into blocks."""
    highs = undivided.highs / divisor  # (rows, columns)
    flags = undivided.flags
    unknown = np.isnan(divisor[:, 0])  # (rows,)
    if (
        not unknown.any() and flags.min() == flags.max() == SEEN
    ):  # the usual case, and fast
        highs = pool(highs, (height, 1), np.maximum)
        zero = np.zeros((), highs.dtype)
        lows = np.broadcast_to(zero, highs.shape)
        return Extremes(lows, highs, np.broadcast_to(np.uint8(SEEN), highs.shape))
    if unknown.any():
        highs[unknown] = -np.inf
        flags = flags.copy()
        flags[unknown] |= np.where(flags[unknown] & SEEN, NAN, 0).astype(np.uint8)
    highs = pool(highs, (height, 1), np.maximum)
    # The lows only need to be at least 0: see `limits`.
    lows = np.where(highs < 0, np.inf, np.zeros((), highs.dtype))
    return Extremes(lows, highs, pool(flags, (height, 1), np.bitwise_or))
