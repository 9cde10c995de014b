"""Overviews of attention that is not stored begin as sketches and become exact."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.compute import IncrementalEngine, Overview, Pin, Spec, StepHead, run
from attnviewer.compute.engine import engine as engine_module
from attnviewer.compute.engine import storing
from attnviewer.compute.streaming import (
    streamed_overview,
    tiled_overview,
    tiled_rows,
)
from attnviewer.compute.windowed import sketched

from .examples import set_cells

N = 40
STEPS = ("scores", "masked", "weights")


@pytest.fixture(scope="module", autouse=True)
def not_stored():
    """Store no weights, and sketch and read a few rows at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storing, "MOST_STORED", 0)
        patch.setattr(streamed_overview, "_SETTLED", 0.0)
        patch.setattr(sketched, "_LONG", 0)
        patch.setattr(sketched, "_AT_FIRST", 3)
        patch.setattr(sketched, "_AT_ONCE", 4)
        patch.setattr(sketched, "AT_ONCE", 1)
        patch.setattr(tiled_overview.TiledOverview, "_rows_at_once", 3)
        patch.setattr(sketched.SketchedOverview, "_rows_at_once", 3)
        yield


def _inputs(seed: int = 0):
    random = np.random.default_rng(seed)
    shapes = {"X": (N, 4)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    return {name: random.normal(size=shape) for name, shape in shapes.items()}


def _engine(normalizer: str = "softmax", seed: int = 0):
    inputs = _inputs(seed)
    return IncrementalEngine(Spec(causal=True, normalizer=normalizer), inputs), inputs


def _equal(overview: Overview, matrix: StepHead) -> None:
    """Check that all of an overview is that of a stored matrix."""
    want = Overview(matrix).pooled(overview.block)
    found = overview.pooled((1, 1))
    np.testing.assert_allclose(found.values, want.values, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(found.hidden, want.hidden)


@pytest.mark.parametrize("normalizer", ["softmax", "softmax1", "entmax15", "sum"])
@pytest.mark.parametrize("step", STEPS)
def test_a_sketch_shows_rows_of_the_matrix_and_reading_makes_it_exact(
    step, normalizer
) -> None:
    engine, inputs = _engine(normalizer)
    stored = run(engine.spec, inputs)
    overview = engine.overview(step)
    assert overview.share == 0
    rows = stored.window(step)  # (n, n)
    if step != "scores":
        rows = np.where(stored.hidden(step), -np.inf, rows)
    for shown in overview.pooled((1, 1)).values:
        assert np.isclose(shown, rows, rtol=1e-9, atol=1e-12).all(axis=1).any()
    shares = [overview.share for _ in overview.reading()]
    assert shares == sorted(shares)
    assert shares[-1] == overview.share == 1
    assert 0 in shares, "all of the sketch comes first"
    _equal(overview, StepHead(stored, step))


@pytest.mark.parametrize("step", STEPS)
def test_an_aborted_reading_begins_again_where_it_has_been(step) -> None:
    engine, inputs = _engine()
    overview = engine.overview(step)
    share, rounds = 0.0, 0
    while overview.share < 1:
        calls = []

        def proceed(calls=calls) -> None:
            calls.append(None)
            if len(calls) > 7:
                raise InterruptedError

        try:
            for _ in overview.reading(proceed=proceed):
                pass
        except InterruptedError:
            rounds += 1
        assert overview.share >= share
        share = overview.share
    assert rounds > 2
    _equal(overview, StepHead(run(engine.spec, inputs), step))


@settings(max_examples=20)
@given(
    normalizer=st.sampled_from(["softmax", "entmax15"]),
    seed=st.integers(0, 99),
    edits=st.lists(
        st.tuples(
            st.sampled_from(["X", "X", "W_Q", "W_V"]),
            st.integers(0, N - 1),
            st.integers(0, 12),
            st.booleans(),
        ),
        min_size=1,
        max_size=4,
    ),
    quick=st.booleans(),
)
def test_edits_at_any_point_of_the_reading_are_in_the_exact_overview(
    normalizer, seed, edits, quick
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not quick:
            patch.setattr(sketched, "_QUICK", 64)
        engine, inputs = _engine(normalizer, seed)
        random = np.random.default_rng(seed)
        for matrix, row, strips, looked in edits:
            for step in STEPS:
                for _ in islice(engine.overview(step).reading(), strips):
                    pass
            row %= len(inputs[matrix])
            region = slice(row, row + 1), slice(0, 4)
            new = random.normal(size=(1, 4))
            set_cells(engine, inputs[matrix], matrix, region, new)
            if looked:
                engine.overview("weights")
        stored = run(engine.spec, inputs)
        for step in STEPS:
            overview = engine.overview(step)
            for _ in overview.reading():
                pass
            _equal(overview, StepHead(stored, step))


def test_an_edit_of_a_token_reads_its_row_and_column_again_and_no_more() -> None:
    engine, inputs = _engine()
    overview = engine.overview("scores")
    for _ in overview.reading():
        pass
    before = engine.touched
    region = slice(7, 8), slice(0, 4)
    set_cells(engine, inputs["X"], "X", region, np.ones((1, 4)))
    assert engine.overview("scores").share == 1
    assert engine.touched - before <= 2 * N * 2


def test_steps_before_the_scores_have_no_sketch() -> None:
    engine, inputs = _engine()
    for step, weight in (("Q", "W_Q"), ("K", "W_K")):
        assert engine.sketched(step) is None
        want = inputs["X"] @ inputs[weight]
        found = engine.overview(step).limits()
        np.testing.assert_allclose(found, (want.min(), want.max()), rtol=1e-12)


def test_an_edited_token_reaches_only_heads_that_have_been_read(monkeypatch) -> None:
    monkeypatch.setattr(engine_module, "_REMEMBERED", 0)  # else, all heads are read
    spec, inputs = Spec(n_heads=4, causal=True), _inputs()
    engine = IncrementalEngine(spec, inputs)
    _read_all(engine.overview("weights", head=2))
    before = engine.touched
    set_cells(engine, inputs["X"], "X", (slice(7, 8), slice(0, 4)), np.ones((1, 4)))
    engine.update()
    assert engine.touched - before == 2 * N  # the column of one head, then and now
    fresh = run(spec, inputs)
    for head in range(4):
        np.testing.assert_allclose(
            engine.window("heads", head=head), fresh["heads"][head], rtol=1e-12
        )


def test_parts_that_a_mask_hides_are_not_compared(monkeypatch) -> None:
    monkeypatch.setattr(tiled_rows, "KEYS", 4)
    monkeypatch.setattr(tiled_rows, "QUERIES", 1)
    monkeypatch.setattr(tiled_overview, "QUERIES", 4)
    monkeypatch.setattr(sketched, "_AT_FIRST", N)
    engine, _ = _engine()
    overview = engine.overview("masked")
    compared = []
    scores = type(overview._scores)
    write = scores.write

    def counted(self, part, out, step=None):
        compared.append(out.size)
        write(self, part, out, step)

    monkeypatch.setattr(scores, "write", counted)
    for _ in overview.reading():
        pass
    assert 0.5 * N * N < sum(compared) < 0.7 * N * N


@pytest.mark.parametrize("normalizer", ["softmax", "entmax15"])
@pytest.mark.parametrize("step", [*STEPS, "output"])
def test_a_head_has_an_exact_overview_without_its_rows_being_stored(
    step, normalizer
) -> None:
    engine, inputs = _engine(normalizer)
    overview = StepHead(engine.trace(), step).overview()
    assert overview.share == 1
    _equal(overview, StepHead(run(engine.spec, inputs), step))


@pytest.mark.parametrize(
    ("normalizer", "most_rows"),
    # In whose support a key may be; those are normalised again.
    [("sigmoid", 0), ("none", 0), ("hardmax", 9), ("sparsemax", 9), ("entmax15", 9)],
)
def test_an_edited_token_reaches_only_rows_in_which_it_has_weight(
    normalizer, most_rows
) -> None:
    n, random = 160, np.random.default_rng(3)
    inputs = {name: random.normal(size=(n, 6)) for name in "QKV"}
    inputs["Q"] *= 50
    # In row 30, the other weights share what the pinned one leaves.
    pins = (Pin("weights", 30, 2, 0.25, rest="share"),)
    spec = Spec(
        projected=False,
        given=True,
        normalizer=normalizer,
        pins=pins if normalizer == "sigmoid" else (),
    )
    engine = IncrementalEngine(spec, inputs)
    _read_all(engine.overview("weights"))
    engine.window("output")
    for token, matrices in ((40, "QKV"), (150, "K"), (40, "V")):
        before = engine.touched
        for matrix in matrices:
            region, new = (slice(token, token + 1), slice(0, 6)), random.normal(size=6)
            set_cells(engine, inputs[matrix], matrix, region, new[np.newaxis])
        fresh = run(spec, inputs)
        overview = engine.overview("weights")
        assert overview.share == 1
        _read_all(overview)
        # Two columns of scores, and the rows.
        rows = most_rows + ("Q" in matrices)
        assert engine.touched - before <= n * (4 + rows)
        _equal(overview, StepHead(fresh, "weights"))
        for step in ("weights", "output"):
            np.testing.assert_allclose(
                engine.window(step), fresh[step], rtol=1e-9, atol=1e-12
            )


def _read_all(overview: Overview) -> None:
    for _ in overview.reading():
        pass
