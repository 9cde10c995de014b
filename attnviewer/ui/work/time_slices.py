"""Long work in the window's own thread, a little at each turn of the event loop."""

from collections.abc import Callable
from time import perf_counter

TURN = 0.008
"""Seconds of a turn of the event loop that such work may take."""


def work_for(seconds: float, go_on: Callable[[], bool]) -> bool:
    """Go on with some work until the time is over; return whether any is left.

    Parameters
    ----------
    seconds : float
        The time; the bit that is begun last may go on beyond it.
    go_on : callable
        Does a bit of it, and returns whether any is left.
    """
    until = perf_counter() + seconds
    while go_on():
        if perf_counter() >= until:
            return True
    return False
