"""From attention weights alone to a document."""

import numpy as np
import pytest

from attnviewer.compute import QueryWalk
from attnviewer.document.from_weights import document_of_weights
from attnviewer.document.sequences import insert_tokens, remove_tokens
from tests.documents import given_weights

_RNG = np.random.default_rng(3)


def _weights(*shape: int) -> np.ndarray:
    weights = _RNG.random(shape)
    return weights / weights.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    ("shape", "choice", "index"),
    [
        ((3, 3), {}, ...),
        ((2, 3, 3), {}, ...),
        ((2, 3, 4), {"context_tokens": list("abcd")}, ...),
        ((2, 3, 3), {"head": 1}, 1),
        ((5, 2, 3, 3), {"layer": 4}, 4),
        ((1, 2, 3, 3), {}, 0),
        ((5, 1, 2, 3, 3), {"layer": 3}, (3, 0)),
        ((5, 4, 2, 3, 3), {"layer": 3, "batch": 2, "head": 0}, (3, 2, 0)),
    ],
)
def test_the_weights_of_a_document_are_those_given(shape, choice, index) -> None:
    weights = _weights(*shape)
    document = document_of_weights(weights, tokens=["x", "y", "z"], **choice)
    trace = document.compute()
    assert trace["weights"].tolist() == weights[index].tolist()
    assert document.tokens == ("x", "y", "z")
    mixed = "heads" if "heads" in trace else "output"
    assert trace[mixed].tolist() == weights[index].tolist()  # of one-hot values


def test_layers_may_be_a_list_as_models_return_them() -> None:
    layers = [_weights(1, 2, 3, 3).astype(np.float32) for _ in range(4)]
    document = document_of_weights(layers, layer=2)
    assert document.compute()["weights"].tolist() == layers[2][0].tolist()


@pytest.mark.parametrize(
    ("shape", "choice", "reason"),
    [
        ((3,), {}, "must have shape"),
        ((5, 2, 3, 3), {}, "'layer' parameter must be given, from 0 to 4"),
        ((5, 2, 2, 3, 3), {"layer": 0}, "'batch' parameter must be given"),
        ((5, 2, 3, 3), {"layer": 5}, "'layer' parameter must be from 0 to 4. Got 5"),
        ((2, 3, 3), {"head": 2}, "'head' parameter must be from 0 to 1"),
        ((2, 3, 3), {"layer": 0}, "'layer' parameter must be None"),
        ((3, 3), {"tokens": ["a"]}, "'tokens' must be as many"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused(shape, choice, reason) -> None:
    with pytest.raises(ValueError, match=reason):
        document_of_weights(_weights(*shape), **choice)


def test_weights_are_explained_as_given() -> None:
    trace = given_weights().compute()
    formula = trace.explain("weights", (0, 1, 2))
    walked = []
    while formula.steps:
        (cell,) = formula.cells
        walked.append((cell.step, cell.index))
        formula = trace.explain(cell.step, cell.index)
    assert walked == [("scores", (0, 1, 2)), ("split S", (0, 1, 2)), ("S", (1, 2))]
    assert formula.symbols == "given"
    assert formula.value == 0.3


def test_a_walk_of_given_weights_begins_with_the_scores() -> None:
    trace = given_weights().compute()
    walk = QueryWalk(trace, 1, head=1)
    assert [(phase.kind, phase.step) for phase in walk.phases] == [
        ("step", "scores"),
        ("weights", "weights"),
        ("mix", "heads"),
    ]
    for number in range(len(walk)):
        walk.move(number)
    assert walk.move(len(walk) - 1).loop.tolist() == [0.5, 0.5, 0.0]


def test_tokens_that_come_and_go_take_their_weights_along() -> None:
    document = given_weights()
    before = document.compute()["weights"]
    document.apply(remove_tokens(document, "S", 1, 1, ""))
    after = document.compute()["weights"]
    want = np.delete(np.delete(before, 1, axis=1), 1, axis=2)
    assert after.tolist() == want.tolist()
    document.apply(insert_tokens(document, "S", 1, ["new"], np.zeros((1, 4)), ""))
    grown = document.compute()["weights"]
    assert grown[:, [0, 2]][..., [0, 2]].tolist() == want.tolist()
    assert not grown[:, 1].any()
    assert not grown[..., 1].any()
