"""Patterns that are found by a cluster: the numbers of threads, bit for bit."""

from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from attnviewer import attention, patterns
from attnviewer.compute.patterns import run_in_this_thread
from attnviewer.models.survey import WorkersError, row_blocks
from attnviewer.models.survey.cluster import Cluster
from attnviewer.models.survey.workers import MOST_LOSSES

_TOKENS = np.random.default_rng(1).integers(0, 20, 2200).tolist()


def _trace():
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(2, 2200, 8)).astype(np.float32) for _ in range(3))
    return attention(q, k, v, causal=True)


def _assert_equal(found, expected) -> None:
    """Fail unless two surveys are equal bit for bit."""
    assert found.as_json() == expected.as_json()
    for head in expected.heads:
        one, other = (s.patterns[head].marginals for s in (found, expected))
        for name in ("rows", "keys", "offsets", "sinks", "blocks"):
            arrays = (getattr(m.weights, name) for m in (one, other))
            np.testing.assert_array_equal(*arrays)
        np.testing.assert_array_equal(one.logarithms, other.logarithms)


class LosingCluster:
    """A cluster in this thread that loses blocks, and all that was shared with them.

    Parameters
    ----------
    losses : int
        How often each block is lost.
    """

    at_once = 3

    def __init__(self, losses: int) -> None:
        self.left: dict[int, int] = {}
        self.losses = losses
        self.shared: list[object] = []
        self.computed: list[int] = []

    def share(self, content) -> Any:
        self.shared.append(content)
        return SimpleNamespace(content=content, status="finished")

    def submit(self, compute, rows, *shared) -> Future:
        assert {part.status for part in shared} == {"finished"}
        left = self.left.get(rows.start, self.losses)
        self.left[rows.start] = left - 1
        future: Future = Future()
        if left > 0:
            for part in shared:
                part.status = "cancelled"
            future.set_result(None)
        else:
            self.computed.append(rows.start)
            future.set_result(compute(rows, *(part.content for part in shared)))
        return future

    def finished(self, futures):
        return futures[-1:]

    def result(self, future):
        return future.result()


def _run_by(cluster: LosingCluster, traces: dict) -> Any:
    def run(function, blocks):
        sharing = row_blocks._Sharing(cluster, traces)  # type: ignore[arg-type]
        return row_blocks._in_order(sharing, function, blocks)

    return run


def test_a_lost_worker_costs_its_blocks_alone_and_order_is_kept() -> None:
    blocks = [slice(n, n + 1) for n in range(7)]
    cluster = LosingCluster(1)
    run = _run_by(cluster, {})
    assert list(run(lambda rows: rows.start, blocks)) == list(range(7))
    assert sorted(cluster.computed) == list(range(7))
    assert len(cluster.shared) == 1 + 7
    hopeless = _run_by(LosingCluster(MOST_LOSSES + 1), {})
    with pytest.raises(WorkersError, match="again and again"):
        list(hopeless(lambda rows: rows.start, blocks))


def test_a_computation_goes_to_the_workers_once_for_all_heads() -> None:
    trace, cluster = _trace(), LosingCluster(0)
    run = _run_by(cluster, {})
    found = patterns.survey_patterns(trace, tokens=_TOKENS, run=run)
    _assert_equal(found, patterns.survey_patterns(trace, tokens=_TOKENS))
    assert sum(content is trace for content in cluster.shared) == 1
    assert len(cluster.shared) == 1 + 2 * 2  # and the pass and the lines of two heads


class LosingClient:
    """A client that loses workers while something is sent to all of them."""

    def __init__(self, losses: int) -> None:
        self.left = losses

    def scatter(self, content, **_options) -> Any:
        self.left -= 1
        if self.left >= 0:
            raise KeyError("tcp://127.0.0.1:42775")  # as the scheduler does
        return content


def test_what_workers_share_is_sent_again_if_one_is_lost_on_the_way() -> None:
    cluster = Cluster.__new__(Cluster)
    cluster._client = LosingClient(MOST_LOSSES)
    assert cluster.share("trace") == "trace"
    cluster._client = LosingClient(MOST_LOSSES + 1)
    with pytest.raises(WorkersError, match="workers of the cluster ended"):
        cluster.share("trace")


def test_blocks_that_are_cancelled_with_a_worker_are_handed_over_again() -> None:
    def wait(futures, **_options) -> None:
        raise CancelledError  # as soon as one of them is cancelled

    cluster = Cluster.__new__(Cluster)
    cluster._library = SimpleNamespace(wait=wait)
    cluster._client = SimpleNamespace(as_current=nullcontext)
    running: Future = Future()
    lost: Future = Future()
    lost.cancel()
    assert cluster.finished([running, lost]) == [lost]
    assert cluster.result(lost) is None


def test_two_processes_of_a_cluster_give_the_same_bits_even_if_one_is_killed() -> None:
    distributed = pytest.importorskip("distributed")
    trace = _trace()
    expected = patterns.survey_patterns(trace, tokens=_TOKENS)
    killed: list[str] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:

        def kill_one(done: float) -> None:
            if not killed:
                worker = next(iter(local.workers.values()))
                killed.append(worker.worker_address)
                worker.process.process.kill()

        with patterns.on_cluster(local.scheduler_address) as run:
            found = patterns.survey_patterns(trace, tokens=_TOKENS, run=run)
            _assert_equal(found, expected)
            found = patterns.survey_patterns(
                trace, tokens=_TOKENS, run=run, progress=kill_one
            )
    assert killed
    _assert_equal(found, expected)


def test_threads_give_the_bits_of_one_thread() -> None:
    trace = _trace()
    expected = patterns.survey_patterns(trace, [1], tokens=_TOKENS)

    def one_by_one(function, blocks):
        return (run_in_this_thread(function, block) for block in blocks)

    found = patterns.survey_patterns(trace, [1], tokens=_TOKENS, run=one_by_one)
    _assert_equal(found, expected)
