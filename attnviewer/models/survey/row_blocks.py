"""Blocks of queries that are computed by a cluster."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from attnviewer.compute import Index, Trace
from attnviewer.compute.patterns import HeadWeights, Run, run_in_this_thread
from attnviewer.compute.signatures import short_signature
from attnviewer.models.survey.cluster import Cluster
from attnviewer.models.survey.workers import Workers, computed

Result = TypeVar("Result")


@short_signature
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
        traces: dict[int, _Shared] = {}

        def run(
            function: Callable[[slice], Result], blocks: Sequence[slice], /
        ) -> Iterator[Result]:
            return _in_order(_Sharing(cluster, traces), function, blocks)

        yield run


@dataclass(frozen=True, slots=True)
class _Block:
    """Some queries, by their place among all blocks."""

    number: int
    rows: slice


@dataclass(frozen=True, slots=True)
class _HeadOf:
    """Stands for the weights of a head, whose computation is shared by itself."""

    head: int
    batch: int | Index


class _Shared:
    """Something that all workers have; sent again if it is lost with the last of them.

    Parameters
    ----------
    cluster : Cluster
        The workers.
    content : object
        What they get.
    """

    def __init__(self, cluster: Cluster, content: object) -> None:
        self._cluster, self._content = cluster, content
        self._future = cluster.share(content)

    def future(self) -> Any:
        """Return its future."""
        if self._future.status != "finished":
            self._future = self._cluster.share(self._content)
        return self._future


class _Sharing:
    """The workers of a cluster, which get a function and its trace once, as `Workers`.

    Parameters
    ----------
    cluster : Cluster
        The cluster.
    traces : dict
        The traces that were shared, by their identity; those of later functions are
        added, and so kept.
    """

    def __init__(self, cluster: Cluster, traces: dict[int, _Shared]) -> None:
        self._cluster, self._traces = cluster, traces
        self.at_once = cluster.at_once
        self._given: list[_Shared] = []

    def submit(self, compute: Any, batch: _Block) -> Any:
        if not self._given:
            self._given = self._share(compute)
        futures = (shared.future() for shared in self._given)
        return self._cluster.submit(_computed, batch.rows, *futures)

    def _share(self, function: Any) -> list[_Shared]:
        """Share a function, and the trace of the head that it reads, if it does."""
        reader = getattr(function, "reader", None)
        if not isinstance(reader, HeadWeights):
            return [_Shared(self._cluster, function)]
        trace, place = reader.trace, _HeadOf(reader.head, reader.batch)
        if id(trace) not in self._traces:
            self._traces[id(trace)] = _Shared(self._cluster, trace)
        light = _Shared(self._cluster, replace(function, reader=place))
        return [light, self._traces[id(trace)]]

    def finished(self, futures: Sequence[Any]) -> Sequence[Any]:
        return self._cluster.finished(futures)

    def result(self, future: Any) -> Any:
        return self._cluster.result(future)


def _computed(rows: slice, function: Any, trace: Trace | None = None) -> Any:
    """Return what a function returns for some queries; on a worker."""
    if trace is not None:
        reader = HeadWeights(trace, function.reader.head, function.reader.batch)
        function = replace(function, reader=reader)
    return run_in_this_thread(function, rows)


def _in_order(
    workers: Workers, function: Callable[[slice], Result], blocks: Sequence[slice]
) -> Iterator[Result]:
    """Yield the results of blocks in their order."""
    numbered = (_Block(number, rows) for number, rows in enumerate(blocks))
    waiting: dict[int, Any] = {}
    following = 0
    for block, result in computed(workers, function, numbered):
        waiting[block.number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1
