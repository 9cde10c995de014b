"""Hardmax: the first largest key takes it all."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.normalizers import NORMALIZERS

_HARDMAX = NORMALIZERS["hardmax"]()
_INF = math.inf


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([3.0], [1.0]),
        ([1.0, 3.0, 2.0], [0.0, 1.0, 0.0]),
        ([1.0, 3.0, 3.0], [0.0, 1.0, 0.0]),
        ([-_INF, -1e308, -_INF], [0.0, 1.0, 0.0]),
        ([-_INF, -_INF], [0.0, 0.0]),
        ([2.0, _INF, _INF], [0.0, 1.0, 0.0]),
        ([2.0, math.nan], [math.nan, math.nan]),
    ],
)
def test_hardmax_of_rows_worked_by_hand(scores, weights) -> None:
    got = _HARDMAX.normalize(np.array([scores]))[0]
    np.testing.assert_array_equal(got, weights)


@given(st.lists(st.sampled_from([1.0, 2.0, -1.5, 1e308, -_INF]), min_size=1))
def test_only_the_first_largest_open_key_has_a_weight(row: list[float]) -> None:
    got = _HARDMAX.normalize(np.array([row]))[0].tolist()
    want = [0.0] * len(row)
    if max(row) > -_INF:
        want[row.index(max(row))] = 1.0
    assert got == want


def test_half_precision_holds_the_place_of_every_key() -> None:
    row = np.zeros((1, 5000), dtype=np.float16)
    row[0, 4097] = 1
    weights = _HARDMAX.normalize(row)
    assert weights.dtype == np.float16
    assert np.flatnonzero(weights).tolist() == [4097]
