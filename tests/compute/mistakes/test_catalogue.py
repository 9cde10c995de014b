"""Each mistake of the catalogue against the same mistake made by hand."""

import re
from collections import Counter, defaultdict
from contextlib import suppress

import numpy as np
import pytest

from attnviewer import QKNorm, Rotary, Sinusoidal, multi_head_attention
from attnviewer.compute.mistakes import CATALOGUE, Evaluation, Plan, UnfitError
from attnviewer.compute.mistakes.mistake import Variation
from tests.compute.mistakes.fitting import assert_most_fit
from tests.compute.mistakes.plain import Layer, Plain, inputs_of
from tests.compute.mistakes.planted import Planted
from tests.compute.mistakes.planted_masks import FURTHER as MORE_MASKS
from tests.compute.mistakes.planted_masks import MASKS
from tests.compute.mistakes.planted_norms import FURTHER as MORE_NORMS
from tests.compute.mistakes.planted_norms import NORMS
from tests.compute.mistakes.planted_positions import FURTHER as MORE_POSITIONS
from tests.compute.mistakes.planted_positions import POSITIONS
from tests.compute.mistakes.planted_projections import FURTHER as MORE_PROJECTIONS
from tests.compute.mistakes.planted_projections import PROJECTIONS
from tests.compute.mistakes.planted_scores import FURTHER as MORE_SCORES
from tests.compute.mistakes.planted_scores import SCORES
from tests.compute.mistakes.planted_weights import FURTHER as MORE_WEIGHTS
from tests.compute.mistakes.planted_weights import WEIGHTS

BY_HAND = [
    *(PROJECTIONS | SCORES | POSITIONS | MASKS | WEIGHTS | NORMS).items(),
    *MORE_PROJECTIONS,
    *MORE_SCORES,
    *MORE_POSITIONS,
    *MORE_MASKS,
    *MORE_WEIGHTS,
    *MORE_NORMS,
]
BY_ID = {mistake.id: mistake for mistake in CATALOGUE}


def evaluated(layer: Layer, given: dict[str, np.ndarray]) -> Evaluation:
    """Return the right numbers of a layer."""
    schemes = {
        "sinusoidal": Sinusoidal(),
        "alibi": "alibi",
        "rope": Rotary(
            interleaved=layer.interleaved,
            rotary_dim=layer.turned,
            offset=layer.first_key,
            frequencies=layer.frequencies,
            attention_factor=layer.attention_factor,
        ),
        "learned": given.get("P"),
        None: None,
    }
    scored = {name: given[name] for name in ("w", "w_q", "w_k", "v") if name in given}
    names = ("b_Q", "b_K", "b_V", "b_O", "context", "extra_keys", "extra_values")
    trace = multi_head_attention(
        *(given[name] for name in ("X", "W_Q", "W_K", "W_V")),
        given.get("W_O"),
        **{name.lower(): given[name] for name in names if name in given},
        n_heads=layer.heads,
        n_kv_heads=layer.kv_heads,
        positions=schemes[layer.positions],
        score=layer.score,
        score_weights=scored or None,
        scale=layer.scale,
        softcap=layer.softcap,
        bias=given.get("bias"),
        causal=layer.causal,
        window=layer.window,
        mask=given.get("mask"),
        query_offset=layer.first_query,
        key_lengths=layer.key_lengths,
        normalizer=layer.normalizer,
        temperature=layer.temperature,
        chunk=layer.chunk,
        qk_norm=QKNorm(kind=layer.norm, after_rotary=layer.norm_late)
        if layer.norm
        else None,
        qk_norm_weights={
            name.lower(): given[name] for name in ("gain_Q", "gain_K") if name in given
        }
        or None,
        sinks=given.get("sinks"),
    )
    inputs = {name: trace[name] for name in trace.spec.input_names}
    shapes = {name: array.shape for name, array in inputs.items()}
    return Evaluation(Plan.of(trace.spec, shapes), inputs)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays are equal up to float64's rounding."""
    if one.shape != other.shape:
        return False
    size = np.abs(other[np.isfinite(other)]).max(initial=1e-300)
    return np.allclose(one, other, rtol=1e-9, atol=1e-11 * size, equal_nan=True)


def variations(
    planted: Planted, id: str, right: Evaluation, mine: dict[str, np.ndarray]
) -> list[Variation]:
    """Return the ways to make a mistake, those that the steps suggest among them."""
    mistake = BY_ID[id.partition(":")[0]]
    found = list(mistake.variations(right.plan))
    if mistake.recognize is not None:
        found += mistake.recognize(right, mine)
    if planted.fitted is not None and mistake.along is not None:
        plan = mistake.along(right.plan, planted.fitted)
        assert plan is not None
        found.append(Variation(plan, planted.fitted))
    return [one for one in found if mistake.id_of(one) == id]


@pytest.mark.parametrize(
    ("id", "planted"), BY_HAND, ids=[f"{n}-{id}" for n, (id, _) in enumerate(BY_HAND)]
)
def test_a_mistake_gives_the_numbers_of_one_made_by_hand(id, planted):
    given = inputs_of(planted.layer)
    right = evaluated(planted.layer, given)
    wrong = Plain(planted.layer, given, planted.hooks).steps()
    mine = {name: wrong[name] for name in planted.compared if name in right.plan}
    assert not all(same(right[name], array) for name, array in mine.items())
    fitting = []
    for variation in variations(planted, id, right, mine):
        numbers = Evaluation(variation.plan, right.inputs, like=right)
        try:
            if all(same(numbers[name], array) for name, array in mine.items()):
                fitting.append(variation)
        except UnfitError:
            continue
    assert fitting
    if planted.parameter is not None:
        assert any(
            one.parameter == pytest.approx(planted.parameter, rel=1e-6)
            for one in fitting
        )


@pytest.mark.parametrize(
    "layer", dict.fromkeys(planted.layer for _, planted in BY_HAND), ids=str
)
def test_the_plain_implementation_without_mistakes_is_right(layer):
    given = inputs_of(layer)
    right = evaluated(layer, given)
    steps = Plain(layer, given).steps()
    for name in steps:
        if name in right.plan:
            assert same(right[name], steps[name]), name


def test_every_mistake_is_made_by_hand_too():
    assert {id.partition(":")[0] for id, _ in BY_HAND} == set(BY_ID)


def test_ids_are_unique_and_in_kebab_case():
    assert len(BY_ID) == len(CATALOGUE)
    for id in BY_ID:
        assert re.fullmatch(r"[a-z0-9_]+(-[a-z0-9_]+)*", id), id


PROMISED = """
scale-missing scale-d_model scale-not-rooted scale-multiplied temperature
softmax-over-queries softmax-over-heads softmax-over-all softmax-twice softmax-plus-one
sigmoid-for-softmax softmax-base-two mask-after-softmax mask-finite mask-zero
mask-added-as-number causal-strict causal-one-too-far causal-flipped causal-missing
causal-top-left mask-inverted mask-transposed mask-ignored padding-ignored
padding-wrong-side padding-on-queries window-one-too-far window-one-too-near
window-ignored heads-interleaved heads-not-transposed concat-not-transposed
concat-interleaved heads-reversed heads-averaged gqa-tiled weight-transposed q-k-swapped
k-v-swapped fused-order bias-missing output-projection-missing rope-pairing rope-base
rope-scaling rope-direction rope-keys-missing rope-queries-missing rope-keys-offset
rope-offset rope-twice rope-on-values rope-partial rope-low-precision positions-missing
sinusoidal-halves positions-from-one alibi-slopes-plain alibi-slopes-reversed alibi-sign
alibi-scaled qk-norm-missing qk-norm-after-rope softcap-missing softcap-after-mask
softcap-before-scale sink-missing dropout-active weights-rounded float16-overflow
softmax-low-precision mixes-keys weights-transposed residual-added row-fully-masked
"""


def test_every_promised_mistake_is_there():
    assert set(PROMISED.split()) <= set(BY_ID)


LAYERS = sorted({planted.layer for _, planted in BY_HAND}, key=str)


def all_variations(layer):
    right = evaluated(layer, inputs_of(layer, seed=1))
    for mistake in CATALOGUE:
        for variation in mistake.variations(right.plan):
            yield right, mistake, variation


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_nearly_every_mistake_can_be_evaluated(layer):
    found = list(all_variations(layer))
    right = found[0][0]
    assert_most_fit(right, [(mistake, variation) for _, mistake, variation in found])


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_texts_are_filled_and_whole_numbers_have_no_point(layer):
    for _, mistake, variation in all_variations(layer):
        number = variation.parameter
        for text in (mistake.title, mistake.explanation):
            if "{parameter" in text:
                assert number is not None, mistake.id
            filled = text.format(parameter=number, detail=variation.detail)
            assert not re.search(r"[{}]|\d\.0\b|nan|None", filled), filled
            assert "{detail}" not in text or variation.detail


def test_texts_are_sentences_with_code_and_a_source():
    for mistake in CATALOGUE:
        assert mistake.title[0].isupper() or mistake.title.startswith("{detail}")
        assert not mistake.title.endswith(".")
        assert mistake.explanation.endswith(".")
        assert mistake.source
        for code in (mistake.torch, mistake.numpy):
            assert code is not None, mistake.id
            assert code.wrong != code.right
            assert max(len(code.wrong), len(code.right)) <= 72, mistake.id


def test_every_variation_changes_something_in_some_layer():
    changes = defaultdict[tuple[str, int], bool](bool)
    for layer in LAYERS:
        places = Counter[str]()
        for right, mistake, variation in all_variations(layer):
            key = mistake.id, places[mistake.id]
            places[mistake.id] += 1
            if changes[key]:
                continue  # in another layer
            numbers = Evaluation(variation.plan, right.inputs, like=right)
            with suppress(UnfitError):
                changes[key] = not all(
                    same(numbers[name], right[name]) for name in right.plan.steps
                )
    assert not [key for key, changed in changes.items() if not changed]


def test_a_plan_has_few_variations():
    for layer in LAYERS:
        assert sum(1 for _ in all_variations(layer)) < 260


def test_no_temperature_is_fitted_where_the_weights_are_right():
    layer = Layer()
    right = evaluated(layer, inputs_of(layer))
    temperature = BY_ID["temperature"]
    mine = {"weights": right["weights"] * (1 + 1e-9)}
    assert not list(temperature.recognize(right, mine))
    assert temperature.along(right.plan, 1 + 1e-7) is None
