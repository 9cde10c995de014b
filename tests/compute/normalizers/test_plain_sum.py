"""The plain sum against exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS

_SUM = NORMALIZERS["sum"]
_INF = math.inf


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([7.0], [1.0]),
        ([1.0, 3.0], [0.25, 0.75]),
        ([-1.0, 3.0], [-0.5, 1.5]),
        ([-1.0, -3.0], [0.25, 0.75]),
        ([5.0, -_INF, 15.0], [0.25, 0.0, 0.75]),
        ([0.0, 2.0], [0.0, 1.0]),
        ([-_INF, -_INF], [0.0, 0.0]),
        ([1e308, 1e308], [0.5, 0.5]),
        ([1e308, -_INF, 1e308, 1e308, 1e308], [0.25, 0.0, 0.25, 0.25, 0.25]),
        ([1e308, 1e308, -1e308], [1.0, 1.0, -1.0]),
        ([1e308, -1e308, 1e-3], [_INF, -_INF, 1.0]),
        ([_INF, 5.0, -_INF], [math.nan, 0.0, 0.0]),
    ],
)
def test_plain_sum_of_rows_worked_by_hand(scores, weights) -> None:
    got = _SUM().normalize(np.array([scores]))[0]
    np.testing.assert_array_equal(got, weights)


@pytest.mark.parametrize(
    "scores",
    [[0.0, 0.0], [1.0, -1.0], [2.0, -_INF, -2.0], [1e308, 1e308, -1e308, -1e308]],
)
def test_plain_sum_has_no_weights_where_the_open_scores_add_up_to_zero(scores) -> None:
    got = _SUM().normalize(np.array([scores]))[0]
    masked = np.isneginf(scores)
    assert np.isnan(got[~masked]).all()
    assert (got[masked] == 0).all()


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
        elements=st.floats(0.001, 1.7e308),
    )
)
def test_plain_sum_is_the_exact_fraction_of_the_row(scores: np.ndarray) -> None:
    weights = _SUM().normalize(scores)
    for index in np.ndindex(scores.shape):
        exact = [Fraction(s) for s in scores[index[:-1]].tolist()]
        want = float(exact[index[-1]] / sum(exact))
        np.testing.assert_allclose(weights[index], want, rtol=1e-14, atol=1e-307)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6))
def test_plain_sum_knows_no_temperature(scores: list[int]) -> None:
    assume(sum(scores) != 0)
    row = np.array([scores], dtype=np.float64)
    got = _SUM(temperature=3.0).normalize(row)
    np.testing.assert_array_equal(got, _SUM().normalize(row))


def test_the_formula_leaves_the_temperature_out() -> None:
    assert _SUM(temperature=3.0).described("scores") == "scores / Σ scores"
