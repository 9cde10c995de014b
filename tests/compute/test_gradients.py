"""Gradients of every variant against central differences."""

import math
import re
import tracemalloc
from itertools import cycle
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import LengthScale, Rotary, Trace, attention, multi_head_attention
from attnviewer.compute import (
    NORMALIZERS,
    IncrementalEngine,
    Spec,
    gradients,
    negligible,
    one_query,
    run,
)
from attnviewer.compute.positions import Sinusoidal

from .variants import traces

_STEP = 1e-6
_ALONE = 4
"""How many numbers of an input are moved one by one, before all are moved together."""


def _inputs(trace: Trace) -> dict[str, np.ndarray]:
    return {name: trace[name].copy() for name in trace.spec.input_names}


def _compare_with_differences(trace: Trace, step: str, seed: int = 0) -> None:
    """Compare the gradient of Σ C · step with differences: some numbers, and all."""
    random = np.random.default_rng(seed)
    factors = random.normal(size=trace.shape(step))
    factors = np.where(np.isfinite(trace[step]), factors, 0)  # −∞ where masked
    gradients = trace.backward({step: factors})
    inputs = _inputs(trace)
    assert gradients.keys() == inputs.keys() - {"mask"}

    def loss(changed: Trace) -> float:
        values = np.where(factors == 0, 0, changed[step])
        return math.fsum((factors * values).ravel().tolist())

    for name, gradient in gradients.items():
        assert gradient.shape == inputs[name].shape
        assert gradient.dtype == trace[name].dtype
        for direction in _directions(inputs[name], random):
            more, less = (
                run(trace.spec, {**inputs, name: np.asarray(inputs[name] + moved)})
                for moved in (_STEP * direction, -_STEP * direction)
            )
            if ((more["weights"] != 0) != (less["weights"] != 0)).any():
                continue  # at a kink, as sparse normalisers have them
            slope = (loss(more) - loss(less)) / (2 * _STEP)
            along = float(np.sum(gradient * direction, where=direction != 0))
            assert along == pytest.approx(slope, rel=2e-5, abs=2e-7), (name, direction)


def _directions(values: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Return directions of some finite numbers alone, and two in which all move."""
    finite = np.argwhere(np.isfinite(values))
    some = random.permutation(finite)[:_ALONE]
    directions = [np.zeros(values.shape) for _ in some]
    for direction, index in zip(directions, some, strict=True):
        direction[tuple(index)] = 1
    together = np.where(np.isfinite(values), random.normal(size=(2, *values.shape)), 0)
    return [*directions, *together]


_SMOOTH = tuple(name for name in NORMALIZERS if name != "hardmax")


@settings(max_examples=15)
@given(traces(normalizers=_SMOOTH), st.data())
def test_gradients_of_any_step_of_any_variant_are_the_slopes(trace, data) -> None:
    step = data.draw(st.sampled_from([name for name in trace if name != "mask"]))
    _compare_with_differences(trace, step)


@settings(max_examples=12)
@given(traces(normalizers=_SMOOTH), st.integers(0, 99))
def test_gradients_of_any_output_are_the_slopes(trace, seed) -> None:
    _compare_with_differences(trace, "output", seed)


_random = np.random.default_rng(5)
_X = _random.normal(size=(2, 3, 4))
_FULL = {
    "w_q": _random.normal(size=(4, 8)),
    "w_k": _random.normal(size=(4, 4)),
    "w_v": _random.normal(size=(4, 6)),
    "w_o": _random.normal(size=(12, 3)),
    "b_q": _random.normal(size=8),
    "b_k": _random.normal(size=4),
    "b_v": _random.normal(size=6),
    "b_o": _random.normal(size=3),
    "w_g": _random.normal(size=(4, 12)),
    "output_gate": "elementwise",
    "n_heads": 4,
    "n_kv_heads": 2,
    "extra_keys": _random.normal(size=(1, 4)),
    "extra_values": _random.normal(size=(1, 6)),
    "bias": _random.normal(size=(4, 1, 3)),
    "mask": np.array([[True, True, False], [True, True, True], [False] * 3]),
    # Not 0 for a single key, which a plain sum could not share out.
    "length_scale": LengthScale(offset=1.0),
    "softcap": 3.0,
}


_POSITIONS = None, "sinusoidal", "rope", "alibi", "table"


@pytest.mark.parametrize(
    ("normalizer", "positions"), list(zip(_SMOOTH, cycle(_POSITIONS), strict=False))
)
def test_a_layer_with_everything_has_the_right_gradients(normalizer, positions) -> None:
    if positions == "table":
        positions = _random.normal(size=(5, 4))
    x, weights = _X, _FULL
    if normalizer == "sum":  # away from rows that cancel to 0
        x, weights = abs(_X), _FULL | {n: abs(_FULL[n]) for n in ("w_q", "w_k", "bias")}
        weights |= {"b_q": abs(_FULL["b_q"]), "b_k": abs(_FULL["b_k"])}
    trace = multi_head_attention(
        x, **weights, positions=positions, normalizer=normalizer, query_offset=[1, 0]
    )
    _compare_with_differences(trace, "output")


def test_hidden_scores_pass_no_gradient_on() -> None:
    q, k, v = (np.ones((3, 2)) for _ in range(3))
    trace = attention(q, k, v, causal=True, bias=np.zeros((3, 3)), scale=1.0)
    on_bias = trace.backward({"masked": np.ones((3, 3))})["bias"]
    np.testing.assert_array_equal(on_bias, np.tril(np.ones((3, 3))))


def test_who_sees_no_key_moves_nothing() -> None:
    q, k, v = np.random.default_rng(0).normal(size=(3, 3, 2))
    mask = np.array([[True] * 3, [False] * 3, [True] * 3])
    gradients = attention(q, k, v, mask=mask).backward({"output": np.ones((3, 2))})
    assert not gradients["Q"][1].any()
    assert gradients["Q"][0].any()
    assert all(np.isfinite(gradient).all() for gradient in gradients.values())


def test_inputs_that_a_step_does_not_depend_on_have_gradient_zero() -> None:
    q, k, v = np.random.default_rng(0).normal(size=(3, 3, 2))
    gradients = attention(q, k, v).backward({"weights": np.eye(3)})
    assert gradients["Q"].any()
    np.testing.assert_array_equal(gradients["V"], np.zeros((3, 2)))


def test_a_gradient_given_on_an_input_is_its_own() -> None:
    q, k, v = np.random.default_rng(0).normal(size=(3, 3, 2))
    given_one = np.ones((3, 2))
    gradients = attention(q, k, v).backward({"Q": given_one})
    np.testing.assert_array_equal(gradients["Q"], given_one)
    gradients["Q"][0] = 5.0
    np.testing.assert_array_equal(given_one, np.ones((3, 2)))


def test_gradients_on_several_steps_add_up() -> None:
    trace = attention(*np.random.default_rng(0).normal(size=(3, 3, 2)))
    on_weights, on_output = np.eye(3), np.ones((3, 2))
    both = trace.backward({"weights": on_weights, "output": on_output})
    one = trace.backward({"weights": on_weights})
    other = trace.backward({"output": on_output})
    for name, gradient in both.items():
        np.testing.assert_allclose(gradient, one[name] + other[name], atol=1e-15)


def test_a_row_of_zeros_has_no_direction_and_no_gradient() -> None:
    q = np.array([[0.0, 0.0], [3.0, 4.0]])
    k, v = np.random.default_rng(0).normal(size=(2, 2, 2))
    gradients = attention(q, k, v, score="cosine").backward({"output": np.eye(2)})
    assert gradients["Q"][0].tolist() == [0.0, 0.0]
    # Turning changes the cosine, growing does not.
    assert gradients["Q"][1].any()
    assert gradients["Q"][1] @ q[1] == pytest.approx(0.0, abs=1e-15)


def test_hardmax_passes_a_gradient_to_the_values_alone() -> None:
    q, k, v = np.random.default_rng(0).normal(size=(3, 3, 2))
    trace = attention(q, k, v, normalizer="hardmax")
    gradients = trace.backward({"output": np.ones((3, 2))})
    assert not gradients["Q"].any()
    assert not gradients["K"].any()
    np.testing.assert_array_equal(gradients["V"][:, 0], trace["weights"].sum(axis=0))


def test_heads_that_share_keys_add_their_gradients_up() -> None:
    random = np.random.default_rng(0)
    q = random.normal(size=(4, 3, 2))
    k, v = random.normal(size=(2, 2, 5, 2))
    on_output = random.normal(size=(4, 3, 2))
    shared = attention(q, k, v).backward({"output": on_output})
    repeated = attention(q, k[[0, 0, 1, 1]], v[[0, 0, 1, 1]])
    own = repeated.backward({"output": on_output})
    for name in "KV":
        pairs = own[name][0::2] + own[name][1::2]
        np.testing.assert_allclose(shared[name], pairs, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_gradients_have_the_type_of_the_inputs(dtype) -> None:
    x, w = np.ones((3, 2), dtype), np.ones((2, 2), dtype)
    trace = multi_head_attention(
        x, w, w, w, w, positions="rope", softcap=2.0, temperature=0.5, causal=True
    )
    gradients = trace.backward({"output": np.ones((3, 2))})
    assert {gradient.dtype for gradient in gradients.values()} == {np.dtype(dtype)}


_TRACE = attention(np.eye(2), np.eye(2), np.eye(2), mask=[[True, False]])


@pytest.mark.parametrize(
    ("gradients", "error", "message"),
    [
        (
            {"wieghts": np.eye(2)},
            ValueError,
            "The 'step' must be one of Q, K, V, scores, scaled, masked, weights, "
            "output. Got 'wieghts' instead. Did you mean 'weights'?",
        ),
        (
            {"mask": np.eye(2)},
            ValueError,
            "The 'step' must be one of Q, K, V, scores, scaled, masked, weights, "
            "output. Got 'mask' instead. Did you mean 'masked'?",
        ),
        (
            {"weights": np.ones(2)},
            ValueError,
            "The gradient with respect to 'weights' must have shape (2, 2). Got (2,) "
            "instead.",
        ),
        (
            {"weights": [[1.0], [1.0, 2.0]]},
            ValueError,
            "The gradient with respect to 'weights' must be an array. Got rows of "
            "different lengths instead.",
        ),
        (
            {"weights": [["a", "b"], ["c", "d"]]},
            TypeError,
            "The gradient with respect to 'weights' must hold real numbers. Got <U1 "
            "instead.",
        ),
        (
            np.eye(2),
            TypeError,
            "The 'gradients' parameter must be a mapping of steps to arrays. "
            "Got ndarray instead.",
        ),
    ],
)
def test_a_gradient_that_does_not_fit_is_refused(gradients, error, message) -> None:
    with pytest.raises(error) as caught:
        _TRACE.backward(gradients)
    assert str(caught.value) == message


# One cell


@settings(max_examples=25)
@given(traces(), st.sampled_from([1, 2, 3, one_query.TOKENS]), st.data())
def test_the_gradient_of_a_cell_is_that_of_a_single_one(trace, at_once, data) -> None:
    step = data.draw(st.sampled_from([name for name in trace if name != "mask"]))
    index = tuple(data.draw(st.integers(0, size - 1)) for size in trace.shape(step))
    one = np.zeros(trace.shape(step))
    one[index] = 1
    with mock.patch.object(one_query, "TOKENS", at_once):
        alone = trace.gradient(step, index)
    whole = trace.backward({step: one})
    assert alone.keys() == whole.keys()
    for name, expected in whole.items():
        assert alone[name].dtype == expected.dtype
        np.testing.assert_allclose(alone[name], expected, rtol=1e-9, atol=1e-12)


def test_what_cannot_be_told_from_rounding_is_negligible() -> None:
    # The cosine of a query and a key that point the same way is 1, its maximum.
    x = np.array([[3.0, 1.0], [0.3, 0.1]])
    trace = multi_head_attention(x, *3 * [np.eye(2)], score="cosine")
    found = trace.gradient("scores", (0, 0, 1))
    least = negligible(1.0, {name: trace[name] for name in found}, np.float64)
    assert any(gradient.any() for gradient in found.values())
    assert all((np.abs(found[name]) <= least[name]).all() for name in found)
    assert max(least.values()) < 1e-14
    # An input of zeros may have a gradient all the same.
    assert negligible(1.0, {"bias": np.zeros(2)}, np.float64)["bias"] < 1e-14
    assert negligible(-np.inf, {"x": x}, np.float64) == {"x": 0.0}


def test_the_gradient_of_a_weight_is_its_slope_in_each_input() -> None:
    # The four words: a central difference moves one input at a time.
    inputs = {
        "x": np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]),
        "w_q": np.array([[2.0, 0, 2], [2, 0, 0], [2, 1, 2]]),
        "w_k": np.array([[2.0, 2, 2], [0, 2, 1], [0, 1, 1]]),
        "w_v": np.array([[1.0, 1, 0], [0, 1, 1], [0, 0, 0]]),
    }
    gradient = multi_head_attention(**inputs).gradient("weights", (0, 0, 2))
    for name, array in inputs.items():
        for index in np.ndindex(array.shape):
            sides = []
            for step in (_STEP, -_STEP):
                moved = {n: a.copy() for n, a in inputs.items()}
                moved[name][index] += step
                sides.append(multi_head_attention(**moved)["weights"][0, 0, 2])
            slope = (sides[0] - sides[1]) / (2 * _STEP)
            own = gradient[name[0].upper() + name[1:].upper()]
            assert own[index] == pytest.approx(slope, rel=1e-6, abs=1e-8)
    # As on the drawing of the window, which counts from one.
    assert gradient["X"].round(3).tolist() == [
        [-0.562, -0.179, 0.271],
        [-0.026, -0.006, -0.006],
        [0.868, 0.217, 0.217],
        [-0.026, -0.006, -0.006],
    ]
    assert gradient["W_Q"][0, 1].round(3) == 0.220


def test_one_cell_of_many_tokens_takes_no_square_of_them() -> None:
    n = 4096
    random = np.random.default_rng(0)
    x = random.normal(size=(n, 8))
    trace = multi_head_attention(x, *random.normal(size=(3, 8, 8)), causal=True)
    tracemalloc.start()
    trace.gradient("weights", (0, n - 1, 5))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 * n * 8 * 8  # bytes; one n × n step has 4,096 · 4,096 · 8


@pytest.mark.parametrize("scheme", [Rotary(), Sinusoidal(offset=3)])
def test_a_gradient_in_parts_takes_little_memory_beside_a_copy_of_the_tokens(
    scheme, monkeypatch
) -> None:
    monkeypatch.setattr(one_query, "TOKENS", 64)
    n = 2100  # of which n × n steps are not stored
    random = np.random.default_rng(0)
    x = random.normal(size=(n, 32))
    trace = multi_head_attention(
        x, *random.normal(size=(3, 32, 32)), causal=True, positions=scheme
    )
    tracemalloc.start()
    gradient = trace.cell_gradient("output", (n - 1, 5))
    found = []
    for part in gradient.parts():
        found += part.strongest(3)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * x.nbytes
    found.sort(key=lambda item: -abs(item[1]))
    monkeypatch.setattr(one_query, "TOKENS", n)
    whole = gradients.strongest(trace.gradient("output", (n - 1, 5)), 3)
    assert [cell for cell, _ in found[:3]] == [cell for cell, _ in whole]
    numbers = [number for _, number in whole]
    assert [number for _, number in found[:3]] == pytest.approx(numbers, rel=1e-9)


@pytest.mark.parametrize(
    ("step", "index"), [("weights", (0, 2, 1)), ("output", (2, 1)), ("Q", (1, 2, 0))]
)
def test_a_gradient_that_waits_is_that_of_the_steps_before_an_edit(step, index) -> None:
    spec = Spec(n_heads=2, output_projection=True, bias=True, mask=True)
    random = np.random.default_rng(4)
    shapes = {"bias": (5, 5), "mask": (5, 5)}
    inputs = {
        name: random.normal(size=shapes.get(name, (5 if name == "X" else 4, 4)))
        for name in spec.input_names
    }
    inputs["mask"] = np.tri(5, dtype=bool)
    one = np.zeros(run(spec, inputs).shape(step))
    one[index] = 1
    expected = run(spec, {n: a.copy() for n, a in inputs.items()}).backward({step: one})
    engine = IncrementalEngine(spec, inputs)
    waiting = engine.trace().cell_gradient(step, index)
    for name, array in inputs.items():
        array[:] = ~array if array.dtype == bool else array + random.normal()
        engine.edit(name, (slice(None), slice(None)))
    engine.update()
    found = waiting.compute()
    assert found.keys() == expected.keys()
    for name, gradient in expected.items():
        np.testing.assert_allclose(found[name], gradient, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("step", "index", "error", "message"),
    [
        ("weights", (0, 2), IndexError, "The 'index' must lie inside 'weights' (2, 2)"),
        ("mask", (0, 1), ValueError, "The 'step' must have numbers that can change by"),
    ],
)
def test_a_cell_without_a_gradient_is_refused(step, index, error, message) -> None:
    with pytest.raises(error, match=re.escape(message)):
        _TRACE.gradient(step, index)


@pytest.mark.parametrize("step", ["scores", "weights", "output"])
def test_a_row_without_weights_moves_nothing_where_another_is_asked_for(step) -> None:
    q, k = np.array([[1.0], [0.0]]), np.array([[1.0], [2.0], [3.0]])
    trace = attention(q, k, np.eye(3), normalizer="sum", scale=1.0)
    assert np.isnan(trace["weights"][1]).all()
    one = np.zeros(trace.shape(step))
    one[0, 1] = 1
    whole, of_cell = trace.backward({step: one}), trace.gradient(step, (0, 1))
    for name, gradient in of_cell.items():
        assert np.isfinite(gradient).all()
        np.testing.assert_allclose(whole[name], gradient, atol=1e-15)


def test_the_largest_gradients_of_long_inputs_are_found_some_numbers_at_a_time(
    monkeypatch,
) -> None:
    monkeypatch.setattr(gradients, "_AT_ONCE", 4)
    matrix = np.array([[0.0, 1, -3, 3], [np.nan, 2, 0, 3], [-5, 0, 0, 1]])
    bias = np.array([0.0, -4])
    found = gradients.strongest({"A": matrix, "b": bias, "C": 0 * matrix}, 4)
    assert [(cell.step, cell.index, number) for cell, number in found] == [
        ("A", (2, 0), -5),
        ("b", (1,), -4),
        ("A", (0, 2), -3),
        ("A", (0, 3), 3),
    ]
