"""After edits, the numbers are those of the papers' formulas, written out."""

import math

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec

from .examples import set_cells


def _softmax(row: list[float]) -> list[float]:
    largest = max(row)
    exponentials = [math.exp(score - largest) for score in row]
    total = math.fsum(exponentials)
    return [e / total for e in exponentials]


def _simplified(x: np.ndarray) -> np.ndarray:
    rows = [_softmax([math.fsum(q * k) / math.sqrt(3) for k in x]) for q in x]
    return np.array([[math.fsum(w * column) for column in x.T] for w in np.array(rows)])


def _causal_heads(inputs, n_heads: int) -> np.ndarray:
    """Vaswani et al. 2017, section 3.2.2, with a causal mask."""
    x, n = inputs["X"], len(inputs["X"])
    heads = []
    for head in range(n_heads):
        own = slice(2 * head, 2 * head + 2)
        q, k, v = (x @ inputs[name][:, own] for name in ("W_Q", "W_K", "W_V"))
        rows = []
        for i in range(n):
            seen = [math.fsum(q[i] * k[j]) / math.sqrt(2) for j in range(i + 1)]
            weights = _softmax(seen)
            rows.append(sum(w * v[j] for j, w in enumerate(weights)))
        heads.append(np.array(rows))
    return np.concatenate(heads, axis=1) @ inputs["W_O"]


def _edit_at_random(engine: IncrementalEngine, inputs, random) -> None:
    matrix = [*inputs][random.integers(len(inputs))]
    row, column = (int(random.integers(size)) for size in inputs[matrix].shape)
    cell = slice(row, row + 1), slice(column, column + 1)
    set_cells(engine, inputs[matrix], matrix, cell, random.normal())


@pytest.mark.parametrize("seed", range(3))
def test_simplified_attention_follows_its_formula(seed) -> None:
    random = np.random.default_rng(seed)
    inputs = {"X": random.normal(size=(12, 3))}
    engine = IncrementalEngine(Spec(projected=False), inputs)
    for _ in range(20):
        _edit_at_random(engine, inputs, random)
        want = _simplified(inputs["X"])
        np.testing.assert_allclose(engine.window("output"), want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_causal_heads_follow_their_formula(seed) -> None:
    random = np.random.default_rng(seed)
    shapes = {"X": (12, 3), "W_Q": (3, 4), "W_K": (3, 4), "W_V": (3, 4), "W_O": (4, 2)}
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    engine = IncrementalEngine(
        Spec(n_heads=2, causal=True, output_projection=True), inputs
    )
    for _ in range(30):
        _edit_at_random(engine, inputs, random)
        want = _causal_heads(inputs, 2)
        np.testing.assert_allclose(engine.window("output"), want, rtol=0, atol=1e-12)
