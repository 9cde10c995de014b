"""Surveys by several processes, or a cluster: the same numbers, whatever is lost."""

import multiprocessing
import sys
from concurrent.futures import Future

import pytest

from attnviewer import models
from attnviewer.models.survey import WorkersError, cluster
from attnviewer.models.survey.texts import batches
from attnviewer.models.survey.workers import MOST_LOSSES, computed
from tests.models.checkpoints import write_gpt2
from tests.models.survey.texts import some_texts

TEXTS = some_texts(90)  # six batches
METRICS = ("entropy", "induction", "prefix_matching")


@pytest.fixture
def model(tmp_path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "model"))


class Unreliable:
    """Workers in this thread that finish the last batch first, or are lost.

    Parameters
    ----------
    losses : dict
        How often the worker of a batch is lost, by its number.
    """

    at_once = 3

    def __init__(self, losses: dict[int, int]) -> None:
        self.losses = dict(losses)
        self.most = 0

    def submit(self, compute, batch) -> Future:
        left = self.losses.get(batch.number, 0)
        self.losses[batch.number] = left - 1
        future: Future = Future()
        future.set_result(None if left > 0 else compute(batch))
        return future

    def finished(self, futures):
        self.most = max(self.most, len(futures))
        return futures[-1:]

    def result(self, future) -> int | None:
        return future.result()


def test_a_lost_worker_costs_its_batch_alone_and_losses_are_bounded() -> None:
    every = list(batches(TEXTS))
    computed_: list[int] = []

    def compute(batch) -> int:
        computed_.append(batch.number)
        return batch.number

    workers = Unreliable({1: 2, 4: MOST_LOSSES})
    found = list(computed(workers, compute, iter(every)))
    assert [batch.number for batch, _ in found] == [number for _, number in found]
    assert sorted(computed_) == list(range(6))
    assert workers.most == 3
    hopeless = Unreliable({2: MOST_LOSSES + 1})
    with pytest.raises(WorkersError, match="again and again"):
        list(computed(hopeless, compute, iter(every)))


def test_two_processes_give_the_same_bits_even_if_one_is_killed(
    model, tmp_path
) -> None:
    killed = []

    def kill_one(progress) -> None:
        if not killed:
            killed.extend(multiprocessing.active_children()[:1])
            killed[0].kill()

    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    models.survey(model, TEXTS, METRICS, to=files[0])
    models.survey(model, TEXTS, METRICS, to=files[1], workers=2, progress=kill_one)
    assert killed
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_cluster_gives_the_same_bits(model, tmp_path) -> None:
    distributed = pytest.importorskip("distributed")
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    models.survey(model, TEXTS, METRICS, to=files[0])
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as local:
        address = local.scheduler_address
        models.survey(model, TEXTS, METRICS, to=files[1], scheduler=address)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_scheduler_that_does_not_answer_is_named(
    model, tmp_path, monkeypatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "TIMEOUT", 0.5)
    to = tmp_path / "heads.npz"
    with pytest.raises(WorkersError, match=r"No scheduler answers at 'tcp://127.0.0.1"):
        models.survey(model, TEXTS, to=to, scheduler="tcp://127.0.0.1:9")
    assert not list(tmp_path.glob("heads*"))


def test_without_dask_a_cluster_says_what_to_install(model, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"attnviewer\[cluster\]"):
        models.survey(model, TEXTS, scheduler="tcp://127.0.0.1:9")
