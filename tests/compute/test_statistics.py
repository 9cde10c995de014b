"""What a row of weights says about its query."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import entropy, row_statistics, row_sums, top_keys


@pytest.mark.parametrize(
    ("weights", "bits", "keys"),
    [
        ([1.0, 0.0, 0.0], 0.0, 1.0),
        ([0.5, 0.5], 1.0, 2.0),
        ([0.25] * 4, 2.0, 4.0),
        ([0.5, 0.25, 0.25], 1.5, 2**1.5),
        ([0.0, 0.0], 0.0, 0.0),
    ],
)
def test_entropy_counts_bits_and_effective_keys_count_keys(weights, bits, keys) -> None:
    row = np.array(weights)
    assert entropy(row) == bits
    assert math.copysign(1.0, float(entropy(row))) == 1.0
    statistics = row_statistics(row[np.newaxis])
    assert statistics.effective_keys.item() == pytest.approx(keys, rel=1e-15)


@given(arrays(np.float64, (3, 4), elements=st.floats(0.001, 1)))
def test_entropy_is_the_written_out_sum(weights: np.ndarray) -> None:
    distributions = weights / weights.sum(axis=1, keepdims=True)
    want = [-math.fsum(w * math.log2(w) for w in row) for row in distributions.tolist()]
    np.testing.assert_allclose(entropy(distributions), want, rtol=1e-13)


@pytest.mark.parametrize("row", [[-0.5, 1.5], [math.nan, math.nan]])
def test_what_is_no_distribution_has_no_entropy(row) -> None:
    assert math.isnan(entropy(np.array(row)))


def test_a_row_without_any_weight_spreads_over_no_key_beside_others() -> None:
    weights = np.array([[[0.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, -0.5]]])
    want = [[0.0, 2.0], [1.0, math.nan]]
    np.testing.assert_array_equal(row_statistics(weights).effective_keys, want)


def test_row_sums_keep_heads_and_queries() -> None:
    weights = np.arange(12.0).reshape(2, 2, 3)
    assert row_sums(weights).tolist() == [[3.0, 12.0], [21.0, 30.0]]


def test_top_keys_come_largest_first_and_ties_in_their_order() -> None:
    row = np.array([0.2, 0.5, 0.2, 0.1])
    assert top_keys(row, 3) == [1, 0, 2]
    assert top_keys(row, 9) == [1, 0, 2, 3]
    assert top_keys(row, 0) == []
