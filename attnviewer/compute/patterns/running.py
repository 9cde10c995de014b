"""Blocks of queries that are computed several at a time, with results in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np

from attnviewer.compute.progress import Progress
from attnviewer.compute.threads import in_this_thread, in_threads, one_blas_thread

Result = TypeVar("Result")
_AT_ONCE = 4
"""Blocks that are computed before the results of all of them are handed on."""


class Run(Protocol):
    """Computes blocks of queries anywhere, and returns the results in order."""

    def __call__(
        self, function: Callable[[slice], Result], blocks: Sequence[slice], /
    ) -> Iterable[Result]:
        """Yield what a function returns for each block, as `map` does."""


def run_in_threads(
    function: Callable[[slice], Result], blocks: Sequence[slice]
) -> Iterator[Result]:
    """Compute blocks in threads of this process, as a `Run`."""
    for first in range(0, len(blocks), _AT_ONCE):
        few = blocks[first : first + _AT_ONCE]
        found = _all_of(function, few)
        yield from (found[block.start] for block in few)


def _all_of(
    function: Callable[[slice], Result], blocks: Sequence[slice]
) -> dict[int, Result]:
    found: dict[int, Result] = {}

    def compute(block: slice) -> None:
        found[block.start] = function(block)

    with one_blas_thread(), np.errstate(all="ignore"):
        in_threads(compute, blocks)
    return found


def run_in_this_thread(function: Callable[[slice], Result], block: slice) -> Result:
    """Compute one block in the calling thread alone, with the bits of `Run`."""
    with in_this_thread(), np.errstate(all="ignore"):
        return function(block)


def reporting(
    results: Iterable[Result],
    total: int,
    progress: Progress | None,
    first: float = 0.0,
    last: float = 1.0,
) -> Iterator[Result]:
    """Yield results, and report after each which fraction is completed.

    Parameters
    ----------
    results : iterable
        The results.
    total : int
        How many there are.
    progress : callable or None
        Called with the fraction.
    first, last : float
        The fractions that are completed before and after these.
    """
    for done, result in enumerate(results, 1):
        yield result
        if progress is not None:
            progress(first + (last - first) * done / total)
