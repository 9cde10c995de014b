"""Keys that follow an earlier occurrence of the query's token."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import BoolArray, IndexArray
from attnviewer.compute.patterns.ranges import in_ranges


@dataclass(frozen=True, eq=False)
class Repeats:
    """The keys that induction would look at: after each earlier occurrence of a token.

    Parameters
    ----------
    numbers : ndarray of intp, shape (n_k,)
        A number for each token, the same for the same token.
    query_offset : int
        Position of the first query among the tokens.

    References
    ----------
    Olsson et al. 2022, "In-context Learning and Induction Heads".
    """

    numbers: IndexArray
    query_offset: int

    @staticmethod
    def of(tokens: Sequence[Hashable], n_k: int, query_offset: int) -> "Repeats":
        """Return where tokens are repeated.

        Raises
        ------
        ValueError
            If there is not one token per key.
        """
        if len(tokens) != n_k:
            raise ValueError(
                f"The 'tokens' parameter must have {n_k} tokens, one per key. "
                f"Got {len(tokens)} instead."
            )
        known: dict[Hashable, int] = {}
        numbers = [known.setdefault(token, len(known)) for token in tokens]
        return Repeats(np.array(numbers, np.intp), query_offset)

    def holds(self, queries: IndexArray, keys: IndexArray) -> BoolArray:
        """Return which of some cells are in question, shape (cells,)."""
        n_k = len(self.numbers)
        positions = queries + self.query_offset
        inside = (positions >= 0) & (positions < n_k)
        earlier = (keys >= 1) & (keys - 1 < positions)
        same = self.numbers[keys - 1] == self.numbers[positions.clip(0, n_k - 1)]
        held: BoolArray = inside & earlier & same
        return held

    def cells(self, rows: slice, keys: slice) -> tuple[IndexArray, IndexArray]:
        """Return rows and columns, within a tile, of the cells in question."""
        n_k, first = len(self.numbers), max(keys.start, 1)
        positions = np.arange(rows.start, rows.stop) + self.query_offset  # (rows,)
        if first > positions[-1]:
            return np.empty(0, np.intp), np.empty(0, np.intp)
        inside = (positions >= 0) & (positions < n_k)
        own = np.where(inside, self.numbers[positions.clip(0, n_k - 1)], -1)
        previous = self.numbers[first - 1 : keys.stop - 1]  # (keys,)
        # Of sorted tokens, the same ones follow one another.
        order = np.argsort(previous, kind="stable")
        ordered = previous[order]
        starts = np.searchsorted(ordered, own)  # (rows,)
        counts = np.searchsorted(ordered, own, side="right") - starts
        down = np.repeat(np.arange(len(own)), counts)  # (cells,)
        across = order[in_ranges(starts, counts)] + first - keys.start
        if keys.stop - 1 <= positions[0]:
            return down, across
        earlier = keys.start + across <= positions[down]
        return down[earlier], across[earlier]
