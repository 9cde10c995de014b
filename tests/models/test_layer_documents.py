"""Heads are opened as documents, and their weights go back into the model."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin, Trace
from attnviewer.compute.run import compute
from attnviewer.document import Document, Replace, SetCells, Snapshot, spec_edit
from attnviewer.document.token_groups import TokenGroup
from attnviewer.document.variants.ablation import ablation
from attnviewer.models.experiment import Experiment
from attnviewer.models.kept_edits import (
    differs_from,
    keeps_other_edits,
    keeps_scores,
)
from attnviewer.models.layer_documents import (
    attention_document,
    is_whole,
    link_of,
    patch_of,
    with_patches,
)
from tests.documents import four_words
from tests.models import encoder_decoders
from tests.models.checkpoints import write, write_gpt2, write_llama

IDS = [3, 1, 4, 1, 5]
FAMILIES = ["gpt2", "llama", "qwen2", "gemma2", "qwen3", "gemma3_text", "bert"]


def run_of(family: str, folder: Path) -> models.ModelTrace:
    return models.load(write(family, folder)).run(IDS)


@pytest.fixture
def gpt2(tmp_path: Path) -> models.ModelTrace:
    return models.load(write_gpt2(tmp_path / "little")).run(IDS)


@pytest.fixture
def llama(tmp_path: Path) -> models.ModelTrace:
    """Four heads of queries with eight numbers each over two of keys."""
    return models.load(write_llama(tmp_path / "little")).run(IDS)


def output_of(document: Document) -> np.ndarray:
    return trace_of(document)["output"]


def trace_of(document: Document) -> Trace:
    return compute(document.spec, Snapshot.of(document).inputs)


def cells(name: str, array: object, row: int = 0, column: int = 0) -> SetCells:
    return SetCells("Type", name, row, column, np.atleast_2d(array))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_heads_and_the_bias_of_all_make_up_the_layer(
    tmp_path: Path, family: str
) -> None:
    run = run_of(family, tmp_path)
    expected = np.asarray(run.attention(1)["output"], np.float64)
    heads = [attention_document(run, 1, head) for head in range(4)]
    total = sum(output_of(head) for head in heads)
    bias = run.weights(1).get("b_O", np.zeros(32))
    np.testing.assert_allclose(total + bias, expected, rtol=1e-4, atol=1e-5)
    layer = attention_document(run, 1)
    np.testing.assert_allclose(output_of(layer), expected, rtol=1e-4, atol=1e-5)


def test_a_head_is_what_paper_and_pencil_make_of_its_weights(
    gpt2: models.ModelTrace,
) -> None:
    document = attention_document(gpt2, 0, 2)
    weights = gpt2.weights(0)
    x, own = gpt2.attention(0)["X"].astype(float), slice(16, 24)
    q, k, v = (x @ weights[f"W_{n}"][:, own] + weights[f"b_{n}"][own] for n in "QKV")
    scores = np.where(np.tri(5) > 0, q @ k.T / np.sqrt(8), -np.inf)
    attention = np.exp(scores - scores.max(axis=1, keepdims=True))
    attention /= attention.sum(axis=1, keepdims=True)
    expected = attention @ v @ weights["W_O"][own]
    np.testing.assert_allclose(output_of(document), expected, rtol=1e-5, atol=1e-6)
    assert document.title == "little · L0 H2"
    assert document.tokens == ("#3", "#1", "#4", "#1", "#5")


def test_a_head_takes_the_keys_that_it_shares(llama: models.ModelTrace) -> None:
    weights = llama.weights(1)
    for head, shared in enumerate([0, 0, 8, 8]):
        document = attention_document(llama, 1, head)
        part = weights["W_K"][:, shared : shared + 8]
        np.testing.assert_array_equal(document.matrix("W_K"), part)
        part = weights["W_Q"][:, 8 * head : 8 * head + 8]
        np.testing.assert_array_equal(document.matrix("W_Q"), part)


@pytest.mark.parametrize(
    ("head", "told"),
    [(2, "H3 uses the same keys"), (3, "H2 uses the same keys"), (None, "")],
)
def test_a_head_says_who_shares_its_keys(
    llama: models.ModelTrace, head: int | None, told: str
) -> None:
    document = attention_document(llama, 0, head)
    assert told in document.notes
    assert ("the same keys" in document.notes) == bool(told)


def test_several_heads_that_share_keys_are_all_named(tmp_path: Path) -> None:
    folder = write_llama(tmp_path, num_key_value_heads=1)
    document = attention_document(models.load(folder).run(IDS), 0, 1)
    assert "H0, H2 and H3 use the same keys and values" in document.notes


def test_heads_with_keys_of_their_own_name_no_other(gpt2: models.ModelTrace) -> None:
    document = attention_document(gpt2, 0, 1)
    assert link_of(document).sharing == ()
    assert "same keys" not in document.notes


@pytest.mark.parametrize("head", [-1, 4])
def test_a_head_that_is_not_there_is_refused(
    gpt2: models.ModelTrace, head: int
) -> None:
    with pytest.raises(IndexError, match="from 0 to 3"):
        attention_document(gpt2, 0, head)


@pytest.mark.parametrize("head", [None, 0, 3])
@pytest.mark.parametrize("family", FAMILIES)
def test_weights_put_back_as_they_were_change_nothing(
    tmp_path: Path, family: str, head: int | None
) -> None:
    run = run_of(family, tmp_path)
    patch = patch_of(attention_document(run, 1, head))
    changed = with_patches(run, [patch])
    assert changed.changes == {}
    np.testing.assert_array_equal(changed.hidden_states[-1], run.hidden_states[-1])


def test_what_is_put_back_is_what_the_layer_computes_with(
    gpt2: models.ModelTrace,
) -> None:
    document = attention_document(gpt2, 0, 1)
    document.apply(cells("W_V", np.full((32, 8), 0.5)))
    changed = with_patches(gpt2, [patch_of(document)])
    expected = gpt2.weights(0)["W_V"].copy()
    expected[:, 8:16] = 0.5
    np.testing.assert_array_equal(changed.weights(0)["W_V"], expected)
    np.testing.assert_array_equal(changed.weights(0)["W_Q"], gpt2.weights(0)["W_Q"])
    # The layer then gives what its heads give, the edited one among them.
    total = output_of(document) + gpt2.weights(0)["b_O"]
    total += sum(output_of(attention_document(gpt2, 0, h)) for h in (0, 2, 3))
    np.testing.assert_allclose(
        changed.attention(0)["output"], total, rtol=1e-4, atol=1e-5
    )
    assert not np.allclose(changed.logits, gpt2.logits)


def test_putting_back_twice_is_putting_back_once(gpt2: models.ModelTrace) -> None:
    document = attention_document(gpt2, 0, 1)
    document.apply(cells("W_O", np.zeros((8, 32))))
    patch = patch_of(document)
    once, twice = with_patches(gpt2, [patch]), with_patches(gpt2, [patch, patch])
    np.testing.assert_array_equal(once.logits, twice.logits)
    again = with_patches(once, [patch])
    np.testing.assert_array_equal(once.logits, again.logits)


@pytest.mark.parametrize("alone", [True, False])
def test_a_head_set_to_its_mean_gives_it_to_every_token(
    gpt2: models.ModelTrace, *, alone: bool
) -> None:
    heads = [output_of(attention_document(gpt2, 0, head)) for head in range(4)]
    document = attention_document(gpt2, 0, 1 if alone else None)
    head = 0 if alone else 1
    document.apply(ablation(document, head, "mean", trace_of(document), "Mean"))
    changed = with_patches(gpt2, [patch_of(document)])
    mean = heads[1].mean(axis=0)  # (d_model,)
    expected = heads[0] + mean + heads[2] + heads[3] + gpt2.weights(0)["b_O"]
    np.testing.assert_allclose(
        changed.attention(0)["output"], expected, rtol=1e-4, atol=1e-5
    )
    np.testing.assert_allclose(
        changed.weights(0)["b_O"], gpt2.weights(0)["b_O"] + mean, rtol=1e-4, atol=1e-6
    )


def test_biases_that_were_taken_out_are_zero(gpt2: models.ModelTrace) -> None:
    document = attention_document(gpt2, 0, 1)
    document.apply(spec_edit(document, replace(document.spec, biases=()), "No bias"))
    changed = with_patches(gpt2, [patch_of(document)])
    expected = gpt2.weights(0)["b_Q"].copy()
    expected[8:16] = 0
    np.testing.assert_array_equal(changed.weights(0)["b_Q"], expected)
    # That of all heads is none of its own.
    np.testing.assert_array_equal(changed.weights(0)["b_O"], gpt2.weights(0)["b_O"])


@pytest.mark.parametrize("head", [None, 1])
def test_a_bias_that_the_model_has_no_place_for_must_be_zero(
    llama: models.ModelTrace, head: int | None
) -> None:
    document = attention_document(llama, 0, head)
    spec = replace(document.spec, biases=("b_Q",))
    document.apply(spec_edit(document, spec, "Bias"))
    document.apply(cells("b_Q", np.zeros((1, document.matrix("b_Q").shape[1]))))
    assert with_patches(llama, [patch_of(document)]).changes == {}
    document.apply(cells("b_Q", 1.0))
    with pytest.raises(ValueError, match="'b_Q' must be zero"):
        with_patches(llama, [patch_of(document)])


def test_a_variant_without_a_weight_is_not_put_back(gpt2: models.ModelTrace) -> None:
    document = attention_document(gpt2, 0, 1)
    spec = replace(document.spec, output_projection=False, biases=())
    document.apply(spec_edit(document, spec, "Without"))
    with pytest.raises(ValueError, match="must have W_O"):
        with_patches(gpt2, [patch_of(document)])


def test_a_changed_key_of_a_group_reaches_the_heads_that_share_it_alone(
    llama: models.ModelTrace,
) -> None:
    document = attention_document(llama, 0, 3)
    document.apply(cells("W_K", np.zeros((32, 8))))
    changed = with_patches(llama, [patch_of(document)])
    before, after = llama.attention(0)["weights"], changed.attention(0)["weights"]
    differ = [not np.allclose(before[h], after[h]) for h in range(4)]
    assert differ == [False, False, True, True]


def test_what_stays_behind_is_known(gpt2: models.ModelTrace) -> None:
    document = attention_document(gpt2, 0, 1)
    assert not keeps_other_edits(document)
    document.apply(cells("W_O", np.zeros((8, 32))))
    assert not keeps_other_edits(document)
    before = document.matrix("X")[0, 0].copy()
    document.apply(cells("X", np.full((1, 1), before + 1)))
    assert keeps_other_edits(document)
    document.apply(cells("X", np.full((1, 1), before)))
    assert not keeps_other_edits(document)
    spec = replace(document.spec, normalizer="sparsemax")
    document.apply(spec_edit(document, spec, "Sparsemax"))
    assert keeps_other_edits(document)


@pytest.mark.parametrize("head", [None, 1])
def test_texts_groups_and_pins_that_are_off_compute_nothing(
    gpt2: models.ModelTrace, head: int | None
) -> None:
    document = attention_document(gpt2, 0, head)
    document.apply(Replace("Title", title="Mine", notes="Mine", tokens=tuple("abcde")))
    document.apply(Replace("Groups", groups=(TokenGroup("ab", 0, 2),)))
    off = Pin("weights", 2, 0, 0.5, enabled=False)
    document.apply(Replace("Pin", spec=replace(document.spec, pins=(off,))))
    assert not differs_from(document, gpt2)
    experiment = Experiment.over(gpt2).with_patches((patch_of(document),))
    assert experiment.patches == ()
    assert experiment.compared is None
    document.apply(cells("W_V", 1.0))
    assert differs_from(document, gpt2)
    (applied,) = experiment.with_patches((patch_of(document),)).patches
    assert applied.head == head


def test_a_models_own_weights_are_no_change_of_its_run(
    gpt2: models.ModelTrace,
) -> None:
    own = gpt2.weights(1)
    assert gpt2.with_weights(1, {"W_Q": own["W_Q"]}).changed_layers == frozenset()
    changed = gpt2.with_weights(1, {"W_Q": own["W_Q"] + 1, "W_K": own["W_K"] + 1})
    back = changed.with_weights(1, {"W_Q": own["W_Q"]})
    assert list(back.changes[1]) == ["W_K"]
    assert back.with_weights(1, {"W_K": own["W_K"]}).changed_layers == frozenset()


def test_a_document_from_elsewhere_is_not_put_back() -> None:
    with pytest.raises(ValueError, match="Got 'Four words' instead"):
        patch_of(four_words())


def test_how_much_is_opened_as_a_whole(
    gpt2: models.ModelTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # W_Q, W_K, W_V and W_O of 32 × 32.
    monkeypatch.setattr("attnviewer.models.layer_documents.MOST_WEIGHTS", 4096)
    assert is_whole(gpt2)
    monkeypatch.setattr("attnviewer.models.layer_documents.MOST_WEIGHTS", 4095)
    assert not is_whole(gpt2)


def test_an_edit_changes_the_scores_of_the_heads_that_use_it(
    llama: models.ModelTrace,
) -> None:
    def kept(matrix: str, column: int, alone: int | None = None) -> list[int]:
        document = attention_document(llama, 1, alone)
        own = range(4) if alone is None else [alone]
        assert all(keeps_scores(document, head) for head in own)
        document.apply(SetCells("Set", matrix, 0, column, np.array([[9.0]])))
        return [head for head in own if keeps_scores(document, head)]

    assert kept("W_Q", 8) == [0, 2, 3]
    assert kept("W_K", 8) == [0, 1]  # the second keys are those of two heads
    assert kept("W_V", 8) == [0, 1, 2, 3]
    assert kept("X", 0) == []
    assert kept("W_K", 0, alone=3) == []
    pinned = llama.with_pins(1, [Pin("scores", 2, 1, 4.0, head=3)])
    document = attention_document(pinned, 1, 3)
    assert keeps_scores(document, 3)
    spec = replace(document.spec, pins=())
    document.apply(spec_edit(document, spec, "Without"))
    assert not keeps_scores(document, 3)


def test_sub_tokens_are_grouped_into_words(tmp_path: Path) -> None:
    folder = write_llama(tmp_path / "pieces")
    words = ["?", "un", "##usual", "cat"]
    rules = {
        "version": "1.0",
        "added_tokens": [],
        "model": {
            "type": "WordLevel",
            "vocab": {word: number for number, word in enumerate(words)},
            "unk_token": "?",
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(rules), encoding="utf-8")
    run = models.load(folder).run(["un", "##usual", "cat"])
    document = attention_document(run, 1, 0)
    assert [tuple(group) for group in document.groups] == [("unusual", 0, 2)]


def test_a_saved_head_of_a_part_is_named_with_it(tmp_path):
    folder = encoder_decoders.load("t5").write(tmp_path / "t5")
    run = models.load(folder).run([3, 4], [0, 8]).part("cross")
    document = attention_document(run, 0, 1)
    assert document.checkpoint.name == document.link.name == "cross L0 H1"
