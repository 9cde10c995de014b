"""The progress of a computation, reported to its caller."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
Progress = Callable[[float], None]
"""Called with the completed fraction of a computation; may raise to abort it."""


class Counted:
    """Counts the parts of a computation and reports each.

    How many there will be is not known before, so the fraction only nears 1.

    Parameters
    ----------
    progress : callable or None
        Called with the fraction.
    usual : int
        How many parts there usually are.
    """

    def __init__(self, progress: Progress | None, usual: int) -> None:
        self._progress = progress
        self._usual = usual
        self._done = 0

    @property
    def done(self) -> int:
        """The number of parts that have begun."""
        return self._done

    def tick(self) -> None:
        """Report that another part begins."""
        if self._progress is not None:
            self._progress(self._done / (self._done + self._usual))
        self._done += 1

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items, each of them a part."""
        for item in items:
            self.tick()
            yield item
