"""How alike heads are, by hand and by plain loops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute.similarity import (
    order_of,
    order_of_likes,
    products,
    similarity,
    square_roots_of_shares,
)


def of_weights(*heads) -> np.ndarray:
    return similarity(products(square_roots_of_shares(np.array(heads, dtype=float))))


def test_heads_that_look_at_the_same_keys_are_as_alike_as_can_be() -> None:
    head = [[0.25, 0.75], [1.0, 0.0]]
    assert of_weights(head, head) == pytest.approx(np.ones((2, 2)))


def test_heads_without_a_common_key_are_not_alike_at_all() -> None:
    found = of_weights([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    assert found.tolist() == [[1, 0], [0, 1]]


def test_two_rows_worked_out_by_hand() -> None:
    # √(0.25 · 1) = 0.5 in one row, √(0.36 · 0.64) + √(0.64 · 0.36) = 0.96 in the other.
    found = of_weights([[0.25, 0.75], [0.36, 0.64]], [[1, 0], [0.64, 0.36]])
    assert found[0, 1] == pytest.approx((0.5 + 0.96) / 2)
    assert found[1, 0] == found[0, 1]


def test_rows_count_by_their_shares_whatever_they_add_up_to() -> None:
    assert of_weights([[0.1, 0.3]], [[1, 3]])[0, 1] == pytest.approx(1)


def test_other_matrices_are_compared_by_their_cosine() -> None:
    one, opposite, across = [[3.0, 4.0]], [[-3.0, -4.0]], [[-4.0, 3.0]]
    found = similarity(products(np.array([one, opposite, across])))
    assert found == pytest.approx(np.array([[1, -1, 0], [-1, 1, 0], [0, 0, 1]]))


def test_nothing_is_known_of_zeros_and_of_numbers_without_a_product() -> None:
    found = similarity(products(np.array([[[0.0]], [[1.0]], [[1e200]], [[math.nan]]])))
    assert np.diagonal(found).tolist() == [1, 1, 1, 1]
    assert np.isnan(found[0, 1])
    assert np.isnan(found[2, 1])
    assert np.isnan(found[3, 1])


@given(arrays(np.float64, (3, 4, 2), elements=st.floats(-9, 9)))
def test_products_of_blocks_of_rows_add_up(matrices: np.ndarray) -> None:
    parts = products(matrices[:, :1]) + products(matrices[:, 1:])
    for i in range(3):
        for j in range(3):
            plain = math.fsum((matrices[i] * matrices[j]).ravel())
            assert parts[i, j] == pytest.approx(plain, abs=1e-9)


def test_numbers_are_sorted_and_equal_ones_keep_their_order() -> None:
    values = np.array([2.0, math.nan, 1.0, 2.0, 3.0])
    assert order_of(values, largest_first=True).tolist() == [4, 0, 3, 2, 1]
    assert order_of(values, largest_first=False).tolist() == [2, 0, 3, 4, 1]


def test_two_pairs_that_are_alike_become_neighbours() -> None:
    # 0 and 2 first (0.9), then 1 and 3 (0.8). Between the pairs 0 and 3 are the most
    # alike (0.5), so these ends meet.
    likeness = np.array(
        [
            [1.0, 0.1, 0.9, 0.5],
            [0.1, 1.0, 0.2, 0.8],
            [0.9, 0.2, 1.0, 0.3],
            [0.5, 0.8, 0.3, 1.0],
        ]
    )
    assert order_of_likes(likeness).tolist() == [1, 3, 0, 2]


def test_groups_are_as_alike_as_their_members_on_average() -> None:
    # 0 and 1 join first. 2 is 0.6 like one of them and 0 like the other, 0.3 on
    # average; 3 is 0.4 like 2: these two join before any of them joins the pair.
    likeness = np.eye(4)
    for i, j, value in ((0, 1, 0.9), (1, 2, 0.6), (0, 2, 0.0), (2, 3, 0.4)):
        likeness[i, j] = likeness[j, i] = value
    assert order_of_likes(likeness).tolist() == [0, 1, 2, 3]
    likeness[1, 3] = likeness[3, 1] = 0.7
    # Now 3 is 0.35 like the pair, still less than 0.4, but its end is the nearer one.
    assert order_of_likes(likeness).tolist() == [0, 1, 3, 2]


def test_every_member_of_a_group_counts_alike() -> None:
    # 0, 1 and 2 join. 3 is 0.6, 0.6 and 0 like them, 0.4 on average, and 0.35 like 4:
    # it joins them first, and 4 then stands at the nearer end, beside 2.
    likeness = np.eye(5)
    pairs = ((0, 1, 0.9), (0, 2, 0.8), (1, 2, 0.8), (0, 3, 0.6), (1, 3, 0.6))
    for i, j, value in (*pairs, (3, 4, 0.35), (2, 4, 0.36)):
        likeness[i, j] = likeness[j, i] = value
    assert order_of_likes(likeness).tolist() == [3, 0, 1, 2, 4]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_things_that_are_all_equally_alike_stay_in_their_order(count: int) -> None:
    assert order_of_likes(np.ones((count, count))).tolist() == list(range(count))


@given(st.integers(1, 9), st.data())
def test_every_thing_has_one_place(count: int, data: st.DataObject) -> None:
    numbers = st.one_of(st.floats(-1, 1), st.just(math.nan))
    likeness = data.draw(arrays(np.float64, (count, count), elements=numbers))
    likeness = (likeness + likeness.T) / 2
    order = order_of_likes(likeness).tolist()
    assert sorted(order) == list(range(count))
    assert order[0] <= order[-1]
