"""The weights that the lines show, read from a trace window by window."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, BoolArray, Dirty, Folded, Folding, StepHead, Trace
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.views.step.lines.arrangement import Side
from attnviewer.ui.views.step.lines.stacking import Stacks, stacks_of
from attnviewer.ui.views.step.lines.strongest import (
    Links,
    links_from,
    strength,
    strongest_of_rows,
)

WHOLE = 256
"""Up to so many tokens on both sides all weights are looked at."""
PER_QUERY = 8
"""Beyond, so many of each query, for each head."""
STACKED = 96
"""Up to so many tokens lines are stacked at their ends."""
BLOCK = 16
"""Queries that are read together then."""


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """The kept results of some rows: their strongest links, and their defects."""

    links: Links
    blind: BoolArray
    undefined: BoolArray
    largest: float


class Reading:
    """The weights of some heads of one trace.

    Parameters
    ----------
    trace : Trace
        The steps.
    heads : tuple of int
        The heads.
    folding : Folding, optional
        Which neighbouring queries and keys count as one.
    """

    def __init__(
        self, trace: Trace, heads: tuple[int, ...], folding: Folding | None = None
    ) -> None:
        self.trace = trace
        self.heads = heads
        self.folding = folding
        self.shape = self.weights(0).shape
        self._blocks: dict[int, _Block] = {}
        self._every: Links | None = None
        self._reaching: tuple[float, Links] | None = None
        self._stacks: tuple[Links, Stacks] | None = None

    def follow(self, trace: Trace, changed: Sequence[Dirty]) -> bool:
        """Read from a newer trace; return whether what was read is out of date.

        Parameters
        ----------
        trace : Trace
            The steps, of the same shapes.
        changed : sequence of Dirty
            Where the weights of the heads may differ from those before.
        """
        self.trace = trace
        stale = {number for number in self._blocks if _reaches(changed, number)}
        for number in stale:
            del self._blocks[number]
        if stale:
            self._every = self._reaching = None
        return bool(stale)

    def weights(self, head: int) -> StepHead | Folded:
        """Return the weights of a head."""
        weights = StepHead(self.trace, STEP_OF_ALL, head)
        return weights if self.folding is None else Folded(weights, self.folding)

    @property
    def is_whole(self) -> bool:
        """Whether all weights are looked at, not only the strongest of each query."""
        return max(self.shape) <= WHOLE

    @property
    def largest(self) -> float:
        """The size of the largest weight that was read; 1 if that is more."""
        return max((block.largest for block in self._blocks.values()), default=1.0)

    @property
    def count(self) -> int:
        """The number of weights other than zero, if all are looked at."""
        return len(self._every_link())

    def links(self, queries: range, threshold: float) -> Links:
        """Return links that reach a threshold.

        Those of all queries if all weights are looked at, else the strongest of
        each of some queries.

        Parameters
        ----------
        queries : range
            The queries in sight.
        threshold : float
            The least size of a weight.
        """
        if not self.is_whole:
            links = self._links_of_rows(queries)
            # Whole blocks are read, which extend beyond the queries in sight.
            asked = (queries.start <= links.queries) & (links.queries < queries.stop)
            return _reaching(links.take(asked), threshold)
        # The same for each part that comes into sight.
        if self._reaching is None or self._reaching[0] != threshold:
            self._reaching = threshold, _reaching(self._every_link(), threshold)
        return self._reaching[1]

    def stacks(self, threshold: float) -> Stacks | None:
        """Return where links begin and end; None if all do in the middle.

        Those of several heads have places of their own; thousands would only blur.
        """
        if len(self.heads) != 1 or max(self.shape) > STACKED:
            return None
        links = self.links(range(self.shape[0]), threshold)
        if self._stacks is None or self._stacks[0] is not links:
            self._stacks = links, stacks_of(links, self.largest, self.shape)
        return self._stacks[1]

    def of(self, side: Side, token: int) -> Array:
        """Return the weights of one token, shape (heads, tokens of the other side)."""
        here = slice(token, token + 1)
        part = (here, slice(None)) if side == "queries" else (slice(None), here)
        windows = [self.weights(head).window(*part).ravel() for head in self.heads]
        if not windows:
            return np.zeros((0, self.shape[1 if side == "queries" else 0]))
        return np.stack(windows)

    def cells_of(self, side: Side, token: int) -> list[Position]:
        """Return the cells of one token, those with the largest weights first."""
        weights = self.of(side, token)  # (heads, others)
        if not weights.size:
            return []
        size = strength(weights).max(axis=0)  # (others,)
        order = np.argsort(-size, kind="stable").tolist()
        return [(token, k) if side == "queries" else (k, token) for k in order]

    def links_of(self, side: Side, token: int, threshold: float) -> Links:
        """Return all links of one token that reach a threshold."""
        corner = np.array([token, 0] if side == "queries" else [0, token])
        parts = []
        for head, weights in zip(self.heads, self.of(side, token), strict=True):
            window = weights[None] if side == "queries" else weights[:, None]
            parts.append(links_from(window, threshold, head, corner))
        return Links.concatenate(parts)

    def blind(self, query: int) -> bool:
        """Return whether a query has no weight other than zero in any of the heads."""
        return bool(self._block(query // BLOCK).blind[query % BLOCK])

    def undefined(self, query: int) -> bool:
        """Return whether some weight of a query is not a number."""
        return bool(self._block(query // BLOCK).undefined[query % BLOCK])

    def _every_link(self) -> Links:
        if self._every is None:
            self._every = self._links_of_rows(range(self.shape[0]))
        return self._every

    def _links_of_rows(self, rows: range) -> Links:
        numbers = range(rows.start // BLOCK, -(-rows.stop // BLOCK))
        return Links.concatenate([self._block(number).links for number in numbers])

    def _block(self, number: int) -> _Block:
        if number not in self._blocks:
            self._blocks[number] = self._read(number)
        return self._blocks[number]

    def _read(self, number: int) -> _Block:
        rows = slice(number * BLOCK, min((number + 1) * BLOCK, self.shape[0]))
        blind = np.ones(rows.stop - rows.start, dtype=bool)  # (rows,)
        undefined = ~blind
        parts = []
        for head in self.heads:
            weights = self.weights(head).window(rows)  # (rows, n_k)
            blind &= ~weights.any(axis=1)
            undefined |= np.isnan(weights).any(axis=1)
            parts.append(self._links(weights, head, rows.start))
        links = Links.concatenate(parts)
        largest = float(max(1.0, np.abs(links.weights).max(initial=0.0)))
        return _Block(links, blind, undefined, largest)

    def _links(self, weights: Array, head: int, first: int) -> Links:
        if self.is_whole:
            return links_from(weights, 0.0, head, np.array([first, 0]))
        columns = strongest_of_rows(weights, PER_QUERY)  # (rows, ≤ PER_QUERY)
        links = links_from(
            np.take_along_axis(weights, columns, axis=1), 0.0, head, np.array([0, 0])
        )
        keys = columns[links.queries, links.keys]
        return Links(links.heads, links.queries + first, keys, links.weights)


def _reaches(changed: Sequence[Dirty], number: int) -> bool:
    """Return whether a change may be in the rows of a block."""
    return any(
        block.rows is None or bool((block.rows // BLOCK == number).any())
        for block in changed
    )


def _reaching(links: Links, threshold: float) -> Links:
    return links.take(np.abs(links.weights) >= threshold)
