"""Targets in a document with pins."""

import pytest

from attnviewer import Pin, RowTarget, Target, seek
from tests.goal_seek.by_hand import document_of, random_matrices

pytestmark = pytest.mark.usefixtures("few_starts")


def test_a_pinned_number_cannot_be_another_and_the_pin_is_named() -> None:
    document = document_of(random_matrices(0), pins=(Pin("weights", 0, 1, 0.3),))
    proposal = seek(document, Target("weights", 0, 1, "=", 0.8), ["X"])
    assert not proposal.reached
    assert "pinned to 0.3" in proposal.reason
    assert "Switch that pin off" in proposal.reason


def test_the_sum_of_a_row_with_a_pinned_weight_need_not_be_1() -> None:
    document = document_of(random_matrices(0), pins=(Pin("weights", 0, 1, 0.3),))
    proposal = seek(document, RowTarget("sum", 0, "=", 1.1), ["X"])
    assert proposal.reached, proposal.reason
    assert proposal.result["weights"][0].sum() == pytest.approx(1.1, abs=1e-9)


def test_a_scaled_weight_is_reached_through_its_pin() -> None:
    pin = Pin("weights", 0, 1, 0.5, how="scale")
    document = document_of(random_matrices(0), pins=(pin,))
    proposal = seek(document, Target("weights", 0, 1, "=", 0.4), ["W_Q"])
    assert proposal.reached
    assert proposal.result.computed("weights")[0, 1] == pytest.approx(0.8, abs=1e-9)


def test_a_requirement_on_capped_scores_is_sought() -> None:
    document = document_of(random_matrices(0), softcap=2.0, normalizer="hardmax")
    weights = document.compute()["weights"]
    loser = int(weights[1].argmin())
    target = Target("weights", 1, loser, "=", 1.0)
    assert seek(document, target, ["W_Q"]).reached
    assert "does not depend on" in seek(document, target, ["W_V"]).reason
