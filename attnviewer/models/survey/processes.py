"""Batches that are computed by several processes."""

import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process

from attnviewer.models.survey.scoring import Scores
from attnviewer.models.survey.texts import Batch


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

    def submit(
        self, compute: Callable[[Batch], Scores], batch: Batch
    ) -> "Future[Scores]":
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
