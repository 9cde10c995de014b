from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.views.step.lines.arrangement import LayoutConstraints, arrange


def room(width=600.0, height=400.0, counts=(5, 5), labels=(50.0, 60.0), zoom=1.0):
    return LayoutConstraints(width, height, counts, 20.0, labels, 40.0, zoom)


def test_the_parts_are_side_by_side_and_in_the_middle():
    arrangement = arrange(room())
    edges = [
        *arrangement.numbers[0],
        *arrangement.queries,
        arrangement.left,
        arrangement.right,
        *arrangement.keys,
        *arrangement.numbers[1],
    ]
    assert edges == sorted(edges)
    # Rows of 80 pixels have texts of 32, not of 20.
    assert arrangement.enlarged == pytest.approx(1.6)
    assert arrangement.queries[1] - arrangement.queries[0] == pytest.approx(80)
    assert arrangement.keys[1] - arrangement.keys[0] == pytest.approx(96)
    assert edges[0] == pytest.approx(600 - edges[-1])


def test_lines_take_the_width_that_texts_and_numbers_leave():
    arrangement = arrange(room(width=1000, counts=(16, 16)))
    gap, number = 10, 40
    assert arrangement.enlarged == 1
    taken = 50 + 60 + 2 * (number + gap) + 4 * gap
    assert arrangement.right - arrangement.left == pytest.approx(1000 - taken)


def test_few_tokens_are_in_the_middle_of_the_height():
    arrangement = arrange(room(height=1000, counts=(4, 2)))
    assert arrangement.row == pytest.approx(0.85 * 1000 / 4)
    first, last = arrangement.middle("queries", 0), arrangement.middle("queries", 3)
    assert first == pytest.approx(1000 - last)
    assert arrangement.middle("keys", 0) == first


def test_rows_are_not_far_apart_in_a_room_of_usual_height():
    assert arrange(room(counts=(4, 2))).row == pytest.approx(2.5 * 1.85 * 20)


@pytest.mark.parametrize(("height", "row", "text"), [(880, 220, 1), (2800, 700, 2)])
def test_names_beside_rows_grow_as_those_of_the_heatmap_do(height, row, text):
    beside = replace(room(1200, height, (4, 4)), row=row)
    assert arrange(beside).enlarged == text


def test_on_a_wide_screen_lines_do_not_grow_without_end():
    wide = arrange(room(width=3840))
    assert wide.right - wide.left == 60 * 20


@given(
    st.floats(560, 4000),
    st.floats(0, 3000),
    st.floats(0, 3000),
)
def test_long_texts_leave_room_for_the_lines_and_stay_inside(width, one, other):
    arrangement = arrange(room(width=width, labels=(one, other)))
    assert arrangement.right - arrangement.left >= 30
    assert arrangement.numbers[0][0] >= 0
    assert arrangement.numbers[1][1] <= width + 1e-6
    larger = arrangement.enlarged
    assert arrangement.queries[1] - arrangement.queries[0] <= larger * one + 1e-6
    assert arrangement.keys[1] - arrangement.keys[0] <= larger * other + 1e-6


@given(st.floats(100, 559), st.floats(0, 300), st.floats(0, 300))
def test_in_a_narrow_room_texts_and_numbers_share_their_places(width, one, other):
    arrangement = arrange(room(width=width, labels=(one, other)))
    assert arrangement.is_shared
    assert arrangement.numbers == (arrangement.queries, arrangement.keys)
    assert 0 <= arrangement.queries[0] <= arrangement.queries[1] < arrangement.left
    assert arrangement.right - arrangement.left >= 0.3 * (width - 40) - 1e-6
    assert arrangement.right < arrangement.keys[0] <= arrangement.keys[1] <= width


@pytest.mark.parametrize(
    ("count", "row"),
    [(1, 92.5), (5, 80), (11, 400 / 11), (16, 25), (100, 24), (4096, 24)],
)
def test_rows_are_roomy_where_they_fit_and_readable_where_they_do_not(count, row):
    assert arrange(room(counts=(count, count))).row == pytest.approx(row)


@pytest.mark.parametrize("width", [500, 900])
def test_texts_shrink_to_three_quarters_before_a_row_is_out_of_sight(width):
    low = arrange(room(width, height=110))
    assert low.enlarged == pytest.approx(110 / 5 / 24)
    assert low.beyond == pytest.approx(0)
    lower = arrange(room(width, height=80))
    assert (lower.enlarged, lower.row) == (1, 24)
    assert lower.beyond == pytest.approx(40)


def test_zoomed_out_all_rows_fit_and_zoomed_in_they_end_at_six_texts():
    assert arrange(room(counts=(100, 100), zoom=0.01)).row == 4
    assert arrange(room(counts=(100, 100), zoom=100)).row == 120
    assert arrange(room(counts=(4096, 4096), zoom=0.0001)).row == 2


def test_without_scrolling_the_first_tokens_are_in_sight():
    arrangement = arrange(room(counts=(100, 3)))
    assert arrangement.middle("queries", 0) == 12
    assert arrangement.in_sight("queries") == range(17)
    assert arrangement.in_sight("keys") == range(3)
    assert arrangement.beyond == 2000


def test_both_sides_end_together_and_one_that_fits_stays():
    end = arrange(room(counts=(100, 3)), 1.0)
    assert end.middle("queries", 99) == 400 - 12
    assert end.middle("keys", 0) == 12
    uneven = arrange(room(counts=(100, 50)), 1.0)
    assert uneven.middle("queries", 99) == uneven.middle("keys", 49) == 400 - 12


def test_tokens_are_found_by_their_text_and_not_among_the_lines():
    arrangement = arrange(room())
    x = (arrangement.queries[0] + arrangement.queries[1]) / 2
    assert arrangement.token_at(x, arrangement.middle("queries", 3)) == ("queries", 3)
    assert arrangement.token_at(arrangement.keys[0] + 1, 1) == ("keys", 0)
    between = (arrangement.left + arrangement.right) / 2
    assert arrangement.token_at(between, 10) is None
    assert arrangement.token_at(x, 5 * arrangement.row + 1) is None
    assert arrangement.token_at(x, -1) is None


@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(["queries", "keys"]))
def test_scrolling_to_a_token_brings_it_wholly_into_sight(token, scrolled, side):
    before = arrange(room(counts=(100, 100)), scrolled)
    after = arrange(room(counts=(100, 100)), before.scroll_to(side, token))
    middle = after.middle(side, token)
    assert 12 - 1e-6 <= middle <= 388 + 1e-6


def test_a_token_in_sight_needs_no_scrolling():
    arrangement = arrange(room(counts=(100, 100)), 0.5)
    assert arrangement.scroll_to("queries", 50) == 0.5


def test_lines_end_at_the_middle_of_tokens_in_sight_and_nearer_beyond():
    arrangement = arrange(room(counts=(1000, 1000)), 0.5)
    inside = arrangement.in_sight("keys")[3]
    far = arrangement.ends("keys", np.array([inside + 0.5, 999.5, 998.5, 0.5, 1.5]))
    assert far[0] == arrangement.middle("keys", inside)
    assert 400 < far[2] <= far[1] <= 800
    assert -400 <= far[3] <= far[4] < 0
