"""Planted mistakes are named, right implementations agree, and the rest is located."""

from dataclasses import replace

import numpy as np
import pytest

import attnviewer
from attnviewer.compute.mistakes import CATALOGUE, Evaluation, UnfitError
from attnviewer.compute.mistakes.rounding import bfloat16
from attnviewer.doctor import hypotheses, reducing, searching, surveying
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.reading import read_case
from tests.doctor.planted_cases import GIVEN, planted, shapes, some

SHAPES = shapes.SHAPES


def shape_with(slip):
    """Return the last shape in which a mistake can be planted."""
    return [shape for shape in SHAPES if slip in shapes.slips_of(shape)][-1]


def diagnosed(shape, given, steps, **options):
    return diagnose_case(read_case(given, steps, **shape.options(), **options))


def with_slips(shape, slips, what, seed=0, dtype=np.float64):
    given = shapes.inputs_of(shape, np.random.default_rng(seed))
    steps = some(planted.attend(shape, given, slips), what)
    rounded = {name: array.astype(dtype) for name, array in steps.items()}
    return diagnosed(shape, given, rounded)


SLIPS = sorted({slip for shape in SHAPES for slip in shapes.slips_of(shape)})


@pytest.mark.parametrize(("number", "slip"), list(enumerate(SLIPS)))
def test_a_planted_mistake_is_named(number, slip):
    what = list(GIVEN)[number % len(GIVEN)]
    diagnosis = with_slips(shape_with(slip), [slip], what, seed=len(slip))
    assert not diagnosis.agrees
    assert slip in diagnosis.findings[0].ids
    assert diagnosis.findings[0].evidence <= 1
    assert len(diagnosis.findings) == 1


PRECISIONS = ("float64", "bfloat16", "float32", "float16")


@pytest.mark.parametrize(
    ("number", "name"),
    # a precision of each shape, and each of a quarter of the shapes
    [(n, PRECISIONS[n % 4]) for n in range(len(SHAPES))],
)
def test_a_right_implementation_agrees_in_every_precision(number, name):
    def rounded(array):
        if array.dtype.kind != "f" or name != "bfloat16":
            return array if array.dtype.kind != "f" else array.astype(name)
        return bfloat16(array).astype(np.float32)

    shape = SHAPES[number]
    given = shapes.inputs_of(shape, np.random.default_rng(number))
    coarse = {key: rounded(array) for key, array in given.items()}
    with np.errstate(all="ignore"):
        steps = planted.attend(shape, coarse, [], each=rounded)
    what = list(GIVEN)[number % len(GIVEN)]
    diagnosis = diagnosed(shape, given, some(steps, what))
    assert diagnosis.agrees, diagnosis
    assert diagnosis.precision == name
    assert diagnosis.first_different is None


@pytest.fixture
def some_mistakes(monkeypatch):
    """Return what has a diagnosis try every fourth mistake, besides those planted.

    Of the pairs of all that there are, a sixteenth.
    """

    def try_some(slips):
        planted = {slip.partition(":")[0] for slip in slips}
        some = [
            mistake
            for number, mistake in enumerate(CATALOGUE)
            if number % 4 == 0 or mistake.id in planted
        ]
        assert planted <= {mistake.id for mistake in some}
        monkeypatch.setattr(hypotheses, "CATALOGUE", tuple(some))

    return try_some


@pytest.mark.parametrize(
    ("number", "slips", "what", "among"),
    [
        (2, ("scale-missing", "causal-one-too-far"), "ends", "all"),
        (2, ("q-k-swapped", "concat-not-transposed"), "output", "some"),
        (2, ("weight-transposed:W_V", "temperature"), "all", "all"),
        # in one step
        (2, ("mask-zero", "causal-one-too-far"), "ends", "some"),
        (2, ("softmax-base-two", "softmax-plus-one"), "ends", "all"),
        (9, ("mask-after-softmax", "window-one-too-far"), "output", "some"),
    ],
)
def test_two_mistakes_at_once_are_both_named(number, slips, what, among, some_mistakes):
    if among == "some":
        some_mistakes(slips)
    diagnosis = with_slips(SHAPES[number], slips, what, seed=4)
    named = [i for finding in diagnosis.findings[:3] for i in finding.ids]
    assert set(slips) <= set(named)


def test_two_mistakes_in_one_projection_are_both_named():
    random = np.random.default_rng(0)
    given = {f"b_{side}": random.normal(size=4) for side in "QKV"}
    given |= {f"W_{side}": random.normal(size=(4, 4)) for side in "QKV"}
    given["X"] = random.normal(size=(3, 4))
    mine = {"K": given["X"] @ given["W_K"].T}
    variant = {"n_heads": 2, "causal": True, "positions": "rope"}
    diagnosis = attnviewer.diagnose(given, mine, **variant)
    found = [finding.id for finding in diagnosis.findings]
    assert found == ["weight-transposed:W_K", "bias-missing:b_K"]


@pytest.mark.parametrize(
    ("slips", "what"),
    [
        (("weight-transposed:W_Q", "weight-transposed:W_K"), "all"),
        (("weight-transposed:W_Q", "weight-transposed:W_K"), "ends"),
        (("weight-transposed:W_V", "weight-transposed:W_O"), "ends"),
        (("causal-missing", "softmax-twice"), "all"),
    ],
)
def test_no_mistake_is_named_that_other_steps_show_not_to_be_made(
    slips, what, some_mistakes
):
    some_mistakes((*slips, "weights-all-transposed", "mask-after-softmax"))
    diagnosis = with_slips(SHAPES[2], slips, what, seed=4)
    assert [finding.id for finding in diagnosis.findings] == list(slips)
    assert not diagnosis.harmless


def test_a_mistake_whose_numbers_rounding_leads_anywhere_explains_nothing():
    """Divided by its sum of 1e-9, the row is anything in float32."""
    given = {"Q": [[1.0]], "K": [[1.0], [-1 + 1e-9]], "V": [[1.0], [2.0]]}
    mine = np.array([[0.9e9, -0.9e9]], dtype=np.float32)
    diagnosis = attnviewer.diagnose(given, {"weights": mine})
    assert not diagnosis.agrees
    assert not diagnosis.findings


@pytest.mark.parametrize(
    ("slip", "parameter"),
    [("temperature", 0.7), ("rope-base", 500.0), ("rope-scaling", 3.0)],
)
def test_a_parameter_is_fitted_to_all_digits(slip, parameter):
    diagnosis = with_slips(shape_with(slip), [slip], "output")
    assert diagnosis.findings[0].id == slip
    assert diagnosis.findings[0].parameter == pytest.approx(parameter, rel=1e-9)


def test_an_unknown_mistake_gets_no_name_and_is_located():
    shape = SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(1))
    steps = planted.attend(shape, given, [])
    weights = steps["weights"].copy()
    weights[1, 4, 2] += 0.01
    diagnosis = diagnosed(shape, given, {**steps, "weights": weights})
    assert not diagnosis.agrees
    assert diagnosis.first_different == "weights"
    assert diagnosis.findings == ()
    assert diagnosis.unexplained[0].step == "weights"
    assert "1 of 98 numbers differ: head 1, row 4, column 2" in (
        diagnosis.unexplained[0].where
    )


def test_an_array_that_is_another_step_under_a_wrong_name_is_told():
    arrays = np.random.default_rng(1).normal(size=(4, 4, 4))
    given = dict(zip(("x", "w_q", "w_k", "w_v"), arrays, strict=True))
    rope = {"n_heads": 2, "positions": "rope"}
    keys = attnviewer.multi_head_attention(*arrays, **rope)["rotated K"]
    (unknown,) = attnviewer.diagnose(given, {"V": keys}, **rope).unexplained
    assert unknown.where == "All 16 numbers differ. They are those of 'rotated K'."


def test_numbers_that_are_all_nan_are_not_laid_to_any_two_mistakes():
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=(5, 8)) for name in ("Q", "K", "V")}
    told = attnviewer.diagnose(inputs, {"output": np.full((5, 8), np.nan)})
    assert told.findings == ()
    (unknown,) = told.unexplained
    assert unknown.where.startswith("All of its numbers are NaN. NaN comes from ∞ − ∞")


def test_a_finite_mask_that_does_not_leak_is_harmless():
    shape = SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(1))
    steps = planted.attend(shape, given, [])
    masked = np.where(np.isneginf(steps["masked"]), -1e9, steps["masked"])
    diagnosis = diagnosed(shape, given, {**steps, "masked": masked})
    assert diagnosis.agrees
    assert "mask-finite" in diagnosis.harmless


def test_a_window_as_wide_as_the_sequence_could_not_show_a_wrong_window():
    shape = shapes.Shape(causal=True, window=20)
    diagnosis = with_slips(shape, [], "all")
    assert diagnosis.agrees
    assert {"window-one-too-far", "window-ignored"} <= set(diagnosis.unseen)
    assert "causal-missing" not in diagnosis.unseen


@pytest.mark.parametrize(
    ("slip", "what"),
    [
        *(("", "all"), ("", "ends"), ("", "output")),
        *(("rope-keys-missing", "all"), ("rope-keys-missing", "output")),
        *(("softmax-over-queries", "ends"), ("softmax-over-queries", "all")),
        *(("temperature", "output"), ("temperature", "ends")),
        *(("heads-not-transposed", "all"), ("rope-base", "output")),
    ],
)
def test_a_large_case_is_explained_by_some_of_its_queries(monkeypatch, slip, what):
    monkeypatch.setattr(reducing, "MOST_NUMBERS", 100)
    monkeypatch.setattr(reducing, "QUERIES", 6)
    monkeypatch.setattr(surveying, "ENOUGH", 0)
    monkeypatch.setattr(searching, "FEW", 5)
    monkeypatch.setattr(searching, "FEWEST", 3)
    shape = shapes.Shape(n=14, causal=True, positions="rope")
    given = shapes.inputs_of(shape, np.random.default_rng(2))
    steps = planted.attend(shape, given, [slip] if slip else [])
    case = read_case(given, some(steps, what), **shape.options())
    assert reducing.reduced(case).inputs["X"].shape == (6, 12)
    diagnosis = diagnose_case(case)
    assert diagnosis.agrees == (not slip)
    if slip:
        assert slip in diagnosis.findings[0].ids


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_tried_on_some_queries_alone_does_there_what_it_does_to_all(
    monkeypatch, shape
):
    monkeypatch.setattr(reducing, "MOST_NUMBERS", 10)
    monkeypatch.setattr(reducing, "QUERIES", 5)
    shape = replace(shape, n=11)
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    case = read_case(given, planted.attend(shape, given, []), **shape.options())
    small = reducing.reduced(case)
    if small is None:
        assert shape.positions == "sinusoidal"
        return
    # Of what no mistake is like, every step is told.
    check_last_rows(
        case,
        Evaluation(small.plan, small.inputs),
        Evaluation(case.plan, case.inputs),
    )
    for mistake in (m for m in CATALOGUE if not m.across_rows):
        parts = list(mistake.variations(small.plan))
        for whole in mistake.variations(case.plan):
            part = next(part for part in parts if _key(part) == _key(whole))
            parts.remove(part)
            every = Evaluation(whole.plan, case.inputs, like=case.right)
            some = Evaluation(part.plan, small.inputs, like=small.right)
            check_last_rows(case, some, every)


def check_last_rows(case, some, every):
    """Check that what is not that of the right computation is alike for some rows."""
    for step in case.steps:
        if every.shares(step) and some.shares(step):
            continue
        try:
            wanted = every[step]
        except UnfitError:
            continue
        rows = some[step].shape[-2]
        np.testing.assert_allclose(
            some[step], wanted[..., -rows:, :], rtol=1e-9, atol=1e-9
        )


def _key(variation):
    return variation.detail, variation.parameter


def test_the_progress_is_told_and_may_abort():
    class AbortedError(Exception):
        pass

    told = []

    def progress(fraction):
        told.append(fraction)
        if len(told) == 20:
            raise AbortedError

    shape = SHAPES[1]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    steps = planted.attend(shape, given, ["scale-missing"])
    case = read_case(given, steps, **shape.options())
    with pytest.raises(AbortedError):
        diagnose_case(case, progress)
    assert told == sorted(told)
    assert 0 < told[-1] < 1


def test_a_diagnosis_reads_as_text():
    text = str(with_slips(SHAPES[2], ["scale-missing"], "all"))
    assert "[scale-missing]" in text
    assert "First difference at 'scaled'" in text.splitlines()[0]


def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


SEEN = np.tri(5, dtype=bool)


@pytest.mark.parametrize(
    ("masked", "axis", "want"),
    [
        (lambda s: np.where(SEEN, s, 0), -1, ["mask-zero", "mask-after-softmax"]),
        (lambda s: np.where(SEEN, s, -3), -1, ["mask-finite", "mask-after-softmax"]),
        (lambda s: s, -2, ["softmax-over-queries", "mask-after-softmax"]),
    ],
)
def test_weights_set_to_0_are_named_once_after_scores_that_were_hidden_wrongly(
    masked, axis, want, some_mistakes
):
    some_mistakes(want)
    random = np.random.default_rng(0)
    q, k, v = random.normal(size=(3, 5, 4))
    scores = masked(q @ k.T / 2)
    weights = softmax(scores, axis) * SEEN
    mine = {"masked": scores, "weights": weights, "output": weights @ v}
    found = attnviewer.diagnose({"Q": q, "K": k, "V": v}, mine, causal=True)
    assert [finding.id for finding in found.findings] == want
    assert {finding.step for finding in found.findings} == {"masked", "weights"}


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_numbers_that_nothing_explains_are_located_in_any_type(dtype, some_mistakes):
    some_mistakes(["dropout-active", "weights-averaged"])
    # From no more keys than columns, the weights of grouped heads are worked back.
    random = np.random.default_rng(0)
    given = {"X": random.normal(size=(2, 8)), "W_Q": random.normal(size=(8, 8))}
    given |= {name: random.normal(size=(8, 4)) for name in ("W_K", "W_V")}
    mine = {"V": given["X"] @ given["W_V"]}
    mine |= {name: random.normal(size=(4, 2, 2)) for name in ("weights", "heads")}
    mine = {name: array.astype(dtype) for name, array in mine.items()}
    diagnosis = attnviewer.diagnose(given, mine, n_heads=4, n_kv_heads=2)
    assert not diagnosis.findings
    assert [located.step for located in diagnosis.unexplained] == ["weights", "heads"]


def test_queries_without_weights_were_not_dropped_by_chance(some_mistakes):
    some_mistakes(["dropout-active", "multiplied"])
    q, k, v = np.random.default_rng(0).normal(size=(3, 5, 4))
    weights = softmax(q @ k.T / 2)
    weights[[1, 3]] = 0.0
    diagnosis = attnviewer.diagnose({"Q": q, "K": k, "V": v}, {"weights": weights})
    assert not diagnosis.findings


def test_keys_and_values_that_are_exchanged_after_rotation_are_named():
    random = np.random.default_rng(0)
    q, k, v = random.normal(size=(3, 5, 2))
    angles = np.arange(5)  # one pair of columns, turned by the position in radians

    def turned(rows):
        pairs = (rows[:, 0] + 1j * rows[:, 1]) * np.exp(1j * angles)
        return np.stack([pairs.real, pairs.imag], axis=1)

    output = softmax(turned(q) @ v.T / np.sqrt(2)) @ turned(k)
    given = {"Q": q, "K": k, "V": v}
    diagnosis = attnviewer.diagnose(given, {"output": output}, positions="rope")
    assert [finding.id for finding in diagnosis.findings] == ["k-v-swapped"]
