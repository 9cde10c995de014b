"""What targets are about now, and what their steps are computed from."""

import numpy as np
import pytest

import attnviewer
from attnviewer import RowTarget, Target
from attnviewer.compute import Cell
from attnviewer.goal_seek import number_of, sources_of
from tests.goal_seek.by_hand import document_of, random_matrices


@pytest.fixture
def trace():
    return attnviewer.load_example("two-heads").compute()


def test_the_number_of_a_cell_is_that_of_its_head_whatever_it_shall_be(trace):
    for value in (0.5, Cell("weights", (0, 1, 2))):
        target = Target("weights", 3, 2, "<=", value, head=1)
        assert number_of(trace, target) == trace["weights"][1, 3, 2]


def test_the_numbers_of_a_row_are_its_statistics(trace):
    row = trace["weights"][1, 3]
    seen = row[row > 0]
    bits = -(seen * np.log2(seen)).sum()
    numbers = {"entropy": bits, "effective_keys": 2**bits, "sum": 1.0}
    for statistic, number in numbers.items():
        target = RowTarget(statistic, 3, "=", 0.0, head=1)
        assert number_of(trace, target) == pytest.approx(number, rel=1e-12)


def test_several_heads_have_no_single_number(trace):
    with pytest.raises(ValueError, match="must be given"):
        number_of(trace, Target("weights", 3, 2, "=", 0.5))


def test_a_step_is_computed_from_the_inputs_before_it(trace):
    assert sources_of(trace, "Q") == {"X", "W_Q"}
    assert sources_of(trace, "masked") == {"X", "W_Q", "W_K"}
    assert sources_of(trace, "weights") == {"X", "W_Q", "W_K", "temperature"}
    everything = {"X", "W_Q", "W_K", "W_V", "W_O", "temperature"}
    assert sources_of(trace, "output") == everything
    assert sources_of(trace, "W_O") == {"W_O"}


def test_the_mask_and_a_temperature_that_cancels_are_no_sources():
    document = document_of(random_matrices(0), causal=True, normalizer="hardmax")
    trace = document.compute()
    assert sources_of(trace, "weights") == {"X", "W_Q", "W_K"}
