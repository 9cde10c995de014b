"""Thousands of edits later the steps are still those of a fresh run."""

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec
from attnviewer.compute.engine import storing, unstored_attention
from attnviewer.compute.positions import Rotary

from .examples import assert_as_fresh, set_cells

_EDITS = 2001
_DOUBLE, _SINGLE = np.float64, np.float32
_SPECS = {
    "simplified": (Spec(projected=False), 64),
    "causal heads": (Spec(n_heads=2, causal=True, output_projection=True), 48),
    "turned, softmax1": (Spec(positions=Rotary(), normalizer="softmax1"), 56),
    "masked sigmoid": (Spec(mask=True, normalizer="sigmoid"), 48),
}


def _inputs(spec: Spec, n: int, random, scale: float = 1.0):
    shapes = {"X": (n, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4), "W_O": (4, 4)}
    inputs = {
        name: random.normal(scale=scale if name == "X" else 0.5, size=shape)
        for name, shape in shapes.items()
        if name in spec.input_names
    }
    if spec.mask:
        inputs["mask"] = random.random((n, n)) < 0.7
    return inputs


@pytest.fixture
def way(request, monkeypatch):
    """Have weights stored, or not."""
    if request.param == "not stored":
        monkeypatch.setattr(storing, "MOST_STORED", 0)
        monkeypatch.setattr(unstored_attention, "FEW", 1)


@pytest.mark.parametrize(
    ("name", "dtype", "way"),
    [
        ("simplified", _SINGLE, "not stored"),
        ("causal heads", _DOUBLE, "stored"),
        ("turned, softmax1", _DOUBLE, "not stored"),
        ("masked sigmoid", _SINGLE, "stored"),
    ],
    indirect=["way"],
)
def test_thousands_of_edits_leave_no_trace(name, dtype, way) -> None:
    spec, n = _SPECS[name]
    random = np.random.default_rng(5)
    inputs = _inputs(spec, n, random)
    engine = IncrementalEngine(spec, inputs, dtype)
    for edit in range(_EDITS):
        # Embeddings mostly, as people do; now and then a weight or the mask.
        others = [*inputs][edit // 8 % len(inputs)]
        matrix = others if edit % 8 == 0 else "X"
        array = inputs[matrix]
        row, column = (int(random.integers(size)) for size in array.shape)
        value = random.normal() if matrix == "X" else 0.5 * random.normal()
        region = slice(row, row + 1), slice(column, column + 1)
        set_cells(
            engine, array, matrix, region, value > 0 if matrix == "mask" else value
        )
        engine.update()
        if edit % 500 == 0:
            assert_as_fresh(engine, inputs)
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("way", ["stored", "not stored"], indirect=True)
def test_a_sharp_softmax_leaves_no_trace_either(way) -> None:
    # Three times the embeddings are nine times the scores: what is taken off a
    # total there is often nearly all of it.
    spec, scale = Spec(n_heads=2), 3.0
    random = np.random.default_rng(11)
    inputs = _inputs(spec, 64, random, scale)
    engine = IncrementalEngine(spec, inputs)
    for edit in range(1001):
        row, column = int(random.integers(64)), int(random.integers(4))
        region = slice(row, row + 1), slice(column, column + 1)
        set_cells(engine, inputs["X"], "X", region, scale * random.normal())
        engine.update()
        if edit % 250 == 0:
            assert_as_fresh(engine, inputs)
    assert_as_fresh(engine, inputs)


@pytest.mark.parametrize("dtype", [_DOUBLE, _SINGLE])
def test_huge_and_small_in_turn_leave_no_trace(dtype) -> None:
    spec = Spec(projected=False, causal=True)
    random = np.random.default_rng(2)
    inputs = _inputs(spec, 48, random)
    engine = IncrementalEngine(spec, inputs, dtype)
    before = inputs["X"].copy()
    for edit in range(250):
        row, column = int(random.integers(48)), int(random.integers(4))
        region = slice(row, row + 1), slice(column, column + 1)
        for value in (1e6, 1e-6, before[region][0, 0]):
            set_cells(engine, inputs["X"], "X", region, value)
            engine.window("output" if edit % 2 else "weights", region[0])
    np.testing.assert_array_equal(inputs["X"], before)
    assert_as_fresh(engine, inputs)
