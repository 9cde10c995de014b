"""Rows and columns of neighbouring tokens as one: sums and means."""

import numpy as np
import pytest

from attnviewer.compute import Folded, Folding, InMemory, spans_around

ROWS, COLUMNS = ((0, 1), (1, 4), (4, 6)), ((0, 2), (2, 3), (3, 4), (4, 6))


def combined_by_hand(values, rows, columns, row_rule, column_rule):
    """Loop over the numbers of each group, in plain Python."""
    table = []
    for top, bottom in rows:
        line = []
        for left, right in columns:
            number = 0.0
            for row in range(top, bottom):
                for column in range(left, right):
                    number += float(values[row][column])
            number /= bottom - top if row_rule == "mean" else 1
            number /= right - left if column_rule == "mean" else 1
            line.append(number)
        table.append(line)
    return table


@pytest.mark.parametrize("row_rule", ["sum", "mean"])
@pytest.mark.parametrize("column_rule", ["sum", "mean"])
def test_groups_are_combined_as_a_loop_does(row_rule, column_rule, monkeypatch):
    values = np.random.default_rng(3).dirichlet(np.ones(6), 6)
    folded = Folded(InMemory(values), Folding(ROWS, COLUMNS, row_rule, column_rule))
    expected = combined_by_hand(values, ROWS, COLUMNS, row_rule, column_rule)
    np.testing.assert_allclose(folded.window(), expected, rtol=0, atol=1e-12)
    part = folded.window(slice(1, 3), slice(0, 2))
    np.testing.assert_allclose(part, np.array(expected)[1:3, :2], rtol=0, atol=1e-12)
    # Read one row at a time, a group of three takes three readings.
    monkeypatch.setattr("attnviewer.compute.windowed.folded.AT_ONCE", 1)
    np.testing.assert_allclose(folded.window(), expected, rtol=0, atol=1e-12)
    assert folded.shape == (3, 4)


@pytest.mark.parametrize("rule", ["sum", "mean"])
def test_no_rows_or_no_columns_are_an_empty_window(rule):
    folded = Folded(InMemory(np.ones((6, 6))), Folding(ROWS, COLUMNS, rule, rule))
    assert folded.window(slice(1, 1)).shape == (0, 4)
    assert folded.window(slice(0, 2), slice(3, 3)).shape == (2, 0)
    assert folded.window(slice(9, 9), slice(9, 9)).shape == (0, 0)


def test_attention_to_words_still_sums_to_one():
    values = np.random.default_rng(4).dirichlet(np.ones(6), 6).astype(np.float32)
    folding = Folding(ROWS, COLUMNS)
    sums = Folded(InMemory(values), folding).window().sum(axis=1)
    np.testing.assert_allclose(sums, [1.0, 1.0, 1.0], rtol=1e-6)
    assert folding.keeps_shares
    assert not Folding(ROWS, COLUMNS, column_rule="mean").keeps_shares
    assert not Folding(ROWS, COLUMNS, row_rule="sum").keeps_shares
    alone = spans_around(6, ())
    assert Folding(alone, alone, "sum", "mean").keeps_shares


def test_a_cell_is_hidden_where_all_that_it_combines_are():
    hidden = np.triu(np.ones((4, 4), bool), 1)
    spans = spans_around(4, [(1, 3)])
    folded = Folded(InMemory(np.zeros((4, 4)), hidden), Folding(spans, spans))
    expected = [[False, True, True], [False, False, True], [False, False, False]]
    np.testing.assert_array_equal(folded.hidden(), expected)
    assert Folded(InMemory(np.zeros((4, 4))), Folding(spans, spans)).hidden() is None


def test_spans_around_groups_leave_the_other_lines_alone():
    assert spans_around(6, [(4, 6), (1, 3)]) == ((0, 1), (1, 3), (3, 4), (4, 6))
    for wrong in ([(0, 2), (1, 3)], [(5, 7)], [(2, 2)]):
        with pytest.raises(ValueError, match="'folded' spans must lie apart"):
            spans_around(6, wrong)


def test_foldings_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="'rows' must be spans in order"):
        Folding(((0, 1), (2, 3)), COLUMNS)
    with pytest.raises(ValueError, match="'row_rule' must be 'sum' or 'mean'"):
        Folding(ROWS, COLUMNS, "max")
    with pytest.raises(ValueError, match="must cover the matrix"):
        Folded(InMemory(np.zeros((5, 6))), Folding(ROWS, COLUMNS))


class Rows:
    """A large matrix whose numbers follow from row and column; no array holds it."""

    def __init__(self, count):
        self.shape = count, count
        self.most = 0

    def window(self, rows=slice(None), columns=slice(None)):
        i, j = (np.arange(self.shape[0])[part] for part in (rows, columns))
        self.most = max(self.most, len(i) * len(j))
        return np.sin(i[:, np.newaxis] * 0.37 + j * 1.31).astype(np.float32)

    def hidden(self, rows=slice(None), columns=slice(None)):
        i, j = (np.arange(self.shape[0])[part] for part in (rows, columns))
        return i[:, np.newaxis] < j


def test_a_large_matrix_is_read_block_by_block(monkeypatch):
    monkeypatch.setattr("attnviewer.compute.windowed.folded.BLOCK", 2**19)
    count, matrix = 1500, Rows(1500)
    starts = [0, 1, 700, 1400, 1401]
    spans = tuple(zip(starts, [*starts[1:], count], strict=True))
    stored = Folded(matrix, Folding(spans, spans, "sum", "sum")).stored()
    assert matrix.most <= 2**18
    every = Rows(count).window().astype(np.float64)  # (n, n), for the oracle alone
    expected = np.add.reduceat(np.add.reduceat(every, starts, 0), starts, 1)
    np.testing.assert_allclose(stored.window(), expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(stored.hidden(), np.triu(np.ones((5, 5), bool), 1))
    assert stored.pinned() is None
