"""Work on many rows, spread over the processor's cores."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def spread(work: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Do some work on each item, several at a time.

    For element-wise work, which NumPy does on one core. Matrix products have
    threads of their own and only get in each other's way.

    Parameters
    ----------
    work : callable
        The work; NumPy must let other threads run meanwhile.
    items : iterable
        What it is done on.
    """
    several = list(items)
    if len(several) == 1:
        work(several[0])
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(work, several):
            pass
