"""What `train` refuses, and with which reason."""

import numpy as np
import pytest

import attnviewer
from attnviewer import tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document
from tests.documents import given
from tests.mistaken import with_mistake

_TASK = tasks.copy_previous()


def _document(**spec) -> Document:
    rng = np.random.default_rng(1)
    matrices = {n: rng.normal(size=(4, 4)) for n in ("X", "W_Q", "W_K", "W_V", "bias")}
    return Document(
        "Refusal", "abca", {**matrices, "mask": np.eye(4) < 2}, Spec(**spec)
    )


def _long() -> Document:
    x = np.zeros((4096, 1))
    return Document("Long", ["a"] * 4096, {"X": x}, Spec(projected=False))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"free": ("W_Q", "W_O")},
            "The 'free' must be one of X, W_Q, W_K, W_V. Got 'W_O' instead.",
        ),
        ({"free": "W_q"}, "Got 'W_q' instead. Did you mean 'W_Q'?"),
        ({"free": ()}, "at least one of X, W_Q, W_K, W_V. Got none instead"),
        ({"free": ["readout"]}, "Got 'readout' instead"),
        ({"free": ["W_V"]}, "on which the weights of the task depend. Got W_V instead"),
        ({"optimizer": "rmsprop"}, "must be one of sgd, momentum, adam, adamw."),
        (
            {"beta3": 0.5},
            "one of beta1, beta2, eps, weight_decay, gamma, betas.",
        ),
        ({"optimizer": "sgd", "momentum": 0.5}, "'sgd option' must be one of weight_"),
        ({"betas": (0.9, 1.0)}, "'beta2' option must be at least 0 and below 1. Got 1"),
        ({"eps": -1e-8}, "'eps' option must be finite and at least 0. Got -1e-08"),
        ({"gamma": 0}, "'gamma' option must be above 0 and at most 1"),
        ({"gamma": 1.5}, "'gamma' option must be above 0 and at most 1"),
        ({"gamma": np.nan}, "'gamma' option must be above 0 and at most 1"),
        ({"weight_decay": np.inf}, "'weight_decay' option must be finite"),
        ({"lr": 0}, "'lr' parameter must be a positive number. Got 0.0 instead"),
        ({"lr": np.nan}, "'lr' parameter must be a positive number. Got nan instead"),
        ({"steps": 0}, "'steps' parameter must be an integer of at least 1. Got 0"),
        ({"seed": -1}, "'seed' parameter must be an integer of at least 0. Got -1"),
        ({"batch": 0}, "'batch' parameter must be an integer of at least 1. Got 0"),
        ({"batch": 10**6}, "at most 4194304 scores to be trained"),
    ],
)
def test_an_argument_that_cannot_be_is_refused(options, told) -> None:
    with pytest.raises(ValueError, match="instead") as caught:
        train(_document(), _TASK, **options)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"betas": 0.9}, "'betas' option must be a pair of numbers. Got 0.9 instead"),
        ({"lr": "fast"}, "'lr' parameter must be a number. Got 'fast' instead"),
        ({"steps": 1.5}, "'steps' parameter must be an integer"),
        ({"eps": True}, "'eps' parameter must be a number. Got True instead"),
    ],
)
def test_an_argument_of_another_type_is_refused(options, told) -> None:
    with pytest.raises(TypeError, match="instead") as caught:
        train(_document(), _TASK, **options)
    assert told in str(caught.value)


def test_a_mask_cannot_be_trained() -> None:
    with pytest.raises(ValueError, match=r"can change by little. Got 'm"):
        train(_document(mask=True), _TASK, free=["W_Q", "mask"])


def test_a_bias_can_be_trained_and_still_hides_keys() -> None:
    document = _document(bias=True)
    bias = document.matrix("bias").copy()
    bias[0, 1] = -np.inf
    hiding = document.with_matrices({**document.matrices, "bias": bias})
    training = train(hiding, _TASK, free=["bias"], steps=50, optimizer="momentum")
    assert len(list(training)) == 50
    after = training.document(50)
    assert np.isneginf(after.matrix("bias")[0, 1])
    assert after.compute()["weights"][0, 1] == 0
    assert training.losses[-1] < training.losses[0]


def test_a_bias_that_hides_every_key_has_no_finite_number_and_stays() -> None:
    document = _document(bias=True)
    bias = np.full((4, 4), -np.inf)
    hiding = document.with_matrices({**document.matrices, "bias": bias})
    target = tasks.match("output", np.ones((4, 4)))
    training = train(hiding, target, free=["bias"], steps=2, optimizer="sgd")
    assert [step.loss for step in training] == [1.0, 1.0]
    assert np.isneginf(training.document(2).matrix("bias")).all()


def test_hard_max_teaches_nothing_that_acts_through_it() -> None:
    document = _document(normalizer="hardmax")
    target = np.zeros((4, 4))
    with pytest.raises(ValueError, match=r"whose gradient is 0\. Got W_Q, W_K"):
        train(document, tasks.match("output", target))
    training = train(document, tasks.match("output", target), free=["W_V"], steps=5)
    losses = [step.loss for step in training]
    assert losses == sorted(losses, reverse=True)


def test_simplified_attention_has_no_weights_to_train() -> None:
    document = _document(projected=False)
    with pytest.raises(ValueError, match=r"one of X\. Got 'W_Q' instead"):
        train(document, _TASK)
    assert len(list(train(document, _TASK, free=["X"], steps=4))) == 4


def test_given_queries_can_be_trained_but_not_drawn() -> None:
    training = train(given(), _TASK, free=("Q", "K"), steps=4)
    assert len(list(training)) == 4
    with pytest.raises(ValueError, match="where queries, keys and values are given"):
        train(given(), _TASK, free=("Q", "K"), batch=2)


def test_a_long_document_is_refused_before_anything_is_computed() -> None:
    with pytest.raises(ValueError, match=r"2048 tokens with one head\. Got 16777216"):
        train(_long(), _TASK, free=["X"])


def test_only_documents_and_tasks_are_taken() -> None:
    with pytest.raises(TypeError, match=r"must be a Document, .* Got dict instead"):
        train({}, _TASK)
    with pytest.raises(TypeError, match=r"must be one of attnviewer.tasks, .* Got str"):
        train(_document(), "copy_previous")


def test_train_and_tasks_are_names_of_the_package() -> None:
    assert attnviewer.train is train
    assert attnviewer.tasks is tasks
    assert {"train", "tasks"} <= set(dir(attnviewer))


def test_a_document_with_a_mistake_is_not_trained() -> None:
    with pytest.raises(ValueError, match="must compute without mistakes"):
        train(with_mistake("scale-missing"), tasks.copy_previous())
