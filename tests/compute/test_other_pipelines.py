"""Pipelines of stages that the product does not have: they run as its own do."""

import pickle
import sys
from collections.abc import Callable

import numpy as np
import pytest

from attnviewer.compute import (
    NORMALIZERS,
    Cell,
    IncrementalEngine,
    Number,
    Spec,
    build_stages,
    passes,
    run,
)
from attnviewer.compute.positions import Alibi, alibi_slopes
from attnviewer.compute.stages import (
    AddBias,
    ApplyMask,
    Mix,
    Normalize,
    Scale,
    Score,
    Stage,
)

from .engine.examples import ALL, ONE, assert_as_fresh, set_cells
from .other_stages import Gate, Hold, Squares, Subtract

N, D, HEADS, KV = 7, 6, 4, 2
SPEC = Spec(
    n_heads=HEADS,
    n_kv_heads=KV,
    causal=True,
    output_projection=True,
    positions=Alibi(),
)
SHAPES = {"X": (N, D), "W_Q": (D, 12), "W_K": (D, 6), "W_V": (D, 6), "W_O": (12, D)}
FACTOR, HELD_SCORE, HELD_WEIGHT = 0.4, 1.5, 0.25
ALIBI = -alibi_slopes(HEADS)[:, None, None] * (np.arange(N)[:, None] - np.arange(N))
SEEN = np.tril(np.ones((N, N), dtype=bool))

Change = Callable[[list[Stage]], list[Stage]]


def _renamed(stage: Stage, name: str, *inputs: str) -> Stage:
    stage.name, stage.inputs = name, inputs
    return stage


def _gated(stages: list[Stage]) -> list[Stage]:
    return _before_mix(stages, [Gate()], "gated")


def _squared(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    return [*stages[:normalize], Squares("masked"), *stages[normalize + 1 :]]


def _differential(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    second = [
        _renamed(Score("Q", "V"), "scores 2", "Q", "V"),
        _renamed(Scale(3), "scaled 2", "scores 2"),
        _renamed(
            AddBias("scaled 2", given=False, alibi_heads=HEADS, n_keys=N),
            "biased 2",
            "scaled 2",
        ),
        _renamed(
            ApplyMask("biased 2", stages[normalize - 1].rules, n_keys=N),
            "masked 2",
            "biased 2",
        ),
        _softmax("masked 2", "weights 2"),
    ]
    return [
        *stages[:normalize],
        _softmax("masked", "weights 1"),
        *second,
        Subtract("weights 1", "weights 2", FACTOR),
        *stages[normalize + 1 :],
    ]


def _held(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    kept = [
        *stages[:normalize],
        Hold("held scores", "masked", 3, 1, HELD_SCORE),
        _softmax("held scores", "weights"),
        *stages[normalize + 1 :],
    ]
    return _before_mix(
        kept, [Hold("held weights", "weights", 4, 2, HELD_WEIGHT)], "held weights"
    )


def _softmax(source: str, name: str) -> Stage:
    return _renamed(Normalize(source, NORMALIZERS["softmax"]()), name, source)


def _before_mix(stages: list[Stage], more: list[Stage], weights: str) -> list[Stage]:
    place = _index(stages, Mix)
    mix = Mix(stages[place].name, "V", weights)
    return [*stages[:place], *more, mix, *stages[place + 1 :]]


def _index(stages: list[Stage], kind: type[Stage]) -> int:
    return next(k for k, stage in enumerate(stages) if isinstance(stage, kind))


def _oracle(kind: str, inputs) -> dict[str, np.ndarray]:
    """Compute the attention with NumPy alone; complex inputs give derivatives."""
    queries, keys, values = (
        (inputs["X"] @ inputs[f"W_{letter}"]).reshape(N, count, 3).swapaxes(0, 1)
        for letter, count in (("Q", HEADS), ("K", KV), ("V", KV))
    )
    keys, values = (np.repeat(side, HEADS // KV, axis=0) for side in (keys, values))

    def softmax(scores):
        powers = np.where(SEEN, np.exp(np.where(SEEN, scores, 0)), 0)
        return powers / powers.sum(axis=-1, keepdims=True)

    def scores(right):
        return queries @ right.swapaxes(-1, -2) / np.sqrt(3) + ALIBI

    if kind == "gated":
        gate = 1 / (1 + np.exp(-(queries[..., :1] + keys[..., :1].swapaxes(-1, -2))))
        mixed = softmax(scores(keys)) * gate
    elif kind == "squared":
        squares = np.where(SEEN, scores(keys), 0) ** 2
        mixed = squares / squares.sum(axis=-1, keepdims=True)
    elif kind == "differential":
        mixed = softmax(scores(keys)) - FACTOR * softmax(scores(values))
    else:
        held = scores(keys)
        held[:, 3, 1] = HELD_SCORE
        mixed = softmax(held)
        mixed[:, 4, 2] = HELD_WEIGHT
    heads = mixed @ values
    output = heads.swapaxes(0, 1).reshape(N, -1) @ inputs["W_O"]
    return {"mixed by": mixed, "heads": heads, "output": output}


CHANGES: dict[str, Change] = {
    "gated": _gated,
    "squared": _squared,
    "differential": _differential,
    "held": _held,
}


@pytest.fixture(params=CHANGES)
def kind(request, monkeypatch) -> str:
    """Have specs built with other stages."""

    def build(spec, shapes):
        return tuple(CHANGES[request.param](list(build_stages(spec, shapes))))

    for module in ("run", "engine.engine"):
        monkeypatch.setattr(
            sys.modules[f"attnviewer.compute.{module}"], "build_stages", build
        )
    return request.param


@pytest.fixture(params=["at once", "in blocks", "in blocks, not stored"])
def stored(request, monkeypatch) -> None:
    if request.param != "at once":
        monkeypatch.setattr(passes, "SMALL", 16)
        monkeypatch.setattr(passes, "ROWS", 2)
    if "not" in request.param:
        monkeypatch.setattr(passes, "MOST_KEPT", 0)


def _inputs(seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: random.normal(size=shape) for name, shape in SHAPES.items()}


def _mixed_by(trace) -> np.ndarray:
    return trace[trace.pipeline.mix.inputs[0]]


@pytest.mark.usefixtures("stored")
def test_steps_are_those_of_numpy(kind) -> None:
    inputs = _inputs()
    trace, want = run(SPEC, inputs), _oracle(kind, inputs)
    np.testing.assert_allclose(_mixed_by(trace), want["mixed by"], atol=1e-14)
    np.testing.assert_allclose(trace["heads"], want["heads"], atol=1e-13)
    np.testing.assert_allclose(trace["output"], want["output"], atol=1e-13)


@pytest.mark.usefixtures("stored")
def test_windows_rows_and_columns_are_those_of_the_whole_step(kind) -> None:
    inputs = _inputs()
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
    inputs = _inputs()
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
            want = _oracle(kind, inputs)
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
    inputs = _inputs()
    engine = IncrementalEngine(SPEC, inputs)
    touched = engine.touched
    set_cells(engine, inputs["W_O"], "W_O", (ONE, ONE), 2.0)
    engine.update()
    assert engine.touched == touched
    # One head of queries is a quarter of all scores, where stages know their reach.
    set_cells(engine, inputs["W_Q"], "W_Q", (ONE, ONE), 2.0)
    engine.update()
    share = 1.0 if kind == "squared" else 0.25
    assert engine.touched - touched == share * HEADS * N * N


def test_limits_and_overviews_are_those_of_the_whole_step(kind) -> None:
    inputs = _inputs()
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
            shown = np.isfinite(numbers[1]) & (True if hidden is None else ~hidden)
            visible = numbers[1][shown]
            assert extremes.limits() == (visible.min(), visible.max())


@pytest.mark.usefixtures("stored")
def test_gradients_are_the_slopes_of_numpy(kind) -> None:
    inputs = _inputs()
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
                for step, numbers in _oracle(kind, moved).items()
            }
            want = (slopes["output"] * on_output).sum()
            assert got[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)
            want = slopes["output"][5, 2]
            assert one[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)
            want = slopes["mixed by"][1, 4, 2]
            assert of_mixed[name][cell] == pytest.approx(want, rel=1e-9, abs=1e-11)


@pytest.mark.usefixtures("stored")
def test_every_cell_from_scores_to_heads_is_explained_by_its_own_numbers(kind) -> None:
    inputs = _inputs()
    trace, want = run(SPEC, inputs), _oracle(kind, inputs)
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
    trace = run(SPEC, _inputs())
    copy = pickle.loads(pickle.dumps(trace))
    for step in trace:
        np.testing.assert_array_equal(copy[step], trace[step])


def test_a_held_number_is_written_as_itself(kind) -> None:
    if kind == "held":
        formula = run(SPEC, _inputs()).explain("held weights", (2, 4, 2))
        assert formula.steps == (Number(HELD_WEIGHT),)
        assert formula.value == HELD_WEIGHT
