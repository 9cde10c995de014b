"""Progress reports of a search."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Called with the completed fraction of a search; may raise to abort it."""

USUAL = 300
"""The computations of a typical search. Their number is not known in advance, so the
fraction only approaches 1."""


class Followed:
    """Counts the computations of a search and reports the completed fraction.

    Parameters
    ----------
    progress : callable or None
        Called with the completed fraction.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = 0

    @property
    def done(self) -> int:
        """How many computations have begun."""
        return self._done

    def tick(self) -> None:
        """Report that another computation begins."""
        if self._progress is not None:
            self._progress(self._done / (self._done + USUAL))
        self._done += 1
