import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.views.inputs.matrix.limits import Limits

cells = st.tuples(
    st.integers(0, 599),
    st.integers(0, 1),
    st.one_of(st.floats(-1e9, 1e9), st.just(-np.inf)),
)


@given(st.integers(1, 600), st.lists(cells, max_size=8))
def test_after_any_edits_the_limits_are_those_of_the_finite_numbers(rows, edits):
    values = np.linspace(-1, 1, 2 * rows).reshape(rows, 2)
    limits = Limits(values)
    for row, column, number in edits:
        row %= rows
        values[row, column] = number
        limits.look_at(values, slice(row, row + 1))
        finite = [v for v in values.ravel().tolist() if v != -np.inf]
        assert limits.ends == ((min(finite), max(finite)) if finite else (0, 0))


def test_only_the_rows_of_an_edit_are_looked_at_again():
    values = np.zeros((600, 2))
    limits = Limits(values)
    values[0, 0] = 5  # not told
    values[599, 0] = 3
    limits.look_at(values, slice(599, 600))
    assert limits.ends == (0, 3)
