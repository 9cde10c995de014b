"""The choice of the cells that a sparse kernel keeps."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from attnviewer.compute.patterns import (
    Kept,
    Marginals,
    SetSizes,
    Streaming,
    TopK,
    VerticalSlash,
)

Way = Literal["streaming", "vertical-slash", "top-k"]
Count = Literal["sinks", "window", "keys", "offsets", "k"]

COUNTS: dict[Way, tuple[Count, ...]] = {
    "streaming": ("sinks", "window"),
    "vertical-slash": ("keys", "offsets"),
    "top-k": ("k",),
}
"""The numbers that each way depends on."""
FEWEST: dict[Count, int] = {"sinks": 0, "window": 0, "keys": 0, "offsets": 0, "k": 1}


@dataclass(frozen=True)
class KeptChoice:
    """A kept set, by its way and numbers.

    Parameters
    ----------
    way : {"streaming", "vertical-slash", "top-k"}
        The kind of set.
    sinks, window : int
        As in `Streaming`.
    keys, offsets : int
        How many vertical keys and slashes: those that receive the most attention.
    k : int
        As in `TopK`.
    """

    way: Way = "streaming"
    sinks: int = 4
    window: int = 64
    keys: int = 16
    offsets: int = 16
    k: int = 64

    @staticmethod
    def first(n_q: int, n_k: int, way: Way) -> "KeptChoice":
        """Return what is shown first of a matrix: the sets' sizes in the patterns."""
        sizes = SetSizes().within(n_q, n_k)
        return KeptChoice(
            way, sizes.sinks, sizes.window, sizes.keys, sizes.offsets, sizes.window
        )

    def within(self, n_k: int) -> "KeptChoice":
        """Return the same for a matrix of so many keys."""
        counts: dict[str, Any] = {n: min(self.count(n), n_k) for n in FEWEST}
        return replace(self, **counts)

    def count(self, name: Count) -> int:
        """Return one of its numbers."""
        number: int = getattr(self, name)
        return number

    def kept(self, marginals: Marginals | None) -> Kept | None:
        """Return the cells; None if the marginals that say which are not known."""
        if self.way == "streaming":
            return Streaming(self.sinks, self.window)
        if self.way == "top-k":
            return TopK(self.k)
        if marginals is None:
            return None
        keys, offsets = (
            marginals.top_keys(self.keys),
            marginals.top_offsets(self.offsets),
        )
        return VerticalSlash(keys, offsets)
