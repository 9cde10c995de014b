import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.ui.views.step.lines.strongest import (
    Links,
    links_from,
    strongest,
    strongest_of_rows,
)

CORNER = np.array([0, 0])
WEIGHTS = np.array([[0.7, 0.0, 0.3], [-0.6, 0.05, 1.55]])


def cells(links):
    return sorted(zip(links.queries.tolist(), links.keys.tolist(), strict=True))


def test_links_reach_the_threshold_and_zero_is_none():
    assert cells(links_from(WEIGHTS, 0.3, 0, CORNER)) == [
        *((0, 0), (0, 2)),
        *((1, 0), (1, 2)),
    ]
    assert (0, 1) not in cells(links_from(WEIGHTS, 0.0, 0, CORNER))


def test_links_of_a_window_know_their_place_and_head():
    links = links_from(WEIGHTS, 1.0, 3, np.array([10, 20]))
    assert cells(links) == [(11, 22)]
    assert links.heads.tolist() == [3]
    assert links.weights.tolist() == [1.55]


def test_weights_that_are_no_numbers_have_no_links():
    weights = np.array([[np.nan, 0.5, np.inf]])
    assert cells(links_from(weights, 0.0, 0, CORNER)) == [(0, 1)]


def test_the_strongest_of_a_row_go_by_size_whatever_the_sign():
    columns = strongest_of_rows(np.array([[0.1, -0.9, 0.3, 0.2], [4, 3, 2, 1]]), 2)
    assert [sorted(row) for row in columns.tolist()] == [[1, 2], [0, 1]]


def test_a_row_has_no_more_strongest_than_columns():
    assert strongest_of_rows(np.array([[0.1, 0.2]]), 8).tolist() == [[0, 1]]


def test_not_a_number_is_never_among_the_strongest():
    columns = strongest_of_rows(np.array([[np.nan, 0.1, 0.2, np.inf]]), 2)
    assert sorted(columns[0].tolist()) == [1, 2]


def test_the_strongest_links_come_last():
    links = links_from(WEIGHTS, 0.0, 0, CORNER)
    kept = strongest(links, 3)
    assert kept.weights.tolist() == [-0.6, 0.7, 1.55]
    assert strongest(links, 9).weights.tolist()[-1] == 1.55


@given(
    arrays(float, 20, elements=st.floats(-2, 2)),
    st.integers(1, 25),
)
def test_no_link_that_is_left_out_is_stronger_than_one_that_is_kept(weights, most):
    arrangement = np.arange(20)
    kept = strongest(Links(arrangement, arrangement, arrangement, weights), most)
    assert len(kept) == min(most, 20)
    sizes = sorted(abs(w) for w in weights.tolist())[20 - len(kept) :]
    assert np.abs(kept.weights).tolist() == sizes
