"""Threads for matrix products: blocks in our own threads, each with one BLAS thread.

OpenBLAS distributes each product of more than about half a million multiply-adds, and
its threads wait for one another without yielding: next to another busy program, such a
product takes ten times as long, and small ones a thousand times (measured). Here BLAS
computes in one thread, and large products are cut into blocks for as many threads as
BLAS would have used. With a BLAS other than OpenBLAS nothing is changed.
"""

import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from ctypes import CDLL
from functools import cache
from queue import Empty, SimpleQueue
from threading import Lock, Semaphore, Thread, local
from types import TracebackType
from typing import TypeVar

import numpy as np

from attnviewer.compute.arrays import Array

SHARED_OUT = 2**18
"""Multiply-adds below which OpenBLAS surely does not distribute a product: it does from
460,800 on where a vector is multiplied, and from 2¹⁹ on otherwise (measured)."""
WORTH_A_THREAD = 2**22
"""Multiply-adds that take longer than waking a thread that waits (measured)."""
FEW_ROWS = 48
"""Rows up to which reading the right factor of a product takes about as long as
multiplying: threads then share its columns rather than the rows (measured)."""

_PATIENCE = 0.5
"""For how many seconds a thread waits for its next task."""

_COUNTERS = tuple(
    f"{prefix}openblas_get_num_threads{suffix}"
    for prefix in ("", "scipy_")
    for suffix in ("", "64_", "_64")
)
"""The names of the function in builds of OpenBLAS."""
_SCIPYS = "scipy.linalg"
"""The module that loads SciPy's BLAS."""

Block = TypeVar("Block")
Block2D = tuple[slice, slice]
"""Rows and columns of a matrix."""
GetThreads = Callable[[], int]
SetThreads = Callable[[int], object]


class _Worker:
    """A thread that runs tasks one after the other, until it has waited for too long.

    To wake it takes a tenth of the time of starting a thread (measured).
    """

    def __init__(self, may_end: Callable[["_Worker"], bool]) -> None:
        self._may_end = may_end
        self._tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._ended = Semaphore(0)
        Thread(target=self._run, name="attnviewer block", daemon=True).start()

    def submit(self, task: Callable[[], object]) -> None:
        """Have the thread call a function that raises nothing."""
        self._tasks.put(task)

    def close(self) -> None:
        """End the thread, and wait until it has run all its tasks."""
        self._tasks.put(None)
        # Not joined, because joining registers a Qt thread as one of Python's.
        self._ended.acquire()

    def _run(self) -> None:
        while (task := self._next()) is not None:
            task()
            del task  # it holds the arrays
        self._ended.release()

    def _next(self) -> Callable[[], object] | None:
        """Return the next task; None at the end."""
        while True:
            try:
                return self._tasks.get(timeout=_PATIENCE)
            except Empty:
                if self._may_end(self):
                    return None


class _OneThread:
    """While anyone is inside, OpenBLAS computes in the calling thread alone.

    The setting is per process: the first to enter sets it, and the last to leave
    restores it. Threads for `in_threads` wait a while for the next to enter.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._before: list[tuple[SetThreads, int]] = []
        self._idle: list[_Worker] = []

    @property
    def threads(self) -> int:
        """How many threads BLAS had; 1 where the setting is not changed."""
        return max((count for _, count in self._before), default=1)

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._before = [
                    (set_, get()) for get, set_ in _openblas(_SCIPYS in sys.modules)
                ]
                for set_threads, _ in self._before:
                    set_threads(1)
            self._users += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                for set_threads, count in self._before:
                    set_threads(count)
                self._before = []

    @contextmanager
    def workers(self, count: int) -> Iterator[list[_Worker]]:
        """Reserve `count` threads for the caller while it is inside this context."""
        with self._lock:
            at = max(0, len(self._idle) - count)
            own, self._idle = self._idle[at:], self._idle[:at]
        try:
            while len(own) < count:
                own.append(_Worker(self._dismiss))
            yield own
        finally:
            with self._lock:
                self._idle += own

    def end_workers(self) -> None:
        """End all threads that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    def _dismiss(self, worker: _Worker) -> bool:
        """Let a thread end unless it is reserved; return whether it may."""
        with self._lock:
            if worker not in self._idle:
                return False
            self._idle.remove(worker)
            return True


@cache
def _openblas(with_scipys: bool) -> list[tuple[GetThreads, SetThreads]]:
    """Return getter and setter of the thread count of each OpenBLAS in the process.

    Found anew once SciPy has loaded one of its own.
    """
    # Imported late: finding the library takes as long as a first small document.
    from threadpoolctl import threadpool_info

    # Its setters act on one thread of the process at a time (from 3.8 on).
    paths = [
        x["filepath"] for x in threadpool_info() if x["internal_api"] == "openblas"
    ]
    libraries = [CDLL(path) for path in paths]
    return [
        (getattr(library, name), getattr(library, name.replace("_get_", "_set_")))
        for library in libraries
        for name in _COUNTERS
        if hasattr(library, name)
    ]


_one_thread = _OneThread()
_working = local()
"""Has an attribute in worker threads, which must not start more threads."""


def one_blas_thread(work: int | None = None) -> AbstractContextManager[None]:
    """Have BLAS compute in one thread, and `in_threads` in as many as it had before.

    Parameters
    ----------
    work : int, optional
        Multiply-adds of the following work, if known; nothing changes for little work.
    """
    small = work is not None and work < SHARED_OUT
    return nullcontext() if small else _one_thread


def end_idle_threads() -> None:
    """End the threads that wait for work, which otherwise end by themselves soon."""
    _one_thread.end_workers()


@contextmanager
def in_this_thread() -> Iterator[None]:
    """Compute in the calling thread alone, without threads of BLAS or of our own.

    Products are then not cut into blocks: their numbers are the same bit for bit
    however many processors there are.
    """
    if hasattr(_working, "on"):
        yield
        return
    _working.on = ()
    try:
        with _one_thread:
            yield
    finally:
        del _working.on


def in_threads(work: Callable[[Block], object], blocks: Sequence[Block]) -> None:
    """Process each block, several at a time inside `one_blas_thread`.

    Parameters
    ----------
    work : callable
        Processes a block. An error that it raises is raised here, and blocks that are
        not yet started are skipped.
    blocks : sequence
        The blocks, started in order.
    """
    count = min(_count(), len(blocks))
    if count < 2:
        for block in blocks:
            work(block)
        return
    waiting = deque(blocks)
    errors: list[BaseException] = []
    settings = np.geterr()  # each thread has its own
    # Faster than a semaphore, which is written in Python.
    ended: SimpleQueue[None] = SimpleQueue()

    def run() -> None:
        _working.on = blocks
        try:
            with np.errstate(**settings):
                while True:
                    try:
                        block = waiting.popleft()
                    except IndexError:
                        return
                    try:
                        if not errors:
                            work(block)
                    except BaseException as error:
                        errors.append(error)
                    finally:
                        ended.put(None)
        finally:
            del _working.on

    with _one_thread.workers(count - 1) as workers:
        for worker in workers:
            worker.submit(run)
        run()
        # Of blocks, not of threads: one that wakes too late has nothing left to do.
        for _ in blocks:
            ended.get()
    if errors:
        raise errors[0]


def _count() -> int:
    return 1 if hasattr(_working, "on") else _one_thread.threads


def parts(count: int, work: int) -> list[slice]:
    """Return slices of `count` rows, one for each thread that is worth waking.

    Parameters
    ----------
    count : int
        How many rows there are.
    work : int
        Multiply-adds of all of them.
    """
    most = min(_count(), work // WORTH_A_THREAD, count)
    size = math.ceil(count / max(1, most))
    return [slice(first, first + size) for first in range(0, count, max(1, size))]


def product(left: Array, right: Array, out: Array | None = None) -> Array:
    """Return ``left @ right`` without BLAS threads; in our own where it is large.

    Parameters
    ----------
    left : ndarray, shape (..., n, k)
    right : ndarray, shape (..., k, m)
    out : ndarray, shape (..., n, m), optional
        Where the product is written.
    """
    work = left.size * right.shape[-1]
    # A block of `in_threads` has BLAS in one thread already.
    if work < SHARED_OUT or hasattr(_working, "on"):
        return np.matmul(left, right, out=out)
    with one_blas_thread():
        shared = left.ndim == right.ndim == 2
        blocks = shares(len(left), right.shape[1], work) if shared else []
        if len(blocks) < 2:
            return np.matmul(left, right, out=out)
        whole = out
        if whole is None:
            dtype = np.result_type(left, right)
            whole = np.empty((len(left), right.shape[1]), dtype)  # (n, m)

        def multiply(block: Block2D) -> None:
            rows, columns = block
            np.matmul(left[rows], right[:, columns], out=whole[block])

        in_threads(multiply, blocks)
        return whole


def shares(n_rows: int, n_columns: int, work: int) -> list[Block2D]:
    """Return the blocks of a product, one for each thread that is worth waking.

    Parameters
    ----------
    n_rows, n_columns : int
        The shape of the product.
    work : int
        Multiply-adds of it and of what is computed with it.
    """
    if n_rows <= FEW_ROWS:
        return [(slice(None), some) for some in parts(n_columns, work)]
    return [(some, slice(None)) for some in parts(n_rows, work)]
