import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.views.step.lines.arrangement import Room, arrange


def room(width=600.0, height=400.0, counts=(5, 5), labels=(50.0, 60.0), zoom=1.0):
    return Room(width, height, counts, 20.0, labels, 40.0, zoom)


def test_the_parts_are_side_by_side_and_in_the_middle():
    places = arrange(room())
    edges = [
        *places.numbers[0],
        *places.queries,
        places.left,
        places.right,
        *places.keys,
        *places.numbers[1],
    ]
    assert edges == sorted(edges)
    assert places.queries[1] - places.queries[0] == pytest.approx(50)
    assert places.keys[1] - places.keys[0] == pytest.approx(60)
    assert edges[0] == pytest.approx(600 - edges[-1])


def test_on_a_wide_screen_lines_do_not_grow_without_end():
    wide = arrange(room(width=3840))
    assert wide.right - wide.left == 24 * 20


@given(
    st.floats(560, 4000),
    st.floats(0, 3000),
    st.floats(0, 3000),
)
def test_long_texts_leave_room_for_the_lines_and_stay_inside(width, one, other):
    places = arrange(room(width=width, labels=(one, other)))
    assert places.right - places.left >= 30
    assert places.numbers[0][0] >= 0
    assert places.numbers[1][1] <= width + 1e-6
    assert places.queries[1] - places.queries[0] <= one + 1e-6
    assert places.keys[1] - places.keys[0] <= other + 1e-6


@given(st.floats(100, 559), st.floats(0, 300), st.floats(0, 300))
def test_in_a_narrow_room_texts_and_numbers_share_their_places(width, one, other):
    places = arrange(room(width=width, labels=(one, other)))
    assert places.is_shared
    assert places.numbers == (places.queries, places.keys)
    assert 0 <= places.queries[0] <= places.queries[1] < places.left
    assert places.right - places.left >= 0.3 * (width - 40) - 1e-6
    assert places.right < places.keys[0] <= places.keys[1] <= width


@pytest.mark.parametrize(
    ("count", "row"),
    [(1, 64), (5, 64), (11, 400 / 11), (16, 25), (100, 24), (4096, 24)],
)
def test_rows_are_roomy_where_they_fit_and_readable_where_they_do_not(count, row):
    assert arrange(room(counts=(count, count))).row == pytest.approx(row)


def test_zoomed_out_all_rows_fit_and_zoomed_in_they_end_at_six_texts():
    assert arrange(room(counts=(100, 100), zoom=0.01)).row == 4
    assert arrange(room(counts=(100, 100), zoom=100)).row == 120
    assert arrange(room(counts=(4096, 4096), zoom=0.0001)).row == 2


def test_without_scrolling_the_first_tokens_are_in_sight():
    places = arrange(room(counts=(100, 3)))
    assert places.middle("queries", 0) == 12
    assert places.in_sight("queries") == range(17)
    assert places.in_sight("keys") == range(3)
    assert places.beyond == 2000


def test_both_sides_end_together_and_one_that_fits_stays():
    end = arrange(room(counts=(100, 3)), 1.0)
    assert end.middle("queries", 99) == 400 - 12
    assert end.middle("keys", 0) == 12
    uneven = arrange(room(counts=(100, 50)), 1.0)
    assert uneven.middle("queries", 99) == uneven.middle("keys", 49) == 400 - 12


def test_tokens_are_found_by_their_text_and_not_among_the_lines():
    places = arrange(room())
    x = (places.queries[0] + places.queries[1]) / 2
    assert places.token_at(x, places.middle("queries", 3)) == ("queries", 3)
    assert places.token_at(places.keys[0] + 1, 1) == ("keys", 0)
    between = (places.left + places.right) / 2
    assert places.token_at(between, 10) is None
    assert places.token_at(x, 5 * places.row + 1) is None
    assert places.token_at(x, -1) is None


@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(["queries", "keys"]))
def test_scrolling_to_a_token_brings_it_wholly_into_sight(token, scrolled, side):
    before = arrange(room(counts=(100, 100)), scrolled)
    after = arrange(room(counts=(100, 100)), before.scroll_to(side, token))
    middle = after.middle(side, token)
    assert 12 - 1e-6 <= middle <= 388 + 1e-6


def test_a_token_in_sight_needs_no_scrolling():
    places = arrange(room(counts=(100, 100)), 0.5)
    assert places.scroll_to("queries", 50) == 0.5


def test_lines_end_at_the_middle_of_tokens_in_sight_and_nearer_beyond():
    places = arrange(room(counts=(1000, 1000)), 0.5)
    inside = places.in_sight("keys")[3]
    far = places.ends("keys", np.array([inside + 0.5, 999.5, 998.5, 0.5, 1.5]))
    assert far[0] == places.middle("keys", inside)
    assert 400 < far[2] <= far[1] <= 800
    assert -400 <= far[3] <= far[4] < 0
