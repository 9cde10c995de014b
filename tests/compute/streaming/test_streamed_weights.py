"""Weights of which only a state per row is stored."""

import tracemalloc
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attnviewer import attention, multi_head_attention
from attnviewer.compute import StepHead, passes, run
from attnviewer.compute.streaming import StreamedOverview, StreamedWeights, tiled_rows
from attnviewer.compute.windowed import InMemory, Overview
from attnviewer.compute.windowed.blocks import HIDDEN, SEEN
from tests.compute.variants import traces


@settings(max_examples=60)
@given(traces(normalizers=("softmax", "softmax1")), st.integers(1, 3))
def test_every_step_is_that_of_stored_weights_however_the_keys_are_tiled(trace, size):
    assume("sinks" not in trace)  # which are one more key of whole rows
    inputs = {name: trace[name] for name in trace.spec.input_names}
    stored = run(trace.spec, inputs)
    with (
        patch.object(passes, "MOST_KEPT", 0),
        patch.object(tiled_rows, "KEYS", size),
        patch.object(tiled_rows, "QUERIES", 1),  # as many keys for few queries
        patch("attnviewer.compute.streaming.streamed_weights.QUERIES", size),
    ):
        streamed = run(trace.spec, inputs)
    assert isinstance(streamed._weights, StreamedWeights)
    for step in stored:
        np.testing.assert_allclose(streamed[step], stored[step], rtol=1e-12, atol=1e-13)


def test_rows_of_hidden_keys_and_of_infinite_scores_are_told_apart(monkeypatch):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    monkeypatch.setattr(tiled_rows, "KEYS", 2)
    monkeypatch.setattr(tiled_rows, "QUERIES", 1)
    key = np.array([[0, 1, 0, 0, 1]]).T * np.float32(1e30)
    query = np.array([[1e30], [1], [1]], np.float32)
    mask = np.array([[True] * 5, [False] * 5, [False] * 4 + [True]])
    values = np.arange(5, dtype=np.float32)[:, np.newaxis]
    trace = attention(query, key, values, mask=mask)
    np.testing.assert_array_equal(
        trace["weights"], [[0, 0.5, 0, 0, 0.5], [0] * 5, [0, 0, 0, 0, 1]]
    )
    np.testing.assert_array_equal(trace["output"], [[2.5], [0], [4]])


@pytest.mark.parametrize("window", [None, (100, 0)])
def test_a_long_sequence_takes_no_room_for_its_scores(window):
    draw = np.random.default_rng(1)
    n = 6000
    q, k, v = (draw.normal(size=(n, 8)).astype(np.float32) for _ in range(3))
    tracemalloc.start()
    trace = attention(q, k, v, causal=True, window=window)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # where the weights alone are 144 MB
    for query in (0, 1023, 1024, 5999):
        first = 0 if window is None else max(0, query - 100)
        scores = (k[first : query + 1].astype(float) @ q[query]) / np.sqrt(8)
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        rows = slice(query, query + 1)
        weights = trace.window("weights", rows)[0]  # (n_k,)
        np.testing.assert_allclose(
            weights[first : query + 1], shares, rtol=1e-5, atol=1e-9
        )
        assert not weights[:first].any()
        assert not weights[query + 1 :].any()
        np.testing.assert_allclose(
            trace.window("output", rows)[0], shares @ v[first : query + 1], atol=1e-5
        )


@pytest.mark.parametrize("most", [1024, (7, 33)])
def test_its_overview_is_that_of_all_weights(monkeypatch, most):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    draw = np.random.default_rng(4)
    n = 700
    x, w = draw.normal(size=(n, 4)), draw.normal(size=(3, 4, 4))
    mask = draw.random((n, n)) < 0.7
    bias = np.where(draw.random((n, n)) < 0.2, -np.inf, 0)
    for options in (
        {},
        {"causal": True, "window": (90, 0)},
        {"mask": mask, "bias": bias},
    ):
        trace = multi_head_attention(x, *w, n_heads=2, temperature=0.8, **options)
        head = StepHead(trace, "weights", 1)
        streamed = StreamedOverview(head, trace._weights, (1,), most)
        stored = Overview(InMemory(head.window(), head.hidden()), most)
        for name in ("lows", "highs", "flags"):
            np.testing.assert_allclose(
                getattr(streamed.extremes, name),
                getattr(stored.extremes, name),
                rtol=1e-12,
            )


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(np.float16, 2e-2), (np.float32, 1e-5)]
)
def test_its_overview_in_lower_precision_is_that_of_all_weights(
    monkeypatch, dtype, tolerance
):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    draw = np.random.default_rng(5)
    n = 300
    q, k = draw.normal(size=(2, n, 8)).astype(dtype)
    trace = attention(q, k, k, causal=True)
    q, k = q.astype(float), k.astype(float)
    shares = np.where(np.tri(n, dtype=bool), (q @ k.T) / np.sqrt(8), -np.inf)
    shares = np.exp(shares - shares.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    overview = StreamedOverview(StepHead(trace, "weights"), trace._weights, (), 30)
    assert overview.block == (10, 10)
    extremes = overview.extremes
    for i in range(30):
        for j in range(30):
            cells = shares[10 * i : 10 * i + 10, 10 * j : 10 * j + 10]
            seen = np.tri(n, dtype=bool)[10 * i : 10 * i + 10, 10 * j : 10 * j + 10]
            flags = int(extremes.flags[i, j])
            assert bool(flags & HIDDEN) == (not seen.all())
            assert bool(flags & SEEN) == seen.any()
            if seen.any():
                high, low = extremes.highs[i, j], extremes.lows[i, j]
                assert high == pytest.approx(cells[seen].max(), rel=tolerance)
                assert low == pytest.approx(cells[seen].min(), rel=tolerance, abs=1e-6)


def test_one_hot_cell_among_thousands_of_tokens_is_seen(monkeypatch):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    n = 5000
    q, k = np.zeros((2, n, 2), np.float32)
    q[4321, 0], k[1234, 0] = 40, 1
    trace = attention(q, k, k, causal=True, scale=1.0)
    overview = StreamedOverview(StepHead(trace, "weights"), trace._weights, ())
    rows, columns = overview.block
    hot = overview.extremes.highs[4321 // rows, 1234 // columns]
    assert hot > 0.999
    pooled = overview.fitted(20, 20)  # a cell of 250 × 250 tokens
    assert pooled.values[4321 // pooled.block[0], 1234 // pooled.block[1]] == hot


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("normalizer", ["softmax", "softmax1"])
def test_rows_with_scores_near_0_and_far_from_it_are_right_in_one_tile(
    monkeypatch, dtype, normalizer
):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    monkeypatch.setattr(tiled_rows, "KEYS", 2)
    monkeypatch.setattr(tiled_rows, "QUERIES", 1)
    scores = np.array(
        [
            [-50, -49, 5, 6, -3, 2],  # in range from the second tile on
            [1, 2, 15.9, 16.1, 90, 3],  # out of range from the second tile on
            [-300, -301, -299, -302, -300, -300],  # never in range
            [300, 1, -300, 299, 0, 298],
            [0, 1, -1, 2, -2, 3],
        ]
    )
    keys, values = np.eye(6), np.arange(12.0).reshape(6, 2) ** 2
    trace = attention(
        *(array.astype(dtype) for array in (scores, keys, values)),
        scale=1.0,
        normalizer=normalizer,
    )
    raised = scores - scores.max(axis=1, keepdims=True)
    total = np.exp(raised).sum(axis=1, keepdims=True)
    if normalizer == "softmax1":
        # Beside a score of 0, which may lie far above all others.
        total = total + np.exp(np.minimum(-scores.max(axis=1, keepdims=True), 700))
    weights = np.exp(raised) / total
    accuracy = 1e-5 if dtype == np.float32 else 1e-13
    np.testing.assert_allclose(trace["weights"], weights, accuracy, 1e-30)
    np.testing.assert_allclose(trace["output"], weights @ values, accuracy, 1e-30)


@pytest.mark.parametrize("most", [1, (3, 2)])
def test_blocks_wider_than_a_tile_are_read_as_one(monkeypatch, most):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    monkeypatch.setattr(tiled_rows, "KEYS", 4)
    draw = np.random.default_rng(6)
    q, k = draw.normal(size=(2, 500, 3))
    trace = attention(q, k, k, causal=True)
    head = StepHead(trace, "weights")
    streamed = StreamedOverview(head, trace._weights, (), most).extremes
    stored = Overview(InMemory(head.window(), head.hidden()), most).extremes
    for name in ("lows", "highs", "flags"):
        np.testing.assert_allclose(getattr(streamed, name), getattr(stored, name))


def test_a_row_of_nan_is_marked_and_its_hidden_cells_are_too(monkeypatch):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    n, row = 20, 7
    q = np.ones((n, 1), np.float32)
    bias = np.zeros((n, n), np.float32)
    bias[row, 3] = -np.inf
    q[row] = 1e30  # so that the score of this row is infinite, and minus infinity
    k = np.full((n, 1), 1e30, np.float32)
    trace = attention(q, k, k, causal=True, bias=bias)
    assert np.isnan(trace.window("weights", slice(row, row + 1))[0, 3])
    head = StepHead(trace, "weights")
    for most in (20, (20, 10), (20, 2), 4):
        streamed = StreamedOverview(head, trace._weights, (), most).extremes
        stored = Overview(InMemory(head.window(), head.hidden()), most).extremes
        np.testing.assert_array_equal(streamed.flags, stored.flags)
        np.testing.assert_array_equal(streamed.highs, stored.highs)


def test_half_precision_overflows_where_stored_scores_do(monkeypatch):
    k = np.array([[150], [1], [149]] * 4, np.float16).repeat(4, axis=1)
    arrays = 150 * np.ones((12, 4), np.float16), k, k
    stored = attention(*arrays)  # whose scores are infinite before they are scaled
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    streamed = attention(*arrays)
    assert isinstance(streamed._weights, StreamedWeights)
    np.testing.assert_array_equal(streamed["weights"], stored["weights"])
    np.testing.assert_array_equal(streamed["output"], stored["output"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_overflow_where_stored_ones_do(monkeypatch, dtype):
    # A scale of 1/2 would bring the first two back into range.
    highest = np.finfo(dtype).max
    q = np.array([[highest, 0, 0, 0], [1, 0, 0, 0]], dtype)
    k = np.array([[1.5], [1.2], [0.5], [-1]], dtype) * np.eye(1, 4, dtype=dtype)
    stored = attention(q, k, k)
    np.testing.assert_array_equal(stored["weights"][0], [0.5, 0.5, 0, 0])
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    streamed = attention(q, k, k)
    np.testing.assert_allclose(streamed["weights"], stored["weights"], rtol=1e-6)
    np.testing.assert_allclose(streamed["output"], stored["output"], rtol=1e-6)


def test_values_near_the_largest_number_are_mixed_as_stored_ones(monkeypatch):
    monkeypatch.setattr(passes, "MOST_KEPT", 0)
    highest = np.finfo(np.float32).max
    q, k = np.full((1, 1), 3, np.float32), np.ones((2, 1), np.float32)
    v = np.full((2, 1), highest)  # times e^3 it is beyond the range
    output = attention(q, k, v)["output"]
    np.testing.assert_allclose(output, [[highest]], rtol=1e-6)
