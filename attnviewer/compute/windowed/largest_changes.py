"""The largest changes between two computations of a step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.statistics import finite_limits
from attnviewer.compute.windowed.base import Windowed
from attnviewer.compute.windowed.strips import AT_ONCE, strips
from attnviewer.compute.windowed.subtraction import difference

MOST_REMEMBERED = 20
"""The default number of cells that are kept."""


class CellChange(NamedTuple):
    """The change of one cell.

    Parameters
    ----------
    head : int
        Which of the matrices that were compared.
    row, column : int
        The cell.
    before, after : float
        Its number in A and in B.
    """

    head: int
    row: int
    column: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """B − A; 0 between equal infinities, or NaN and NaN."""
        after, before = np.array([self.after]), np.array([self.before])
        return float(difference(after, before)[0])


class LargestChanges:
    """Compares the heads of a step, and keeps the cells that changed most.

    Numbers that became infinite or NaN rank highest. Of equally large changes the
    first ones are kept.

    Parameters
    ----------
    pairs : sequence of (Windowed, Windowed)
        B and A of each head, of the same shape.
    most : int
        How many cells are kept.
    rounding : float
        Numbers that differ by no more than that share of the largest one count as
        equal, as they may have been computed in another order.

    Attributes
    ----------
    cells, changed : int
        The number of cells, and of those that changed so far.
    reach : float
        The largest finite change so far, without its sign.
    limits : tuple of two float or None
        The smallest and the largest finite number of A and B so far.
    rounded : bool
        Whether cells were found that differ, but by no more than rounding.
    finished : bool
        Whether all cells were compared.
    """

    def __init__(
        self,
        pairs: Sequence[tuple[Windowed, Windowed]],
        most: int = MOST_REMEMBERED,
        *,
        rounding: float = 0.0,
    ) -> None:
        self._pairs = pairs
        self._most = most
        self._rounding = rounding
        self._largest: list[CellChange] = []
        self._sizes: list[float] = []
        self.cells = sum(after.shape[0] * after.shape[1] for after, _ in pairs)
        self.changed = 0
        self.reach = 0.0
        self.limits: tuple[float, float] | None = None
        self.rounded = False
        self.finished = False

    @property
    def largest(self) -> list[CellChange]:
        """The cells that changed most so far, largest change first."""
        return list(self._largest)

    @property
    def largest_number(self) -> float:
        """The largest finite number of A and B so far, without its sign."""
        return max(map(abs, self.limits or (0.0,)))

    @property
    def tolerance(self) -> float:
        """The largest difference that counts as rounding, from the numbers so far."""
        return self._rounding * self.largest_number

    def compare(self) -> Iterator[None]:
        """Compare all cells, some rows per iteration."""
        for head, (after, before) in enumerate(self._pairs):
            n_rows, n_columns = after.shape
            for rows in strips(slice(0, n_rows), AT_ONCE // max(1, n_columns)):
                self._compare(head, rows.start, after.window(rows), before.window(rows))
                yield
        self.finished = True

    def _compare(self, head: int, first: int, after: Array, before: Array) -> None:
        for values in (after, before):
            limits = finite_limits(values)
            if limits is not None:
                low, high = self.limits or limits
                self.limits = min(low, limits[0]), max(high, limits[1])
        change = difference(after, before, self.tolerance)  # (rows, columns)
        changed = np.flatnonzero(change)  # (changed,)
        if self._rounding and not self.rounded:
            every = int(np.count_nonzero(difference(after, before)))
            self.rounded = every > len(changed)
        if not len(changed):
            return
        self.changed += len(changed)
        sizes = np.abs(change.ravel()[changed])  # (changed,)
        sizes[np.isnan(sizes)] = np.inf
        self.reach = float(sizes.max(initial=self.reach, where=np.isfinite(sizes)))
        if len(self._largest) == self._most:
            # A later change that equals the smallest kept one does not replace it.
            larger = sizes > self._sizes[-1]
            changed, sizes = changed[larger], sizes[larger]
        if len(changed) > self._most:
            # All candidates, as equally large changes are kept in order.
            enough = np.partition(sizes, -self._most)[-self._most]
            changed, sizes = changed[sizes >= enough], sizes[sizes >= enough]
        order = np.argsort(-sizes, kind="stable")[: self._most]  # (≤ most,)
        rows, columns = np.divmod(changed[order], change.shape[1])
        found = [
            CellChange(head, first + row, column, *map(float, numbers))
            for row, column, *numbers in zip(
                rows.tolist(),
                columns.tolist(),
                before[rows, columns],
                after[rows, columns],
                strict=True,
            )
        ]
        both = self._largest + found
        both_sizes = self._sizes + sizes[order].tolist()
        ranks = sorted(range(len(both)), key=both_sizes.__getitem__, reverse=True)
        self._largest = [both[k] for k in ranks[: self._most]]
        self._sizes = [both_sizes[k] for k in ranks[: self._most]]
