import numpy as np
import pytest

from attnviewer.ui.views.step.lines.stacking import stacks_of
from attnviewer.ui.views.step.lines.strongest import Links


def stacked(weights, largest=1.0):
    weights = np.asarray(weights, dtype=float)
    queries, keys = np.nonzero(weights)
    links = Links(np.zeros(len(keys), int), queries, keys, weights[queries, keys])
    return stacks_of(links, largest, weights.shape)


def places(stacks, cells):
    queries, keys = np.transpose(cells)
    return [part.tolist() for part in stacks.of(queries, keys)]


def test_the_lines_of_a_query_lie_one_above_the_other_around_its_middle():
    # 0.5, 0.25 and 0.25 of 0.4 rows: from -0.2 to 0, to 0.1, to 0.2.
    stacks = stacked([[0.5, 0.25, 0.25]])
    at_query, at_keys = places(stacks, [(0, 0), (0, 1), (0, 2)])
    assert at_query == pytest.approx([-0.1, 0.05, 0.15])
    assert at_keys == pytest.approx([0, 0, 0])


def test_those_of_a_key_lie_in_the_order_of_the_queries():
    stacks = stacked([[0, 1], [0, 0.5], [1, 0.5]])
    _, at_keys = places(stacks, [(0, 1), (1, 1), (2, 1), (2, 0)])
    # 0.4, 0.2 and 0.2 rows high: together what a stack may have.
    assert at_keys == pytest.approx([-0.2, 0.1, 0.3, 0])


def test_a_stack_higher_than_its_row_is_compressed():
    stacks = stacked(np.ones((10, 1)))
    _, at_keys = places(stacks, [(query, 0) for query in range(10)])
    # 4 rows in 0.8: a fifth of the distances.
    assert np.diff(at_keys) == pytest.approx(0.08)
    assert np.mean(at_keys) == pytest.approx(0)


def test_what_is_in_no_stack_is_in_the_middle():
    stacks = stacked([[0.5, 0], [0.5, 0.5]])
    assert places(stacks, [(0, 1)]) == [[0], [0]]
    assert places(stacked([[0.0]]), [(0, 0)]) == [[0], [0]]


def test_negative_weights_are_as_wide_as_positive_ones():
    stacks = stacked([[2, -1]], largest=2.0)
    at_query, _ = places(stacks, [(0, 0), (0, 1)])
    assert at_query == pytest.approx([-0.1, 0.2])
