"""Specs with mistakes: their stages, and numbers that follow every edit."""

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from attnviewer.compute import (
    IncrementalEngine,
    MistakenGradientError,
    Pin,
    QueryWalk,
    Slip,
    Spec,
    build_stages,
    run,
)
from attnviewer.compute.building import MOST_SCORES
from attnviewer.compute.mistakes import CATALOGUE, Plan
from attnviewer.compute.mistakes.making import slips_in
from attnviewer.compute.stages import Comparison, Mix, Normalize
from tests.mistaken import MISTAKES, SPEC, by_hand, document

from .engine.examples import EXAMPLES, example

KINDS = ("simplified", "causal", "window", "GQA", "rotary", "ALiBi", "padded")
"""Variants whose every mistake is tried."""


def _unfit(spec: Spec, shapes) -> set[str]:
    """Return the mistakes with which some steps have no place, by their widths."""
    found = set()
    if not spec.projected:
        return found
    queries, keys, values = (shapes[f"W_{letter}"][1] for letter in "QKV")
    if len({queries, keys, values}) > 1:
        found.add("fused-order")  # a weight in another's place
    d_k, d_v = queries // spec.n_heads, values // spec.kv_heads
    if d_k != d_v and "W_O" in shapes:
        # W_O has h·d_v rows, and would be handed h·d_k columns.
        found |= {"mixes-keys", "mixes-queries"}
    if spec.n_heads > 1:
        # Weights of h heads become those of one, or of more.
        found |= {"heads-wrong-count", "weights-averaged"}
        if "W_O" in shapes:
            # W_O has h·d_v rows, and would be handed d_v columns.
            found |= {"heads-averaged", "heads-summed"}
    last = shapes["W_O"][1] if "W_O" in shapes else spec.n_heads * d_v
    if last != shapes["X"][-1]:
        found |= {"residual-added", "norm-on-output"}  # X + output
    return found


@cache
def _variations(name: str) -> dict[str, tuple[Slip, ...]]:
    """Return all that can be made of each mistake."""
    plan = Plan.of(*EXAMPLES[name])
    ids = {m.id_of(v): None for m in CATALOGUE for v in m.variations(plan)}
    return {id: slips_in(plan, id) for id in ids}


def _slips(name: str) -> list[Slip]:
    """Return every mistake; the kinds that have it share out its variations.

    But for those that may not fit: any variation may be the one that does not.
    """
    chosen: list[Slip] = []
    unfit = _unfit(*EXAMPLES[name])
    for id, slips in _variations(name).items():
        having = [kind for kind in KINDS if id in _variations(kind)]
        shared = slips[having.index(name) :: len(having)] or slips[-1:]
        chosen += slips if id in unfit else shared
    return chosen


def _assert_same(got, want) -> None:
    for step in want:
        a, b = got[step], want[step]
        assert a.shape == b.shape
        finite = np.isfinite(b)
        assert np.array_equal(a[~finite], b[~finite], equal_nan=True)
        size = np.abs(b[finite]).max(initial=1)
        assert np.abs(a[finite] - b[finite]).max(initial=0) <= 1e-12 * size


@pytest.mark.parametrize("name", KINDS)
def test_after_any_edit_every_mistake_has_the_numbers_of_a_fresh_run(name) -> None:
    spec, shapes = EXAMPLES[name]
    random = np.random.default_rng(0)
    tried, refused = 0, set()
    for slip in _slips(name):
        mistaken, inputs = replace(spec, mistakes=(slip,)), example(name)[1]
        try:
            engine = IncrementalEngine(mistaken, inputs)
        except ValueError as error:
            if "the steps fit each other" not in str(error):
                raise
            refused.add(slip.id)
            continue
        tried += 1
        for number, matrix in enumerate(random.choice(list(shapes), 3)):
            array = np.atleast_2d(inputs[matrix])
            row, column = (int(random.integers(n)) for n in array.shape[-2:])
            array[..., row, column] = random.normal()
            engine.edit(matrix, (slice(row, row + 1), slice(column, column + 1)))
            if number == 1:
                continue  # its numbers come together with those of the next
            fresh = run(mistaken, inputs)
            _assert_same(engine.trace(), fresh)
            assert engine.window("weights").shape == fresh.matrix_shape("weights")
    assert tried > 10
    assert refused == _unfit(spec, shapes)


@pytest.mark.parametrize("mistake", ["", *MISTAKES])
def test_steps_are_those_of_numpy_after_edits_too(mistake) -> None:
    inputs = document().inputs()
    spec = replace(SPEC, mistakes=(Slip(mistake),) if mistake else ())
    engine = IncrementalEngine(spec, inputs)
    for matrix, row in (("X", 3), ("W_K", 1), ("W_O", 0), ("W_V", 2)):
        inputs[matrix][row, 1] += 0.7
        engine.edit(matrix, (slice(row, row + 1), slice(1, 2)))
        want = by_hand(mistake, inputs)
        trace = engine.trace()
        for step, numbers in want.items():
            np.testing.assert_allclose(trace[step], numbers, atol=1e-12)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_update_names_all_that_has_changed(mistake) -> None:
    inputs = document().inputs()
    engine = IncrementalEngine(replace(SPEC, mistakes=(Slip(mistake),)), inputs)
    before = {step: numbers.copy() for step, numbers in engine.trace().items()}
    inputs["X"][2, 0] += 1
    engine.edit("X", (slice(2, 3), slice(0, 1)))
    changed = engine.update()
    after = engine.trace()
    for step, numbers in before.items():
        assert changed.get(step) or np.array_equal(numbers, after[step])
    touched = engine.touched
    inputs["W_O"][0, 0] += 1
    engine.edit("W_O", (slice(0, 1), slice(0, 1)))
    updated = engine.update()
    assert updated["output"]
    assert not {"scores", "weights", "heads"} & updated.keys()
    assert engine.touched == touched


def test_only_the_steps_that_a_mistake_changes_have_other_stages() -> None:
    shapes = {name: array.shape for name, array in document().inputs().items()}
    right = {stage.name: stage for stage in build_stages(SPEC, shapes)}
    spec = replace(SPEC, mistakes=(Slip("mask-after-softmax"),))
    stages = build_stages(spec, shapes)
    assert build_stages(spec, dict(shapes)) is stages
    assert [s.name for s in stages if s.mistake] == ["masked", "weights"]
    for stage in stages:
        assert stage.mistake or stage is right[stage.name]
        assert isinstance(stage, type(right[stage.name]))
    assert next(s for s in stages if s.name == "weights").inputs == ("scaled",)


def test_stages_keep_their_place_in_the_pipeline() -> None:
    inputs = document().inputs()
    for mistake, kind in (
        ("softmax-over-queries", Normalize),
        ("weights-transposed", Mix),
    ):
        trace = run(replace(SPEC, mistakes=(Slip(mistake),)), inputs)
        assert any(isinstance(s, kind) and s.mistake for s in trace.stages.values())
        assert isinstance(trace.pipeline.comparison, Comparison)
        assert not trace.pipeline.only_normalizes
    assert run(SPEC, inputs).pipeline.only_normalizes


def test_a_cell_is_explained_with_the_mistake_and_the_right_formula() -> None:
    inputs = document().inputs()
    trace = run(replace(SPEC, mistakes=(Slip("scale-missing"),)), inputs)
    right = run(SPEC, inputs)
    formula = trace.explain("scaled", (1, 3, 2))
    assert formula.value == trace["scaled"][1, 3, 2] == trace["scores"][1, 3, 2]
    assert formula.note.startswith("The scores are not scaled. Right: ")
    assert formula.computed is not None
    assert formula.computed.value == pytest.approx(right["scaled"][1, 3, 2])
    assert [cell.step for cell in formula.cells] == ["scores"]
    # The steps after it are computed by the right rule from wrong numbers.
    weight = trace.explain("weights", (1, 3, 2))
    assert weight.steps[0].evaluate() == pytest.approx(trace["weights"][1, 3, 2])
    assert weight.computed is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_cell_of_every_step_is_explained_by_its_own_number(mistake) -> None:
    trace = run(replace(SPEC, mistakes=(Slip(mistake),)), document().inputs())
    for step in trace:
        for index in np.ndindex(trace.shape(step)):
            formula = trace.explain(step, index)
            assert formula.value == trace[step][index]
            for written in formula.steps:
                assert written.evaluate() == pytest.approx(formula.value, abs=1e-12)


def test_what_a_mistaken_mask_hides_is_what_has_no_score() -> None:
    inputs = document().inputs()
    for mistake in ("causal-one-too-far", "causal-flipped", "mask-finite"):
        trace = run(replace(SPEC, mistakes=(Slip(mistake),)), inputs)
        for head in (0, 1):
            want = np.isneginf(trace["masked"][head])
            np.testing.assert_array_equal(trace.hidden("masked", head=head), want)
            hidden = trace.hidden("weights", head=head)
            assert not trace["weights"][head][hidden].any()
    trace = run(replace(SPEC, mistakes=(Slip("softmax-over-queries"),)), inputs)
    np.testing.assert_array_equal(
        trace.hidden("masked"), run(SPEC, inputs).hidden("masked")
    )


@pytest.mark.parametrize("mistake", [*MISTAKES, "weights-transposed", "rope-on-values"])
def test_the_walk_of_a_query_ends_in_the_numbers_of_the_steps(mistake) -> None:
    trace = run(replace(SPEC, mistakes=(Slip(mistake),)), document().inputs())
    for query in (0, 3):
        walk = QueryWalk(trace, query, head=1)
        moves = [walk.move(number) for number in range(len(walk))]
        for move in moves:
            if move.finished:
                np.testing.assert_allclose(move.loop, move.matrix, atol=1e-12)
        np.testing.assert_allclose(moves[-1].matrix, trace["heads"][1, query])


def test_pins_act_on_the_numbers_of_a_mistake() -> None:
    inputs = document().inputs()
    pin = Pin("scaled", 2, 1, 0.25)
    spec = replace(SPEC, mistakes=(Slip("scale-missing"),), pins=(pin,))
    engine = IncrementalEngine(spec, inputs)
    inputs["X"][2, 1] += 1
    engine.edit("X", (slice(2, 3), slice(1, 2)))
    trace = engine.trace()
    _assert_same(trace, run(spec, inputs))
    want = trace["scores"].copy()
    np.testing.assert_array_equal(trace.computed("scaled"), want)
    want[:, 2, 1] = 0.25
    np.testing.assert_array_equal(trace["scaled"], want)
    assert "pinned to 0.25" in trace.explain("scaled", (0, 2, 1)).note.lower()


def test_two_mistakes_are_made_one_in_the_other() -> None:
    inputs = document().inputs()
    slips = Slip("rope-keys-missing"), Slip("scale-missing")
    trace = run(replace(SPEC, mistakes=slips), inputs)
    want = by_hand("rope-keys-missing", inputs)
    np.testing.assert_allclose(trace["scaled"], want["scores"], atol=1e-12)
    assert [s.name for s in trace.stages.values() if s.mistake] == [
        "rotated K",
        "scaled",
    ]


def test_a_parameter_is_that_of_the_mistake() -> None:
    inputs = document().inputs()
    trace = run(replace(SPEC, mistakes=(Slip("temperature", parameter=2.5),)), inputs)
    powers = np.exp(trace["masked"] / 2.5)
    want = powers / powers.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(trace["weights"], want, atol=1e-14)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_trace_is_pickled(mistake) -> None:
    trace = run(replace(SPEC, mistakes=(Slip(mistake),)), document().inputs())
    copy = pickle.loads(pickle.dumps(trace))
    _assert_same(copy, trace)
    index = (1, 2) if mistake == "concat-not-transposed" else (1, 2, 1)
    step = next(s.name for s in trace.stages.values() if s.mistake)
    assert copy.explain(step, index) == trace.explain(step, index)


def test_there_is_no_gradient_through_a_mistake() -> None:
    trace = run(replace(SPEC, mistakes=(Slip("scale-missing"),)), document().inputs())
    with pytest.raises(MistakenGradientError, match="Remove the mistake first"):
        trace.gradient("weights", (0, 1, 0))
    with pytest.raises(MistakenGradientError, match="Remove the mistake first"):
        trace.backward({"output": np.ones(trace.shape("output"))})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"id": "scale-misssing"},
            r"must be one of \d+ names. Got 'scale-misssing' instead. "
            r"Did you mean 'scale-missing'\?$",
        ),
        ({"id": "x" * 5000}, r"names. Got 'x{80}…' instead.$"),
        ({"id": "scale-missing", "variation": -1}, "at least 0"),
        ({"id": "scale-missing", "parameter": 2.0}, "must be none"),
        ({"id": "temperature", "parameter": np.inf}, "finite"),
    ],
)
def test_what_is_no_mistake_is_refused(wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        Slip(**wrong)


@pytest.mark.parametrize(
    ("slip", "message"),
    [
        (Slip("window-ignored"), "this computation can be made with"),
        (Slip("weight-transposed:b_Q"), "this computation can be made with"),
        (Slip("scale-missing", 1), "must be below 1 in this computation"),
        (Slip("heads-averaged"), "the steps fit each other"),
    ],
)
def test_a_mistake_that_the_variant_cannot_have_is_refused(slip, message) -> None:
    inputs = document().inputs()
    for compute in (run, IncrementalEngine):
        with pytest.raises(ValueError, match=message):
            compute(replace(SPEC, mistakes=(slip,)), inputs)


def test_more_scores_than_can_be_stored_are_refused() -> None:
    n = int(MOST_SCORES**0.5) + 1
    spec = Spec(projected=False, mistakes=(Slip("scale-missing"),))
    with pytest.raises(ValueError, match=f"at most {MOST_SCORES} scores"):
        build_stages(spec, {"X": (n, 2)})


def test_numbers_in_single_precision_stay_in_it() -> None:
    inputs = {n: a.astype(np.float32) for n, a in document().inputs().items()}
    trace = run(replace(SPEC, mistakes=(Slip("softmax-over-queries"),)), inputs)
    assert {trace[step].dtype for step in trace} == {np.dtype(np.float32)}
    want = by_hand("softmax-over-queries", document().inputs())
    np.testing.assert_allclose(trace["output"], want["output"], atol=1e-5)


@pytest.mark.parametrize(
    ("mistake", "wrong"),
    [
        ("score-v-missing", lambda sums, _v: np.tanh(sums).sum(axis=-1)),
        ("score-relu-for-tanh", lambda sums, v: np.maximum(sums, 0) @ v),
        ("score-tanh-missing", lambda sums, v: sums @ v),
    ],
)
def test_a_mistake_in_additive_scores_is_made_with_the_keys_that_heads_share(
    mistake, wrong
) -> None:
    random = np.random.default_rng(0)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    shapes |= {"w_q": (2, 5), "w_k": (2, 5), "v": (1, 5)}
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    spec = Spec(n_heads=4, n_kv_heads=2, score="additive", mistakes=(Slip(mistake),))
    scores = run(spec, inputs)["scores"]
    for head in range(4):
        own = slice(2 * head, 2 * head + 2)
        shared = slice(0, 2) if head < 2 else slice(2, 4)
        left = inputs["X"] @ inputs["W_Q"][:, own] @ inputs["w_q"]
        right = inputs["X"] @ inputs["W_K"][:, shared] @ inputs["w_k"]
        sums = left[:, None] + right  # (n, n, 5)
        np.testing.assert_allclose(
            scores[head], wrong(sums, inputs["v"][0]), atol=1e-12
        )
