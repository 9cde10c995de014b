"""What cannot be is refused at once, with the reason and what would help."""

import numpy as np
import pytest

from attnviewer import RowTarget, Target, seek
from attnviewer.compute import Cell
from attnviewer.goal_seek import seeking
from tests.goal_seek.by_hand import document_of, random_matrices
from tests.mistaken import with_mistake

pytestmark = pytest.mark.usefixtures("few_starts")
CAUSAL = {"causal": True}
SEES_ONE = "query 0 sees one key only, so its weight is 1"
HARD = {"normalizer": "hardmax"}


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where anything is tried: the reason is to be known before."""

    def search(problem, first):
        raise AssertionError("tried")

    for norm in seeking._SEARCHES:
        monkeypatch.setitem(seeking._SEARCHES, norm, search)


def _refused(targets, free=("X", "W_Q", "W_K", "W_V"), limits=None, **spec):
    document = document_of(random_matrices(0), **spec)
    proposal = seek(document, targets, free, limits)
    assert not proposal.reached
    assert proposal.edit is None
    assert proposal.norm == 0.0
    assert not any(change.any() for change in proposal.changes.values())
    return proposal.reason


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(
    ("targets", "spec", "words"),
    [
        ([Target("weights", 0, 2, "=", 0.8)], CAUSAL, "the mask hides key 2 from"),
        ([Target("weights", 0, 2, ">=", 0.1)], CAUSAL, "so its weight is 0. Let the"),
        ([Target("masked", 0, 2, ">=", -5.0)], CAUSAL, "so its score is −∞"),
        ([Target("weights", 0, 0, "<=", 0.5)], CAUSAL, SEES_ONE),
        ([RowTarget("entropy", 0, ">=", 0.5)], CAUSAL, "query 0 sees 1 key, so"),
        ([Target("weights", 1, 2, "=", 1.5)], {}, "weights of softmax are from 0 to 1"),
        ([Target("weights", 1, 2, "<=", -0.1)], {}, "weights of softmax are from 0"),
        ([RowTarget("sum", 1, "=", 1.2)], {}, "add up to 1, whatever the scores"),
        ([RowTarget("sum", 1, ">=", 1.2)], {"normalizer": "softmax1"}, "less than 1"),
        ([RowTarget("sum", 1, ">=", 5)], {"normalizer": "sigmoid"}, "4 weights that"),
        ([RowTarget("entropy", 1, "=", 2.5)], {}, "from 0 to log₂ 4 = 2 bits"),
        ([RowTarget("entropy", 1, "<=", -0.5)], {}, "from 0 to log₂ 4 = 2 bits"),
        ([RowTarget("effective_keys", 1, ">=", 5)], {}, "from 1 to 4 can be effective"),
        ([RowTarget("effective_keys", 1, "=", 0.5)], {}, "from 1 to 4 can be effect"),
        ([Target("weights", 1, 2, "=", 0.5)], HARD, "hardmax gives one key all"),
        ([RowTarget("entropy", 1, "=", 0.5)], HARD, "all the weight to one key"),
        (
            [Target("weights", 1, 0, ">=", 0.6), Target("weights", 1, 2, "=", 0.6)],
            {},
            "weights of weights[1] to add up to at least 1.2",
        ),
        (
            [Target("weights", 1, k, "<=", 0.2) for k in range(4)],
            {},
            "to add up to at most 0.8",
        ),
        (
            [Target("output", 1, 0, ">=", 2.0), Target("output", 1, 0, "<=", 1.0)],
            {},
            "output[1, 0] ≥ 2 and output[1, 0] ≤ 1 contradict each other",
        ),
        (
            [Target("Q", 1, 0, "=", 2.0), Target("Q", 1, 0, "=", 1.0)],
            {},
            "contradict each other. Take one",
        ),
        (
            [
                RowTarget("entropy", 1, "<=", 0.1),
                RowTarget("effective_keys", 1, ">=", 3),
            ],
            {},
            "effective keys of weights[1] ≥ 3 and entropy of weights[1] ≤ 0.1 bits "
            "contradict each other. Take one",
        ),
        (
            [
                RowTarget("effective_keys", 1, "=", 2.5),
                RowTarget("entropy", 1, "=", 1),
            ],
            {},
            "effective keys of weights[1] = 2.5 and entropy of weights[1] = 1 bit "
            "contradict",
        ),
        (
            [
                RowTarget("entropy", 1, ">=", 1.5),
                RowTarget("effective_keys", 1, "<=", 2),
            ],
            {"normalizer": "sigmoid"},
            "contradict each other",
        ),
        (
            [
                Target("weights", 1, 2, "=", 0.9),
                RowTarget("effective_keys", 1, ">=", 3),
            ],
            {},
            "effective keys of weights[1] ≥ 3 conflicts with weights[1, 2] = "
            "0.9, which leaves at most 1.545 effective keys in weights[1]. Take one",
        ),
        (
            [
                Target("weights", 1, 0, "=", 0.4),
                Target("weights", 1, 2, ">=", 0.3),
                RowTarget("entropy", 1, "<=", 0.5),
            ],
            {},
            "entropy of weights[1] ≤ 0.5 bits conflicts with weights[1, 0] = "
            "0.4 and weights[1, 2] ≥ 0.3, which leave an entropy of at least 0.971",
        ),
        (
            [Target("weights", 1, 0, ">=", 0.9), RowTarget("entropy", 1, ">=", 1)],
            {"normalizer": "softmax1"},
            "which leaves an entropy of at most 0.627",
        ),
        (
            [
                *(Target("weights", 1, k, ">=", 0.9) for k in range(4)),
                RowTarget("entropy", 1, "<=", 1.9),
            ],
            {"normalizer": "sigmoid"},
            "which leave an entropy of at least 1.99",
        ),
        (
            [
                Target("weights", 1, 0, ">=", 0.7),
                Target("weights", 1, 1, ">=", 0.6),
                RowTarget("sum", 1, "<=", 1.2),
            ],
            {"normalizer": "sigmoid"},
            "to add up to at least 1.3, and its sum must be at most 1.2. Ask for less",
        ),
        (
            [
                Target("weights", 1, 0, ">=", 0.4),
                Target("weights", 1, 1, ">=", Cell("weights", (1, 0))),
                Target("weights", 1, 2, "=", Cell("weights", (1, 1))),
            ],
            {},
            "to add up to at least 1.2",
        ),
        (
            [
                Target("weights", 1, 0, ">=", 0.4),
                Target("weights", 1, 1, "<=", 0.3),
                Target("weights", 1, 1, ">=", Cell("weights", (1, 0))),
            ],
            {},
            "The targets of weights[1] contradict each other: weights[1, 0] ≥ 0.4, ",
        ),
        ([RowTarget("entropy", 1, "=", 1.5)], CAUSAL, "from 0 to log₂ 2 = 1 bit"),
        ([RowTarget("effective_keys", 1, ">=", 2.5)], CAUSAL, "from 1 to 2 can be"),
        ([RowTarget("sum", 1, "<=", 0.9)], {}, "add up to 1, whatever the scores"),
    ],
)
def test_what_no_numbers_can_give_is_refused(targets, spec, words) -> None:
    assert words in _refused(targets, **spec)


def test_an_entropy_and_as_many_effective_keys_are_sought_together() -> None:
    document = document_of(random_matrices(0))
    targets = [
        RowTarget("entropy", 1, "=", np.log2(3)),
        RowTarget("effective_keys", 1, "=", 3),
        RowTarget("effective_keys", 1, ">=", 0),
    ]
    assert seek(document, targets, ["X"]).reached


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(
    ("target", "free", "spec"),
    [
        (Target("Q", 1, 0, "=", 2.0), ["W_K", "W_V"], {}),
        (Target("Q", 1, 0, "=", 2.0), [("X", 2, ...)], {}),
        (Target("weights", 1, 0, "=", 0.5), ["W_V"], {}),
        # A later token is hidden from an earlier query.
        (Target("output", 1, 0, "=", 2.0), [("X", 3, ...)], CAUSAL),
        (Target("weights", 1, 0, "=", 0.5), ["temperature"], {"normalizer": "sum"}),
    ],
)
def test_what_is_cut_off_from_all_that_is_free_is_refused(target, free, spec) -> None:
    reason = _refused(target, free, **spec)
    assert "it does not depend on anything that may change, as no change of" in reason
    assert "Free numbers that it is computed from." in reason


@pytest.mark.usefixtures("no_search")
def test_an_output_of_hard_max_is_not_sought_through_its_scores() -> None:
    reason = _refused(Target("output", 1, 0, "=", 2.0), ["W_Q"], **HARD)
    assert "hardmax changes in steps" in reason
    assert "such as the values" in reason


@pytest.mark.usefixtures("no_search")
def test_limits_that_cannot_be_enough_are_told_with_what_they_allow() -> None:
    m = random_matrices(0)
    now = m["X"][1] @ m["W_Q"][:, 0]
    reach = 0.1 * np.abs(m["X"][1]).sum()
    reason = _refused(Target("Q", 1, 0, "=", now + 2 * reach), ["W_Q"], 0.1)
    assert f"from {now - reach:.6g} to {now + reach:.6g}. Allow larger" in reason


@pytest.mark.usefixtures("no_search")
def test_limits_of_zero_leave_nothing_to_change() -> None:
    reason = _refused(Target("weights", 1, 0, "=", 0.5), ["W_Q"], {"W_Q": 0})
    assert "within the limits" in reason


def test_what_a_soft_cap_has_flattened_is_not_taken_for_cut_off() -> None:
    m = random_matrices(0)
    m["W_Q"] *= 1e4
    document = document_of(m, softcap=1.0)
    before = document.compute()
    cell = next(c for c in range(4) if abs(before["capped"][1, c]) == 1.0)
    assert not before.gradient("capped", (1, cell))["W_Q"].any()
    proposal = seek(document, Target("weights", 1, cell, "=", 0.3), ["W_Q"])
    assert "cut off" not in proposal.reason


def test_a_bias_of_minus_infinity_is_named() -> None:
    bias = np.zeros((4, 4))
    bias[1, 3] = -np.inf
    document = document_of({**random_matrices(0), "bias": bias}, bias=True)
    proposal = seek(document, Target("weights", 1, 3, "=", 0.5), ["bias"])
    assert not proposal.reached
    assert "the bias of query 1 and key 3 is −∞" in proposal.reason
    assert not proposal.changes["bias"].any()


def test_a_given_mask_is_named() -> None:
    mask = ~np.eye(4, dtype=bool)
    document = document_of({**random_matrices(0), "mask": mask}, mask=True)
    proposal = seek(document, Target("weights", 1, 1, "=", 0.5), ["X"])
    assert "the mask hides key 1 from query 1" in proposal.reason


def test_a_hidden_weight_may_be_asked_to_be_nothing() -> None:
    document = document_of(random_matrices(0), causal=True)
    targets = [Target("weights", 0, 2, "=", 0.0), Target("weights", 2, 0, "=", 0.5)]
    assert seek(document, targets, ["X"]).reached


def test_what_is_not_found_is_told_with_the_nearest() -> None:
    document = document_of(random_matrices(0))
    largest = max(document.compute()["V"][:, 0])
    # Weights of softmax mix the values, and none is as large as this.
    target = Target("output", 1, 0, "=", largest + 1)
    proposal = seek(document, target, ["W_Q"])
    assert not proposal.reached
    assert proposal.reason.startswith("No change was found that meets all targets.")
    nearest = proposal.result["output"][1, 0]
    assert f"The nearest found makes output[1, 0] {nearest:.6g}" in proposal.reason
    before = document.compute()["output"][1, 0]
    assert before < nearest <= largest
    assert nearest > largest - 0.05 * (largest - before)
    assert proposal.residuals == pytest.approx([nearest - largest - 1])
    assert proposal.edit is not None


def test_limits_that_were_not_enough_are_told() -> None:
    document = document_of(random_matrices(0))
    target = Target("weights", 1, 0, "=", 0.99)
    proposal = seek(document, target, ["X", "W_Q"], limits=0.01)
    assert not proposal.reached
    assert "within the limits" in proposal.reason
    assert "Allow larger changes" in proposal.reason
    assert max(np.abs(c).max() for c in proposal.changes.values()) <= 0.01
    before = document.compute()["weights"][1, 0]
    assert proposal.result["weights"][1, 0] > before


def test_nothing_is_sought_through_a_mistake() -> None:
    proposal = seek(
        with_mistake("scale-missing"), Target("weights", 2, 1, "=", 0.5), ["X"]
    )
    assert not proposal.reached
    assert "computes with a mistake: The scores are not scaled" in proposal.reason
