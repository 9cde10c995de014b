"""MPNet, T5, mT5 and BART beside what transformers recorded, and their parts."""

import copy
import json
import pickle

import numpy as np
import pytest

from attnviewer import models
from attnviewer.document import SetCells
from attnviewer.io import FileFormatError
from attnviewer.models.ablation import HeadAblation
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from attnviewer.models.locating import run_at
from attnviewer.models.sentences import first_sentence, run_over, text_of
from tests.models import encoder_decoders

PARTS = "encoder", "decoder", "cross"
_T5, _BART = "{}.block.0.layer.{}.v.weight", "model.{}.layers.0.{}.v_proj.weight"
VALUES = {
    ("t5", "encoder"): _T5.format("encoder", "0.SelfAttention"),
    ("t5", "decoder"): _T5.format("decoder", "0.SelfAttention"),
    ("t5", "cross"): _T5.format("decoder", "1.EncDecAttention"),
    ("bart", "encoder"): _BART.format("encoder", "self_attn"),
    ("bart", "decoder"): _BART.format("decoder", "self_attn"),
    ("bart", "cross"): _BART.format("decoder", "encoder_attn"),
}
"""The tensor of W_V in the first layer of each part."""


def _close(got: np.ndarray, want: np.ndarray, at: str = "") -> None:
    far = np.abs(np.asarray(got, np.float64) - want).max()
    assert far <= 2e-5 * np.abs(want).max(), (at, far)


def _opened(name: str, folder, **config: object) -> models.ModelTrace:
    case = encoder_decoders.load(name)
    model = models.load(case.write(folder / name, **config))
    begun = case.told["decoder_input_ids"]
    return model.run(case.told["input_ids"], begun or None)


@pytest.mark.parametrize("name", encoder_decoders.names())
def test_a_checkpoint_computes_what_transformers_does(name, tmp_path) -> None:
    want, run = encoder_decoders.load(name).results, _opened(name, tmp_path)
    for key in [key for key in want if key.endswith("hidden_states")]:
        states = getattr(run, key)
        assert len(states) == len(want[key])
        for layer, rows in enumerate(want[key]):
            _close(states[layer], rows, f"{key} {layer}")
    kinds = {"attentions": None, "cross_attentions": "cross"}
    kinds |= {f"{part}_attentions": part for part in PARTS[:2]}
    for key in [key for key in want if key.endswith("attentions")]:
        for layer, weights in enumerate(want[key]):
            trace = run.attention(layer, kinds[key])
            _close(trace["weights"], weights, f"{key} {layer}")
    if "logits" in want:
        _close(run.logits, want["logits"])


def test_an_mt5_does_not_scale_its_outputs_whatever_its_file_says(tmp_path) -> None:
    run = _opened("mt5", tmp_path, scale_decoder_outputs=True)
    _close(run.logits, encoder_decoders.load("mt5").results["logits"])


def test_a_t5_may_say_its_gate_apart_and_no_class(tmp_path) -> None:
    apart = {"feed_forward_proj": "gelu_new", "is_gated_act": True}
    run = _opened("mt5", tmp_path, architectures=[], **apart)
    _close(run.logits, encoder_decoders.load("mt5").results["logits"])


def test_an_mpnet_is_an_encoder_whatever_its_file_says(tmp_path) -> None:
    run = _opened("mpnet", tmp_path, is_decoder=True)
    want = encoder_decoders.load("mpnet").results["hidden_states"][-1]
    _close(run.hidden_states[-1], want)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("t5", {"d_kv": "head_dim", "num_heads": "num_attention_heads"}),
        ("bart", {"encoder_attention_heads": "num_attention_heads"}),
    ],
)
def test_other_names_of_fields_count_even_beside_their_own(
    name, others, tmp_path
) -> None:
    case = encoder_decoders.load(name)
    said = {other: case.told["config"][own] for own, other in others.items()}
    run = _opened(name, tmp_path, **dict.fromkeys(others, 1), **said)
    _close(run.logits, case.results["logits"])


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_a_stack_reads_its_own_table_of_tokens_where_there_is_one(
    name, tmp_path
) -> None:
    case, plain = encoder_decoders.load(name), _opened(name, tmp_path)
    [shared] = (name for name in case.told["shapes"] if name.endswith("shared.weight"))
    own = shared.replace("shared", "encoder.embed_tokens")
    case.told["shapes"][own] = case.told["shapes"][shared]
    table = 2 * plain.model.part("encoder").weights.shared("tokens")
    model = models.load(case.write(tmp_path / "own", {own: table}))
    encoder = model.part("encoder").weights
    np.testing.assert_array_equal(encoder.shared("tokens"), table)
    np.testing.assert_array_equal(model.weights.shared("tokens"), table / 2)
    np.testing.assert_array_equal(model.weights.unembedding([7]), table[[7]] / 2)
    case.told["shapes"][own.replace("encoder", "decoder")] = [23, 16]
    both = dict.fromkeys((own, own.replace("encoder", "decoder")), table)
    run = models.load(case.write(tmp_path / "both", both)).run([3], [4, 5])
    np.testing.assert_array_equal(run.model.weights.shared("tokens"), table)
    # Logits are those of the table that is shared.
    np.testing.assert_array_equal(run.model.weights.unembedding([7]), table[[7]] / 2)


def test_a_sentence_is_classified_by_its_decoder_over_the_same_sentence(
    tmp_path,
) -> None:
    run = _opened("bart_classifier", tmp_path)
    ids = encoder_decoders.load("bart_classifier").told["input_ids"]
    assert run.ids == (2, *ids[:-1])
    assert not run.model.notices
    np.testing.assert_array_equal(run.part("cross").logits, run.logits)
    assert "=>" not in first_sentence(run.model)
    assert run_over(run.model, " ".join(map(str, ids))).ids == run.ids


def test_a_sentence_is_classified_by_its_end_whatever_follows_it(tmp_path) -> None:
    case = encoder_decoders.load("bart_classifier_padded")
    run = models.load(case.write(tmp_path)).run(case.told["input_ids"])
    _close(run.logits, case.results["logits"])


def test_a_head_that_is_not_computed_leaves_no_logits(tmp_path) -> None:
    run = _opened("t5", tmp_path, architectures=["T5ForMultipleChoice"])
    with pytest.raises(ValueError, match="whose head is not computed here"):
        _ = run.logits


def test_cross_attention_is_that_of_the_decoder_over_the_encoders_output(
    tmp_path,
) -> None:
    run = _opened("bart", tmp_path)
    trace = run.attention(0, part="cross")
    assert trace.spec.context
    assert not trace.spec.causal
    np.testing.assert_array_equal(trace["context"], run.encoder_hidden_states[-1])
    # BART normalises after each sum: X is what self-attention leaves.
    self_attention, norm = run.attention(0), run.model.weights.layer(0, ["attention_"])
    rows = run.stream(0) + self_attention["output"]
    rows = (rows - rows.mean(1, keepdims=True)) / np.sqrt(
        rows.var(1, keepdims=True) + 1e-5
    )
    rows = rows * norm["attention_sum.weight"] + norm["attention_sum.bias"]
    _close(trace["X"], rows)


def test_without_text_a_decoder_runs_over_its_start_token(tmp_path) -> None:
    model = _opened("bart", tmp_path).model
    run = model.run([4, 5, 6])
    assert run.ids == (2,)
    assert run.part("encoder").ids == (4, 5, 6)
    assert run.attention(0, "cross")["weights"].shape == (4, 1, 3)
    assert run.decoder_hidden_states[0].shape == (1, 16)
    t5 = _opened("t5", tmp_path).model  # whose start token is that of padding
    assert t5.run([3]).ids == (0,)


def test_a_text_of_the_decoder_follows_the_start_token_and_is_not_ended(
    tmp_path,
) -> None:
    folder = encoder_decoders.load("bart").write(tmp_path)
    vocabulary = {"</s>" if id_ == 2 else f"w{id_}": id_ for id_ in range(23)}
    rules = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "w0"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(rules), encoding="utf-8")
    model = models.load(folder)
    run = model.run("w7 w8 </s>", decoder="w5 w6 </s>")
    assert run.tokens == ("</s>", "w5", "w6")
    assert run.part("encoder").tokens == run.part("cross").key_tokens
    assert run.part("encoder").tokens == ("w7", "w8", "</s>")
    assert model.run("w7", decoder=["w5", "</s>"]).ids == (5, 2)
    assert run_over(model, "w7 w8 => w5 w6").tokens == ("</s>", "w5", "w6")


@pytest.mark.parametrize("name", ["t5", "bart"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("head", [None, 1])
def test_weights_that_are_put_back_are_those_of_the_part(
    name, part, head, tmp_path
) -> None:
    whole = _opened(name, tmp_path)
    run = whole.part(part)
    document = attention_document(run, 0, head)
    place = part + (" L0" if head is None else f" L0 H{head}")
    assert document.title == f"{name} · {place}"
    weights = document.compute()["weights"]
    own = whole.attention(0, part)["weights"]
    np.testing.assert_allclose(weights, own if head is None else own[1], atol=1e-6)
    assert with_patches(run, [patch_of(document)]).changed_layers == frozenset()
    columns = document.matrix("W_V").shape[1]
    document.apply(SetCells("edit", "W_V", 2, 0, np.full((1, columns), 3.0)))
    changed = with_patches(run, [patch_of(document)])

    # The same by a checkpoint whose own tensor is the edited one.
    case, values = encoder_decoders.load(name), changed.weights(0)["W_V"].T
    assert np.abs(values - run.weights(0)["W_V"].T).max() > 1
    model = models.load(case.write(tmp_path / "other", {VALUES[name, part]: values}))
    other = model.run(case.told["input_ids"], case.told["decoder_input_ids"])
    if part == "encoder":
        changed = whole.with_encoder(changed)
    for layer, rows in enumerate(other.decoder_hidden_states):
        _close(changed.hidden_states[layer], rows)
    _close(changed.logits, other.logits)


def test_a_table_of_relative_biases_is_edited_in_one_layer(tmp_path) -> None:
    run = _opened("mpnet", tmp_path)
    document = attention_document(run, 1, head=1)
    assert document.matrix("relative_bias").shape == (32, 1)
    assert "The relative bias is one table for all layers" in document.notes
    document.apply(SetCells("edit", "relative_bias", 0, 0, np.array([[5.0]])))
    changed = with_patches(run, [patch_of(document)])
    table = changed.weights(1)["relative_bias"]
    assert np.argwhere(table != run.weights(1)["relative_bias"]).tolist() == [[0, 1]]
    # Bucket 0 is a token itself.
    difference = changed.attention(1)["biased"] - run.attention(1)["biased"]
    more = 5 - run.weights(1)["relative_bias"][0, 1]
    np.testing.assert_allclose(difference[1], more * np.eye(len(run.ids)), atol=1e-5)
    assert not difference[0].any()


def test_a_head_is_switched_off_and_patched_in_each_part(tmp_path) -> None:
    run = _opened("bart", tmp_path)
    for part in PARTS:
        own = run.part(part)
        off = HeadAblation(0, 1, "off").of(own)
        assert not off.attention(0)["heads"][1].any()
        grid = models.ablate(own, [(0, 1)])
        assert np.isfinite(grid.values).all()
        site = models.Site("weights", 0, 1)
        halved = own.with_activations({site: lambda weights: weights / 2})
        want = own.attention(0)["heads"][1] / 2
        np.testing.assert_allclose(halved.attention(0)["heads"][1], want, atol=1e-6)
        table = models.head_table(own, detectors=["induction"])
        assert len(list(table)) == own.model.n_layers * own.model.n_heads
        assert ("single sequence" in str(table.notes)) == (part == "cross")


def test_changes_of_self_attention_and_cross_attention_are_kept_together(
    tmp_path,
) -> None:
    run = _opened("bart", tmp_path)
    zeros = {"W_O": np.zeros((16, 16), np.float32)}
    both = run.with_weights(0, zeros).part("cross").with_weights(0, zeros)
    again = both.part("decoder")
    assert again.changed_layers == both.changed_layers == {0}
    np.testing.assert_array_equal(again.logits, both.logits)
    assert np.abs(again.logits - run.part("cross").with_weights(0, zeros).logits).max()
    encoder = run.part("encoder").with_weights(1, zeros)
    moved = again.with_encoder(encoder)
    assert moved.changed_layers == {0}
    np.testing.assert_array_equal(
        moved.attention(0, "cross")["context"], encoder.hidden_states[-1]
    )
    with pytest.raises(ValueError, match="must be a run of the encoder"):
        run.with_encoder(run)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_found_again_by_pickles_and_documents(part, tmp_path) -> None:
    run = _opened("t5", tmp_path).part(part)
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        np.testing.assert_array_equal(other.hidden_states[-1], run.hidden_states[-1])
        got, want = other.attention(0)["weights"], run.attention(0)["weights"]
        np.testing.assert_array_equal(got, want)
    known = attention_document(run, 0).checkpoint
    again = run_at(models.load(known.path), known)
    assert again.ids == run.ids
    np.testing.assert_array_equal(again.attention(0)["weights"], want)


def test_both_texts_are_typed_with_an_arrow_between_them(tmp_path) -> None:
    model = _opened("t5", tmp_path).model
    run = run_over(model, "3 4 5 => 0 7")
    assert (run.part("encoder").ids, run.ids) == ((3, 4, 5), (0, 7))
    assert text_of(run) == "3 4 5 => 0 7"
    assert run_over(model, "3 4 5").ids == (0,)
    assert run_over(model.part("encoder"), "3 4 => 0").ids == (3, 4)
    cross = run_over(model.part("cross"), first_sentence(model))
    assert cross.attention(0)["weights"].shape == (2, 16, 16)


def test_what_would_not_be_right_for_an_encoder_decoder_is_refused(tmp_path) -> None:
    run = _opened("t5", tmp_path)
    cross = run.part("cross")
    for refused in (
        lambda: models.Gradients(run, models.Logit(3)),
        lambda: run.attribution(3),
        lambda: run.score_parts(0, 0, 0, 0),
        lambda: models.rollout(cross),
        lambda: models.flow(run),
        lambda: models.circuit(cross.model, 0, 0, "QK"),
        lambda: models.survey(run.model, ["a"]),
        lambda: run.attention(0, "other"),
        lambda: run.part("encoder").attention(0, "cross"),
        lambda: run.part("encoder").encoder_hidden_states,
        lambda: run.model.part("encoder").run([1], [2]),
        lambda: _opened("mpnet", tmp_path).model.run([1], [2]),
        lambda: run.model.run([1], []),
    ):
        with pytest.raises(ValueError, match=r"must|run over one sequence"):
            refused()


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [
        ("mpnet", "relative_attention_num_buckets", 12),
        ("t5", "is_decoder", True),
        ("t5", "is_causal", False),
        ("t5", "feed_forward_proj", "twice-gelu"),
        ("t5", "relative_attention_num_buckets", 7),
        ("bart", "is_encoder_decoder", False),
        ("bart", "encoder_attention_heads", 3),
        ("bart", "normalize_before", True),
        ("bart", "is_causal", False),
        ("bart", "max_position_embeddings", 23),
    ],
)
def test_settings_that_are_not_computed_are_refused(
    name, setting, value, tmp_path
) -> None:
    folder = encoder_decoders.load(name).write(tmp_path, **{setting: value})
    with pytest.raises(FileFormatError):
        models.load(folder)
