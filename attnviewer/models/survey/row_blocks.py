"""Blocks of queries that are computed by a cluster."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from attnviewer.compute.patterns import Run, run_in_this_thread
from attnviewer.models.survey.cluster import Cluster
from attnviewer.models.survey.workers import computed

Result = TypeVar("Result")


@contextmanager
def on_cluster(address: str) -> Iterator[Run]:
    """Have the workers of a scheduler of ``dask.distributed`` compute blocks.

    What is computed goes to all workers once, then block after block; a block whose
    worker is lost is computed by another one. The numbers are those of threads, bit for
    bit, on processors of one kind. The workers need the same version of this package.

    Parameters
    ----------
    address : str
        The scheduler, such as ``tcp://10.0.0.1:8786``.

    Yields
    ------
    Run
        For the parameter `run` of `survey_patterns`, `find_patterns` and `kept_costs`.

    Raises
    ------
    ImportError
        If distributed is not installed.
    WorkersError
        If no scheduler answers in time, it has no workers, or these end again and
        again.

    Examples
    --------
    >>> from attnviewer import patterns
    >>> with patterns.on_cluster("tcp://10.0.0.1:8786") as run:  # doctest: +SKIP
    ...     found = patterns.survey_patterns(trace, run=run)
    """
    with Cluster(address) as cluster:

        def run(
            function: Callable[[slice], Result], blocks: Sequence[slice], /
        ) -> Iterator[Result]:
            return _in_order(_Sharing(cluster), _OfBlock(function), blocks)

        yield run


@dataclass(frozen=True, slots=True)
class _Block:
    """Some queries, by their place among all blocks."""

    number: int
    rows: slice


@dataclass(frozen=True, slots=True)
class _OfBlock(Generic[Result]):
    """A function of queries as one of their block."""

    function: Callable[[slice], Result]

    def __call__(self, block: _Block) -> Result:
        return run_in_this_thread(self.function, block.rows)


class _Sharing:
    """The workers of a cluster, which get a function once, as `Workers`.

    Parameters
    ----------
    cluster : Cluster
        The cluster.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.at_once = cluster.at_once
        self._shared: Any = None

    def submit(self, compute: Callable[[Any], Any], batch: Any) -> Any:
        # It is shared again if it is lost with the last worker that had it.
        if self._shared is None or self._shared.status != "finished":
            self._shared = self._cluster.share(compute)
        return self._cluster.submit(_call, self._shared, batch)

    def finished(self, futures: Sequence[Any]) -> Sequence[Any]:
        return self._cluster.finished(futures)

    def result(self, future: Any) -> Any:
        return self._cluster.result(future)


def _call(compute: Callable[[_Block], Result], block: _Block) -> Result:
    return compute(block)


def _in_order(
    workers: _Sharing, function: Callable[[_Block], Result], blocks: Sequence[slice]
) -> Iterator[Result]:
    """Yield the results of blocks in their order."""
    numbered = (_Block(number, rows) for number, rows in enumerate(blocks))
    waiting: dict[int, Result] = {}
    following = 0
    for block, result in computed(workers, function, numbered):
        waiting[block.number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1
