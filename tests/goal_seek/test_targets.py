"""Targets and free numbers that make no sense are refused, with what they must be."""

import math

import numpy as np
import pytest

from attnviewer import RowTarget, Target, load_example, seek
from attnviewer.compute import Cell
from tests.goal_seek.by_hand import document_of, random_matrices

pytestmark = pytest.mark.usefixtures("few_starts")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])
def test_a_target_is_a_finite_number(value) -> None:
    with pytest.raises(ValueError, match="'value' parameter must be a finite number"):
        Target("weights", 0, 0, "=", value)
    with pytest.raises(ValueError, match="'value' parameter must be a finite number"):
        RowTarget("entropy", 0, "<=", value)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Target("weights", 0, 0, "==", 1), ValueError, "must be one of =, <="),
        (lambda: Target("weights", -1, 0, "=", 1), ValueError, "integer of at least 0"),
        (lambda: Target("weights", 0, 1.5, "=", 1), TypeError, "integer of at least 0"),
        (lambda: Target("weights", 0, 0, "=", "1"), TypeError, "must be a number"),
        (lambda: Target("weights", 0, 0, "=", 1, head=-1), ValueError, "'head'"),
        (lambda: RowTarget("variance", 0, "=", 1), ValueError, "entropy, effective_k"),
        (
            lambda: RowTarget("sum", 0, "=", Cell("weights", (0, 0))),
            TypeError,
            "number",
        ),
    ],
)
def test_a_target_that_says_nothing_is_refused(make, error, words) -> None:
    with pytest.raises(error, match=words):
        make()


def test_targets_are_written_as_they_are_read() -> None:
    assert str(Target("weights", 0, 2, ">=", 0.8)) == "weights[0, 2] ≥ 0.8"
    assert str(Target("output", 1, 0, "=", 2, head=1)) == "output[1, 0] of head 1 = 2"
    assert str(RowTarget("entropy", 0, "≤", 1)) == "entropy of weights[0] ≤ 1 bit"
    assert str(RowTarget("entropy", 0, "≤", 2)) == "entropy of weights[0] ≤ 2 bits"
    assert str(RowTarget("sum", 3, "=", 1)) == "sum of weights[3] = 1"
    equal = Target("weights", 0, 2, "=", Cell("weights", (1, 2)))
    assert str(equal) == "weights[0, 2] = weights[1, 2]"


@pytest.mark.parametrize(
    ("target", "error", "words"),
    [
        (Target("wights", 0, 0, "=", 1), ValueError, "Did you mean 'weights'"),
        (Target("mask", 0, 0, "=", 1), ValueError, "The 'step' must be one of X, "),
        (Target("weights", 4, 0, "=", 1), ValueError, "'row' of 'weights' must be fr"),
        (Target("weights", 0, 4, "=", 1), ValueError, "must be from 0 to 3. Got 4"),
        (RowTarget("entropy", 4, "=", 1), ValueError, "'row' of 'weights' must be fr"),
        (RowTarget("sum", 0, "=", 1, step="out"), ValueError, "The 'step' must be one"),
        (
            Target("weights", 0, 0, "=", 0.5, head=1),
            ValueError,
            "'head' must be from 0",
        ),
        (
            Target("weights", 0, 0, "=", Cell("weights", (0, 4))),
            ValueError,
            "must lie inside 'weights' \\(4, 4\\). Got weights\\[0, 4\\] instead",
        ),
        ("weights", TypeError, "must hold Target and RowTarget"),
    ],
)
def test_a_target_outside_of_the_computation_is_refused(target, error, words) -> None:
    document = document_of(random_matrices(0))
    with pytest.raises(error, match=words):
        seek(document, [target], ["X"])


def test_at_least_one_target_is_needed() -> None:
    with pytest.raises(ValueError, match="The 'targets' must be at least one"):
        seek(document_of(random_matrices(0)), [], ["X"])


@pytest.mark.parametrize(
    ("free", "error", "words"),
    [
        (
            ["W_X"],
            ValueError,
            "The 'free' must be one of X, W_Q, W_K, W_V, temperature",
        ),
        (["W_O"], ValueError, "Got 'W_O' instead"),
        ("X", TypeError, "must be a sequence of names"),
        ([], ValueError, "must name numbers that may change"),
        ([("W_Q", slice(3, 5), ...)], ValueError, "rows of 'W_Q' must be from 0 to 2"),
        ([("W_Q", ..., 3)], ValueError, "columns of 'W_Q' must be from 0 to 2. Got 3"),
        ([("W_Q", -1, 0)], ValueError, "rows of 'W_Q' must be from 0 to 2. Got -1"),
        ([("W_Q", [0, 0.5], 0)], TypeError, "integer"),
        ([("temperature", 0, 0)], ValueError, "without rows and columns"),
        ([3], TypeError, "must hold names and"),
    ],
)
def test_what_is_free_must_be_there(free, error, words) -> None:
    with pytest.raises(error, match=words):
        seek(document_of(random_matrices(0)), Target("Q", 0, 0, "=", 1), free)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (-1.0, "must be at least 0. Got -1.0"),
        (math.nan, "must be at least 0. Got nan"),
        ({"W_Q": 1}, "The 'limits' must be one of X. Got 'W_Q'"),
        ({"X": -1}, "The 'limits of X' parameter must be at least 0"),
    ],
)
def test_limits_must_be_of_what_is_free(limits, words) -> None:
    document = document_of(random_matrices(0))
    with pytest.raises(ValueError, match=words):
        seek(document, Target("Q", 0, 0, "=", 1), ["X"], limits)


def test_there_are_two_norms() -> None:
    document = document_of(random_matrices(0))
    with pytest.raises(ValueError, match="must be one of least-squares, fewest-cells"):
        seek(document, Target("Q", 0, 0, "=", 1), ["X"], norm="max")


@pytest.mark.parametrize(
    ("free", "allowed"),
    [
        (("W_Q", slice(0, 2), ...), np.s_[0:2, :]),
        (("W_Q", slice(0, 2)), np.s_[0:2, :]),
        (("W_Q", ..., [0, 2]), np.s_[:, [0, 2]]),
        (("W_Q", 1, 0), np.s_[1, 0]),
        (("W_Q", np.array([2, 0]), slice(None, None, 2)), np.s_[[2, 0], ::2]),
    ],
)
def test_only_the_cells_that_are_free_change(free, allowed) -> None:
    document = document_of(random_matrices(1))
    value = document.compute()["weights"][0, 1] + 0.01
    proposal = seek(document, Target("weights", 0, 1, "=", value), [free])
    assert proposal.reached
    change = proposal.changes["W_Q"].copy()
    assert np.all(change[allowed] != 0)
    change[allowed] = 0
    assert not change.any()


def test_parts_of_one_matrix_are_free_together() -> None:
    document = document_of(random_matrices(1))
    free = [("W_Q", 0, ...), ("W_Q", ..., 1), ("X", 0)]
    proposal = seek(document, Target("weights", 0, 1, "=", 0.5), free)
    cross = np.zeros((3, 3), dtype=bool)
    cross[0], cross[:, 1] = True, True
    np.testing.assert_array_equal(proposal.changes["W_Q"] != 0, cross)
    assert not proposal.changes["X"][1:].any()


@pytest.mark.parametrize("limits", [0.2, {"W_Q": 0.2}])
def test_limits_are_kept_and_cost_no_target(limits) -> None:
    document = document_of(random_matrices(1))
    target = Target("weights", 0, 1, "=", 0.5)
    free_of_limits = seek(document, target, ["W_Q"])
    limited = seek(document, target, ["W_Q"], limits)
    assert np.abs(free_of_limits.changes["W_Q"]).max() > 0.2
    assert limited.reached
    assert np.abs(limited.changes["W_Q"]).max() <= 0.2
    assert limited.norm > free_of_limits.norm


def test_limits_of_one_input_leave_the_others_free() -> None:
    document = document_of(random_matrices(1))
    target = Target("weights", 0, 1, "=", 0.7)
    proposal = seek(document, target, ["W_Q", "W_K"], {"W_Q": 0.01})
    assert proposal.reached
    assert np.abs(proposal.changes["W_Q"]).max() <= 0.01
    assert np.abs(proposal.changes["W_K"]).max() > 0.01


def test_every_head_is_meant_where_none_is_named() -> None:
    document = load_example("two-heads")
    proposal = seek(document, Target("weights", 1, 0, "=", 0.6), ["W_Q"])
    assert proposal.reached
    np.testing.assert_allclose(proposal.result["weights"][:, 1, 0], 0.6, atol=1e-9)
    assert proposal.residuals.shape == (1,)
    alone = seek(document, Target("weights", 1, 0, "=", 0.6, head=1), ["W_Q"])
    assert alone.result["weights"][1, 1, 0] == pytest.approx(0.6, abs=1e-9)
    assert alone.norm < proposal.norm


def test_a_number_that_one_head_does_not_have_is_not_met_by_another() -> None:
    # The weights of the first head's row are not all of one sign.
    document = document_of(random_matrices(34, 4, 4), n_heads=2, normalizer="sum")
    undefined, other = document.compute()["weights"][:, 0]
    assert undefined.min() < 0 <= other.min()
    proposal = seek(document, RowTarget("entropy", 0, "<=", 2.0), ["W_V"])
    assert not proposal.reached
    assert np.isnan(proposal.residuals).all()
    assert "is nan now" in proposal.reason
