"""Batches that are computed by several processes."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, Protocol

from attnviewer.models.survey.scoring import Scores
from attnviewer.models.survey.texts import Batch

Compute = Callable[[Batch], Scores]
MOST_LOSSES = 3
"""How often the worker of a batch may be lost."""
_AHEAD = 8
"""How many batches for each at a time may be finished before the slowest one."""


_LOST = (
    "The processes of the survey ended again and again: there may be too little memory "
    "for so many. A script that starts them must do so below "
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

    def result(self, future: Any) -> Scores | None:
        """Return the scores of a finished future; None if its worker was lost."""


class Processes:
    """Processes of this machine, as `Workers`.

    Each is a pool of its own: if one is killed, the others go on.

    Parameters
    ----------
    count : int
        How many.
    """

    def __init__(self, count: int) -> None:
        self.at_once = 2 * count
        self._pools = [_started() for _ in range(count)]
        self._given: list[list[Future[Scores]]] = [[] for _ in range(count)]

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *error: object) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def submit(self, compute: Compute, batch: Batch) -> "Future[Scores]":
        for given in self._given:
            given[:] = [future for future in given if not future.done()]
        free = min(range(len(self._pools)), key=lambda place: len(self._given[place]))
        try:
            future = self._pools[free].submit(compute, batch)
        except BrokenProcessPool:
            self._pools[free].shutdown()
            self._pools[free] = _started()
            future = self._pools[free].submit(compute, batch)
        self._given[free].append(future)
        return future

    def finished(
        self, futures: Sequence["Future[Scores]"]
    ) -> Sequence["Future[Scores]"]:
        return list(wait(futures, return_when=FIRST_COMPLETED).done)

    def result(self, future: "Future[Scores]") -> Scores | None:
        try:
            return future.result()
        except BrokenProcessPool:
            return None


def _started() -> ProcessPoolExecutor:
    # Forked, a process would have the locks of threads that it does not have.
    return ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)


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
        If the worker of a batch is lost again and again.
    """
    outstanding: dict[Any, Batch] = {}
    again: list[Batch] = []
    losses: Counter[int] = Counter()
    last = 0
    while True:
        for batch in again:
            outstanding[workers.submit(compute, batch)] = batch
        again.clear()
        while not _is_full(workers, outstanding, last):
            if (new := next(batches, None)) is None:
                break
            outstanding[workers.submit(compute, new)] = new
            last = new.number
        if not outstanding:
            return
        for future in workers.finished(list(outstanding)):
            batch = outstanding.pop(future)
            scores = workers.result(future)
            if scores is not None:
                yield batch, scores
                continue
            again.append(batch)
            losses[batch.number] += 1
            if losses[batch.number] > MOST_LOSSES:
                raise WorkersError(_LOST)


def _is_full(workers: Workers, outstanding: dict[Any, Batch], last: int) -> bool:
    if len(outstanding) >= workers.at_once:
        return True
    oldest = min((batch.number for batch in outstanding.values()), default=last)
    return last - oldest >= _AHEAD * workers.at_once
