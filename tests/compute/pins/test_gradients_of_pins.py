"""Gradients through pins, beside differences of the function itself."""

import numpy as np
import pytest

from attnviewer import Pin, attention

RNG = np.random.default_rng(7)
INPUTS = dict(zip("QKV", RNG.normal(size=(3, 2, 4, 3)), strict=True))  # (h, n, d)
ON_OUTPUT = RNG.normal(size=(2, 4, 3))

PINS = {
    "set score": [Pin("scores", 0, [1, 2], 2.0, head=0)],
    "added to scaled": [Pin("scaled", 1, 1, 0.5, how="add")],
    "scaled rows": [Pin("scaled", [0, 3], slice(None), -0.5, how="scale")],
    "set weight": [Pin("weights", 2, 0, 0.3)],
    "shared": [Pin("weights", 2, 0, 0.3, rest="share")],
    "shared of two": [
        Pin("weights", 1, 3, 1.5, how="scale", rest="share"),
        Pin("weights", 1, 0, 0.1),
    ],
    "added and shared": [Pin("weights", [0, 1], 1, 0.05, how="add", rest="share")],
    "output": [Pin("output", 1, 2, 4.0, head=1), Pin("output", 0, 0, 3, how="scale")],
}


def loss(pins, inputs) -> float:
    trace = attention(*(inputs[name] for name in "QKV"), pins=pins, causal=False)
    return float((trace["output"] * ON_OUTPUT).sum())


@pytest.mark.parametrize("name", PINS)
def test_backward_agrees_with_central_differences(name) -> None:
    pins = PINS[name]
    trace = attention(*INPUTS.values(), pins=pins)
    gradients = trace.backward({"output": ON_OUTPUT})
    for matrix, numbers in INPUTS.items():
        slopes = np.zeros_like(numbers)
        for index in np.ndindex(numbers.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = numbers.copy()
                moved[index] += step
                ends.append(loss(pins, {**INPUTS, matrix: moved}))
            slopes[index] = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(gradients[matrix], slopes, atol=2e-8)


@pytest.mark.parametrize("name", PINS)
@pytest.mark.parametrize("step", ["scaled", "weights", "output"])
def test_the_gradient_of_a_cell_is_that_of_the_whole_step(name, step) -> None:
    trace = attention(*INPUTS.values(), pins=PINS[name])
    for index in [(0, 0, 1), (1, 1, 2), (0, 2, 0), (1, 3, 1)]:
        one = np.zeros(trace.shape(step))
        one[index] = 1
        whole, cell = trace.backward({step: one}), trace.gradient(step, index)
        for matrix, gradient in whole.items():
            np.testing.assert_allclose(cell[matrix], gradient, atol=1e-14)


def test_nothing_passes_a_number_that_is_set() -> None:
    trace = attention(*INPUTS.values(), pins=[Pin("scores", 1, 2, 3.0)])
    gradients = trace.gradient("scores", (0, 1, 2))
    assert not any(gradient.any() for gradient in gradients.values())
