"""Batches that are computed elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

MOST_LOSSES = 3
"""How often the worker of a batch may be lost."""
_AHEAD = 8
"""How many batches for each at a time may be finished before the slowest one."""


_LOST = (
    "The processes of the survey ended again and again: there may be too little memory "
    "for so many. A script that starts them must do so below "
    "if __name__ == '__main__'."
)


class Numbered(Protocol):
    """The unit of work, such as a batch of texts."""

    @property
    def number(self) -> int:
        """Its place, counted from zero."""


Batch = TypeVar("Batch", bound=Numbered)
Result = TypeVar("Result")


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

    def submit(self, compute: Callable[[Any], Any], batch: Any) -> Any:
        """Hand over a batch and return its future."""

    def finished(self, futures: Sequence[Any]) -> Sequence[Any]:
        """Wait for finished futures, and return them."""

    def result(self, future: Any) -> Any:
        """Return the result of a finished future; None if its worker was lost."""


def computed(
    workers: Workers, compute: Callable[..., Result], batches: Iterator[Batch]
) -> Iterator[tuple[Batch, Result]]:
    """Yield each batch with its result, as they are finished.

    A batch whose worker is lost is handed over again.

    Parameters
    ----------
    workers : Workers
        What computes them.
    compute : callable
        Returns the result of a batch; sent to the workers.
    batches : iterator of Numbered
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
            result = workers.result(future)
            if result is not None:
                yield batch, result
                continue
            again.append(batch)
            losses[batch.number] += 1
            if losses[batch.number] > MOST_LOSSES:
                raise WorkersError(_LOST)


def _is_full(workers: Workers, outstanding: Mapping[Any, Numbered], last: int) -> bool:
    if len(outstanding) >= workers.at_once:
        return True
    oldest = min((batch.number for batch in outstanding.values()), default=last)
    return last - oldest >= _AHEAD * workers.at_once
