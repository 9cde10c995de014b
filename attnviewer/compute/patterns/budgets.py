"""The smallest kernel of each pattern that keeps most of the attention."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.patterns.counting import SINKS
from attnviewer.compute.patterns.kept import (
    BlockSparse,
    Full,
    Kept,
    Streaming,
    VerticalSlash,
)
from attnviewer.compute.patterns.lines import Crossings
from attnviewer.compute.patterns.marginals import Marginals


@dataclass(frozen=True, eq=False)
class Budget:
    """The cells that a pattern must compute to keep a share of the attention.

    Attributes
    ----------
    name : {"streaming", "vertical-slash", "block-sparse", "full"}
        The pattern.
    kept : Kept
        The cells.
    share : float
        The share of all attention that these keep.
    cells : int
        How many of them no mask hides.
    cell_share : float
        Their share of all cells that no mask hides.
    """

    name: str
    kept: Kept
    share: float
    cells: int
    cell_share: float

    def __str__(self) -> str:
        return (
            f"{self.name} keeps {100 * self.share:.1f} % with "
            f"{100 * self.cell_share:.1f} % of the cells"
        )


class Budgets:
    """Finds the budgets of a head.

    Parameters
    ----------
    marginals : Marginals
        What the pass over all weights found.
    crossings : Crossings
        Where vertical keys and slashes meet.
    keep : float
        The share of the attention to be kept.
    """

    def __init__(self, marginals: Marginals, crossings: Crossings, keep: float) -> None:
        self._marginals, self._crossings = marginals, crossings
        self._least = keep * marginals.total

    def all(self) -> dict[str, Budget]:
        """Return the budget of each pattern that can keep so much, by its name."""
        found = (
            self._streaming(),
            self._vertical_slash(),
            self._block_sparse(),
            self._budget("full", Full(), self._marginals.total, self._marginals.cells),
        )
        return {budget.name: budget for budget in found if budget is not None}

    def _budget(self, name: str, kept: Kept, attention: float, cells: float) -> Budget:
        total, all_cells = self._marginals.total, self._marginals.cells
        return Budget(
            name,
            kept,
            attention / total if total else 1.0,
            round(cells),
            cells / all_cells if all_cells else 1.0,
        )

    def _reached(self, attention: Array) -> int | None:
        """Return the first place of growing numbers that is enough; None if none is."""
        # What is left out may be no more than rounding.
        place = int(np.searchsorted(attention, self._least * (1 - 1e-9)))
        return place if place < len(attention) else None

    def _streaming(self) -> Budget | None:
        found: list[Budget] = []
        for sinks in (0, *(s for s in SINKS if s <= len(self._marginals.received))):
            attention, cells = self._marginals.of_streaming(sinks)
            window = self._reached(attention)
            if window is not None:
                kept = Streaming(sinks, window)
                numbers = float(attention[window]), float(cells[window])
                found.append(self._budget("streaming", kept, *numbers))
        return min(found, key=lambda budget: budget.cells, default=None)

    def _vertical_slash(self) -> Budget | None:
        crossings, marginals = self._crossings, self._marginals
        keys, offsets = crossings.keys, crossings.offsets
        places = offsets - marginals.offsets[0]
        sums = []
        both = (
            (marginals.weights, crossings.attention),
            (marginals.visible, crossings.visible),
        )
        counts = [_counts(len(keys)), _counts(len(offsets))]
        for of, crossed in both:
            down = np.concatenate([[0], of.keys[keys].cumsum()])[counts[0]]
            across = np.concatenate([[0], of.offsets[places].cumsum()])[counts[1]]
            twice = np.zeros((len(keys) + 1, len(offsets) + 1))
            twice[1:, 1:] = crossed.cumsum(0, dtype=np.float64).cumsum(1)
            sums.append(down[:, np.newaxis] + across - twice[np.ix_(*counts)])
        attention, cells = sums  # (numbers of keys, numbers of offsets)
        enough = attention >= self._least * (1 - 1e-9)
        if not enough.any():
            return None
        best = int(np.argmin(np.where(enough, cells, np.inf)))
        row, column = np.unravel_index(best, cells.shape)
        kept = VerticalSlash(keys[: counts[0][row]], offsets[: counts[1][column]])
        numbers = float(attention[row, column]), float(cells[row, column])
        return self._budget("vertical-slash", kept, *numbers)

    def _block_sparse(self) -> Budget | None:
        marginals = self._marginals
        attention, cells = marginals.of_blocks()
        most = self._reached(attention)
        if most is None:
            return None
        kept = BlockSparse(marginals.sizes.block, marginals.top_blocks(most))
        numbers = float(attention[most]), float(cells[most])
        return self._budget("block-sparse", kept, *numbers)


def _counts(most: int) -> Array:
    """Return 0, the powers of two below a number, and the number."""
    powers = 2 ** np.arange(most.bit_length())
    return np.unique([0, *powers[powers <= most], most])
