"""The numbers of every row of weights, by hand and by plain loops."""

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute import Folding, RowStatistics, row_statistics

NAMES = [field.name for field in fields(RowStatistics)]
SHARES = ("distance", "first_share", "diagonal_share", "previous_share")


def test_three_rows_worked_out_by_hand() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    facts = row_statistics(weights)
    assert facts.row_sum.tolist() == [1.0, 1.0, 1.0]
    assert facts.maximum.tolist() == [0.5, 1.0, 0.5]
    assert facts.entropy.tolist() == [1.5, 0.0, 1.0]
    assert facts.effective_keys == pytest.approx([2**1.5, 1.0, 2.0], rel=1e-15)
    assert facts.distance.tolist() == [0.75, 0.0, 1.5]
    assert facts.first_share.tolist() == [0.5, 0.0, 0.5]
    assert facts.diagonal_share.tolist() == [0.5, 1.0, 0.0]
    np.testing.assert_array_equal(facts.previous_share, [math.nan, 0.0, 0.5])
    assert facts.visible.tolist() == [True, True, True]
    assert facts.negative.tolist() == [False, False, False]


def test_a_row_that_does_not_add_up_to_one_is_told_by_its_shares() -> None:
    # Sigmoids, or weights after dropout: 0.5 + 1.5 = 2, shares 1/4 and 3/4.
    facts = row_statistics(np.array([[0.0, 0.5, 1.5]]))
    assert facts.row_sum.tolist() == [2.0]
    assert facts.maximum.tolist() == [1.5]
    bits = 0.25 * 2 + 0.75 * math.log2(4 / 3)
    assert facts.entropy == pytest.approx([bits], rel=1e-15)
    assert facts.effective_keys == pytest.approx([2**bits], rel=1e-15)
    assert facts.distance.tolist() == [1.75]


def test_a_query_that_sees_no_key_has_no_shares() -> None:
    facts = row_statistics(np.array([[0.0, 0.0], [0.5, 0.5]]))
    assert facts.visible.tolist() == [False, True]
    for name in ("row_sum", "maximum", "entropy", "effective_keys"):
        assert getattr(facts, name)[0] == 0.0
    for name in SHARES:
        assert math.isnan(getattr(facts, name)[0])
    assert facts.distance[1] == 0.5


@pytest.mark.parametrize(
    ("row", "negative"),
    [
        ([-0.5, 1.5], True),
        ([0.5, -0.5], True),
        ([-0.5, -0.5], True),
        ([math.nan, 0.0], False),
        ([math.inf, 1.0], False),
        ([1.0, math.inf], False),
        ([1e308, 1e308], False),
        ([math.nan, -1.0], True),
    ],
)
def test_a_negative_or_undefined_row_has_neither_entropy_nor_shares(
    row, negative
) -> None:
    facts = row_statistics(np.array([row, [0.25, 0.75]]))
    assert facts.negative.tolist() == [negative, False]
    assert facts.visible.tolist() == [True, True]
    for name in ("entropy", "effective_keys", *SHARES):
        assert math.isnan(getattr(facts, name)[0])
    np.testing.assert_equal(facts.row_sum[0], row[0] + row[1])
    assert facts.first_share[1] == 0.25


def test_a_window_knows_where_its_queries_stand() -> None:
    weights = np.array([[0.25, 0.25, 0.0, 0.5], [0.0, 0.0, 0.25, 0.75]])
    # Rows 1 and 2 of the queries that begin at key 1 stand at keys 2 and 3.
    facts = row_statistics(weights, first_query=1, query_offset=1)
    assert facts.distance.tolist() == [1.25, 0.25]
    assert facts.diagonal_share.tolist() == [0.0, 0.75]
    assert facts.previous_share.tolist() == [0.25, 0.25]
    assert facts.first_share.tolist() == [0.25, 0.0]


def test_a_query_beyond_the_keys_has_no_share_of_its_own() -> None:
    weights = np.full((5, 2), 0.5)
    facts = row_statistics(weights, query_offset=-1)  # queries at −1, 0, 1, 2, 3
    assert facts.diagonal_share.tolist() == [0.0, 0.5, 0.5, 0.0, 0.0]
    want = [math.nan, math.nan, 0.5, 0.5, 0.0]
    np.testing.assert_array_equal(facts.previous_share, want)
    assert facts.distance.tolist() == [1.5, 0.5, 0.5, 1.5, 2.5]


def _loop(row: list[float], i: int) -> dict[str, float]:
    """The definitions, key by key."""
    total = math.fsum(row)
    shares = [weight / total for weight in row]
    bits = -math.fsum(s * math.log2(s) for s in shares if s > 0)
    return {
        "row_sum": total,
        "maximum": sorted(row)[-1],
        "entropy": bits,
        "effective_keys": 2**bits,
        "distance": math.fsum(s * abs(i - j) for j, s in enumerate(shares)),
        "first_share": shares[0],
        "diagonal_share": shares[i] if 0 <= i < len(row) else 0.0,
        "previous_share": (
            math.nan if i < 1 else shares[i - 1] if i <= len(row) else 0.0
        ),
    }


weights_of_heads = array_shapes(min_dims=2, max_dims=4, max_side=5).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 8).map(float))
)


@given(weights_of_heads, st.integers(0, 4), st.integers(-3, 3))
def test_the_statistics_are_those_of_a_loop_over_rows(
    weights, first_query, query_offset
) -> None:
    facts = row_statistics(weights, first_query=first_query, query_offset=query_offset)
    for place in np.ndindex(weights.shape[:-1]):
        row = weights[place].tolist()
        assert facts.visible[place] == any(row)
        if any(row):
            for name, want in _loop(
                row, first_query + query_offset + place[-1]
            ).items():
                np.testing.assert_allclose(
                    getattr(facts, name)[place], want, rtol=1e-12, atol=1e-12
                )


@given(weights_of_heads, st.data())
def test_windows_of_rows_tell_what_the_whole_tells(weights, data) -> None:
    start = data.draw(st.integers(0, weights.shape[-2] - 1))
    whole = row_statistics(weights)
    window = row_statistics(weights[..., start:, :], first_query=start)
    for name in NAMES:
        np.testing.assert_array_equal(
            getattr(window, name), getattr(whole, name)[..., start:]
        )


@given(weights_of_heads, st.integers(-20, 20))
def test_only_the_sum_and_the_maximum_depend_on_the_size_of_weights(
    weights, exponent
) -> None:
    # A power of two multiplies without rounding.
    facts, scaled = row_statistics(weights), row_statistics(weights * 2.0**exponent)
    for name in NAMES:
        factor = 2.0**exponent if name in ("row_sum", "maximum") else 1
        want = getattr(facts, name) * factor
        np.testing.assert_array_equal(getattr(scaled, name), want)


@given(arrays(np.float64, (3, 5), elements=st.floats(0, 1)))
def test_statistics_stay_within_what_the_keys_allow(weights) -> None:
    assume((weights.sum(axis=1) > 1e-3).all())
    facts = row_statistics(weights)
    assert (facts.entropy >= 0).all()
    assert (facts.effective_keys <= 5 * (1 + 1e-12)).all()
    assert (facts.effective_keys * facts.maximum / facts.row_sum >= 1 - 1e-12).all()
    assert (facts.distance <= 4 * (1 + 1e-12)).all()
    assert (facts.first_share + facts.diagonal_share)[1:].max() <= 1 + 1e-12


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_statistics_have_the_dtype_of_the_weights(dtype) -> None:
    weights = np.array([[[0.5, 0.5], [0.0, 0.0]]], dtype=dtype)
    facts = row_statistics(weights)
    for name in NAMES:
        assert getattr(facts, name).shape == (1, 2)
        kind = bool if name in ("visible", "negative") else dtype
        assert getattr(facts, name).dtype == kind
    assert facts.distance[0, 0] == 0.5


def test_small_floats_count_keys_further_than_they_can_themselves() -> None:
    # float16 has no 2049, and its largest number is 65504.
    weights = np.zeros((1, 70_000), dtype=np.float16)
    weights[0, [0, 4000]] = 0.5
    assert row_statistics(weights).distance.tolist() == [2000.0]


def test_no_statistic_holds_on_to_the_weights() -> None:
    facts = row_statistics(np.full((4, 8), 0.125))
    for name in NAMES:
        array = getattr(facts, name)
        assert array.base is None or array.base.size <= array.size


def test_a_part_of_the_statistics_is_that_of_a_head_or_a_row() -> None:
    weights = np.arange(1.0, 13.0).reshape(2, 2, 3)
    facts = row_statistics(weights)
    for name in NAMES:
        values = getattr(facts, name)
        np.testing.assert_array_equal(getattr(facts[1], name), values[1])
        row = getattr(facts[1, 0], name)
        assert isinstance(row, np.ndarray)
        assert row.shape == ()
        np.testing.assert_array_equal(row, values[1, 0])
        np.testing.assert_array_equal(getattr(facts[0, 1:], name), values[0, 1:])


@pytest.mark.parametrize("shape", [(3,), (2, 0), ()])
def test_weights_without_rows_of_keys_are_refused(shape) -> None:
    with pytest.raises(ValueError, match=r"The 'weights' parameter must have shape"):
        row_statistics(np.zeros(shape))


def test_a_negative_first_query_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'first_query' .* at least 0\. Got -1"):
        row_statistics(np.ones((1, 1)), first_query=-1)


def test_statistics_of_folded_weights_count_groups():
    """Groups {0}, {1, 2}, {3} of the queries and {0, 1}, {2}, {3} of the keys."""
    folding = Folding(((0, 1), (1, 3), (3, 4)), ((0, 2), (2, 3), (3, 4)))
    rows = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.0, 0.5, 0.5]])
    found = row_statistics(rows, folding=folding)
    # Query 0 has key group 0, the queries 1 and 2 both of the first, query 3 the last.
    np.testing.assert_allclose(found.diagonal_share, [0.5, 0.75, 0.5])
    np.testing.assert_allclose(found.distance, [0.25 + 0.5, 0.25, 0.5])
    np.testing.assert_allclose(found.previous_share, [np.nan, np.nan, 0.5])
    np.testing.assert_allclose(found.first_share, rows[:, 0])
    np.testing.assert_allclose(found.entropy, [1.5, 1.5, 1.0])
    later = row_statistics(rows[2:], first_query=2, folding=folding)
    np.testing.assert_allclose(later.previous_share, [0.5])
    # Two keys before the queries: query 0 stands for key 2, and 2 and 3 for none.
    moved = row_statistics(rows, folding=folding, query_offset=2)
    np.testing.assert_allclose(moved.diagonal_share, [0.25, 0.25, 0.0])
    np.testing.assert_allclose(moved.previous_share, [0.5, 0.5, 0.0])
    np.testing.assert_allclose(moved.distance, [0.5 + 0.25, 0.25 * 2 + 0.5, 2.5])


def test_unfolded_groups_have_the_statistics_of_tokens():
    rows = np.random.default_rng(2).dirichlet(np.ones(5), 5)
    alone = tuple((k, k + 1) for k in range(5))
    plain, folded = (
        row_statistics(rows, query_offset=1, folding=folding)
        for folding in (None, Folding(alone, alone))
    )
    for name in ("distance", "diagonal_share", "previous_share", "first_share"):
        np.testing.assert_array_equal(getattr(folded, name), getattr(plain, name))
