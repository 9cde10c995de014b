"""How far a diagnosis is, told to who waits for it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Progress: TypeAlias = Callable[[float], None]
"""Called with the completed fraction; may raise to abort the diagnosis."""

USUAL = 400
"""The hypotheses of a usual diagnosis. How many there are is not known before, so the
fraction only nears 1."""


class Checked:
    """Passes hypotheses on and tells of each.

    Parameters
    ----------
    progress : callable or None
        What is told.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = 0

    def __call__(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items, telling how many there were."""
        for item in items:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done / (self._done + USUAL))
            yield item
