"""Batches that are computed by several processes."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, Protocol

from attnviewer.models.survey.scoring import Scores
from attnviewer.models.survey.texts import Batch

Compute = Callable[[Batch], Scores]
MOST_LOSSES = 3
"""How often workers may be lost in a row without a batch that is finished."""
_AHEAD = 8
"""How many batches for each at a time may be finished before the slowest one."""


_LOST = (
    "The processes of the survey ended again and again without a finished batch: there "
    "may be too little memory for them. A script that starts them must do so below "
    "if __name__ == '__main__'."
)


class WorkersError(RuntimeError):
    """Workers that cannot be reached, or are lost again and again."""


class Workers(Protocol):
    """Something that computes batches elsewhere.

    Attributes
    ----------
    at_once : int
        How many batches to hand over at a time.
    """

    at_once: int

    def submit(self, compute: Compute, batch: Batch) -> Any:
        """Hand over a batch and return its future."""

    def finished(self, futures: Sequence[Any]) -> Sequence[Any]:
        """Wait until there are finished futures, and return these."""

    def renew(self) -> None:
        """Replace workers that were lost."""


class Processes:
    """Processes of this machine, as `Workers`.

    Parameters
    ----------
    count : int
        How many.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self.at_once = 2 * count
        self._pool = self._started()

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, compute: Compute, batch: Batch) -> "Future[Scores]":
        return self._pool.submit(compute, batch)

    def finished(
        self, futures: Sequence["Future[Scores]"]
    ) -> Sequence["Future[Scores]"]:
        return list(wait(futures, return_when=FIRST_COMPLETED).done)

    def renew(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        # Forked, a process would have the locks of threads that it does not have.
        context = get_context("spawn")
        return ProcessPoolExecutor(self._count, context, initializer=_begin)


def _begin() -> None:
    """Leave Ctrl+C to the parent, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def computed(
    workers: Workers, compute: Compute, batches: Iterator[Batch]
) -> Iterator[tuple[Batch, Scores]]:
    """Yield each batch with its scores, as they are finished.

    A batch whose worker is lost is handed over again.

    Parameters
    ----------
    workers : Workers
        What computes them.
    compute : callable
        Returns the scores of a batch; sent to the workers.
    batches : iterator of Batch
        The batches, in order; taken as workers are free.

    Raises
    ------
    WorkersError
        If workers are lost again and again.
    """
    outstanding: dict[Any, Batch] = {}
    again: deque[Batch] = deque()
    losses = last = 0
    while True:
        while again or not _is_full(workers, outstanding, last):
            if not again:
                batch = next(batches, None)
                if batch is None:
                    break
                again.append(batch)
                last = batch.number
            try:
                future = workers.submit(compute, again[0])
            except BrokenProcessPool:
                break
            outstanding[future] = again.popleft()
        if not outstanding and not again:
            return
        some = () if again else workers.finished(list(outstanding))
        for found in _results(outstanding, some, again):
            losses = 0
            yield found
        if again:  # with one process all others are lost
            for found in _results(outstanding, list(outstanding), again):
                losses = 0
                yield found
            losses += 1
            if losses > MOST_LOSSES:
                raise WorkersError(_LOST)
            workers.renew()


def _is_full(workers: Workers, outstanding: dict[Any, Batch], last: int) -> bool:
    if len(outstanding) >= workers.at_once:
        return True
    oldest = min((batch.number for batch in outstanding.values()), default=last)
    return last - oldest >= _AHEAD * workers.at_once


def _results(
    outstanding: dict[Any, Batch], futures: Sequence[Any], again: deque[Batch]
) -> Iterator[tuple[Batch, Scores]]:
    """Yield batches with their scores; those of lost workers are added to `again`."""
    for future in futures:
        batch = outstanding.pop(future)
        try:
            scores = future.result()
        except BrokenProcessPool:
            again.append(batch)
        else:
            yield batch, scores
