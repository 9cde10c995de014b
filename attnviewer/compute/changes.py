"""The parts of a step that changed since it was last updated."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import IndexArray, Shape


@dataclass(frozen=True, slots=True, eq=False)
class Dirty:
    """A block of a step that covers every cell that may have changed.

    Parameters
    ----------
    rows, columns : ndarray of intp, or None
        Sorted, without duplicates; None for all.
    heads : ndarray of intp, or None
        The heads, sorted; None for all.
    """

    rows: IndexArray | None = None
    columns: IndexArray | None = None
    heads: IndexArray | None = None

    def __or__(self, other: "Dirty") -> "Dirty":
        """Return a block that covers both."""
        return Dirty(
            joined(self.rows, other.rows),
            joined(self.columns, other.columns),
            joined(self.heads, other.heads),
        )

    def broadcast(self, shape: Shape) -> "Dirty":
        """Return the block where an axis of length 1 is broadcast, as that of a bias.

        Parameters
        ----------
        shape : tuple of int
            The shape of the step.
        """
        n_rows, n_columns = (1, 1, *shape)[-2:]
        return Dirty(
            self.rows if n_rows > 1 else None,
            self.columns if n_columns > 1 else None,
            self.heads,
        )


EVERYTHING = Dirty()


def union(blocks: Sequence[Dirty | None]) -> Dirty | None:
    """Return a block that covers all; None stands for no change."""
    covered = None
    for block in blocks:
        if block is not None:
            covered = block if covered is None else covered | block
    return covered


def joined(some: IndexArray | None, others: IndexArray | None) -> IndexArray | None:
    """Return the union of both, sorted; None stands for all."""
    if some is None or others is None:
        return None
    return np.union1d(some, others)
