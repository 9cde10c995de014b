"""The warnings that a teacher would give."""

import numpy as np
import pytest

import attnviewer
from attnviewer import tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document


def _saturated(n_heads: int = 1) -> Document:
    """Return a document whose last query has nearly all its weight on the first key."""
    x = np.eye(4)
    w_q, w_k = np.full((4, 2), 0.1), np.full((4, 2), 0.1)
    w_q[3], w_k[0] = 40.0, 1.0
    matrices = {"X": x, "W_Q": w_q, "W_K": w_k, "W_V": np.eye(4, 2)}
    if n_heads == 2:
        plain = np.full((4, 2), 0.1)
        matrices = {
            "X": x,
            "W_Q": np.hstack([plain, w_q]),
            "W_K": np.hstack([plain, w_k]),
            "W_V": np.eye(4),
        }
    return Document("Saturated", "abcd", matrices, Spec(n_heads=n_heads))


def test_a_saturated_row_that_should_look_elsewhere_is_named() -> None:
    training = train(_saturated(), tasks.copy_previous("mse"), free=["W_Q", "W_K"])
    (warning,) = training.advice(0)
    assert (warning.kind, warning.row, warning.head) == ("saturated", 3, None)
    assert warning.message.startswith(
        "Row 3 ('d') is saturated: nearly all of its weight is on key 0 ('a'), so that "
        "next to no gradient passes through it."
    )


def test_the_head_of_a_saturated_row_is_named_where_there_are_several() -> None:
    training = train(_saturated(2), tasks.copy_previous("mse"), free=["W_Q", "W_K"])
    (warning,) = training.advice(0)
    assert (warning.row, warning.head) == (3, 1)
    assert "Row 3 ('d') of head 1 is saturated" in warning.message


def test_a_saturated_row_of_a_random_sequence_has_the_name_of_its_token() -> None:
    task = tasks.copy_previous("mse")
    document = _saturated()
    named = []
    for seed in range(6):
        training = train(document, task, free=["W_Q", "W_K"], batch=2, seed=seed)
        drawn = np.random.default_rng([seed, 1]).integers(4, size=(2, 4))[0]
        for warning in training.advice(0):
            assert warning.row is not None
            assert f"Row {warning.row} ('{'abcd'[drawn[warning.row]]}')" in (
                warning.message
            )
            named.append("abcd"[drawn[warning.row]])
    assert set(named) == {"d"}


def test_a_rate_that_saturates_every_row_is_told() -> None:
    document = attnviewer.load_example("look-back")
    training = train(document, tasks.copy_previous("mse"), lr=0.3)
    saturated, *_ = (w for w in training.advice(300) if w.kind == "saturated")
    assert saturated.row is not None
    assert training.document(300).compute()["weights"][saturated.row].max() > 0.999
    (stuck,) = (w for w in training.advice(300) if w.kind == "stuck")
    assert "not changed from 0.25 for 20 steps" in stuck.message


def test_a_run_that_goes_well_is_left_in_peace() -> None:
    document = attnviewer.load_example("look-back")
    for options in ({}, {"batch": 16}, {"optimizer": "sgd", "lr": 0.1}):
        training = train(document, tasks.copy_previous(), **options)
        assert [training.advice(index) for index in range(0, 301, 60)] == [()] * 6


def test_cross_entropy_still_moves_a_saturated_row() -> None:
    training = train(_saturated(), tasks.copy_previous(), free=["W_Q", "W_K"])
    assert training.advice(0) == ()
    assert training.losses[-1] > 5


def test_a_saturated_row_that_is_right_is_no_trouble() -> None:
    document = attnviewer.load_example("look-back")
    training = train(document, tasks.copy_previous(), lr=0.05)
    weights = training.document(300).compute()["weights"]
    assert weights.max(axis=1).min() > 0.999
    assert training.advice(300) == ()


def test_a_plateau_is_told_with_its_loss() -> None:
    # Every query attends alike, whatever W_Q: the keys are all equal.
    x = np.eye(3)
    matrices = {"X": x, "W_Q": np.eye(3), "W_K": np.ones((3, 3)), "W_V": np.eye(3)}
    document = Document("Plateau", "abc", matrices, Spec())
    training = train(document, tasks.copy_previous(), free=["W_Q"], steps=30)
    assert training.advice(19) == ()
    (warning,) = training.advice(25)
    assert warning.kind == "stuck"
    assert "not changed from 1.1 for 20 steps" in warning.message
    assert training.losses[-1] == pytest.approx(np.log(3))


def test_a_loss_that_grows_is_told_with_the_rate() -> None:
    document = _saturated()
    task = tasks.match("output", np.zeros((4, 2)))
    training = train(document, task, free=["W_V"], optimizer="sgd", lr=40.0, steps=9)
    told = [w.message for step in training for w in step.warnings]
    assert any("the learning rate 40 is too large" in message for message in told)


@pytest.mark.parametrize("causal", [False, True])
def test_a_visible_answer_is_told(causal: bool) -> None:
    rng = np.random.default_rng(0)
    matrices = {name: rng.normal(size=(3, 3)) for name in ("X", "W_Q", "W_K", "W_V")}
    document = Document("Next", "abc", matrices, Spec(causal=causal))
    training = train(document, tasks.next_token())
    expected = [] if causal else ["answer_visible"]
    assert [warning.kind for warning in training.advice(0)] == expected
