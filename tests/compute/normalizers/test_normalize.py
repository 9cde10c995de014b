"""The one call for scores alone: any axis, and what it refuses."""

import doctest
import math
import re

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS, by_name, normalize

_INF = math.inf


def test_the_examples_are_right() -> None:
    assert doctest.testmod(by_name).failed == 0
    assert doctest.testmod(by_name).attempted == 3


@given(
    scores=arrays(
        np.float64,
        array_shapes(min_dims=1, max_dims=4, max_side=4),
        elements=st.integers(1, 9),
    ),
    data=st.data(),
)
def test_every_line_along_the_axis_is_normalised_by_itself(scores, data) -> None:
    axis = data.draw(st.integers(-scores.ndim, scores.ndim - 1))
    for name in NORMALIZERS:
        note(name)
        got = normalize(scores, name, axis=axis)
        assert got.shape == scores.shape
        want = np.apply_along_axis(normalize, axis, scores, name)
        np.testing.assert_allclose(got, want, rtol=1e-14)


@pytest.mark.parametrize(
    ("scores", "want"), [([[1, 3]], [[0.25, 0.75]]), ([True, False], [1.0, 0.0])]
)
def test_whole_numbers_and_bools_are_taken_for_float64(scores, want) -> None:
    got = normalize(scores, "sum")
    assert got.dtype == np.float64
    assert got.tolist() == want


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", NORMALIZERS)
def test_floats_keep_their_precision(name, dtype) -> None:
    assert normalize(np.array([1, 2], dtype), name, temperature=2).dtype == dtype


def test_many_scores_in_half_precision_have_their_share() -> None:
    # 70,000 numerators of 1 add up to more than 65,504, the largest of its numbers.
    got = normalize(np.zeros(70_000, np.float16))
    assert got.dtype == np.float16
    assert (got == np.float16(1 / 70_000)).all()


def test_options_reach_the_normaliser() -> None:
    assert normalize([0.0, 0.0], "sigmoid", length_bias=False).tolist() == [0.5, 0.5]
    got = normalize([0.0, 2 * math.log(3)], temperature=2)
    np.testing.assert_allclose(got, [0.25, 0.75], rtol=1e-15)


def test_no_rows_are_no_weights() -> None:
    assert normalize(np.empty((0, 3)), "sparsemax").shape == (0, 3)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (
            [[1.0, 2.0, math.nan]],
            {},
            "The 'scores' parameter must not hold NaN or +inf (−inf masks a key). "
            "Got nan at [0, 2] instead.",
        ),
        (
            [1.0, _INF],
            {},
            "The 'scores' parameter must not hold NaN or +inf (−inf masks a key). "
            "Got inf at [1] instead.",
        ),
        (
            3.0,
            {},
            "The 'scores' parameter must have at least 1 dimension. Got 3.0 instead.",
        ),
        (
            [[], []],
            {},
            "The 'scores' parameter must have at least 1 score along its axis -1. "
            "Got shape (2, 0) instead.",
        ),
        (
            [[1.0], [2.0, 3.0]],
            {},
            "The 'scores' parameter must be an array. "
            "Got rows of different lengths instead.",
        ),
        (
            [[1.0]],
            {"axis": 2},
            "The 'axis' parameter must be from -2 to 1. Got 2 instead.",
        ),
        (
            [[1.0]],
            {"axis": -3},
            "The 'axis' parameter must be from -2 to 1. Got -3 instead.",
        ),
        (
            [1.0],
            {"normalizer": "sofmax"},
            f"The 'normalizer' must be one of {', '.join(NORMALIZERS)}. "
            "Got 'sofmax' instead. "
            "Did you mean 'softmax'?",
        ),
        (
            [1.0],
            {"normalizer": "sigmoid", "lenght_bias": True},
            "The 'sigmoid option' must be one of temperature, length_bias. "
            "Got 'lenght_bias' instead. Did you mean 'length_bias'?",
        ),
        (
            [1.0],
            {"length_bias": True},
            "The 'softmax option' must be one of temperature. "
            "Got 'length_bias' instead.",
        ),
        (
            [1.0],
            {"temperature": 0},
            "The 'temperature' option must be a finite number above 0. Got 0 instead.",
        ),
    ],
)
def test_what_cannot_be_normalised_is_refused(scores, options, message) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        normalize(scores, **options)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (
            [1j],
            {},
            "The 'scores' parameter must hold real numbers. Got complex128 instead.",
        ),
        (
            [1.0],
            {"axis": 0.0},
            "The 'axis' parameter must be a whole number. Got 0.0 instead.",
        ),
        (
            [1.0],
            {"axis": True},
            "The 'axis' parameter must be a whole number. Got True instead.",
        ),
        (
            [1.0],
            {"normalizer": "sigmoid", "length_bias": 1},
            "The 'length_bias' option must be True or False. Got 1 instead.",
        ),
    ],
)
def test_what_is_of_a_wrong_type_is_refused(scores, options, message) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        normalize(scores, **options)
