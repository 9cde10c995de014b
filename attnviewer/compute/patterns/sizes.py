"""The sizes of the sets that attention is counted in."""

from dataclasses import dataclass, fields, replace

from attnviewer.compute.arguments import whole_number

MOST_SINKS = 64
"""The first keys of which each is profiled by distance."""
MOST_BLOCK = 256
"""The largest side of a block, a part of the tiles that are read."""
_PARTS = 16
"""Each set is at most this part of the sequence."""


@dataclass(frozen=True)
class SetSizes:
    """The largest sizes of the sets that the attention of a head is divided among.

    In short sequences, a set takes up at most one sixteenth of them.

    Parameters
    ----------
    sinks : int
        The first keys that count as sinks, up to 64.
    window : int
        How far the local band reaches: keys less than so far away from the query.
    keys : int
        The vertical keys, those that receive the most attention.
    offsets : int
        The slashes, offsets from query to key that receive the most attention.
    block : int
        The side of a block: a power of two, up to 256.
    blocks : int
        The blocks of each row of blocks that receive the most attention.
    lines : int
        The most vertical keys, and the most slashes, of a vertical-slash budget.

    Raises
    ------
    TypeError, ValueError
        If a size is not a whole number in its range.

    References
    ----------
    Four sinks: Xiao et al. 2023, "Efficient Streaming Language Models with Attention
    Sinks", section 3.3. Blocks of 64: Jiang et al. 2024, "MInference 1.0: Accelerating
    Pre-filling for Long-Context LLMs via Dynamic Sparse Attention".
    """

    sinks: int = 4
    window: int = 64
    keys: int = 16
    offsets: int = 16
    block: int = 64
    blocks: int = 4
    lines: int = 1024

    def __post_init__(self) -> None:
        for field in fields(self):
            value = whole_number(field.name, getattr(self, field.name), 1)
            object.__setattr__(self, field.name, value)
        for name, most in (("sinks", MOST_SINKS), ("block", MOST_BLOCK)):
            if getattr(self, name) > most:
                raise ValueError(
                    f"The '{name}' parameter must be at most {most}. "
                    f"Got {getattr(self, name)} instead."
                )
        if self.block & (self.block - 1):
            raise ValueError(
                "The 'block' parameter must be a power of two. "
                f"Got {self.block} instead."
            )

    def within(self, n_q: int, n_k: int) -> "SetSizes":
        """Return the sizes for a matrix of n_q queries and n_k keys."""
        most = max(1, n_k // _PARTS)
        narrow = max(1, min(n_q, n_k) // _PARTS)
        side = 1 << (narrow.bit_length() - 1)  # the power of two below
        block = min(self.block, side)
        return replace(
            self,
            sinks=min(self.sinks, most),
            window=min(self.window, most),
            keys=min(self.keys, most),
            offsets=min(self.offsets, most),
            block=block,
            blocks=min(self.blocks, max(1, n_k // (block * _PARTS))),
            lines=min(self.lines, n_k),
        )
