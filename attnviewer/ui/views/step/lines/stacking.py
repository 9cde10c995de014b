"""The ends of lines beside the middles of their tokens.

The lines of a token lie one above the other there, in the order of the tokens they lead
to, so that none hides another one's end.
"""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, IndexArray
from attnviewer.ui.views.step.lines.strongest import Links

WIDEST_SHARE = 0.4
"""Of a row, which a weight of 1 takes."""
MOST = 0.8
"""Share of a row that a stack may take; in a higher one lines overlap."""


@dataclass(frozen=True, slots=True, eq=False)
class Stacks:
    """The places of the links of one head, in rows from the middles of their tokens.

    Parameters
    ----------
    n_keys : int
        The number of keys.
    cells : ndarray of int, shape (n,)
        The links as query × `n_keys` + key, in this order.
    at_queries, at_keys : ndarray, shape (n,)
        Their places at both ends.
    """

    n_keys: int
    cells: IndexArray
    at_queries: Array
    at_keys: Array

    def of(self, queries: IndexArray, keys: IndexArray) -> tuple[Array, Array]:
        """Return the places of some links; the middles for those in no stack."""
        if not len(self.cells):
            return np.zeros(len(queries)), np.zeros(len(queries))
        asked = queries * self.n_keys + keys  # (m,)
        found = np.minimum(np.searchsorted(self.cells, asked), len(self.cells) - 1)
        known = self.cells[found] == asked  # (m,)
        return (
            np.where(known, self.at_queries[found], 0.0),
            np.where(known, self.at_keys[found], 0.0),
        )


def stacks_of(links: Links, largest: float, shape: tuple[int, int]) -> Stacks:
    """Stack the links of one head.

    Parameters
    ----------
    links : Links
        All that are drawn.
    largest : float
        The weight that is drawn as wide as any.
    shape : tuple of two int
        The numbers of queries and of keys.
    """
    cells = links.queries * shape[1] + links.keys  # (n,)
    order = np.argsort(cells)
    queries, keys = links.queries[order], links.keys[order]
    widths = WIDEST_SHARE * np.abs(links.weights[order]) / largest  # (n,) of a row
    at_keys = np.empty(len(order))
    by_key = np.argsort(keys, kind="stable")
    at_keys[by_key] = _places(keys[by_key], widths[by_key], shape[1])
    return Stacks(shape[1], cells[order], _places(queries, widths, shape[0]), at_keys)


def _places(tokens: IndexArray, widths: Array, count: int) -> Array:
    """Return the places of links that are sorted by token, shape (n,)."""
    totals = np.bincount(tokens, widths, count)  # (count,)
    before = np.cumsum(totals) - totals  # (count,)
    middles = np.cumsum(widths) - widths / 2 - before[tokens] - totals[tokens] / 2
    fitted: Array = middles * np.minimum(1.0, MOST / np.maximum(totals, MOST))[tokens]
    return fitted
