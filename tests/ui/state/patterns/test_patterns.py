"""Patterns of the chosen head follow the document, and never read what changes."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.compute.patterns import Streaming, kept_costs
from attnviewer.document import Document, SetCells
from attnviewer.document.sequences import insert_tokens
from attnviewer.ui.state.patterns import Costs, Patterns, head, jobs
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.patterns.texts import cache_sentence

N = 40


def document(n: int = N, heads: int = 2) -> Document:
    x = np.random.default_rng(n).normal(size=(n, 4))
    spec = Spec(projected=False, causal=True)
    if heads == 1:
        return Document("one", ["t"] * n, {"X": x}, spec)
    qkv = {name: np.concatenate([x, 2 * x[::-1]], axis=1) for name in "QKV"}
    spec = Spec(
        given=True, projected=False, causal=True, n_heads=heads, heads_joined=True
    )
    return Document("two", ["t"] * n, qkv, spec)


@pytest.fixture
def bench(qapp):
    bench = Workbench(document())
    yield bench
    bench.close()


@pytest.fixture
def both(bench):
    """The patterns of a workbench, wanted, and their costs."""
    patterns = Patterns(bench)
    costs = Costs(bench, patterns)
    for each in (patterns, costs):
        each.set_wanted(True)
    yield patterns, costs
    costs.close()
    patterns.close()


@pytest.fixture
def large(monkeypatch):
    """Take every document for one whose weights are not copied."""
    monkeypatch.setattr(head, "MOST_COPIED", 0)


@pytest.fixture
def held(monkeypatch):
    """Hold jobs back until they are released or stopped."""
    released, begun = threading.Event(), threading.Event()
    check = jobs.HeadJob._check

    def wait(self) -> None:
        begun.set()
        while not released.is_set() and not self.stopped:
            released.wait(0.005)
        check(self)

    monkeypatch.setattr(jobs.HeadJob, "_check", wait)
    wait.begun, wait.released = begun, released
    yield wait
    released.set()


def settle(both) -> None:
    for each in (*both, *both):
        each.finish()


def edit(bench, value: float) -> None:
    name = bench.document.spec.input_names[0]
    bench.document.apply(SetCells("edit", name, 3, 0, np.array([[value]])))
    bench.engine.flush()


def test_a_small_document_is_searched_and_searched_again_after_an_edit(
    bench, both
) -> None:
    patterns, _ = both
    settle(both)
    weights = bench.engine.current.trace["weights"][0]  # (n, n)
    assert patterns.found.marginals.received == pytest.approx(weights.sum(axis=0))
    before = patterns.found
    edit(bench, 5.0)
    assert patterns.outdated
    settle(both)
    assert not patterns.outdated
    assert patterns.found is not before
    weights = bench.engine.current.trace["weights"][0]
    assert patterns.found.marginals.received == pytest.approx(weights.sum(axis=0))


def test_another_head_drops_what_was_found_and_is_searched_itself(bench, both) -> None:
    patterns, _ = both
    settle(both)
    bench.selection.choose_head(1)
    assert patterns.found is None
    settle(both)
    weights = bench.engine.current.trace["weights"][1]
    assert patterns.found.marginals.received == pytest.approx(weights.sum(axis=0))


def test_a_change_of_head_or_document_meanwhile_leaves_no_stale_result(
    bench, both, held, qtbot
) -> None:
    patterns, costs = both
    patterns.start()
    qtbot.waitUntil(held.begun.is_set)
    bench.selection.choose_head(1)
    assert patterns.computing is None
    patterns.start()
    bench.open(document(12, heads=1))
    assert patterns.computing is None
    assert costs.choice.within(12) == costs.choice
    held.released.set()
    settle(both)
    assert patterns.found.marginals.received.shape == (12,)


def test_a_large_document_waits_to_be_asked_and_an_edit_ends_the_search(
    large, held, bench, both, qtbot
) -> None:
    patterns, costs = both
    qtbot.wait(20)
    assert not patterns.worker.jobs
    patterns.start()
    costs.start()
    qtbot.waitUntil(held.begun.is_set)
    edit(bench, 5.0)  # would read while it is written, if the job went on
    assert not patterns.worker.jobs
    assert not costs.worker.jobs
    assert patterns.trouble == "An edit ended the search."
    held.released.set()
    patterns.start()
    settle(both)
    assert patterns.found is not None
    assert not patterns.trouble
    edit(bench, 6.0)
    assert patterns.outdated


def test_a_document_that_grows_large_in_the_pause_is_not_searched_unasked(
    bench, both, monkeypatch
) -> None:
    patterns, _ = both
    bench.open(document(heads=1))
    assert patterns.worker.busy
    monkeypatch.setattr(head, "MOST_COPIED", N * N)
    more = insert_tokens(bench.document, "X", N, ["u"], np.ones((1, 4)), "Insert")
    bench.document.apply(more)
    bench.engine.flush()
    assert not patterns.worker.busy


def test_a_cancelled_search_can_be_started_again(large, held, both, qtbot) -> None:
    patterns, _ = both
    patterns.start()
    qtbot.waitUntil(held.begun.is_set)
    patterns.cancel()
    assert patterns.trouble == "The search was cancelled."
    assert patterns.computing is None
    held.released.set()
    patterns.start()
    settle(both)
    assert patterns.found is not None


def test_the_rows_in_sight_follow_the_choice_and_all_rows_are_asked_for(
    bench, both
) -> None:
    _, costs = both
    bench.selection.choose_cell("weights", (20, 3))
    costs.choose(sinks=1, window=5)
    settle(both)
    weights = bench.engine.current.trace["weights"][0]
    distance = np.subtract.outer(np.arange(N), np.arange(N))
    kept = np.where((distance < 5) | (np.arange(N) < 1), weights, 0).sum(axis=1)
    assert costs.in_sight.kept_by_row == pytest.approx(kept[costs.rows])
    assert costs.all_rows is None
    costs.start()
    settle(both)
    assert costs.all_rows.mean == pytest.approx(kept.mean())
    assert costs.all_rows.lowest == pytest.approx(kept.min())
    values = bench.engine.current.trace["V"][:, :4]  # of the first head
    dense = kept_costs(weights, Streaming(1, 5), values)
    assert costs.all_rows.relative_error == pytest.approx(dense.relative_error)
    before = costs.all_rows
    costs.cancel()  # which ends what is computed, not what is there
    assert costs.all_rows is before
    costs.choose(window=6)
    assert costs.all_rows is None


def test_the_bytes_of_the_cache_count_heads_columns_and_the_size_of_a_number(
    both,
) -> None:
    _, costs = both
    costs.choose(way="streaming", sinks=2, window=8)
    # 2 heads, of keys and of values 4 columns each
    assert costs.cache == (N * 2 * 8 * 2, 10 * 2 * 8 * 2)
    costs.choose_bytes(4)
    assert costs.cache == (N * 2 * 8 * 4, 10 * 2 * 8 * 4)
    costs.choose(way="top-k")
    assert costs.cache[0] == costs.cache[1]
    assert " for all keys, as later queries may need any" in cache_sentence(costs)


def test_keys_that_left_a_sliding_window_are_in_no_cache(qapp) -> None:
    doc = document()
    spec = replace(doc.spec, window=(15, 0))
    bench = Workbench(Document("two", doc.tokens, doc.matrices, spec))
    patterns = Patterns(bench)
    costs = Costs(bench, patterns)
    costs.choose(way="streaming", sinks=2, window=8)
    # A query sees itself and 15 keys before it; the sinks are not among them.
    assert costs.cache == (16 * 2 * 8 * 2, 8 * 2 * 8 * 2)
    costs.choose(way="top-k")
    assert costs.cache == (16 * 2 * 8 * 2,) * 2
    assert " for the 16 keys in the mask's window, as the" in cache_sentence(costs)
    for each in (costs, patterns, bench):
        each.close()


def test_keys_and_offsets_are_known_once_patterns_are_found(large, both) -> None:
    patterns, costs = both
    costs.choose(way="vertical-slash", keys=3, offsets=2)
    assert costs.kept is None
    patterns.start()
    settle(both)
    received = patterns.found.marginals.received
    assert set(costs.kept.keys) == set(np.argsort(-received, kind="stable")[:3])
    assert costs.in_sight is not None
