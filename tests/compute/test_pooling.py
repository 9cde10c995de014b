"""Tests of blocks that are combined into one number, against loops over the cells."""

import functools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.pooling import pool

COMBINATIONS = {
    np.maximum: max,
    np.add: operator.add,
    np.bitwise_or: operator.or_,
}


@given(
    shape=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    block=st.tuples(st.integers(1, 24), st.integers(1, 24)),
    combine=st.sampled_from(list(COMBINATIONS)),
    in_columns=st.booleans(),
)
def test_each_block_is_combined_whatever_its_size(shape, block, combine, in_columns):
    values = np.random.default_rng(0).integers(0, 99, shape)
    values = np.asfortranarray(values) if in_columns else values
    want = [
        [
            functools.reduce(
                COMBINATIONS[combine],
                values[i : i + block[0], j : j + block[1]].ravel().tolist(),
            )
            for j in range(0, shape[1], block[1])
        ]
        for i in range(0, shape[0], block[0])
    ]
    np.testing.assert_array_equal(pool(values, block, combine), want)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 8, 16, 100])
def test_sums_are_made_in_the_wider_type(size):
    values = np.full((size, 3), 40_000, np.float16)
    sums = pool(values, (size, 3), np.add, np.float64)
    assert sums.dtype == np.float64
    assert sums.item() == 40_000 * 3 * size
