"""What changed between two matrices, and matrices put where others have their cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnviewer.compute import (
    Aligned,
    CellChange,
    InMemory,
    LargestChanges,
    Subtraction,
)

INF, NAN = np.inf, np.nan


def compared(*pairs, most=20):
    changes = LargestChanges([(InMemory(b), InMemory(a)) for b, a in pairs], most)
    for _ in changes.compare():
        pass
    return changes


def test_changes_worked_by_hand():
    before = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    after = np.array([[1.0, 2.5, 1.0], [4.0, 5.0, 6.25]])
    changes = compared((after, before))
    assert changes.largest == [
        CellChange(0, 0, 2, 3.0, 1.0),
        CellChange(0, 0, 1, 2.0, 2.5),
        CellChange(0, 1, 2, 6.0, 6.25),
    ]
    assert [cell.change for cell in changes.largest] == [-2.0, 0.5, 0.25]
    assert (changes.changed, changes.cells, changes.reach) == (3, 6, 2.0)
    assert changes.limits == (1.0, 6.25)
    assert changes.finished


def test_what_became_infinite_or_undefined_changed_most_and_does_not_set_the_scale():
    before = np.array([[-INF, 1.0, 7.0, INF, NAN]])
    after = np.array([[0.5, NAN, 4.0, INF, NAN]])
    changes = compared((after, before))
    assert [(c.row, c.column) for c in changes.largest] == [(0, 0), (0, 1), (0, 2)]
    assert changes.largest[0].change == INF
    assert np.isnan(changes.largest[1].change)
    assert (changes.changed, changes.reach, changes.limits) == (3, 3.0, (0.5, 7.0))


def test_of_the_same_nothing_changed():
    same = np.array([[1.0, -INF], [NAN, 0.0]])
    changes = compared((same, same.copy()))
    assert (changes.largest, changes.changed, changes.reach) == ([], 0, 0.0)


def test_what_rounding_alone_may_have_changed_is_the_same():
    before = np.array([[100.0, 0.0, 1e-3, -INF]])
    after = before + np.array([[1e-13, 1e-14, 1e-9, 0.0]])
    changes = LargestChanges([(InMemory(after), InMemory(before))], rounding=1e-14)
    for _ in changes.compare():
        pass
    assert changes.tolerance == pytest.approx(1e-12)
    assert [c.column for c in changes.largest] == [2]
    subtraction = Subtraction(InMemory(after), InMemory(before), changes.tolerance)
    assert np.flatnonzero(subtraction.window()).tolist() == [2]


def test_all_heads_are_compared_and_told_apart():
    zeros = np.zeros((1, 2))
    changes = compared((np.array([[0.0, 1.0]]), zeros), (np.array([[-3.0, 0]]), zeros))
    assert changes.largest == [
        CellChange(1, 0, 0, 0.0, -3.0),
        CellChange(0, 0, 1, 0, 1),
    ]


def test_a_matrix_too_large_for_one_turn_is_compared_in_several():
    before = np.zeros((900, 700))
    after = before.copy()
    after[899, 699], after[0, 0], after[150, 3] = 1.0, -2.0, 3.0
    changes = LargestChanges([(InMemory(after), InMemory(before))])
    turns = sum(1 for _ in changes.compare())
    assert turns >= 3
    assert [(c.row, c.column) for c in changes.largest] == [
        (150, 3),
        (0, 0),
        (899, 699),
    ]


@given(
    hnp.arrays(float, (2, 7, 9), elements=st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0])),
    st.integers(1, 8),
)
def test_of_equally_large_changes_the_first_are_remembered(values, most):
    before, after = values
    places = sorted(np.ndindex(7, 9), key=lambda p: -abs(after[p] - before[p]))
    want = [p for p in places if after[p] != before[p]][:most]
    changes = compared((after, before), most=most)
    assert [(c.row, c.column) for c in changes.largest] == want


def test_masks_are_subtracted_as_ones_and_zeros():
    before, after = np.array([[True, False, True]]), np.array([[True, True, False]])
    assert Subtraction(InMemory(after), InMemory(before)).window().tolist() == [
        [0, 1, -1]
    ]


@pytest.fixture
def aligned():
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    hidden = np.array([[False, True], [False, False], [False, False]])
    rows, columns = np.array([0, -1, 2, 1]), np.array([1, -1, 0])
    return Aligned(InMemory(values, hidden), rows, columns)


def test_rows_and_columns_are_put_in_their_places_with_gaps(aligned):
    assert aligned.shape == (4, 3)
    want = [[2, NAN, 1], [NAN] * 3, [6, NAN, 5], [4, NAN, 3]]
    np.testing.assert_array_equal(aligned.window(), want)
    assert aligned.hidden().astype(int).tolist() == [
        [1, 1, 0],
        [1, 1, 1],
        [0, 1, 0],
        [0, 1, 0],
    ]


@pytest.mark.parametrize("rows", [slice(0, 2), slice(1, 2), slice(2, 4), slice(3, 3)])
@pytest.mark.parametrize("columns", [slice(None), slice(1, 2), slice(2, 3)])
def test_a_window_is_that_part_of_what_is_aligned(aligned, rows, columns):
    want, hidden = aligned.window()[rows, columns], aligned.hidden()[rows, columns]
    np.testing.assert_array_equal(aligned.window(rows, columns), want)
    np.testing.assert_array_equal(aligned.hidden(rows, columns), hidden)


def test_gaps_of_both_are_no_differences():
    one = Aligned(InMemory(np.array([[1.0]])), np.array([-1, 0]), np.array([0]))
    other = Aligned(InMemory(np.array([[4.0]])), np.array([-1, 0]), np.array([0]))
    difference = Subtraction(one, other)
    assert difference.window().tolist() == [[0.0], [-3.0]]
    assert difference.hidden().tolist() == [[True], [False]]
