import numpy as np
import pytest

from attnviewer.ui.state.looks import AtLeast, Largest


def shown(filter_, values):
    values = np.array(values, dtype=float)
    return filter_.shows(values, filter_.floors(values)).astype(int).tolist()


def test_a_threshold_counts_from_zero_in_both_directions():
    assert shown(AtLeast(0.5), [[0.5, -0.7, 0.4, 0.0]]) == [[1, 1, 0, 0]]


def test_what_is_not_a_number_is_never_dimmed():
    assert shown(AtLeast(9.0), [[np.nan, np.inf, -np.inf, 1]]) == [[1, 1, 1, 0]]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, [[0, 0, 1], [1, 1, 0]]),
        (2, [[0, 1, 1], [1, 1, 0]]),
        (3, [[1, 1, 1], [1, 1, 1]]),
        (9, [[1, 1, 1], [1, 1, 1]]),
    ],
)
def test_the_largest_of_each_row_are_shown_with_their_equals(count, expected):
    assert shown(Largest(count), [[-3, 1, 2], [5, 5, -9]]) == expected
