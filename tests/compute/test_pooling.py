"""Matrices too large for their picture are pooled, and what stands out stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import pool_extremes


@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.integers(1, 12),
    st.integers(1, 12),
    st.data(),
)
def test_a_lone_hot_cell_survives_at_any_size(n, m, rows, columns, data) -> None:
    values = np.zeros((n, m))
    hot = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, m - 1))
    values[hot] = -3.5
    pooled = pool_extremes(values, rows, columns)
    assert pooled.shape[0] <= rows
    assert pooled.shape[1] <= columns
    assert (pooled == -3.5).sum() == 1
    block = -(-n // rows), -(-m // columns)
    assert pooled[hot[0] // block[0], hot[1] // block[1]] == -3.5


def test_a_matrix_that_fits_stays_as_it_is() -> None:
    values = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(pool_extremes(values, 2, 3), values)


@pytest.mark.parametrize(
    ("block", "winner"),
    [([-np.inf, 0.0], 0.0), ([9.0, np.inf], np.inf), ([-np.inf, -np.inf], -np.inf)],
)
def test_masked_scores_lose_and_infinities_win(block, winner) -> None:
    assert pool_extremes(np.array([block]), 1, 1)[0, 0] == winner


def test_nan_is_never_pooled_away() -> None:
    assert np.isnan(pool_extremes(np.array([[1e308], [np.nan]]), 1, 1)[0, 0])
