"""Pipelines of stages that the product does not have: they run as its own do."""

import pickle

import numpy as np
import pytest

from attnviewer.compute import (
    Cell,
    IncrementalEngine,
    Number,
    QueryWalk,
    passes,
    row_blocks,
    run,
)

from .engine.examples import ALL, ONE, assert_as_fresh, set_cells
from .other_pipelines import (
    CHANGES,
    HEADS,
    HELD_WEIGHT,
    SHAPES,
    SPEC,
    N,
    have_built,
    oracle,
    random_inputs,
)


@pytest.fixture(params=CHANGES)
def kind(request, monkeypatch) -> str:
    have_built(monkeypatch, request.param)
    return request.param


@pytest.fixture(params=["at once", "in blocks", "in blocks, not stored"])
def stored(request, monkeypatch) -> None:
    if request.param != "at once":
        monkeypatch.setattr(row_blocks, "SMALL", 16)
        monkeypatch.setattr(row_blocks, "ROWS", 2)
    if "not" in request.param:
        monkeypatch.setattr(passes, "MOST_KEPT", 0)


def _mixed_by(trace) -> np.ndarray:
    return trace[trace.pipeline.mix.inputs[0]]


@pytest.mark.usefixtures("stored")
def test_steps_are_those_of_numpy(kind) -> None:
    inputs = random_inputs()
    trace, want = run(SPEC, inputs), oracle(kind, inputs)
    np.testing.assert_allclose(_mixed_by(trace), want["mixed by"], atol=1e-14)
    np.testing.assert_allclose(trace["heads"], want["heads"], atol=1e-13)
    np.testing.assert_allclose(trace["output"], want["output"], atol=1e-13)


@pytest.mark.usefixtures("stored")
def test_windows_rows_and_columns_are_those_of_the_whole_step(kind) -> None:
    inputs = random_inputs()
    whole, other = run(SPEC, inputs), run(SPEC, inputs)
    other._remembered = 0
    for step in whole.stages:
        if len(whole.shape(step)) != 3:
            continue
        head = whole.n_heads(step) - 1
        want = whole[step][head]
        part = slice(3, 6), slice(1, 3)
        got = other.window(step, *part, head=HEADS - 1)
        np.testing.assert_allclose(got, want[part], atol=1e-14)
        np.testing.assert_allclose(other.row(step, (head, 4)), want[4], atol=1e-14)
        column = other.column(step, (head, 2))
        np.testing.assert_allclose(column, want[:, 2], atol=1e-14)
        some = other.rows(step, slice(2, 5))[head]
        np.testing.assert_allclose(some, want[2:5], atol=1e-14)


@pytest.mark.usefixtures("stored")
def test_after_any_edit_the_engine_has_the_numbers_of_numpy(kind) -> None:
    inputs = random_inputs()
    engine = IncrementalEngine(SPEC, inputs)
    cells = [(slice(k, k + 1), slice(1, 2)) for k in (0, 2, 5)]
    regions = [*cells, (ALL, ONE), (ONE, ALL), (slice(1, 6, 2), slice(0, 3))]
    random = np.random.default_rng(1)
    for matrix in SHAPES:
        for region in regions:
            before = dict(engine.trace())
            shape = inputs[matrix][region].shape
            set_cells(engine, inputs[matrix], matrix, region, random.normal(size=shape))
            changed = engine.update()
            want = oracle(kind, inputs)
            trace = engine.trace()
            np.testing.assert_allclose(_mixed_by(trace), want["mixed by"], atol=1e-13)
            np.testing.assert_allclose(trace["output"], want["output"], atol=1e-12)
            for step in trace:
                _assert_covered(changed.get(step, ()), before[step], trace[step])
    assert_as_fresh(engine, inputs)


def _assert_covered(blocks, before: np.ndarray, after: np.ndarray) -> None:
    uncovered = np.atleast_2d(~((before == after) | np.isnan(before)))
    for block in blocks:
        rows = np.arange(uncovered.shape[-2]) if block.rows is None else block.rows
        columns = ALL if block.columns is None else block.columns
        heads = Ellipsis if block.heads is None else block.heads
        part = np.zeros_like(uncovered)
        part[..., rows[:, np.newaxis], columns] = True
        if block.heads is not None and uncovered.ndim > 2:
            others = np.setdiff1d(np.arange(len(part)), heads)
            part[others] = False
        uncovered &= ~part
    assert not uncovered.any()


def test_an_edit_recomputes_only_the_rows_that_stages_say_it_reaches(kind) -> None:
    inputs = random_inputs()
    engine = IncrementalEngine(SPEC, inputs)
    touched = engine.touched
    set_cells(engine, inputs["W_O"], "W_O", (ONE, ONE), 2.0)
    engine.update()
    assert engine.touched == touched
    # One head of queries is a quarter of all scores, where stages know their reach.
    set_cells(engine, inputs["W_Q"], "W_Q", (ONE, ONE), 2.0)
    engine.update()
    share = 1.0 if kind in ("squared", "linear") else 0.25
    assert engine.touched - touched == share * HEADS * N * N


def test_limits_and_overviews_are_those_of_the_whole_step(kind) -> None:
    inputs = random_inputs()
    engine = IncrementalEngine(SPEC, inputs)
    for value in (0.5, 3.0):
        set_cells(engine, inputs["X"], "X", (ONE, ONE), value)
        for step in engine.trace().stages:
            numbers = engine.trace()[step]
            if numbers.ndim != 3 or step in "QKV":
                continue
            finite = numbers[np.isfinite(numbers)]
            assert engine.trace().limits(step) == (finite.min(), finite.max())
            extremes = engine.overview(step, 1).extremes
            hidden = engine.trace().hidden(step, head=1)
            own = numbers[engine.trace().head_of(step, 1)]
            shown = np.isfinite(own) & (True if hidden is None else ~hidden)
            visible = own[shown]
            assert extremes.limits() == (visible.min(), visible.max())


@pytest.mark.usefixtures("stored")
def test_gradients_are_the_slopes_of_numpy(kind) -> None:
    inputs = random_inputs()
    trace = run(SPEC, inputs)
    on_output = np.random.default_rng(2).normal(size=trace.shape("output"))
    got = trace.backward({"output": on_output})
    one = trace.gradient("output", (5, 2))
    of_mixed = trace.gradient(trace.pipeline.mix.inputs[0], (1, 4, 2))
    for name, array in inputs.items():
        for cell in np.ndindex(array.shape):
            moved = dict(inputs, **{name: array.astype(complex)})
            moved[name][cell] += 1e-30j
            slopes = {
                step: numbers.imag / 1e-30
                for step, numbers in oracle(kind, moved).items()
            }
            want = (slopes["output"] * on_output).sum()
            assert got[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)
            want = slopes["output"][5, 2]
            assert one[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)
            want = slopes["mixed by"][1, 4, 2]
            assert of_mixed[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)


@pytest.mark.usefixtures("stored")
def test_every_cell_from_scores_to_heads_is_explained_by_its_own_numbers(kind) -> None:
    inputs = random_inputs()
    trace, want = run(SPEC, inputs), oracle(kind, inputs)
    mixed = trace.pipeline.mix.inputs[0]
    for step, numbers in ((mixed, want["mixed by"]), ("heads", want["heads"])):
        for index in np.ndindex(numbers.shape):
            formula = trace.explain(step, index)
            assert formula.value == pytest.approx(numbers[index], abs=1e-12)
            assert formula.steps or formula.note
            for written in formula.steps:
                value = written.evaluate()
                assert value == pytest.approx(numbers[index], abs=1e-12)
    formula = trace.explain("heads", (1, 4, 0))
    sources = {cell.step for cell in formula.cells}
    assert sources == {mixed, "V"}
    assert Cell(mixed, (1, 4, 2)) in formula.cells


def test_a_trace_is_pickled(kind) -> None:
    trace = run(SPEC, random_inputs())
    copy = pickle.loads(pickle.dumps(trace))
    for step in trace:
        np.testing.assert_array_equal(copy[step], trace[step])


def test_a_held_number_is_written_as_itself(kind) -> None:
    if kind == "held":
        formula = run(SPEC, random_inputs()).explain("held weights", (2, 4, 2))
        assert formula.steps == (Number(HELD_WEIGHT),)
        assert formula.value == HELD_WEIGHT


def test_the_walk_of_a_query_reaches_the_numbers_of_every_step(kind) -> None:
    inputs = random_inputs()
    trace, want = run(SPEC, inputs), oracle(kind, inputs)
    for query in (0, 4):
        walk = QueryWalk(trace, query, head=2)
        moves = [walk.move(number) for number in range(len(walk))]
        for move in moves:
            if move.finished:
                np.testing.assert_allclose(move.loop, move.matrix, atol=1e-12)
        weights = [m.loop[-1] for m in moves if m.phase.kind == "weights"]
        np.testing.assert_allclose(weights, want["mixed by"][2, query], atol=1e-13)
        np.testing.assert_allclose(moves[-1].loop, want["heads"][2, query], atol=1e-13)
        computed = {stage for stage in trace.stages if len(trace.shape(stage)) == 3}
        walked = {move.phase.step for move in moves}
        assert computed - walked <= {"split Q", "split K", "split V"}


def test_the_hidden_keys_of_every_step_after_the_mask_are_those_after_the_query(
    kind,
) -> None:
    trace = run(SPEC, random_inputs())
    after = np.arange(N) > np.arange(N)[:, np.newaxis]
    masked = {"masked", trace.pipeline.weights}
    for step in masked:
        np.testing.assert_array_equal(trace.hidden(step, head=1), after)
    assert trace.hidden("scores") is None
    assert trace.hidden("heads") is None


def test_the_statistics_are_those_of_the_weights_that_mix(kind) -> None:
    inputs = random_inputs()
    got = run(SPEC, inputs).statistics(head=3)
    want = oracle(kind, inputs)["mixed by"][3]
    np.testing.assert_allclose(got.maximum, want.max(axis=-1), atol=1e-14)


@pytest.mark.parametrize(("first", "last"), [("", " 1"), (" 2", " 2")])
def test_each_map_of_differential_attention_has_its_own_comparison_and_normaliser(
    first, last, monkeypatch
) -> None:
    have_built(monkeypatch, "differential")
    pipeline = run(SPEC, random_inputs()).pipeline
    names = [f"{step}{first}" for step in ("scores", "scaled", "biased", "masked")]
    weights = f"weights{last}"
    for step in (*names, weights):
        assert pipeline.comparison_of(step).name == names[0]
        assert pipeline.normalize_of(step).name == weights
    between = pipeline.between(
        pipeline.comparison_of(weights), pipeline.rule_of(weights)
    )
    assert between == {*names[1:], weights}


def test_what_two_maps_lead_to_has_no_single_comparison_and_no_rule(
    monkeypatch,
) -> None:
    have_built(monkeypatch, "differential")
    pipeline = run(SPEC, random_inputs()).pipeline
    assert pipeline.comparison_of("weights") is None
    assert pipeline.rule_of("weights") is None
    assert pipeline.normalize_of("weights") is None
    assert pipeline.normalize_of("Q").name == "weights 1"
