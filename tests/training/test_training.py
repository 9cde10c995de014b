"""A run: lazy, repeatable, one undo step, and never without its last good state."""

from copy import copy

import numpy as np
import pytest

import attnviewer
from attnviewer import tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.training import history
from attnviewer.training.optimizers import OPTIMIZERS


@pytest.fixture
def document() -> Document:
    return attnviewer.load_example("look-back")


def _target(document: Document) -> np.ndarray:
    return np.random.default_rng(3).normal(size=document.compute().shape("output"))


def test_no_step_is_taken_before_it_is_asked_for(document: Document) -> None:
    training = train(document, tasks.reverse(), steps=5)
    assert training.done == 0
    steps = iter(training)
    assert next(steps).index == 1
    assert training.done == 1
    assert [step.index for step in steps] == [2, 3, 4, 5]
    assert training.done == training.steps == 5
    assert training.stopped == ""


def test_steps_that_were_taken_are_not_taken_again(document: Document) -> None:
    training = train(document, tasks.reverse(), steps=5)
    first = [(step.index, step.loss) for step in training]
    end = training.matrices(5)
    again = [(step.index, step.loss) for step in training]
    assert again == first
    assert training.matrices(5)["W_Q"].tolist() == end["W_Q"].tolist()
    assert len(training.losses) == 6


def test_a_state_may_be_asked_for_before_its_step(document: Document) -> None:
    training = train(document, tasks.reverse(), steps=5)
    after = training.document(3)
    assert training.done == 3
    assert training.step(3).document.matrix("W_K").tolist() == (
        after.matrix("W_K").tolist()
    )


def test_the_loss_of_a_step_is_that_before_it(document: Document) -> None:
    target = _target(document)
    training = train(document, tasks.match("output", target), steps=4)
    for step in training:
        before = training.document(step.index - 1)
        expected = ((before.compute()["output"] - target) ** 2).mean()
        assert step.loss == pytest.approx(expected, rel=1e-13)
    assert training.losses[:-1] == [training.step(k).loss for k in range(1, 5)]
    after = ((training.document(4).compute()["output"] - target) ** 2).mean()
    assert training.losses[-1] == pytest.approx(after, rel=1e-13)


def test_gradient_norms_are_those_of_backward(document: Document) -> None:
    target = _target(document)
    free = ("X", "W_Q", "W_V")
    training = train(document, tasks.match("output", target), free=free, steps=3)
    for step in training:
        trace = training.document(step.index - 1).compute()
        gradient = 2 * (trace["output"] - target) / target.size
        gradients = trace.backward({"output": gradient})
        assert list(step.gradient_norms) == list(free)
        for name, norm in step.gradient_norms.items():
            assert norm == pytest.approx(np.linalg.norm(gradients[name]), rel=1e-12)


def test_a_plain_step_goes_down_the_gradient(document: Document) -> None:
    target = _target(document)
    task = tasks.match("output", target)
    after = train(document, task, optimizer="sgd", lr=0.5).document(1)
    trace = document.compute()
    gradient = 2 * (trace["output"] - target) / target.size
    for name in ("W_Q", "W_K", "W_V"):
        expected = (
            document.matrix(name) - 0.5 * trace.backward({"output": gradient})[name]
        )
        np.testing.assert_allclose(after.matrix(name), expected, rtol=1e-13)


def test_the_document_is_left_alone_whatever_happens_to_either(document) -> None:
    before = {name: array.copy() for name, array in document.matrices.items()}
    training = train(document, tasks.reverse(), steps=6)
    list(training)
    assert all((document.matrix(n) == array).all() for n, array in before.items())
    expected = training.matrices(6)["W_Q"].tolist()
    other = train(document, tasks.reverse(), steps=6)
    document.apply(other.edit(2))  # while the other run waits
    other.document(1).apply(other.edit(3))
    assert other.matrices(6)["W_Q"].tolist() == expected
    assert (other.document(0).matrix("W_Q") == before["W_Q"]).all()


@pytest.mark.parametrize("index", [1, 40])
def test_a_run_is_one_edit_that_can_be_undone(document: Document, index: int) -> None:
    before = {name: array.tolist() for name, array in document.matrices.items()}
    training = train(document, tasks.copy_previous(), steps=40, lr=0.05)
    edit = training.edit(index)
    assert edit.label == (
        f"Train: attend to the token before, Adam, {index} step{'s' * (index > 1)}"
    )
    inverse = document.apply(edit)
    after = training.document(index)
    for name in before:
        assert document.matrix(name).tolist() == after.matrix(name).tolist()
    assert document.matrix("W_Q").tolist() != before["W_Q"]
    document.apply(inverse)
    assert {n: a.tolist() for n, a in document.matrices.items()} == before


def test_drawn_matrices_forget_their_recipe_when_trained() -> None:
    document = attnviewer.load_example("four-words")
    drawn = {d.matrix for recipe in document.recipes for d in recipe.draws}
    assert "W_Q" in drawn
    after = train(document, tasks.copy_previous(), free=["W_Q"]).document(2)
    left = {d.matrix for recipe in after.recipes for d in recipe.draws}
    assert "W_Q" not in left
    assert "W_K" in left


def test_what_the_loss_does_not_depend_on_is_left_alone(document: Document) -> None:
    training = train(document, tasks.copy_previous(), optimizer="adamw", steps=3)
    steps = list(training)
    assert all(step.gradient_norms["W_V"] == 0 for step in steps)
    assert training.matrices(3)["W_V"].tolist() == document.matrix("W_V").tolist()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_seed_repeats_a_run(document: Document, optimizer: str) -> None:
    def after(seed: int) -> list[float]:
        training = train(
            document,
            tasks.same_token(),
            optimizer=optimizer,
            steps=4,
            seed=seed,
            batch=3,
            free=["X", "W_Q"],
        )
        list(training)
        return training.losses

    assert after(5) == after(5)
    assert after(5) != after(6)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("task", ["output", "weights", "cross-entropy"])
def test_a_huge_rate_stops_a_run_at_its_last_good_state(
    document: Document, optimizer: str, task: str
) -> None:
    chosen = {
        "output": tasks.match("output", _target(document)),
        "weights": tasks.copy_previous("mse"),
        "cross-entropy": tasks.copy_previous(),
    }[task]
    training = train(document, chosen, optimizer=optimizer, lr=1e9, steps=50)
    steps = list(training)
    assert len(steps) < 50
    assert "the learning rate 1e+09 is too large" in training.stopped
    assert f"The numbers are those after step {training.done}." in training.stopped
    assert np.isfinite(training.document(training.done).compute()["output"]).all()
    with pytest.raises(IndexError, match="learning rate 1e\\+09 is too large"):
        training.document(50)
    (warning,) = training.advice(training.done)
    assert (warning.kind, warning.message) == ("diverged", training.stopped)


def test_a_run_that_slowly_diverges_keeps_the_steps_before() -> None:
    rng = np.random.default_rng(0)
    matrices = {name: rng.normal(size=(4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
    document = Document("Slow", "abcd", matrices, Spec())
    task = tasks.match("output", np.zeros((4, 4)))
    training = train(document, task, free=["W_V"], optimizer="sgd", lr=2.0, steps=500)
    steps = list(training)
    assert 1 < len(steps) < 500
    assert training.losses == sorted(training.losses)
    assert "The numbers of W_V grew beyond" in training.stopped
    assert np.isfinite(training.document(len(steps)).matrix("W_V")).all()
    assert [w.kind for w in steps[-2].warnings] == ["diverged"]


def test_a_loss_of_infinity_stops_a_run_before_its_first_step() -> None:
    x = np.array([[40.0, 0.0], [0.0, 40.0]])
    document = Document("Far", "ab", {"X": x}, Spec(projected=False, scale=1.0))
    training = train(document, tasks.copy_previous(), free=["X"])
    assert list(training) == []
    assert (
        "The loss must be a number before the first step. Got inf" in training.stopped
    )
    assert (training.document(0).matrix("X") == x).all()


@pytest.mark.parametrize("index", [-1, 6])
def test_there_is_no_state_beyond_the_run(document: Document, index: int) -> None:
    training = train(document, tasks.reverse(), steps=5)
    with pytest.raises((ValueError, IndexError), match="instead"):
        training.document(index)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_states_that_are_not_kept_are_computed_again_bit_for_bit(
    document: Document, optimizer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> attnviewer.training.Training:
        training = train(
            document, tasks.same_token(), optimizer=optimizer, steps=30, batch=2
        )
        list(training)
        return training

    whole = run()
    monkeypatch.setattr(history, "MOST_BYTES", 25_000)
    sparse = run()
    assert sparse._history.interval > 5
    kept = sum(m.numbers.nbytes for m in sparse._history._kept)
    assert kept <= 40_000
    for index in (30, 1, 2, 17, 16, 29, 3, 0, 28):
        one, other = whole.matrices(index), sparse.matrices(index)
        assert all((one[name] == other[name]).all() for name in one)


def test_matrices_are_copies(document: Document) -> None:
    training = train(document, tasks.reverse(), steps=5)
    first = training.matrices(2)["W_Q"]
    kept = first.copy()
    first[...] = 0
    assert (training.matrices(2)["W_Q"] == kept).all()
    assert (copy(training.document(2)).matrix("W_Q") == kept).all()


def test_a_run_says_what_it_is(document: Document) -> None:
    training = train(document, tasks.reverse(), steps=5, optimizer="momentum")
    assert repr(training) == "<Training of attend in reverse, momentum: 0 of 5>"
