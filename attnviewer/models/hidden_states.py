"""The hidden states of a run, computed on access."""

from collections.abc import Callable, Sequence
from typing import overload

from attnviewer.compute import Array


class HiddenStates(Sequence[Array]):
    """A sequence of arrays, computed up to the one that is accessed.

    Parameters
    ----------
    count : int
        How many there are.
    compute : callable
        Returns one by index.
    """

    def __init__(self, count: int, compute: Callable[[int], Array]) -> None:
        self._count = count
        self._compute = compute

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Array: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Array, ...]: ...

    def __getitem__(self, index: int | slice) -> Array | tuple[Array, ...]:
        # A range handles negative indices, slices and indices out of range.
        try:
            chosen = range(self._count)[index]
        except IndexError:
            raise IndexError(
                f"The hidden states are numbered from 0 to {self._count - 1}. "
                f"Got {index} instead."
            ) from None
        if isinstance(chosen, range):
            return tuple(map(self._compute, chosen))
        return self._compute(chosen)

    def __repr__(self) -> str:
        return f"<{self._count} hidden states, computed when they are looked at>"
