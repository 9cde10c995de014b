"""Masks of queries and keys: True means "attend", as in ONNX and PyTorch's SDPA."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import BoolArray, IndexArray


class Mask(ABC):
    """A rule on positions: of a query (its offset included) and of a key, from zero."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """The rule in a few words, for display."""

    @property
    @abstractmethod
    def reason(self) -> str:
        """The reason why a key is hidden."""

    @abstractmethod
    def allows(self, queries: IndexArray, keys: IndexArray) -> BoolArray:
        """Return whether queries may attend to keys, whose positions broadcast."""

    @abstractmethod
    def ranges(
        self, queries: IndexArray
    ) -> tuple[IndexArray | None, IndexArray | None]:
        """Return which keys each of some queries may see.

        Returns
        -------
        starts, stops : ndarray of intp, shape (queries,), or None
            The keys from a start up to, not including, a stop; None for open ends.
            Never negative, and never less than those of an earlier query.
        """

    def reach(self, first: int, last: int) -> tuple[int | None, int | None]:
        """Return which keys any query from `first` to `last`, inclusive, may see.

        Returns
        -------
        start, stop : int or None
            The keys from `start` up to, not including, `stop`; None for an open
            end. Never negative, so that the two make a slice.
        """
        starts, stops = self.ranges(np.array([first, last]))
        return (
            None if starts is None else int(starts[0]),
            None if stops is None else int(stops[1]),
        )

    def certain(self, first: int, last: int) -> tuple[int | None, int | None]:
        """Return which keys all queries from `first` to `last` may see, as `reach`."""
        return self.reach(last, first)


@dataclass(frozen=True, slots=True)
class Causal(Mask):
    """Lets each query see its own key and those before it.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.
    """

    @property
    def title(self) -> str:
        return "causal"

    @property
    def reason(self) -> str:
        return "the key comes after the query"

    def allows(self, queries: IndexArray, keys: IndexArray) -> BoolArray:
        return keys <= queries

    def ranges(
        self, queries: IndexArray
    ) -> tuple[IndexArray | None, IndexArray | None]:
        return None, np.maximum(queries + 1, 0)


@dataclass(frozen=True, slots=True)
class Window(Mask):
    """Lets query i see the keys from i − left to i + right.

    Parameters
    ----------
    left, right : int or None
        How many keys before and after the query's own position; None
        for all of them.

    Raises
    ------
    TypeError, ValueError
        If a side is not an integer, or is negative.

    References
    ----------
    Beltagy et al. 2020, "Longformer: The Long-Document Transformer", section 3.1.
    """

    left: int | None = None
    right: int | None = None

    def __post_init__(self) -> None:
        for side, keys in (("left", self.left), ("right", self.right)):
            if keys is not None:
                object.__setattr__(self, side, whole_number(side, keys, 0))

    @property
    def title(self) -> str:
        left, right = ("all" if n is None else n for n in (self.left, self.right))
        return f"window {left} left, {right} right"

    @property
    def reason(self) -> str:
        return "the key is outside the window"

    def allows(self, queries: IndexArray, keys: IndexArray) -> BoolArray:
        shape = np.broadcast_shapes(queries.shape, keys.shape)
        allowed = np.ones(shape, dtype=np.bool_)
        # Subtracted, because adding the largest integer to a position would overflow.
        if self.left is not None:
            allowed &= keys >= queries - self.left
        if self.right is not None:
            allowed &= keys - self.right <= queries
        return allowed

    def ranges(
        self, queries: IndexArray
    ) -> tuple[IndexArray | None, IndexArray | None]:
        left, right = self.left, self.right
        return (
            None if left is None else np.maximum(queries - left, 0),
            None if right is None else np.maximum(queries + right + 1, 0),
        )


@dataclass(frozen=True, slots=True)
class Chunk(Mask):
    """Lets query i see the keys j of its own chunk, ⌊j / size⌋ = ⌊i / size⌋.

    Parameters
    ----------
    size : int
        How many positions a chunk has.

    References
    ----------
    Meta 2025, "The Llama 4 herd", whose layers with rotary positions are chunked
    (``attention_chunk_size`` in transformers).
    """

    size: int

    @property
    def title(self) -> str:
        return f"chunks of {self.size}"

    @property
    def reason(self) -> str:
        return "the key is in another chunk"

    def allows(self, queries: IndexArray, keys: IndexArray) -> BoolArray:
        allowed: BoolArray = keys // self.size == queries // self.size
        return allowed

    def ranges(
        self, queries: IndexArray
    ) -> tuple[IndexArray | None, IndexArray | None]:
        starts = queries // self.size * self.size  # (queries,)
        return np.maximum(starts, 0), np.maximum(starts + self.size, 0)


def causal_mask(n_q: int, n_k: int, *, query_offset: int = 0) -> BoolArray:
    """Return which keys each query sees under a causal mask.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys, at least 1.
    query_offset : int
        Position of the first query among the keys. 0 aligns at the top left, as
        PyTorch's ``is_causal`` does; ``n_k - n_q`` at the bottom right, as with a
        KV cache.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True where query i may attend to key j: j ≤ i + query_offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, or a number is less than 1.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.
    """
    return _table(Causal(), n_q, n_k, query_offset)


def window_mask(
    n_q: int,
    n_k: int,
    *,
    left: int | None = None,
    right: int | None = None,
    query_offset: int = 0,
) -> BoolArray:
    """Return which keys lie in the sliding window of each query.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys, at least 1.
    left, right : int or None
        How many keys before and after the query's own position; None
        for all of them. ONNX counts in the same way (``left_window_size``,
        ``right_window_size``), and so does transformers' bidirectional window W:
        ``left=W, right=W``. Its causal window W also counts the query's own position:
        ``left=W - 1, right=0``, which is causal by itself.
    query_offset : int
        Position of the first query among the keys, see `causal_mask`.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True where query i, at p = i + query_offset, may attend to key j:
        p − left ≤ j ≤ p + right.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer, a number is less than 1 or a side negative.

    References
    ----------
    Beltagy et al. 2020, "Longformer: The Long-Document Transformer", section 3.1;
    ONNX, operator Attention, version 25.
    """
    return _table(Window(left, right), n_q, n_k, query_offset)


def _table(mask: Mask, n_q: int, n_k: int, query_offset: int) -> BoolArray:
    n_q, n_k = whole_number("n_q", n_q, 1), whole_number("n_k", n_k, 1)
    first = whole_number("query_offset", query_offset)
    queries, keys = np.ogrid[first : first + n_q, :n_k]  # (n_q, 1), (1, n_k)
    return mask.allows(queries, keys)  # (n_q, n_k)
