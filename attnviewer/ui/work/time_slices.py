"""Long work in the GUI thread, one time slice per event-loop iteration."""

from collections.abc import Callable
from time import perf_counter

SLICE_SECONDS = 0.008
"""Seconds that such work may take per event-loop iteration."""


def run_for(seconds: float, advance: Callable[[], bool]) -> bool:
    """Repeat a piece of work until the time is up; return whether any is left.

    Parameters
    ----------
    seconds : float
        The time; the last piece may overrun it.
    advance : callable
        Does one piece, and returns whether any is left.
    """
    deadline = perf_counter() + seconds
    while advance():
        if perf_counter() >= deadline:
            return True
    return False
