"""The overviews of a live computation are those of one from scratch."""

import math

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec, StepHead, run
from attnviewer.compute.engine import engine as engine_module
from attnviewer.compute.engine import overviews as overviews_module
from attnviewer.compute.engine import storing, unstored_attention
from attnviewer.compute.streaming import streamed_overview

from .examples import EXAMPLES, example, numbers, set_cells

_NAMES = [name for name, (spec, _) in EXAMPLES.items() if "batch" not in name]


@pytest.fixture
def small_overviews(monkeypatch):
    """Pool what is tiny here as if it were large, so that all of it is tried."""
    monkeypatch.setattr(engine_module, "_REMEMBERED", 0)
    monkeypatch.setattr(overviews_module, "LARGE", 0)
    monkeypatch.setattr(overviews_module, "MOST", 4)
    monkeypatch.setattr(overviews_module, "COARSE", 2)


def _plain(values, hidden, block) -> np.ndarray:
    """Pool in the plain way: of each block the number furthest from zero."""
    rows, columns = (-(-n // size) for n, size in zip(values.shape, block, strict=True))
    pooled = [[-math.inf] * columns for _ in range(rows)]
    seen = values if hidden is None else np.where(hidden, -np.inf, values)
    for i, row in enumerate(seen.tolist()):
        for j, value in enumerate(row):
            line, column = pooled[i // block[0]], j // block[1]
            now = line[column]
            wins = math.isnan(value) or value == math.inf or abs(value) > abs(now)
            if value != -math.inf and not math.isnan(now):
                line[column] = value if wins or now == -math.inf else now
    return np.array(pooled)


def _check(engine: IncrementalEngine, inputs, *, from_scores: bool = False) -> None:
    """Check the overviews of each step, or of the scores and those after them."""
    fresh = run(engine.spec, inputs)
    steps = list(fresh)
    first = steps.index(fresh.pipeline.comparison.name) if from_scores else 0
    for step in steps[first:]:
        for head in range(engine.spec.n_heads):
            values = fresh.window(step, head=head)
            overview = engine.overview(step, head)
            if overview.share < 1:  # a sketch, where weights are not stored
                for _ in overview.reading():
                    pass
            picture = overview.fitted(3, 3)
            want = _plain(values, fresh.hidden(step, head=head), picture.block)
            _assert_close(picture.values, want)
        found, want = engine.trace().limits(step), fresh.limits(step)
        if want is None:
            assert found is None
        else:
            _assert_close(found, want)


def _assert_close(found, want) -> None:
    """Check as `numpy.testing.assert_allclose` does, which takes twice as long."""
    close = np.isclose(found, want, rtol=1e-9, atol=1e-9, equal_nan=True)
    assert close.all(), f"{found} is not {want}"


@pytest.fixture
def not_stored(monkeypatch):
    """Store no weights, and pool every row again whose total changes at all."""
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    monkeypatch.setattr(unstored_attention, "FEW", 1)
    monkeypatch.setattr(streamed_overview, "_SETTLED", 0.0)


@pytest.mark.parametrize("way", ["small_overviews", "not_stored"])
@pytest.mark.parametrize("name", _NAMES)
def test_after_any_edit_they_show_what_a_fresh_computation_has(
    name, way, small_overviews, request
) -> None:
    request.getfixturevalue(way)
    # The steps before the scores are the same in both ways.
    from_scores = way == "small_overviews"
    spec, inputs = example(name)
    engine = IncrementalEngine(spec, inputs)
    _check(engine, inputs, from_scores=from_scores)
    random = np.random.default_rng(7)
    for matrix in [*spec.input_names, spec.input_names[0]]:
        array = inputs[matrix]
        table = np.atleast_2d(array)
        row, column = random.integers(0, table.shape[-2:])
        region = slice(row, row + 1), slice(column, column + 1)
        new = numbers(spec, matrix, (1, 1), random)
        set_cells(engine, array, matrix, region, new)
        if random.random() < 0.3:
            _check(engine, inputs, from_scores=from_scores)
    _check(engine, inputs, from_scores=from_scores)


def test_only_what_an_edit_reaches_is_read_again(small_overviews, monkeypatch) -> None:
    spec = Spec(n_heads=2)
    shapes = {"X": (40, 4)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    engine = IncrementalEngine(spec, inputs)
    for step in ("scores", "weights"):
        for head in (0, 1):
            engine.overview(step, head)
    read = []
    window = overviews_module.StepHead.window

    def counted(self, rows=slice(None), columns=slice(None)):
        part = window(self, rows, columns)
        read.append(part.size)
        return part

    monkeypatch.setattr(overviews_module.StepHead, "window", counted)
    region = slice(7, 8), slice(1, 2)
    set_cells(engine, inputs["X"], "X", region, 0.5)
    engine.overview("scores", 0)
    assert sum(read) == 2 * 10 * 40  # the row's blocks and the column's
    read.clear()
    engine.overview("scores", 0)
    set_cells(engine, inputs["W_V"], "W_V", region[::-1], 0.5)
    engine.overview("scores", 0)
    assert read == []
    set_cells(engine, inputs["W_Q"], "W_Q", (slice(2, 3), slice(3, 4)), 0.5)
    engine.overview("scores", 0)
    assert read == [], "a column of head 1"
    engine.overview("scores", 1)
    assert sum(read) == 2 * 10 * 40 + 40 * 40, "what was noted before as well"


def test_a_row_whose_total_is_no_number_is_shown_as_such(small_overviews) -> None:
    inputs = {"X": np.eye(6), "bias": np.zeros((6, 6))}
    inputs["bias"][2, 2] = -np.inf
    spec = Spec(projected=False, scale=1.0, bias=True)
    engine = IncrementalEngine(spec, inputs)
    _check(engine, inputs)
    set_cells(engine, inputs["X"], "X", (slice(2, 3), slice(2, 3)), 1e200)
    fresh = run(spec, inputs)
    assert np.flatnonzero(np.isnan(fresh["weights"]).all(axis=1)).tolist() == [2]
    _check(engine, inputs)


def test_the_computation_tells_how_far_it_is_and_can_be_given_up() -> None:
    inputs = {"X": np.random.default_rng(0).normal(size=(2100, 2))}
    told = []
    IncrementalEngine(Spec(projected=False), inputs, progress=told.append)
    assert told == sorted(told)
    assert len(told) >= 3
    assert told[-1] == 1

    def give_up(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        IncrementalEngine(Spec(projected=False), inputs, progress=give_up)


@pytest.mark.parametrize("scale", [None, 3.0, -2.0, 1e300])
def test_scaled_scores_have_the_extremes_of_their_own_numbers(
    scale, small_overviews
) -> None:
    spec = Spec(scale=scale)
    shapes = {"X": (9, 4)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    inputs["X"][3] = 1e120  # 1e240 and, scaled by 1e300, out of range
    engine = IncrementalEngine(spec, inputs)
    for edited in (None, 5, 3):
        if edited is not None:
            region = slice(edited, edited + 1), slice(0, 4)
            set_cells(engine, inputs["X"], "X", region, random.normal(size=(1, 4)))
        with np.errstate(all="ignore"):
            values = run(spec, inputs)["scaled"]
        for step in ("scores", "scaled"):
            picture = engine.overview(step, 0).fitted(3, 3)
        # Products of other windows are summed in another order.
        want = _plain(values, None, (3, 3))
        np.testing.assert_allclose(picture.values, want, rtol=1e-12)
        finite = values[np.isfinite(values)]
        limits = engine.trace().limits("scaled")
        np.testing.assert_allclose(limits, (finite.min(), finite.max()), rtol=1e-12)


def test_scaled_scores_are_not_read_to_know_their_extremes(monkeypatch) -> None:
    spec = Spec()
    shapes = {"X": (40, 4)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    random = np.random.default_rng(0)
    engine = IncrementalEngine(
        spec, {n: random.normal(size=s) for n, s in shapes.items()}
    )
    engine.overview("scores", 0)
    read: list[str] = []
    window = StepHead.window
    monkeypatch.setattr(
        StepHead,
        "window",
        lambda head, *part: read.append(str(part)) or window(head, *part),
    )
    engine.overview("scaled", 0)
    assert len(read) == 1  # one cell, for its type
