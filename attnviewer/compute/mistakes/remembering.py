"""Computations that are not repeated while their result is in use."""

from collections.abc import Callable
from weakref import ref

from attnviewer.compute.arrays import Array

MANY = 16
"""Results from which on those that are gone are looked for, at first."""


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
        self._known: dict[tuple[int, ...], _Known] = {}
        self._many = MANY

    def __call__(self, *arrays: Array) -> Array:
        """Return the function of some arrays."""
        key = tuple(map(id, arrays))
        known = self._known.get(key)
        result = None if known is None else known.result_for(arrays)
        if result is None:
            result = self._compute(*arrays)
            if len(self._known) >= self._many:
                for other, old in list(self._known.items()):
                    if not old.alive:
                        self._known.pop(other, None)
                # To look again while most are in use would find little each time.
                self._many = max(MANY, 2 * len(self._known))
            self._known[key] = _Known(arrays, result)
        return result


class _Known:
    """The result of some arrays, without keeping any of them alive."""

    def __init__(self, arrays: tuple[Array, ...], result: Array) -> None:
        self._arrays = tuple(map(ref, arrays))
        self._result = ref(result)

    @property
    def alive(self) -> bool:
        """Whether all of them still are."""
        return all(one() is not None for one in (*self._arrays, self._result))

    def result_for(self, arrays: tuple[Array, ...]) -> Array | None:
        """Return the result if it is that of these arrays.

        Their ids do not tell, for they are given to others once an array is gone.
        """
        pairs = zip(self._arrays, arrays, strict=True)
        return self._result() if all(one() is array for one, array in pairs) else None
