"""Training of pipelines with two normalisers, a gate, or none that normalises."""

import numpy as np
import pytest

from attnviewer import tasks, train
from attnviewer.compute import NORMALIZERS
from tests.compute.other_pipelines import (
    CHANGES,
    document_with,
    have_built,
    oracle,
    random_inputs,
)

LR, STEP = 0.1, 1e-30


@pytest.mark.parametrize("free", ["W_Q", "W_K", "X"])
@pytest.mark.parametrize("kind", CHANGES)
def test_a_step_goes_against_the_gradient_of_the_loss(kind, free, monkeypatch) -> None:
    have_built(monkeypatch, kind)
    inputs = random_inputs()
    target = np.tril(np.full((4, 7, 7), 1 / 7))
    task = tasks.match("weights", target, loss="mse")
    training = train(
        document_with(inputs), task, free=free, optimizer="sgd", lr=LR, steps=1
    )
    moved = training.document(1).matrix(free) - inputs[free]
    slopes = np.zeros_like(inputs[free])
    for place in np.ndindex(slopes.shape):
        changed = {name: array.astype(complex) for name, array in inputs.items()}
        changed[free][place] += STEP * 1j
        mixed = oracle(kind, changed)["mixed by"]
        slopes[place] = np.mean((mixed - target) ** 2).imag / STEP
    np.testing.assert_allclose(moved, -LR * slopes, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("kind", CHANGES)
def test_a_run_lowers_the_loss_of_a_pattern(kind, monkeypatch) -> None:
    have_built(monkeypatch, kind)
    task = tasks.copy_previous(loss="mse")
    training = train(document_with(random_inputs()), task, lr=0.02, steps=20)
    assert len(list(training)) == 20
    assert training.losses[-1] < training.losses[0]
    # No normaliser makes these weights, so that none of its rows is saturated.
    assert all(advice.kind != "saturated" for advice in training.advice(20))


def test_hard_max_in_one_of_two_maps_lets_no_gradient_pass(monkeypatch) -> None:
    have_built(monkeypatch, "differential")
    monkeypatch.setattr(NORMALIZERS["softmax"], "has_gradient", False)
    with pytest.raises(ValueError, match=r"free' must name no matrix .* Got W_Q"):
        train(document_with(random_inputs()), tasks.copy_previous("mse"), free="W_Q")
