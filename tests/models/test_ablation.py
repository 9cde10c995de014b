"""A head that is off or at its mean is what the formulas make of a run without it."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin
from attnviewer.document.variants.ablation import ablation
from attnviewer.models.ablation import HeadAblation, ablation_effect
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gpt2, write_llama

IDS = [3, 1, 4, 1, 5]
LAYER, HEAD = 1, 2


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2", n_layer=3))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


def by_formulas(
    model: models.Model, kind: str
) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray, np.ndarray]:
    """Return hidden states and logits before and after, by another program."""
    own = by_hand.tensors(model.path)
    was, logits_were = by_hand.gpt2(own, IDS, model.n_heads)

    def replaced(layer: int, heads: list[np.ndarray]) -> list[np.ndarray]:
        if layer == LAYER:
            rows = heads[HEAD]  # (n, d_head)
            mean = sum(rows) / len(rows) if kind == "mean" else 0 * rows[0]
            heads[HEAD] = np.array([mean for _ in rows])
        return heads

    now, logits = by_hand.gpt2(own, IDS, model.n_heads, replaced)
    return was, now, logits_were, logits


@pytest.mark.parametrize("kind", ["off", "mean"])
def test_hidden_states_and_predictions_are_as_the_formulas_give_them(
    gpt2: models.Model, kind
) -> None:
    was, now, logits_were, logits = by_formulas(gpt2, kind)
    run, ablation = gpt2.run(IDS), HeadAblation(LAYER, HEAD, kind)
    ablated = ablation.of(run)
    for layer, expected in enumerate(now):
        found = ablated.hidden_states[layer]
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
    effect = ablation_effect(ablation, run, ablated)
    lengths = [
        np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in zip(was, now, strict=True)
    ]
    assert lengths[:2] == [0, 0]
    assert lengths[2] > 1e-3
    assert effect.outcome.layers is not None
    np.testing.assert_array_equal(effect.outcome.layers[:2], [0, 0])
    np.testing.assert_allclose(effect.outcome.layers[2:], lengths[2:], rtol=1e-3)
    change = now[LAYER + 1] - was[LAYER + 1]  # (n, d_model)
    each = np.sqrt((change**2).sum(axis=1) / (was[LAYER + 1] ** 2).sum(axis=1))
    np.testing.assert_allclose(effect.tokens, each, rtol=1e-3)
    tokens = effect.outcome.next_tokens
    assert tokens is not None
    before, after = (by_hand.probabilities(m)[-1] for m in (logits_were, logits))
    ids = list(tokens.ids)
    np.testing.assert_allclose(tokens.before, before[ids], rtol=1e-3)
    np.testing.assert_allclose(tokens.after, after[ids], rtol=1e-3)
    moved = np.maximum(after - before, 0).sum()
    assert tokens.distance == pytest.approx(moved, rel=1e-2)


def test_a_head_that_is_off_is_one_without_its_rows_of_w_o(bert: models.Model) -> None:
    run, layer = bert.run(IDS), bert.n_layers - 1
    weights = run.weights(layer)
    width = weights["W_O"].shape[0] // bert.n_heads
    zeroed = weights["W_O"].copy()
    zeroed[width : 2 * width] = 0
    expected = run.with_weights(layer, {"W_O": zeroed}).hidden_states[-1]
    found = HeadAblation(layer, 1, "off").of(run).hidden_states[-1]
    assert np.abs(expected - run.hidden_states[-1]).max() > 1e-3
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_at_the_mean_an_encoder_gets_the_same_from_the_head_in_every_row(
    bert: models.Model,
) -> None:
    run = bert.run(IDS)
    own = run.attention(0)["heads"]  # (h, n, d_head)
    held = HeadAblation(0, 1, "mean").of(run).attention(0)["heads"]
    expected = np.repeat([own[1].sum(axis=0) / len(IDS)], len(IDS), axis=0)
    np.testing.assert_allclose(held[1], expected, rtol=1e-5, atol=1e-6)
    others = [head for head in range(bert.n_heads) if head != 1]
    np.testing.assert_array_equal(held[others], own[others])
    assert not np.allclose(own[1], expected, atol=1e-3)


def test_heads_that_share_keys_and_values_are_switched_off_one_by_one(
    tmp_path: Path,
) -> None:
    run = models.load(write_llama(tmp_path)).run(IDS)
    heads = HeadAblation(0, 1, "off").of(run).attention(0)["heads"]
    assert not heads[1].any()
    np.testing.assert_array_equal(heads[0], run.attention(0)["heads"][0])


@pytest.mark.parametrize("how", ["off", "mean"])
def test_it_is_what_putting_back_the_edited_head_gives(bert: models.Model, how) -> None:
    run = bert.run(IDS)
    document = attention_document(run, 0, 1)
    trace = document.compute()
    document.apply(ablation(document, 0, how, trace, "Change"))
    expected = with_patches(run, [patch_of(document)])
    found = HeadAblation(0, 1, how).of(run)
    assert expected is not run
    for a, b in zip(expected.hidden_states, found.hidden_states, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_what_was_changed_before_stays(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    bias = np.ones_like(run.weights(0)["b_O"])
    changed = run.with_weights(0, {"b_O": bias})
    changed = changed.with_pins(LAYER, [Pin("heads", 0, 0, 5.0, head=0)])
    ablated = HeadAblation(LAYER, HEAD, "off").of(changed)
    heads = ablated.attention(LAYER)["heads"]
    assert heads[0, 0, 0] == 5
    assert not heads[HEAD].any()
    np.testing.assert_array_equal(ablated.stream(LAYER), changed.stream(LAYER))
    assert run.pins == {}


def test_a_head_that_is_not_there_is_refused(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    for layer, head in ((3, 0), (0, 4), (0, -1)):
        with pytest.raises(IndexError, match=r"must be from 0 to \d"):
            HeadAblation(layer, head, "mean").of(run)
    with pytest.raises(ValueError, match="kind"):
        HeadAblation(0, 0, "median")  # type: ignore[arg-type]
