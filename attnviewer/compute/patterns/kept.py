"""The cells that a sparse kernel computes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array, BoolArray, IndexArray
from attnviewer.compute.patterns.band import band


class Kept(ABC):
    """Says which cells of the weights are computed."""

    whole_rows: ClassVar[bool] = False
    """Whether tiles must hold all keys."""

    @abstractmethod
    def __str__(self) -> str:
        """Return what is kept, in a few words."""

    @abstractmethod
    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        """Return which cells of a tile are kept; None where none is.

        Parameters
        ----------
        rows, keys : slice
            The tile.
        query_offset : int
            Position of the first query among the keys.
        tile : ndarray, shape (rows, keys)
            The sizes of the weights.
        """

    def cached_keys(self, n_keys: int, first: int = 0) -> int:
        """Return how many of the keys the next query may need.

        Parameters
        ----------
        n_keys : int
            How many there are.
        first : int
            The first that is in the sliding window of the next query's layer.
        """
        return n_keys - first

    def misfit(self, n_q: int, n_k: int) -> str:
        """Return why it does not fit a matrix, in a sentence; "" if it does."""
        return ""


@dataclass(frozen=True)
class Full(Kept):
    """Keeps all cells."""

    def __str__(self) -> str:
        return "all cells"

    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        return np.ones(tile.shape, bool)


@dataclass(frozen=True)
class Streaming(Kept):
    """Keeps the first keys and a band around each query.

    Parameters
    ----------
    sinks : int
        How many first keys.
    window : int
        Keys less than so far away; the query's own key is 0 away.

    References
    ----------
    Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks".
    """

    sinks: int
    window: int

    def __post_init__(self) -> None:
        whole_number("sinks", self.sinks, 0)
        whole_number("window", self.window, 0)

    def __str__(self) -> str:
        return f"{counted(self.sinks, 'sink')}, window {self.window}"

    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        near = band(rows, keys, query_offset, self.window)
        if keys.start >= self.sinks:
            return near
        kept = np.zeros(tile.shape, bool) if near is None else near
        kept[:, : self.sinks - keys.start] = True
        return kept

    def cached_keys(self, n_keys: int, first: int = 0) -> int:
        sinks = max(0, self.sinks - first)
        return min(n_keys - first, sinks + self.window)


@dataclass(frozen=True, eq=False)
class VerticalSlash(Kept):
    """Keeps some keys of all queries, and some offsets from query to key.

    Parameters
    ----------
    keys : array_like of int
        The keys.
    offsets : array_like of int
        The offsets: 0 is the query's own key, 1 the one before.

    References
    ----------
    Jiang et al. 2024, "MInference 1.0: Accelerating Pre-filling for Long-Context LLMs
    via Dynamic Sparse Attention", section 3.
    """

    keys: IndexArray
    offsets: IndexArray

    def __post_init__(self) -> None:
        for name in ("keys", "offsets"):
            given = np.atleast_1d(np.asarray(getattr(self, name)))
            if given.size and given.dtype.kind not in "iu":
                raise TypeError(
                    f"The '{name}' parameter must hold integers. "
                    f"Got {given.dtype} instead."
                )
            if given.ndim > 1:
                raise ValueError(
                    f"The '{name}' parameter must have 1 dimension. "
                    f"Got shape {given.shape} instead."
                )
            object.__setattr__(self, name, np.unique(given.astype(np.intp)))

    def __str__(self) -> str:
        return (
            f"{counted(self.keys.size, 'key')}, {counted(self.offsets.size, 'offset')}"
        )

    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        columns = self.keys[(self.keys >= keys.start) & (self.keys < keys.stop)]
        lowest = rows.start + query_offset - keys.stop + 1
        highest = rows.stop + query_offset - 1 - keys.start
        slashes = self.offsets[(self.offsets >= lowest) & (self.offsets <= highest)]
        if not columns.size and not slashes.size:
            return None
        # Seen with one more cell per row, a diagonal is a column.
        n_rows, n_keys = tile.shape
        room = np.zeros((n_rows + 1) * (n_rows + n_keys), bool)
        kept: BoolArray = room[: n_rows * (n_rows + n_keys)].reshape(n_rows, -1)
        width = n_rows + n_keys + 1
        skewed = room[: n_rows * width].reshape(n_rows, width)
        skewed[:, n_rows + rows.start + query_offset - keys.start - slashes] = True
        kept = kept[:, n_rows:]
        kept[:, columns - keys.start] = True
        return kept


@dataclass(frozen=True, eq=False)
class BlockSparse(Kept):
    """Keeps some blocks of queries and keys.

    Parameters
    ----------
    block : int
        The side of a block.
    blocks : ndarray of bool, shape (rows of blocks, columns of blocks)
        The blocks.
    """

    block: int
    blocks: BoolArray

    def __post_init__(self) -> None:
        whole_number("block", self.block, 1)
        blocks = np.asarray(self.blocks)
        if blocks.dtype != np.bool_ or blocks.ndim != 2:
            raise ValueError(
                "The 'blocks' parameter must be a matrix of bools. "
                f"Got {blocks.dtype} of shape {blocks.shape} instead."
            )
        object.__setattr__(self, "blocks", blocks)

    def misfit(self, n_q: int, n_k: int) -> str:
        shape = -(-n_q // self.block), -(-n_k // self.block)
        if self.blocks.shape == shape:
            return ""
        return (
            f"The 'blocks' parameter must have shape {shape}. "
            f"Got {self.blocks.shape} instead."
        )

    def __str__(self) -> str:
        count = counted(int(self.blocks.sum()), "block")
        return f"{count} of {self.block} by {self.block}"

    def mask(
        self, rows: slice, keys: slice, query_offset: int, tile: Array
    ) -> BoolArray | None:
        down = np.arange(rows.start, rows.stop) // self.block  # (rows,)
        across = np.arange(keys.start, keys.stop) // self.block  # (keys,)
        few = self.blocks[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
        if not few.any():
            return None
        kept: BoolArray = few[np.ix_(down - down[0], across - across[0])]
        return kept


def counted(n: int, noun: str) -> str:
    """Return how many there are of something, such as ``1 key`` or ``4 keys``."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
