"""As few cells as possible."""

import numpy as np
import pytest

from attnviewer import RowTarget, Target, seek
from tests.goal_seek.by_hand import (
    changed,
    document_of,
    entropy_in_bits,
    random_matrices,
    weights_and_output,
)

FEWEST = "fewest-cells"


def _cells(proposal) -> int:
    return sum(int(np.count_nonzero(c)) for c in proposal.changes.values())


def test_a_linear_target_is_met_by_the_cell_that_counts_most() -> None:
    m = random_matrices(0)
    proposal = seek(document_of(m), Target("Q", 1, 2, "=", 2.0), ["W_Q"], norm=FEWEST)
    row = int(np.abs(m["X"][1]).argmax())
    step = (2.0 - m["X"][1] @ m["W_Q"][:, 2]) / m["X"][1, row]
    wanted = np.zeros((3, 3))
    wanted[row, 2] = step
    np.testing.assert_allclose(proposal.changes["W_Q"], wanted, atol=1e-12)
    assert proposal.cells == 1
    assert proposal.norm == pytest.approx(abs(step))


@pytest.mark.parametrize("free", [["X"], ["W_Q"], ["X", "W_Q", "W_K"]])
def test_one_weight_needs_one_cell(free) -> None:
    m = random_matrices(1)
    target = Target("weights", 0, 1, "=", 0.4)
    proposal = seek(document_of(m), target, free, norm=FEWEST)
    weights, _ = weights_and_output(changed(m, proposal.changes))
    assert proposal.reached
    assert weights[0, 1] == pytest.approx(0.4, abs=1e-9)
    assert _cells(proposal) == proposal.cells == 1
    assert proposal.norm >= seek(document_of(m), target, free).norm


def test_two_independent_targets_need_two_cells() -> None:
    m = random_matrices(2)
    targets = [Target("V", 0, 0, "=", 1.0), Target("V", 1, 2, "=", -1.0)]
    proposal = seek(document_of(m), targets, ["W_V"], norm=FEWEST)
    assert proposal.reached
    assert _cells(proposal) == 2


def test_three_targets_need_no_more_than_three_cells() -> None:
    m = random_matrices(3)
    targets = [
        Target("weights", 0, 1, "=", 0.4),
        RowTarget("entropy", 1, "=", 1.0),
        Target("output", 2, 0, "=", 0.5),
    ]
    document = document_of(m)
    proposal = seek(document, targets, ["X", "W_Q", "W_V"], norm=FEWEST)
    weights, output = weights_and_output(changed(m, proposal.changes))
    assert proposal.reached
    assert weights[0, 1] == pytest.approx(0.4, abs=1e-9)
    assert entropy_in_bits(weights[1]) == pytest.approx(1.0, abs=1e-9)
    assert output[2, 0] == pytest.approx(0.5, abs=1e-9)
    assert _cells(proposal) <= 3


def test_a_limit_that_one_cell_cannot_keep_takes_more_of_them() -> None:
    m = random_matrices(0)
    target = Target("Q", 1, 2, "=", 2.0)
    off = 2.0 - m["X"][1] @ m["W_Q"][:, 2]
    largest, second, _ = np.sort(np.abs(m["X"][1]))[::-1]
    limit = abs(off) / (largest + 0.5 * second)
    proposal = seek(document_of(m), target, ["W_Q"], limit, norm=FEWEST)
    assert proposal.reached
    assert proposal.cells == 2
    assert np.abs(proposal.changes["W_Q"]).max() <= limit


@pytest.mark.usefixtures("few_starts")
def test_what_cannot_be_found_is_told_with_this_norm_too() -> None:
    document = document_of(random_matrices(0))
    target = Target("output", 1, 0, "=", 100.0)
    proposal = seek(document, target, ["W_Q"], norm=FEWEST)
    assert not proposal.reached
    assert "No change was found" in proposal.reason
