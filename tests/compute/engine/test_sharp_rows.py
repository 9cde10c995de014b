"""Where digits cancel, underflow or are all on one key, nothing is lost."""

import math

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec
from attnviewer.compute.engine import storing
from attnviewer.compute.engine.live_weights import _MOST_EXPONENT

from .examples import ALL, ONE, assert_as_fresh, set_cells

_N = 40


def _inputs(*names: str, seed: int = 3):
    random = np.random.default_rng(seed)
    shapes = {"X": (_N, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4)}
    shapes |= {"context": (_N, 4), "values": (_N, 4), "bias": (_N, _N)}
    names = ("X", "W_Q", "W_K", "W_V", *names)
    return {name: random.normal(size=shapes[name]) for name in names}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_key_that_dominates_all_rows_and_goes_leaves_no_trace(dtype) -> None:
    # The first feature of every query is 1: a key's is a score for all of them.
    spec = Spec(projected=False, context=True, scale=1.0)
    inputs = {key: _inputs("context")[key] for key in ("X", "context")}
    inputs["X"][:, 0] = 1.0
    engine = IncrementalEngine(spec, inputs, dtype)
    engine.trace()
    for key in range(0, _N, 7):
        before = inputs["context"][key, 0]
        cell = slice(key, key + 1), ONE
        for score in (50.0, -50.0, 2.0, 700.0, before):
            set_cells(engine, inputs["context"], "context", cell, score)
            engine.update()
            if score in (50.0, before):
                assert_as_fresh(engine, inputs)


def test_keys_that_share_a_row_leave_it_one_by_one() -> None:
    # Each time the total falls by less than would be noticed at once.
    spec = Spec(projected=False, context=True, scale=1.0)
    inputs = {"X": np.ones((3, 1)), "context": np.full((_N, 1), 40.0)}
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    for key in range(_N - 1):
        inputs["context"][key] = key % 3 - 1.0
        engine.edit("context", (slice(key, key + 1), ALL))
        engine.update()
    assert_as_fresh(engine, inputs)
    inputs["context"][-1] = 0.5
    engine.edit("context", (slice(_N - 1, _N), ALL))
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
def test_a_weight_scrubbed_far_and_back_brings_underflown_numerators_back(
    matrix, dtype
) -> None:
    spec, inputs = Spec(causal=True), _inputs()
    engine = IncrementalEngine(spec, inputs, dtype)
    before = inputs[matrix].copy()
    way = np.linspace(0, 60, 300)
    for step in (*way, *way[::-1]):
        value = before[1, 2] + step
        set_cells(engine, inputs[matrix], matrix, (slice(1, 2), slice(2, 3)), value)
        engine.update()
    set_cells(engine, inputs[matrix], matrix, (slice(1, 2), slice(2, 3)), before[1, 2])
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("stride", [3.0, 30.0, 300.0, 3000.0])
@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
def test_a_weight_that_strides_far_and_back_leaves_no_trace(matrix, stride) -> None:
    spec, inputs = Spec(), _inputs()
    # Half of the rows hardly feel it, so that numerators are multiplied.
    inputs["X"][: _N // 2 + 2, 1] = 1e-4
    engine = IncrementalEngine(spec, inputs)
    before = inputs[matrix][1, 2]
    for value in (before + stride, before, before - stride, before):
        cell = slice(1, 2), slice(2, 3)
        set_cells(engine, inputs[matrix], matrix, cell, value)
        engine.update()
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_weight_scrubbed_in_small_steps_stays_exact_on_the_way(dtype) -> None:
    spec, inputs = Spec(n_heads=2), _inputs()
    engine = IncrementalEngine(spec, inputs, dtype)
    for step in range(400):
        value = np.sin(step / 30)
        set_cells(engine, inputs["W_Q"], "W_Q", (ONE, slice(3, 4)), value)
        engine.update()
        if step % 50 == 0:
            assert_as_fresh(engine, inputs)
    assert_as_fresh(engine, inputs)


def test_weights_scrubbed_between_embeddings_stay_exact() -> None:
    spec, inputs = Spec(normalizer="softmax1", temperature=0.5), _inputs()
    engine = IncrementalEngine(spec, inputs)
    random = np.random.default_rng(0)
    for step in range(300):
        for matrix, size in (("W_K", 4), ("X", _N)):
            row, column = int(random.integers(size)), int(random.integers(4))
            cell = slice(row, row + 1), slice(column, column + 1)
            set_cells(engine, inputs[matrix], matrix, cell, random.normal() * 2)
            engine.update()
        if step % 60 == 0:
            assert_as_fresh(engine, inputs)
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("low", [-1.0, -100.0, -900.0])
def test_a_row_masked_as_a_whole_comes_back_however_low_its_score(low) -> None:
    spec = Spec(projected=False, context=True, mask=True, scale=1.0)
    inputs = {
        "X": np.ones((_N, 1)),
        "context": np.zeros((_N, 1)),
        "mask": np.ones((_N, _N), dtype=bool),
    }
    inputs["context"][5] = low
    inputs["mask"][3] = False
    engine = IncrementalEngine(spec, inputs)
    # A whole column of the mask is opened: by the keys, not row by row.
    set_cells(engine, inputs["mask"], "mask", (ALL, slice(5, 6)), True)
    assert engine.window("weights", slice(3, 4), slice(5, 6)) == 1.0
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("low", [-1.0, -900.0])
def test_a_row_of_infinite_biases_comes_back_however_low_its_score(low) -> None:
    spec, inputs = Spec(bias=True), _inputs("bias")
    inputs["bias"][3] = -np.inf
    engine = IncrementalEngine(spec, inputs)
    set_cells(engine, inputs["bias"], "bias", (ALL, slice(5, 6)), low)
    assert_as_fresh(engine, inputs)
    set_cells(engine, inputs["bias"], "bias", (ALL, slice(5, 6)), -np.inf)
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("huge", [1e3, 1e8, 1e200, 1.7e308])
def test_a_huge_value_that_is_taken_back_leaves_no_trace(
    monkeypatch, huge, stored
) -> None:
    if not stored:
        monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec, inputs = Spec(context=True, values=True), _inputs("context", "values")
    inputs["W_V"] *= 5  # so that the largest overflows
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    before = inputs["values"][2, 1]
    for value in (huge, before):
        set_cells(engine, inputs["values"], "values", (slice(2, 3), slice(1, 2)), value)
        engine.window("output")
    assert_as_fresh(engine, inputs)


def test_a_huge_value_taken_back_little_by_little_leaves_no_trace() -> None:
    spec, inputs = Spec(context=True, values=True), _inputs("context", "values")
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    for power in range(30, -1, -1):
        set_cells(
            engine, inputs["values"], "values", (slice(2, 3), slice(1, 2)), 2.0**power
        )
        engine.window("output")
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("matrix", ["W_Q", "W_K", "W_V", "X"])
def test_numbers_that_overflow_and_are_taken_back_leave_no_trace(matrix) -> None:
    spec, inputs = Spec(), _inputs()
    inputs["X"] *= 3
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    before = inputs[matrix][2, 1]
    for value in (1.5e308, 1.6e308, before):
        set_cells(engine, inputs[matrix], matrix, (slice(2, 3), slice(1, 2)), value)
        engine.window("output")
    assert_as_fresh(engine, inputs)


def test_a_score_too_large_for_its_digits_leaves_rows_not_stored_when_it_goes(
    monkeypatch,
) -> None:
    # What is taken out is computed anew, and e to its rounding is anything.
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec = Spec(projected=False)
    inputs = {"X": np.random.default_rng(1).normal(size=(64, 16)).astype(np.float32)}
    engine = IncrementalEngine(spec, inputs, np.float32)
    engine.window("output")
    before = inputs["X"][9, 1]
    for value in (1e8, before):
        set_cells(engine, inputs["X"], "X", (slice(9, 10), slice(1, 2)), value)
        engine.window("output")
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_score_that_overflows_the_shift_of_rows_not_stored_leaves_no_trace(
    monkeypatch, dtype
) -> None:
    # The first feature of every query is 1: a key's is a score for all of them.
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec = Spec(projected=False, context=True, scale=1.0)
    inputs = {key: _inputs("context")[key] for key in ("X", "context")}
    inputs["X"][:, 0] = 1.0
    engine = IncrementalEngine(spec, inputs, dtype)
    assert_as_fresh(engine, inputs)
    for score in (1000.0, 2.0):
        set_cells(engine, inputs["context"], "context", (slice(3, 4), ONE), score)
        assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
@pytest.mark.parametrize("seed", range(6))
def test_two_columns_at_once_of_which_one_moves_some_rows_far(matrix, seed) -> None:
    random = np.random.default_rng(seed)
    x, w_q, w_k, w_v, change = (
        random.uniform(0.5, 1.0, shape)
        for shape in ((12, 3), (3, 2), (3, 2), (3, 3), (3, 2))
    )
    x[:5] *= 20.0

    def powers() -> np.ndarray:
        """How far each column moves the scores of each row, (12, 2)."""
        q, k = (x @ change, x @ w_k) if matrix == "W_Q" else (x @ w_q, x @ change)
        return np.abs(q) * np.abs(k).max(axis=0) / math.sqrt(2)

    w_q, w_k = w_q / 30, w_k / 30  # so that many keys have a share after the edit
    change *= np.array([5.0, 0.05]) * _MOST_EXPONENT[8] / powers().max(axis=0)
    first, second = powers().T
    far = first > _MOST_EXPONENT[8]
    assert 0 < far.sum() <= 6
    assert (first + second)[~far].max() < _MOST_EXPONENT[8]
    assert second[far].min() > 0.1

    inputs = {"X": x, "W_Q": w_q, "W_K": w_k, "W_V": w_v}
    after = inputs[matrix].copy()
    inputs[matrix] -= change
    engine = IncrementalEngine(Spec(), inputs)
    set_cells(engine, inputs[matrix], matrix, (ALL, ALL), after)
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
@pytest.mark.parametrize("largest", [1.7e308, 1e100])
def test_what_is_added_to_an_infinite_or_huge_score_changes_no_weight(
    largest, matrix
) -> None:
    # Two keys of equal scores, infinite or so large that adding 1 is lost.
    spec = Spec(scale=1.0)
    inputs = {"X": np.eye(3), "W_V": np.eye(3)}
    inputs["W_Q"] = np.array([[3.0, 0.5], [1.0, 1.0], [0.0, 1.0]])
    inputs["W_K"] = np.array([[largest, -1.0], [largest, 1.0], [0.0, 2.0]])
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    for value in (1.0, -2.0):
        set_cells(engine, inputs[matrix], matrix, (slice(0, 1), slice(1, 2)), value)
        engine.update()
        assert engine.trace()["weights"][0].tolist() == [0.5, 0.5, 0.0]
        assert_as_fresh(engine, inputs)
