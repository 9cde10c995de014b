"""Mistakes in masks that only show far into a sequence, in cases that are reduced."""

import numpy as np
import pytest

from attnviewer import diagnose
from attnviewer.doctor import reducing, searching, surveying

N, HEADS, WIDTH = 40, 2, 6


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Treat small cases as large ones."""
    monkeypatch.setattr(reducing, "MOST_NUMBERS", 100)
    monkeypatch.setattr(reducing, "QUERIES", 6)
    monkeypatch.setattr(surveying, "ENOUGH", 0)
    monkeypatch.setattr(searching, "FEW", 1)
    monkeypatch.setattr(searching, "FEWEST", 3)


def _attend(inputs, hides, value):
    """Attend as on paper, with a value for the scores of hidden keys."""
    q, k, v = (
        (inputs["X"] @ inputs[name]).reshape(N, HEADS, WIDTH).transpose(1, 0, 2)
        for name in ("W_Q", "W_K", "W_V")
    )
    i, j = np.indices((N, N))
    scores = np.where(hides(i, j), value, q @ k.transpose(0, 2, 1) / WIDTH**0.5)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    joined = (weights @ v).transpose(1, 0, 2).reshape(N, -1)
    return {"weights": weights, "output": joined @ inputs["W_O"]}


@pytest.mark.parametrize("given", [("weights", "output"), ("output",)])
@pytest.mark.parametrize(
    ("mistake", "hides", "value", "options"),
    [
        (
            ("window-width", 17.0),
            lambda i, j: (j > i) | (i - j >= 17),
            -np.inf,
            {"window": 25},
        ),
        (("mask-finite", -5.0), lambda i, j: j > i, -5.0, {}),
    ],
)
def test_they_are_named_with_their_number(mistake, hides, value, options, given):
    random = np.random.default_rng(4)
    d_model = HEADS * WIDTH
    shapes = {"X": (N, d_model)} | dict.fromkeys(
        ("W_Q", "W_K", "W_V", "W_O"), (d_model, d_model)
    )
    inputs = {
        name: random.normal(size=shape) / d_model**0.25
        for name, shape in shapes.items()
    }
    steps = _attend(inputs, hides, value)
    mine = {name: steps[name] for name in given}
    diagnosis = diagnose(inputs, mine, n_heads=HEADS, causal=True, **options)
    first = diagnosis.findings[0]
    assert first.ids[0] == mistake[0]
    assert f"{abs(mistake[1]):.0f}" in str(diagnosis)
