"""Computations that are not repeated while their result is in use."""

from collections.abc import Callable
from weakref import ref

from attnviewer.compute.arrays import Array

Known = tuple[tuple["ref[Array]", ...], "ref[Array]"]
"""The arrays that something was computed from, and the result."""


class Remembering:
    """A function of arrays that returns the same result for the same arrays.

    Most mistakes change what a step reads or what comes of it, so the step itself is
    computed from the same arrays many times. Nothing is kept alive for that: a result
    is forgotten once nobody else has it, or one of the arrays.

    Parameters
    ----------
    compute : callable
        The function. Neither its arrays nor its result may be changed later.
    """

    def __init__(self, compute: Callable[..., Array]) -> None:
        self._compute = compute
        self._known: dict[tuple[int, ...], Known] = {}

    def __call__(self, *arrays: Array) -> Array:
        """Return the function of some arrays."""
        key = tuple(map(id, arrays))
        read, result = self._known.get(key, ((), None))
        found = result and result()
        # An id is given to another array once the first is gone.
        if found is not None and all(
            one() is array for one, array in zip(read, arrays, strict=True)
        ):
            return found
        found = self._compute(*arrays)
        for other, (read, result) in list(self._known.items()):
            if result() is None or any(one() is None for one in read):
                self._known.pop(other, None)
        self._known[key] = tuple(map(ref, arrays)), ref(found)
        return found
