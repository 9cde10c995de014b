"""The inputs stay the caller's; what cannot be computed with is refused."""

import re

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec

from .examples import ALL, EXAMPLES, ONE, assert_as_fresh, example, set_cells


@pytest.mark.parametrize("name", EXAMPLES)
def test_arrays_of_the_caller_are_only_read(name) -> None:
    spec, inputs = example(name)
    before = {matrix: array.copy() for matrix, array in inputs.items()}
    for array in inputs.values():
        array.flags.writeable = False
    engine = IncrementalEngine(spec, inputs)
    for matrix in inputs:
        engine.edit(matrix, (ONE, ALL))
        engine.trace()
    for matrix, array in inputs.items():
        np.testing.assert_array_equal(array, before[matrix])


def test_what_is_read_cannot_be_written() -> None:
    spec, inputs = example("self")
    engine = IncrementalEngine(spec, inputs)
    for step in engine.trace():
        with pytest.raises(ValueError, match="read-only"):
            engine.window(step)[0, 0] = 1.0


def test_numbers_are_taken_when_the_edit_is_told() -> None:
    spec, inputs = example("simplified")
    engine = IncrementalEngine(spec, inputs)
    set_cells(engine, inputs["X"], "X", (ONE, ONE), 3.0)
    inputs["X"][0, 0] = 4.0
    assert engine.window("X")[0, 0] == 3.0
    inputs["X"][1, 1] = 5.0  # not told
    engine.edit("X", (ONE, ONE))
    assert engine.window("X")[0, 0] == 4.0
    assert engine.window("X")[1, 1] != 5.0


def test_of_edits_of_one_cell_the_last_counts() -> None:
    spec, inputs = example("simplified")
    engine = IncrementalEngine(spec, inputs)
    for value in (3.0, -2.0, 7.0):
        set_cells(engine, inputs["X"], "X", (ONE, ONE), value)
    assert engine.window("X")[0, 0] == 7.0
    assert_as_fresh(engine, inputs)


def test_edits_of_several_matrices_are_taken_in_together() -> None:
    # A projection of one head, and a value that every head mixes.
    spec, inputs = example("cross with values")
    for matrix in ("W_Q", "W_K"):
        engine = IncrementalEngine(spec, inputs)
        engine.trace()
        set_cells(engine, inputs[matrix], matrix, (ONE, ONE), 0.7)
        row = slice(2, 3)
        set_cells(engine, inputs["values"], "values", (row, ALL), 5.0)
        assert_as_fresh(engine, inputs)
        set_cells(engine, inputs[matrix], matrix, (ALL, slice(0, 2)), 40.0)
        set_cells(engine, inputs["values"], "values", (row, ALL), -1.0)
        assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("matrix", ["W_Q", "W_K", "W_V"])
def test_every_item_of_a_batch_follows_the_weights(matrix) -> None:
    spec, inputs = example("GQA of a batch")
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    for column in range(inputs[matrix].shape[1]):
        cell = slice(1, 2), slice(column, column + 1)
        set_cells(engine, inputs[matrix], matrix, cell, 0.5)
        assert_as_fresh(engine, inputs)


@pytest.mark.parametrize(
    "region",
    [
        (slice(8, 3, -2), ALL),
        (ALL, slice(None, None, 2)),
        (slice(None, None, -1), slice(-2, None)),
    ],
)
@pytest.mark.parametrize("matrix", ["X", "W_Q", "W_V"])
def test_regions_may_have_steps(matrix, region) -> None:
    spec, inputs = example("self")
    engine = IncrementalEngine(spec, inputs)
    engine.trace()
    inputs[matrix][region] += 0.3
    engine.edit(matrix, region)
    assert_as_fresh(engine, inputs)


def test_up_to_1024_tokens_are_computed_in_double_precision() -> None:
    spec = Spec(projected=False)
    for tokens, dtype in ((1024, np.float64), (1025, np.float32)):
        for given in (np.float32, np.float64):
            engine = IncrementalEngine(spec, {"X": np.ones((tokens, 1), given)})
            assert engine.dtype == dtype
            assert engine.window("weights", ONE, ONE).dtype == dtype
    many_keys = {"X": np.ones((2, 1)), "context": np.ones((1025, 1))}
    assert (
        IncrementalEngine(Spec(projected=False, context=True), many_keys).dtype
        == np.float32
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_step_is_of_the_type_that_is_chosen(name, dtype) -> None:
    spec, inputs = example(name)
    engine = IncrementalEngine(spec, inputs, dtype)
    assert_as_fresh(engine, inputs)
    for matrix in inputs:
        engine.edit(matrix, (ONE, ONE))
    assert_as_fresh(engine, inputs)


def test_other_types_are_refused() -> None:
    expected = "The 'dtype' parameter must be float32 or float64. Got float16 instead."
    with pytest.raises(ValueError, match=re.escape(expected)):
        IncrementalEngine(Spec(projected=False), {"X": np.eye(3)}, np.float16)


@pytest.mark.parametrize(
    ("matrix", "value", "expected"),
    [
        ("X", np.nan, "The 'X' matrix must hold finite numbers. Got nan"),
        ("W_Q", -np.inf, "The 'W_Q' matrix must hold finite numbers. Got -inf"),
        ("bias", np.inf, "The 'bias' matrix must hold finite numbers or −inf. Got inf"),
        ("bias", np.nan, "The 'bias' matrix must hold finite numbers or −inf. Got nan"),
    ],
)
def test_a_number_that_is_not_finite_is_refused(matrix, value, expected) -> None:
    spec, inputs = example("bias of a key")
    engine = IncrementalEngine(spec, inputs)
    before = {step: array.copy() for step, array in engine.trace().items()}
    kept = inputs[matrix].copy()
    inputs[matrix][0, 2] = value
    with pytest.raises(ValueError, match=re.escape(expected)):
        engine.edit(matrix, (ONE, ALL))
    assert engine.update() == {}
    for step, array in engine.trace().items():
        np.testing.assert_array_equal(array, before[step])
    # Neither is what comes after in any way disturbed.
    inputs[matrix][...] = kept
    set_cells(engine, inputs["X"], "X", (ONE, ALL), 0.25)
    assert_as_fresh(engine, inputs)


def test_a_refused_edit_leaves_those_before_it() -> None:
    spec, inputs = example("self")
    engine = IncrementalEngine(spec, inputs)
    set_cells(engine, inputs["X"], "X", (ONE, ONE), 2.0)
    inputs["W_Q"][0, 0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        engine.edit("W_Q", (ONE, ONE))
    assert set(engine.update()) >= {"X", "Q", "weights", "output"}
    assert engine.window("X")[0, 0] == 2.0


def test_a_number_that_single_precision_cannot_hold_is_refused() -> None:
    x = np.eye(4)
    engine = IncrementalEngine(Spec(projected=False), {"X": x}, np.float32)
    before = engine.window("weights").copy()
    x[1, 2] = 1e300
    with pytest.raises(ValueError, match=r"range of float32. Got 1e\+300 at \[1, 2\]"):
        engine.edit("X", (slice(1, 2), ALL))
    assert engine.update() == {}
    np.testing.assert_array_equal(engine.window("weights"), before)
    with pytest.raises(ValueError, match=r"range of float32. Got 1e\+300 at \[1, 2\]"):
        IncrementalEngine(Spec(projected=False), {"X": x}, np.float32)


def test_inputs_are_checked_at_the_start() -> None:
    with pytest.raises(ValueError, match="must be given"):
        IncrementalEngine(Spec(), {"X": np.eye(3)})
    with pytest.raises(ValueError, match="finite"):
        IncrementalEngine(Spec(projected=False), {"X": np.full((2, 2), np.nan)})


def test_an_unknown_matrix_is_refused_with_the_nearest_name() -> None:
    spec, inputs = example("self")
    engine = IncrementalEngine(spec, inputs)
    expected = (
        "The 'matrix' must be one of X, W_Q, W_K, W_V. Got 'W_k' instead. "
        "Did you mean 'W_K'?"
    )
    with pytest.raises(ValueError, match=re.escape(expected)):
        engine.edit("W_k", (ONE, ONE))
    # A step that is computed is no input.
    with pytest.raises(ValueError, match="must be one of"):
        engine.edit("weights", (ONE, ONE))


def test_an_unknown_step_or_head_has_no_window() -> None:
    spec, inputs = example("self")
    engine = IncrementalEngine(spec, inputs)
    with pytest.raises(KeyError):
        engine.window("weight")
    with pytest.raises(IndexError):
        engine.window("weights", head=1)


@pytest.mark.parametrize("region", [(0, 0), slice(0, 1), (ALL, ALL, ALL), [ALL, ALL]])
def test_what_is_no_region_is_refused(region) -> None:
    engine = IncrementalEngine(Spec(projected=False), {"X": np.eye(3)})
    with pytest.raises(TypeError, match=r"The 'region' parameter must be .* Got .*"):
        engine.edit("X", region)


def test_a_type_that_is_none_is_refused() -> None:
    expected = "The 'dtype' parameter must be float32 or float64. Got 'abc' instead."
    with pytest.raises(ValueError, match=expected):
        IncrementalEngine(Spec(projected=False), {"X": np.eye(3)}, "abc")


def test_a_bias_below_the_range_of_single_precision_hides_its_key() -> None:
    bias = np.array([[0.0, -1e300], [0.0, 0.0]])
    inputs = {"X": np.eye(2), "bias": bias}
    engine = IncrementalEngine(Spec(projected=False, bias=True), inputs, np.float32)
    np.testing.assert_array_equal(engine.window("weights")[0], [1, 0])
    bias[1, 1] = 1e300
    with pytest.raises(ValueError, match=r"'bias' .* Got 1e\+300 at \[1, 1\]"):
        engine.edit("bias", (slice(1, 2), ALL))
