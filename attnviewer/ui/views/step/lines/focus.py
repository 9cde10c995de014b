"""The tokens and lines that stand out."""

from dataclasses import dataclass

from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.views.step.lines.arrangement import Side

MOST_TOKENS = 32
"""Of each side whose lines stand out: each has all its weights read."""

Token = tuple[Side, int]
"""A side, and a place on it."""


@dataclass(frozen=True, slots=True)
class Focus:
    """The tokens and lines that stand out.

    Parameters
    ----------
    queries, keys : tuple of int
        Tokens all of whose lines stand out.
    with_weights : tuple of two tuples of int
        Queries and keys whose weights are written beside the other side.
    cells : tuple of positions
        Single lines.
    """

    queries: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    with_weights: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    cells: tuple[Position, ...] = ()

    def has(self, side: Side, token: int) -> bool:
        """Return whether a token stands out, be it as the end of a line."""
        tokens = self.queries if side == "queries" else self.keys
        end = 0 if side == "queries" else 1
        return token in tokens or any(token == cell[end] for cell in self.cells)


def focus_of(
    shape: tuple[int, int],
    marked: Marked,
    selected: Linked,
    pointed: Token | None,
    hovered: Linked,
) -> Focus:
    """Return what stands out.

    What is marked does, and what is pointed at; when there is neither, the query of
    the selected cell, or its key where it has no query.

    Parameters
    ----------
    shape : tuple of two int
        The numbers of queries and of keys; what lies beyond is left out.
    marked : Marked
        Queries and keys that are marked.
    selected : Linked
        What belongs to the selected cell.
    pointed : tuple or None
        The token under the pointer, or that the keys have come to.
    hovered : Linked
        What belongs to the cell under the pointer, here or in another view.
    """
    queries, keys = set(marked.rows), set(marked.columns)
    cells = _meeting(selected)
    with_weights = marked.rows, marked.columns
    if hovered.rows and hovered.columns:
        cells += _meeting(hovered)
    else:
        queries.update(hovered.rows)
        keys.update(hovered.columns)
        if hovered:
            with_weights = frozenset(hovered.rows), frozenset(hovered.columns)
    if pointed is not None:
        side, token = pointed
        (queries if side == "queries" else keys).add(token)
        alone, none = frozenset([token]), frozenset[int]()
        with_weights = (alone, none) if side == "queries" else (none, alone)
    if selected and not queries and not keys:
        queries = set(selected.rows)
        keys = set() if queries else set(selected.columns)
        with_weights = frozenset(queries), frozenset(keys)
    return Focus(
        _inside(queries, shape[0]),
        _inside(keys, shape[1]),
        (_inside(with_weights[0], shape[0]), _inside(with_weights[1], shape[1])),
        tuple(c for c in cells if c[0] < shape[0] and c[1] < shape[1]),
    )


def _meeting(linked: Linked) -> list[Position]:
    return [(row, key) for row in linked.rows for key in linked.columns]


def _inside(tokens: set[int] | frozenset[int], count: int) -> tuple[int, ...]:
    return tuple(sorted(token for token in tokens if token < count)[:MOST_TOKENS])
