"""Sparsemax and 1.5-entmax against a search for their threshold."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS

_INF = math.inf
_SPARSE = pytest.mark.parametrize(
    ("name", "alpha"), [("sparsemax", 2), ("entmax15", 1.5)]
)


def _bisected(row: list[float], alpha: float) -> list[float]:
    """Equation 13 of Peters et al. 2019, its threshold found by halving."""
    z = [(alpha - 1) * s for s in row]
    power = 1 / (alpha - 1)
    low, high = max(z) - 1, max(z)
    for _ in range(200):
        middle = (low + high) / 2
        if math.fsum(max(0.0, x - middle) ** power for x in z) > 1:
            low = middle
        else:
            high = middle
    return [max(0.0, x - low) ** power for x in z]


@_SPARSE
@given(
    scores=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=9),
        elements=st.floats(-3, 3),
    ),
    temperature=st.sampled_from([0.5, 1.0, 3.0]),
)
def test_the_weights_are_those_of_the_threshold_found_by_halving(
    name, alpha, scores, temperature
) -> None:
    weights = NORMALIZERS[name](temperature=temperature).normalize(scores)
    for index in np.ndindex(scores.shape[:-1]):
        want = _bisected((scores[index] / temperature).tolist(), alpha)
        np.testing.assert_allclose(weights[index], want, rtol=0, atol=1e-14)


@_SPARSE
def test_a_long_row_has_the_weights_of_its_threshold(name, alpha) -> None:
    row = np.sin(np.arange(5000.0) ** 2) / 10
    got = NORMALIZERS[name]().normalize(row[np.newaxis])[0]
    np.testing.assert_allclose(got, _bisected(row.tolist(), alpha), rtol=0, atol=1e-14)
    assert 1 < np.count_nonzero(got) < row.size


@_SPARSE
def test_half_precision_does_not_add_long_rows_up_in_half(name, alpha) -> None:
    row = np.array([0.1] + [0.0] * 4000, dtype=np.float16)
    got = NORMALIZERS[name]().normalize(row[np.newaxis])[0]
    np.testing.assert_allclose(got, _bisected(row.tolist(), alpha), rtol=0, atol=1e-4)


@_SPARSE
@pytest.mark.parametrize("size", [1e30, 1e308, 1.7e308])
def test_huge_scores_share_the_row_only_with_their_equals(name, alpha, size) -> None:
    rows = np.array(
        [
            [size, -size, size, 0.0],
            [size, -size, -_INF, 0.0],
            [-size, -_INF, -size, -_INF],
        ]
    )
    want = [[0.5, 0.0, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0]]
    got = NORMALIZERS[name]().normalize(rows)
    np.testing.assert_allclose(got, want, rtol=4e-16, atol=0)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([3.0], [1.0]),
        ([0.0, 0.5, 1.0, 1.5, 2.0], [0.0, 0.0, 0.0, 0.25, 0.75]),
        ([1.0, -_INF, 1.0], [0.5, 0.0, 0.5]),
        ([1.0, 0.0], [1.0, 0.0]),
        ([_INF, 2.0, _INF], [0.5, 0.0, 0.5]),
    ],
)
def test_sparsemax_of_rows_worked_by_hand(scores, weights) -> None:
    got = NORMALIZERS["sparsemax"]().normalize(np.array([scores]))[0]
    assert got.tolist() == weights


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([3.0], [1.0]),
        # τ is 0.8 below the largest half score: 0.8² + 0.6² = 1.
        ([1.4, 1.0, -_INF, -5.0], [0.64, 0.36, 0.0, 0.0]),
        # (2/3)² + (2/3)² + (1/3)² = 1
        ([2 / 3, 0.0, 2 / 3], [4 / 9, 1 / 9, 4 / 9]),
        ([2.0, 0.0], [1.0, 0.0]),
        # recorded from the entmax package, version 1.3
        (
            [0.0, 0.5, 1.0, 1.5, 2.0],
            [
                0.0,
                0.0015664259041812637,
                0.08385547530139376,
                0.29114452469860624,
                0.6234335740958187,
            ],
        ),
    ],
)
def test_entmax15_of_rows_worked_by_hand_or_recorded(scores, weights) -> None:
    got = NORMALIZERS["entmax15"]().normalize(np.array([scores]))[0]
    np.testing.assert_allclose(got, weights, rtol=0, atol=1e-15)


@_SPARSE
def test_keys_outside_the_support_get_zero_to_the_bit(name, alpha) -> None:
    row = np.array([[0.1, 0.2, 0.3, -_INF, -7.0, -1e9]])
    got = NORMALIZERS[name]().normalize(row)[0]
    assert got[3:].tolist() == [0.0, 0.0, 0.0]


def test_far_keys_do_not_blur_the_weight_of_the_largest() -> None:
    row = np.array([[0.0] + [-9.0] * 12])
    assert NORMALIZERS["entmax15"]().normalize(row)[0].tolist() == [1.0] + [0.0] * 12
