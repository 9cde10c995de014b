"""Lines that came, went or moved, found out from their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.views.inputs.cells.line_changes import LineChange, line_change


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("abc", "abc", None),
        ("abc", "axc", None),
        ("abc", "abcd", LineChange("insert", 3, 3)),
        ("abc", "xyabc", LineChange("insert", 0, 1)),
        ("abcd", "ad", LineChange("remove", 1, 2)),
        ("abc", "bca", LineChange("move", 0, 0, 3)),
        ("abc", "cab", LineChange("move", 0, 1, 3)),
        ("abcde", "acdbe", LineChange("move", 1, 1, 4)),
        ("abab", "baba", LineChange("move", 0, 0, 4)),
        ("abc", "cba", None),
    ],
)
def test_one_change_of_neighbouring_lines_is_found(before, after, change):
    assert line_change(before, after) == change


NAMES = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)


@given(NAMES, NAMES)
def test_there_are_as_many_lines_as_names_afterwards(before, after):
    change = line_change(before, after)
    order = range(len(before)) if change is None else change.order(len(before))
    assert len(order) == len(after)


@given(st.lists(st.sampled_from("abcdefg"), min_size=2, unique=True), st.data())
def test_lines_that_moved_bear_their_names_afterwards(before, data):
    ends = st.integers(0, len(before))
    three = st.lists(ends, min_size=3, max_size=3, unique=True)
    start, middle, stop = sorted(data.draw(three))
    moved, passed = before[start:middle], before[middle:stop]
    after = [*before[:start], *passed, *moved, *before[stop:]]
    change = line_change(before, after)
    assert change.kind == "move"
    assert [before[row] for row in change.order(len(before))] == after


@given(NAMES, st.data())
def test_lines_that_came_or_went_leave_the_others_in_place(names, data):
    at = data.draw(st.integers(0, len(names)))
    longer = [*names[:at], "x", "y", *names[at:]]
    inserted, removed = line_change(names, longer), line_change(longer, names)
    assert inserted == LineChange("insert", at, at + 1)
    assert removed == LineChange("remove", at, at + 1)
    assert [longer[row] for row in removed.order(len(longer))] == names
    rows = inserted.order(len(names))
    assert [*rows[:at], *rows[at + 2 :]] == list(range(len(names)))


@pytest.mark.timeout(5)
def test_many_lines_of_few_names_are_compared_without_delay():
    # Each second turn of these names begins and ends as the lines do afterwards.
    middle = ["a", "b"] * 20_000
    assert line_change(["p", *middle, "q"], ["b", *middle, "a"]) is None
    assert line_change(["p", *middle], [*middle, "p"]) == LineChange(
        "move", 0, 0, 40_001
    )
