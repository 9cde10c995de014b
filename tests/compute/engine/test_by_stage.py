"""What is fused for speed equals the same stages, one after another."""

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, row_blocks, run
from attnviewer.compute.engine import storing, unstored_attention
from attnviewer.compute.sections import Pipeline

from .examples import CLOSE, EXAMPLES, assert_as_fresh, distance, example, numbers

TYPES = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}


@pytest.fixture
def by_stage(monkeypatch):
    """Have nothing fused from now on."""

    def switch() -> None:
        monkeypatch.setattr(Pipeline, "only_normalizes", False)

    return switch


@pytest.fixture
def unstored(monkeypatch):
    """Have no weights stored from now on."""
    monkeypatch.setattr(unstored_attention, "FEW", 1)
    return lambda: monkeypatch.setattr(storing, "MOST_STORED", 0)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_pass_gives_the_same_numbers(monkeypatch, by_stage, name, dtype) -> None:
    spec, inputs = example(name)
    inputs = {
        matrix: array if array.dtype == np.bool_ else array.astype(dtype)
        for matrix, array in inputs.items()
    }
    fused = dict(run(spec, inputs))
    by_stage()
    for size in (row_blocks.SMALL, 8):
        monkeypatch.setattr(row_blocks, "SMALL", size)
        monkeypatch.setattr(row_blocks, "ROWS", 3)
        trace = run(spec, inputs)
        assert list(trace) == list(fused)
        for step, want in fused.items():
            got = trace[step]
            assert got.dtype == want.dtype, step
            unit = 1.0
            if want.dtype != np.bool_ and step != "weights":
                unit = max(1.0, float(np.abs(want[np.isfinite(want)]).max(initial=0)))
            assert distance(got, want) <= TYPES[dtype] * unit, step


def _in_turn() -> list[tuple[str, str, str, int]]:
    """Return each example in both ways, in one of two types each, which take turns.

    Last comes which part of an input is edited first: parts take turns as well.
    """
    types = ["float32", "float64"]
    return [
        (name, way, types[(number + other) % 2], number + other)
        for number, name in enumerate(EXAMPLES)
        for other, way in enumerate(("by_stage", "unstored"))
    ]


@pytest.mark.parametrize(("name", "way", "dtype", "first"), _in_turn())
def test_the_engine_gives_the_same_numbers_after_edits(
    request, way, name, dtype, first
) -> None:
    spec, inputs = example(name)
    changed = {matrix: array.copy() for matrix, array in inputs.items()}
    fused = IncrementalEngine(spec, changed, dtype)
    request.getfixturevalue(way)()
    engine = IncrementalEngine(spec, changed, dtype)
    random = np.random.default_rng(3)
    for number, matrix in enumerate(spec.input_names, first):
        table = np.atleast_2d(changed[matrix])
        n_rows, n_columns = table.shape[-2:]
        middle = slice(n_rows // 2, n_rows // 2 + 1)
        regions = [
            (middle, slice(0, 1)),
            (slice(0, n_rows), slice(n_columns - 1, n_columns)),
            (slice(0, n_rows, 2), slice(0, n_columns)),
        ]
        region = regions[number % len(regions)]
        part = table[..., region[0], region[1]]
        table[..., region[0], region[1]] = numbers(spec, matrix, part.shape, random)
        for one in (engine, fused):
            one.edit(matrix, region)
        for step, want in fused.trace().items():
            unit = 1.0
            if want.dtype != np.bool_ and step != "weights":
                finite = want[np.isfinite(want)]
                unit = max(1.0, float(np.abs(finite).max(initial=0)))
            got = engine.trace()[step]
            close = CLOSE.get(want.dtype.itemsize, 0.0) * unit
            assert distance(got, want) <= close, step
    assert_as_fresh(engine, changed)
