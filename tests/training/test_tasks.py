"""What each task asks of which tokens, and where it makes no sense."""

import numpy as np
import pytest

from attnviewer import tasks, train
from attnviewer.compute import Rotary, Spec
from attnviewer.document import Document
from attnviewer.training import Task, Training

_D = 3


def _document(tokens: str, context: str = "", mask=None, **spec) -> Document:
    rng = np.random.default_rng(1)
    matrices = {"X": rng.normal(size=(len(tokens), _D))}
    if context:
        matrices["context"] = rng.normal(size=(len(context), _D))
        spec["context"] = True
    if mask is not None:
        matrices["mask"], spec["mask"] = np.array(mask, bool), True
    for name in ("W_Q", "W_K", "W_V"):
        matrices[name] = rng.normal(size=(_D, 4))
    return Document("Task", tokens, matrices, Spec(**spec), context_tokens=context)


def _target(task: Task, document: Document) -> list[list[float]]:
    plan = train(document, task).plan
    return plan.goal.target(plan.sequences.own).tolist()


def _first_loss(training: Training) -> float:
    return next(iter(training)).loss


def test_copy_previous_asks_for_the_token_before_and_of_the_first_for_itself() -> None:
    wanted = [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    for spec in ({}, {"causal": True}, {"n_heads": 2}, {"positions": Rotary()}):
        assert _target(tasks.copy_previous(), _document("xyx", **spec)) == wanted


def test_reverse_asks_for_the_counterpart() -> None:
    assert _target(tasks.reverse(), _document("xyx")) == [
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
    ]


def test_same_token_asks_for_the_other_occurrences_and_alone_for_itself() -> None:
    half = 0.5
    assert _target(tasks.same_token(), _document("axaa")) == [
        [0, 0, half, half],
        [0, 1, 0, 0],
        [half, 0, 0, half],
        [half, 0, half, 0],
    ]


def test_same_token_asks_only_for_what_is_seen() -> None:
    assert _target(tasks.same_token(), _document("axaa", causal=True)) == [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [0.5, 0, 0.5, 0],
    ]


def test_same_token_of_two_sequences_asks_nothing_where_there_is_none() -> None:
    document = _document("axb", context="bba?")
    assert _target(tasks.same_token(), document) == [
        [0, 0, 1, 0],
        [0, 0, 0, 0],
        [0.5, 0.5, 0, 0],
    ]
    loss = _first_loss(train(document, tasks.same_token()))
    weights = document.compute()["weights"]
    asked = -np.log([weights[0, 2], weights[2, 0], weights[2, 1]]) * [1, 0.5, 0.5]
    assert loss == pytest.approx(asked.sum() / 3, rel=1e-14)


def test_repeated_asks_every_query_for_the_tokens_that_occur_again() -> None:
    assert _target(tasks.repeated(), _document("axay")) == [[0.5, 0, 0.5, 0]] * 4
    assert _target(tasks.repeated(), _document("xaya", causal=True)) == [
        [1, 0, 0, 0],  # sees none of them, so itself
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 0.5, 0, 0.5],
    ]


def test_next_token_is_the_cross_entropy_of_what_follows() -> None:
    document = _document("abcab", causal=True)
    readout = np.random.default_rng(0).normal(size=(4, 3))
    training = train(document, tasks.next_token(readout), free=["W_Q"])
    logits = document.compute()["output"][:-1] @ readout
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    expected = -np.log(shares[range(4), [1, 2, 0, 1]]).mean()
    assert _first_loss(training) == pytest.approx(expected, rel=1e-14)
    assert training.matrices(9)["readout"].tolist() == readout.tolist()


def test_a_readout_may_be_drawn_and_trained() -> None:
    document = _document("abcab")
    first, second = (
        train(document, tasks.next_token(), free=["readout"], seed=seed)
        for seed in (1, 2)
    )
    one, other = (training.matrices(0)["readout"] for training in (first, second))
    assert one.shape == (4, 3)
    assert not np.allclose(one, other)
    assert not np.allclose(one, first.matrices(5)["readout"])
    assert "readout" not in first.document(5).matrices
    assert set(next(iter(first)).gradient_norms) == {"readout"}


@pytest.mark.parametrize("loss", ["mse", "cross_entropy"])
def test_weights_match_in_every_head_or_in_each(loss: str) -> None:
    document = _document("abc", n_heads=2)
    weights = document.compute()["weights"]
    target = np.full((3, 3), 1 / 3)
    for given in (target, np.stack([target, target])):
        expected = (
            ((weights - target) ** 2).mean()
            if loss == "mse"
            else -(target * np.log(weights)).sum(axis=-1).mean()
        )
        training = train(document, tasks.match("weights", given, loss))
        assert _first_loss(training) == pytest.approx(expected, rel=1e-14)


def test_the_logits_of_an_output_match_probabilities() -> None:
    document = _document("abc")
    output = document.compute()["output"]
    target = np.eye(3, 4)
    training = train(document, tasks.match("output", target, "cross_entropy"))
    shares = np.exp(output) / np.exp(output).sum(axis=1, keepdims=True)
    expected = -np.log(np.diagonal(shares)).mean()
    assert _first_loss(training) == pytest.approx(expected, rel=1e-14)


def test_a_loss_of_nothing_has_no_sign() -> None:
    x = np.array([[100.0, 0.0], [0.0, 100.0]])
    document = Document("Far", "ab", {"X": x}, Spec(projected=False))
    training = train(
        document, tasks.match("weights", np.eye(2), "cross_entropy"), free="X"
    )
    assert str(_first_loss(training)) == "0.0"


def test_targets_may_be_integers_and_lists() -> None:
    training = train(_document("ab"), tasks.match("output", [[0] * 4, [1] * 4]))
    assert _first_loss(training) > 0


_HIDING_ITSELF = np.ones((4, 4)) - np.eye(4)


@pytest.mark.parametrize(
    ("task", "document", "told"),
    [
        (tasks.copy_previous(), _document("abc", "ab"), "keys of a second sequence"),
        (tasks.reverse(), _document("abc", "abc"), "keys of a second sequence"),
        (tasks.reverse(), _document("abc", causal=True), "1 hidden keys instead, the "),
        (
            tasks.copy_previous("mse"),
            _document("abcd", window=(0, 3)),
            "3 hidden keys instead, the first at [1, 0]",
        ),
        (tasks.same_token(), _document("abcc", mask=_HIDING_ITSELF), "at [0, 0]"),
        (tasks.same_token(), _document("abc", "xyz"), "in which there is none"),
        (tasks.repeated(), _document("abc"), "Got 3 different tokens instead"),
        (tasks.repeated(), _document("aab", "xyz"), "Got 3 different tokens instead"),
        (tasks.next_token(), _document("aaa"), "at least 2 different tokens. Got 1"),
        (
            tasks.next_token(np.ones((3, 4))),
            _document("abc"),
            "'readout' must have shape (4, 3)",
        ),
        (
            tasks.copy_previous(),
            _document("abc", normalizer="sum"),
            "'loss' must be 'mse' where weights may be negative",
        ),
        (
            tasks.match("weights", np.full((3, 3), 1 / 3), "cross_entropy"),
            _document("abc", causal=True),
            "3 hidden keys instead, the first at [0, 1]",
        ),
        (
            tasks.match("output", np.ones((3, 3))),
            _document("abc"),
            "'target' must have shape (3, 4), as the output has. Got (3, 3)",
        ),
        (
            tasks.match("weights", np.ones((2, 2))),
            _document("abc", n_heads=2),
            "'target' must have shape (2, 3, 3) or (3, 3), as the weights have.",
        ),
    ],
)
def test_a_task_that_does_not_fit_is_refused(task, document, told) -> None:
    with pytest.raises(ValueError, match="instead") as caught:
        train(document, task)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("make", "error", "told"),
    [
        (lambda: tasks.match("scores", [[1]]), ValueError, "'step' must be one of out"),
        (lambda: tasks.match("output", [[1]], "mae"), ValueError, "'loss' must be one"),
        (lambda: tasks.reverse("mean"), ValueError, "'loss' must be one of mse"),
        (lambda: tasks.match("output", [[np.nan]]), ValueError, "Got nan at [0, 0]"),
        (lambda: tasks.match("weights", [[np.inf]]), ValueError, "Got inf at [0, 0]"),
        (
            lambda: tasks.match("weights", [[-0.5]], "cross_entropy"),
            ValueError,
            "must be at least 0 everywhere for a cross-entropy. Got -0.5 instead",
        ),
        (lambda: tasks.match("output", [["a"]]), TypeError, "must hold real numbers"),
        (lambda: tasks.next_token([[np.nan]]), ValueError, "Got nan at [0, 0]"),
    ],
)
def test_a_wrong_argument_of_a_task_is_refused_at_once(make, error, told) -> None:
    with pytest.raises(error, match="instead") as caught:
        make()
    assert told in str(caught.value)
