"""The progress of a survey, reported to its caller."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a survey.

    Parameters
    ----------
    done : int
        How many texts are finished.
    total : int or None
        How many there are; None if only reading them would tell.
    seconds_left : float or None
        An estimate by the texts that were computed so far; None without any.
    """

    done: int
    total: int | None
    seconds_left: float | None


class Counting:
    """Counts finished texts.

    Parameters
    ----------
    total : int or None
        The number of texts, if known.
    report : callable or None
        Called with a `Progress` each time.
    """

    def __init__(
        self, total: int | None, report: Callable[[Progress], object] | None
    ) -> None:
        self._total = total
        self._report = report
        self._done = self._computed = 0
        self._began = time.monotonic()

    def tell(self, count: int, *, computed: bool) -> None:
        """Count more texts, which were computed now or by an earlier call."""
        self._done += count
        self._computed += count * computed
        if self._report is None:
            return
        left = None
        if self._total is not None and self._computed:
            each = (time.monotonic() - self._began) / self._computed
            left = (self._total - self._done) * each
        self._report(Progress(self._done, self._total, left))
