import numpy as np
import pytest

from attnviewer.compute import Dirty, Spec, run
from attnviewer.ui.views.step.lines.reading import PER_QUERY, Reading

NORMALIZED = Spec(projected=False, given=True, normalizer="sum", scale=1.0)


def trace_of(weights, *, spec=NORMALIZED, **more):
    """Return a trace whose weights are given: plain sums of rows that add up to 1."""
    weights = np.asarray(weights, dtype=float)  # (..., n_q, n_k)
    keys = np.broadcast_to(
        np.eye(weights.shape[-1]), (*weights.shape[:-2], *[weights.shape[-1]] * 2)
    )
    return run(spec, {"Q": weights, "K": keys, "V": keys, **more})


TWO_HEADS = [[[0.75, 0.25], [1.5, -0.5]], [[1.0, 0.0], [0.5, 0.5]]]


def cells(links):
    columns = (links.heads, links.queries, links.keys, links.weights)
    return sorted(zip(*(c.tolist() for c in columns), strict=True))


def test_all_links_of_the_wanted_heads_that_reach_the_threshold_are_read():
    reading = Reading(trace_of(TWO_HEADS), (0, 1))
    assert reading.is_whole
    assert cells(reading.links(range(2), 0.5)) == [
        *((0, 0, 0, 0.75), (0, 1, 0, 1.5), (0, 1, 1, -0.5)),
        *((1, 0, 0, 1.0), (1, 1, 0, 0.5), (1, 1, 1, 0.5)),
    ]
    assert reading.count == 7
    assert reading.largest == 1.5
    alone = Reading(trace_of(TWO_HEADS), (1,))
    assert cells(alone.links(range(1), 0.75)) == [(1, 0, 0, 1.0)]
    assert alone.largest == 1.0


def test_another_threshold_gives_other_links():
    reading = Reading(trace_of(TWO_HEADS), (0,))
    assert len(reading.links(range(2), 0.5)) == 3
    assert len(reading.links(range(2), 0.75)) == 2
    assert len(reading.links(range(2), 0.5)) == 3


def test_one_token_has_its_weights_in_every_head():
    reading = Reading(trace_of(TWO_HEADS), (0, 1))
    assert reading.of("queries", 1).tolist() == [[1.5, -0.5], [0.5, 0.5]]
    assert reading.of("keys", 0).tolist() == [[0.75, 1.5], [1.0, 0.5]]
    assert cells(reading.links_of("keys", 1, 0.5)) == [
        (0, 1, 1, -0.5),
        (1, 1, 1, 0.5),
    ]
    assert cells(reading.links_of("queries", 0, 0.9)) == [(1, 0, 0, 1.0)]


def test_no_heads_have_no_links():
    reading = Reading(trace_of(TWO_HEADS), ())
    assert cells(reading.links(range(2), 0.0)) == []
    assert reading.of("queries", 0).shape == (0, 2)


def test_a_query_that_sees_no_key_and_one_with_undefined_weights_are_told():
    spec = Spec(projected=False, given=True, mask=True, normalizer="sum", scale=1.0)
    # A plain sum of 1 and −1 divides by zero.
    scores = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, -1.0]])
    eye, mask = np.eye(2), np.array([[1, 1], [0, 0], [1, 1]]) > 0
    trace = run(spec, {"Q": scores, "K": eye, "V": eye, "mask": mask})
    reading = Reading(trace, (0,))
    assert [reading.blind(query) for query in range(3)] == [False, True, False]
    assert [reading.undefined(query) for query in range(3)] == [False, False, True]
    assert {cell[1] for cell in cells(reading.links(range(3), 0.0))} == {0}


@pytest.fixture(scope="module")
def long():
    """The weights of 300 queries: 20 for each of some keys, one more than the other."""
    weights = np.zeros((300, 300))
    for query in range(300):
        keys = (query * 7 + np.arange(20) * 11) % 300
        weights[query, keys] = np.arange(1, 21) / 210
    return weights


def test_above_the_limit_the_strongest_links_of_the_queries_in_sight_are_read(long):
    reading = Reading(trace_of(long), (0,))
    assert not reading.is_whole
    links = reading.links(range(100, 103), 0.0)
    for query in range(100, 103):
        mine = sorted(links.weights[links.queries == query].tolist())
        assert mine == pytest.approx([k / 210 for k in range(13, 21)])
    assert len(links) % PER_QUERY == 0
    assert set(links.queries.tolist()) < set(range(90, 115))
    for query, key, weight in zip(
        links.queries, links.keys, links.weights, strict=True
    ):
        assert long[query, key] == pytest.approx(weight)


def test_only_windows_are_read_and_rows_in_sight_only_once(long):
    trace = trace_of(long)
    read = []
    window = trace.window

    def counted(step, rows=slice(None), columns=slice(None), **where):
        part = window(step, rows, columns, **where)
        read.append(part.shape)
        return part

    trace.window = counted
    reading = Reading(trace, (0,))
    reading.links(range(100, 140), 0.0)
    first = list(read)
    assert sum(rows for rows, _ in first) <= 40 + 2 * 16
    reading.links(range(101, 140), 0.2)
    assert read == first
    reading.of("keys", 5)
    assert read[-1] == (300, 1)


def test_a_reading_that_follows_an_edit_is_one_of_the_newer_trace():
    weights = np.random.default_rng(0).random((40, 5))
    before, after = trace_of(weights), weights.copy()
    after[20] = 3.0, -2.0, 0.0, 0.0, 0.0
    reading = Reading(before, (0,))
    for newer, rows in ((after, [20]), (weights, [20]), (weights, [])):
        trace = trace_of(newer)
        assert reading.count
        changed = [Dirty(rows=np.array(rows))] if rows else []
        assert reading.follow(trace, changed) is bool(rows)
        fresh = Reading(trace, (0,))
        for threshold in (0.0, 0.25):
            links = reading.links(range(40), threshold)
            assert cells(links) == cells(fresh.links(range(40), threshold))
        assert (reading.count, reading.largest) == (fresh.count, fresh.largest)
