"""Parts of a trace: windows, rows, single numbers, what is hidden."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import Trace, attention, multi_head_attention, normalize
from attnviewer.compute import NORMALIZERS, Cell
from attnviewer.compute.steps import REMEMBERED

from .variants import traces

_PER_HEAD_INPUTS = {"bias", "mask"}


def _matrices(trace: Trace, step: str) -> np.ndarray:
    """Return a step as (*batch, heads of queries, rows, columns)."""
    *batch, n_heads = trace.shape("scores")[:-2] or (1,)
    array = np.atleast_2d(trace[step])
    if step in _PER_HEAD_INPUTS or not trace.stages[step].per_head:
        if step not in _PER_HEAD_INPUTS and array.ndim > 2:
            array = array[..., np.newaxis, :, :]
    elif array.ndim > 2:
        array = np.repeat(array, n_heads // array.shape[-3], axis=-3)
    return np.broadcast_to(array, (*batch, n_heads, *array.shape[-2:]))


@settings(max_examples=15)
@given(traces(), st.data())
def test_a_window_is_that_part_of_the_step_for_every_head_and_item(trace, data) -> None:
    for step in trace:
        whole = _matrices(trace, step)
        n_rows, n_columns = whole.shape[-2:]
        rows = data.draw(st.slices(n_rows))
        columns = data.draw(st.slices(n_columns))
        for *batch, head in np.ndindex(whole.shape[:-2]):
            item = tuple(batch)
            want = whole[(*item, head)]
            window = trace.window(step, head=head, batch=item)
            np.testing.assert_array_equal(window, want)
            window = trace.window(step, rows, columns, head=head, batch=item)
            np.testing.assert_array_equal(window, want[rows, columns])


@settings(max_examples=12)
@given(traces())
def test_items_can_be_counted_through_and_each_query_sees_its_rows(trace) -> None:
    *batch, n_heads = trace.shape("scores")[:-2] or (1,)
    last = int(np.prod(batch)) - 1
    query = trace.shape("scores")[-2] - 1
    for place, item in ((0, (0,) * len(batch)), (last, tuple(n - 1 for n in batch))):
        view = trace.query(query, head=n_heads - 1, batch=place)
        assert "output" in view
        for step, row in view.items():
            want = _matrices(trace, step)[(*item, n_heads - 1, query)]
            np.testing.assert_array_equal(row, want)


@settings(max_examples=15)
@given(traces())
def test_hidden_are_the_masked_cells_and_blind_the_rows_without_a_finite_score(
    trace,
) -> None:
    before = last = trace.stages["weights"].inputs[0]
    if "masked" in trace:
        (before, *_) = trace.stages["masked"].inputs
    *batch, n_heads = trace.shape("scores")[:-2] or (1,)
    for *item, head in np.ndindex((*batch, n_heads)):
        place = {"head": head, "batch": tuple(item)}
        scores, masked = trace.window(before, **place), trace.window(last, **place)
        hidden = trace.hidden("weights", **place)
        if "masked" in trace:
            np.testing.assert_array_equal(masked, np.where(hidden, -np.inf, scores))
            assert hidden.shape == masked.shape
        else:
            assert hidden is None
        blind = trace.blind(**place)
        np.testing.assert_array_equal(blind, np.isneginf(masked).all(axis=1))
        assert not trace.window("weights", **place)[blind].any()


_N = 1100  # so many that a trace keeps no step of 4 heads


def _is_computed_where_looked_at(trace: Trace) -> bool:
    return math.prod(trace.shape("weights")) > REMEMBERED


def _large(normalizer: str = "softmax") -> Trace:
    random = np.random.default_rng(2)
    x, w_q = random.uniform(0.5, 1, (_N, 4)), random.uniform(0, 1, (4, 8))
    mask = random.random((1, _N)) < 0.9
    mask[0, 0] = True
    trace = multi_head_attention(
        x,
        w_q,
        w_q[:, :4],
        w_q[:, :4],
        n_heads=4,
        n_kv_heads=2,
        positions="alibi",
        normalizer=normalizer,
        mask=mask,
        causal=True,
        window=(700, None),
        softcap=30.0,
    )
    assert _is_computed_where_looked_at(trace)
    return trace


@pytest.fixture(scope="module")
def large() -> Trace:
    return _large()


@pytest.fixture(
    scope="module",
    params=["scores", "scaled", "capped", "biased", "masked", "weights"],
)
def step(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def whole(large, step) -> np.ndarray:
    return large[step]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (slice(None), slice(None)),
        (slice(250, 270), slice(3, 9)),
        (slice(1000, None), slice(-150, -20)),
        (slice(5, 900, 100), slice(None, None, -50)),
        (slice(7, 7), slice(0, 5)),
        (slice(7, 9), slice(5, 5)),
    ],
)
def test_a_window_of_a_large_step_is_computed_alike(
    large, step, whole, rows, columns
) -> None:
    for head in (0, 3):
        window = large.window(step, rows, columns, head=head)
        want = whole[head][rows, columns]
        np.testing.assert_allclose(window, want, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("normalizer", [n for n in NORMALIZERS if n != "softmax"])
def test_a_window_of_large_weights_is_computed_alike(normalizer) -> None:
    trace = _large(normalizer)
    rows, columns = slice(640, 670), slice(500, 700)
    want = trace["weights"][1][rows, columns]
    window = trace.window("weights", rows, columns, head=1)
    np.testing.assert_allclose(window, want, rtol=1e-12, atol=1e-15)
    alone = normalize(trace["masked"][1][rows], normalizer)[:, columns]
    np.testing.assert_allclose(window, alone, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [3, 2100])
def test_where_there_are_no_rows_or_columns_there_is_nothing(n) -> None:
    x = np.ones((n, 1))
    trace = attention(x, x, x, causal=True)
    assert _is_computed_where_looked_at(trace) is (n > 3)
    for none in (slice(0, 0), slice(2, 1), slice(n, None), slice(n + 5, n + 9)):
        for step in ("scores", "masked", "weights"):
            assert trace.window(step, none).shape == (0, n)
            assert trace.window(step, columns=none).shape == (n, 0)
            assert trace.window(step, none, none).shape == (0, 0)
        assert trace.visible_keys(none).shape == (0,)
        assert trace.statistics(none).entropy.shape == (0,)


@pytest.mark.parametrize("index", [(0, 0, 0), (2, 700, 650), (3, 1099, 1099)])
def test_a_number_of_a_large_step_is_that_of_its_row_and_column(
    large, step, whole, index
) -> None:
    head, row, column = index
    want = whole[index]
    for number in (
        large.value(Cell(step, index)),
        large.row(step, (head, row))[column],
        large.column(step, (head, column))[row],
        large.window(step, head=head)[row, column],
        large.query(row, head=head)[step][column],
        large.explain(step, index).value,
    ):
        assert number == pytest.approx(want, rel=1e-12, abs=1e-15)
    for written in large.explain(step, index).steps:
        assert written.evaluate() == pytest.approx(want, rel=1e-9)


def test_what_a_large_step_hides_is_told_by_rule(large) -> None:
    i, j = np.ogrid[:_N, :_N]
    mask = np.broadcast_to(large["mask"], (_N, _N))
    want = (j > i) | (j < i - 700) | ~mask
    np.testing.assert_array_equal(large.hidden("weights", head=2), want)
    np.testing.assert_array_equal(large.blind(head=2), want.all(axis=1))


def test_weights_of_large_steps_are_those_of_the_rows_by_themselves() -> None:
    random = np.random.default_rng(4)
    q, k, v = random.normal(size=(3, 4, _N, 4))
    trace = attention(q, k, v, causal=True)
    assert _is_computed_where_looked_at(trace)
    for head, row in product((0, 3), (0, 127, 128, 1023, 1024, 1099)):
        seen = slice(row + 1)
        powers = np.exp(k[head, seen] @ q[head, row] / 2)
        weights = powers / powers.sum()
        got = trace.window("weights", slice(row, row + 1), head=head)[0]
        np.testing.assert_allclose(got[seen], weights, rtol=1e-11)
        assert not got[row + 1 :].any()
        np.testing.assert_allclose(
            trace["output"][head, row], weights @ v[head, seen], rtol=1e-10, atol=1e-13
        )


def test_large_heads_that_share_keys_are_those_with_keys_of_their_own() -> None:
    random = np.random.default_rng(6)
    q, k, v = (random.normal(size=(heads, 300, 4)) for heads in (4, 2, 2))
    shared = attention(q, k, v, causal=True)
    own = attention(q, k[[0, 0, 1, 1]], v[[0, 0, 1, 1]], causal=True)
    for step in ("scores", "weights", "output"):
        np.testing.assert_allclose(shared[step], own[step], rtol=1e-12, atol=1e-15)


def test_nothing_that_is_looked_at_can_be_written(large) -> None:
    looked_at = [large[step] for step in large]
    looked_at += [large.window(step, slice(0, 2)) for step in large]
    looked_at += list(large.query(0).values())
    for array in looked_at:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


_SMALL = attention(np.ones((2, 2, 3, 4)), np.ones((2, 1, 5, 4)), np.ones((2, 1, 5, 4)))


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({"head": 2}, "The 'head' must be from 0 to 1. Got 2 instead."),
        ({"head": -1}, "The 'head' must be from 0 to 1. Got -1 instead."),
        ({"batch": 2}, "The 'batch' must be from 0 to 1. Got 2 instead."),
        ({"batch": (2,)}, "The 'batch' must lie inside (2,). Got (2,) instead."),
        ({"batch": (0, 0)}, "The 'batch' must lie inside (2,). Got (0, 0) instead."),
        ({"batch": (-1,)}, "The 'batch' must lie inside (2,). Got (-1,) instead."),
    ],
)
@pytest.mark.parametrize("step", ["Q", "K", "weights"])
def test_a_head_or_item_that_is_not_there_is_refused(step, place, message) -> None:
    with pytest.raises(IndexError) as caught:
        _SMALL.window(step, **place)
    assert str(caught.value) == message


@pytest.mark.parametrize("query", [-1, 3])
def test_a_query_that_is_not_there_is_refused(query: int) -> None:
    with pytest.raises(IndexError) as caught:
        _SMALL.query(query)
    assert str(caught.value) == f"The 'query' must be from 0 to 2. Got {query} instead."


@pytest.mark.parametrize(
    "ask",
    [
        Trace.__getitem__,
        Trace.shape,
        Trace.window,
        Trace.limits,
        lambda trace, step: trace.explain(step, (0, 0, 0, 0)),
    ],
    ids=["whole", "shape", "window", "limits", "explain"],
)
def test_a_step_that_is_not_there_is_no_key_and_the_nearest_is_named(ask) -> None:
    assert "masked" not in _SMALL
    with pytest.raises(KeyError, match=r"Got 'masked' instead\."):
        ask(_SMALL, "masked")
    with pytest.raises(KeyError, match=r"Did you mean 'weights'\?"):
        ask(_SMALL, "weigths")
