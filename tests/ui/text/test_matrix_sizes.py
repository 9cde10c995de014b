"""Sizes of matrices in words."""

from attnviewer.ui.text.matrix_sizes import step_with_size


def test_one_row_or_column_is_told_in_the_singular(qapp):
    assert step_with_size("Q", (1, 1)) == "Queries Q, 1 row and 1 column."
    assert step_with_size("Q", (4, 3)) == "Queries Q, 4 rows and 3 columns."
