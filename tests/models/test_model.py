"""Models are opened, and what does not fit is refused with its reason."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileError, FileFormatError
from tests.models import checkpoints
from tests.models.checkpoints import (
    write_bert,
    write_gpt2,
    write_llama,
    write_qwen2,
    write_roberta,
)


def described(folder: Path, **changes: object) -> Path:
    """Change what ``config.json`` says; None takes a field away."""
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8")) | changes
    kept = {name: value for name, value in config.items() if value is not None}
    path.write_text(json.dumps(kept), encoding="utf-8")
    return folder


def with_tokenizer(folder: Path, count: int) -> Path:
    vocabulary = {f"w{id}": id for id in range(count)}
    rules = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "w0"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder


@pytest.fixture
def gpt2(tmp_path: Path) -> Path:
    return write_gpt2(tmp_path / "little", vocab_size=20)


def test_a_model_says_what_it_is(gpt2: Path) -> None:
    model = models.load(gpt2)
    assert (model.name, model.kind, model.path) == ("little", "decoder", gpt2)
    assert repr(model).startswith("<Model little: GPT-2, ")


@pytest.mark.parametrize("file", ["config.json", "model.safetensors"])
def test_a_model_is_opened_by_a_file_of_it_as_well(gpt2: Path, file: str) -> None:
    assert models.load(str(gpt2 / file)).n_layers == models.load(gpt2).n_layers


@pytest.mark.parametrize("found", ["mamba", None, 3])
def test_an_unknown_family_is_named_with_what_is_there(gpt2: Path, found) -> None:
    described(gpt2, model_type=found)
    with pytest.raises(FileFormatError) as caught:
        models.load(gpt2)
    reason = str(caught.value)
    assert "config.json, $.model_type" in reason
    assert f"Got {found!r}" in reason
    for told in ("bert", "gpt2", "llama", "wte.weight", "by hand", "attnviewer.record"):
        assert told in reason
    assert "…" not in reason


@pytest.mark.parametrize(
    ("changes", "place", "told"),
    [
        ({"n_head": 5}, "$.n_head", "multiple"),
        ({"n_head": 0}, "$.n_head", ">= 1"),
        ({"n_layer": "2"}, "$.n_layer", "a whole number"),
        ({"n_layer": 2**40}, "$.n_layer", "<= 4096"),
        ({"activation_function": "mish"}, "config.json", "activation"),
        ({"add_cross_attention": True}, "$.add_cross_attention", "False"),
        ({"layer_norm_epsilon": -1.0}, "$.layer_norm_epsilon", "> 0"),
    ],
)
def test_a_description_that_does_not_fit_is_refused_by_its_field(
    gpt2: Path, changes: dict[str, object], place: str, told: str
) -> None:
    if "n_head" in changes and changes["n_head"] == 5:
        place = "$.n_embd"
    with pytest.raises(FileFormatError) as caught:
        models.load(described(gpt2, **changes))
    assert place in str(caught.value)
    assert told in str(caught.value)


def test_more_layers_than_the_file_has_are_missed_by_name(gpt2: Path) -> None:
    with pytest.raises(FileFormatError, match=re.escape("h.2.ln_1.weight' of")):
        models.load(described(gpt2, n_layer=3))


def test_layers_that_would_be_passed_over_are_refused(gpt2: Path) -> None:
    with pytest.raises(FileFormatError, match=re.escape("h.1.")):
        models.load(described(gpt2, n_layer=1))


def test_a_description_of_another_width_is_refused_with_both_shapes(
    gpt2: Path,
) -> None:
    with pytest.raises(FileFormatError, match=r"shape \(20, 64\).*Got \(20, 32\)"):
        models.load(described(gpt2, n_embd=64))


def test_a_tensor_without_effect_is_left_alone(tmp_path: Path) -> None:
    # As the first GPT-2 files hold their causal masks.
    folder = write_gpt2(tmp_path, extra={"h.#.attn": "+p"})
    assert models.load(folder).n_layers == 2


def test_a_tensor_that_would_be_missed_is_refused(tmp_path: Path) -> None:
    folder = write_llama(tmp_path, extra={"layers.#.self_attn.q_norm": "d"})
    with pytest.raises(FileFormatError, match=r"q_norm\.weight.*does not use"):
        models.load(folder)


def test_turning_that_is_not_known_is_refused(tmp_path: Path) -> None:
    folder = write_llama(
        tmp_path, rope_parameters={"rope_type": "proportional", "factor": 2.0}
    )
    with pytest.raises(FileFormatError) as caught:
        models.load(folder)
    assert caught.value.location == "$.rope_parameters.rope_type"
    assert caught.value.reason == (
        "It must be one of default, linear, llama3, yarn, dynamic, longrope. "
        "Got 'proportional' instead."
    )


def test_frequencies_that_cannot_be_are_refused_as_the_files_fault(
    tmp_path: Path,
) -> None:
    rope = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 4.0,
        "high_freq_factor": 1.0,
        "original_max_position_embeddings": 32,
    }
    with pytest.raises(FileFormatError, match="high_frequency_factor"):
        models.load(write_llama(tmp_path, rope_parameters=rope))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file or folder"):
        models.load(tmp_path / "missing")


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ([], ValueError, "at least one token"),
        ([[1, 2], [3, 4]], TypeError, r"\(2, 2\)"),
        ([1.0, 2.0], TypeError, "float64"),
        ([1, "w2"], TypeError, "not both"),
        ([1, 20], ValueError, "from 0 to 19.*Got 20"),
        ([-1], ValueError, "Got -1"),
        ([1] * 65, ValueError, "at most 16 tokens.*Got 65"),
        ("words", ValueError, "no tokenizer"),
        (["w1"], ValueError, "no tokenizer"),
        (None, TypeError, "object"),
    ],
)
def test_what_no_model_runs_over_is_refused(
    gpt2: Path, given: object, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        models.load(gpt2).run(given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        (3, 1),
        np.array([3, 1], np.uint8),
        [[3, 1]],
        ["w3", "w1"],
        np.array(["w3", "w1"]),
        "w3 w1",
    ],
)
def test_ids_tokens_and_texts_run_the_same(gpt2: Path, given: object) -> None:
    run = models.load(with_tokenizer(gpt2, 20)).run(given)  # type: ignore[arg-type]
    assert run.ids == (3, 1)
    assert run.tokens == ("w3", "w1")


def test_without_a_tokenizer_tokens_are_called_by_their_ids(gpt2: Path) -> None:
    assert models.load(gpt2).run([3, 1]).tokens == ("#3", "#1")


def test_a_token_beyond_the_rows_of_the_table_is_refused_by_its_name(
    gpt2: Path,
) -> None:
    model = models.load(with_tokenizer(gpt2, 25))
    assert model.run("w19").ids == (19,)
    with pytest.raises(ValueError, match=r"embeddings of 20 tokens. Got 22 for 'w22'"):
        model.run("w1 w22")


def test_text_in_a_description_does_not_stand_for_numbers(tmp_path: Path) -> None:
    folder = write_bert(tmp_path)
    (folder / "config.json").write_text("[]")
    with pytest.raises(FileFormatError, match="object"):
        models.load(folder)


def test_a_decoder_that_answers_questions_has_a_prefix_of_its_own(
    tmp_path: Path,
) -> None:
    # As transformers saves LlamaForQuestionAnswering and Qwen2ForQuestionAnswering.
    for write in (write_llama, write_qwen2):
        plain = write(tmp_path / "plain", head=False)
        questions = write(tmp_path / "questions", head=False)
        path = questions / "model.safetensors"
        content = path.read_bytes()
        size = int.from_bytes(content[:8], "little")
        tensors = json.loads(content[8 : 8 + size])
        described = {
            name if name == "__metadata__" else f"transformer.{name}": told
            for name, told in tensors.items()
        }
        header = json.dumps(described).encode()
        path.write_bytes(
            len(header).to_bytes(8, "little") + header + content[8 + size :]
        )
        ids = [3, 1, 4]
        expected = models.load(plain).run(ids).hidden_states[-1]
        run = models.load(questions).run(ids)
        np.testing.assert_array_equal(run.hidden_states[-1], expected)


def test_a_table_of_its_own_makes_the_logits_even_where_it_should_be_tied(
    tmp_path: Path,
) -> None:
    # As transformers does where both are in the file and differ.
    folder = write_llama(tmp_path, tie_word_embeddings=False)
    expected = models.load(folder).run([3, 1]).logits
    described(folder, tie_word_embeddings=True)
    np.testing.assert_array_equal(models.load(folder).run([3, 1]).logits, expected)


def test_a_table_that_predicts_tokens_is_missed_where_the_model_is_one_that_does(
    tmp_path: Path,
) -> None:
    folder = write_llama(tmp_path, head=False)
    described(folder, architectures=["LlamaForCausalLM"])
    with pytest.raises(FileFormatError) as caught:
        models.load(folder)
    assert "'lm_head.weight' of Llama is missing, which holds the table that" in str(
        caught.value
    )


def test_a_tensor_of_another_shape_is_told_with_what_it_holds(tmp_path: Path) -> None:
    folder = write_llama(tmp_path)
    described(folder, num_key_value_heads=1)
    with pytest.raises(FileFormatError, match="the keys in layer 0, and must have the"):
        models.load(folder)


@pytest.mark.parametrize("padding", [17, 18, 10**6])
def test_padding_that_leaves_no_places_is_refused(tmp_path: Path, padding: int) -> None:
    folder = write_roberta(tmp_path, pad_token_id=padding)
    with pytest.raises(FileFormatError, match=r"\$\.pad_token_id.*less than .* = 17"):
        models.load(folder)


def test_padding_is_of_no_matter_to_bert(tmp_path: Path) -> None:
    assert models.load(write_bert(tmp_path, pad_token_id=-1)).n_layers == 2


@pytest.mark.parametrize("dtype", ["I32", "U32"])
def test_weights_that_are_no_floats_are_refused_when_a_model_is_opened(
    gpt2: Path, dtype: str
) -> None:
    path = gpt2 / "model.safetensors"
    content = path.read_bytes()
    start = content.index(b"h.1.mlp.c_fc.weight")
    place = content.index(b"F32", start)
    path.write_bytes(content[:place] + dtype.encode() + content[place + 3 :])
    with pytest.raises(FileFormatError, match=rf"c_fc\.weight: Weights.*Got {dtype}"):
        models.load(gpt2)


def test_what_is_told_of_a_long_field_is_short(gpt2: Path) -> None:
    for changes in ({"model_type": "x" * 10**6}, {"add_cross_attention": "x" * 10**6}):
        with pytest.raises(FileFormatError) as caught:
            models.load(described(gpt2, **changes))
        assert len(str(caught.value)) < 1000


def test_a_field_of_another_kind_is_told_in_words(tmp_path: Path) -> None:
    folder = described(write_llama(tmp_path), head_dim="x")
    with pytest.raises(FileFormatError) as caught:
        models.load(folder)
    assert caught.value.reason == "Expected a whole number or null, got a text."


def test_rotations_that_would_change_with_the_length_in_some_layers_are_refused(
    tmp_path: Path,
) -> None:
    rope = {"rope_type": "dynamic", "factor": 2.0}
    for family in ("gemma3_text", "modernbert"):
        folder = checkpoints.write(family, tmp_path / family, rope_scaling=rope)
        with pytest.raises(FileFormatError, match="Got 'dynamic' instead") as caught:
            models.load(folder)
        assert caught.value.location == "$.rope_scaling.rope_type"


def test_what_a_rotation_that_grows_needs_is_asked_for_by_name(tmp_path: Path) -> None:
    rope = {"rope_type": "dynamic", "factor": 2.0}
    cases = (
        (
            {"rope_parameters": rope, "leave_out": ["max_position_embeddings"]},
            "$",
            "Object missing required field 'max_position_embeddings'",
        ),
        (
            {"rope_parameters": {"rope_type": "dynamic"}},
            "$.rope_parameters",
            "Object missing required field 'factor'",
        ),
        (
            {"rope_parameters": rope, "head_dim": 2},
            "$.rope_parameters",
            "A rotation that grows must have at least 4 columns. Got 2 instead.",
        ),
    )
    for number, (options, location, reason) in enumerate(cases):
        with pytest.raises(FileFormatError) as caught:
            models.load(write_llama(tmp_path / str(number), **options))
        assert caught.value.location == location
        assert reason in str(caught.value)


def test_longrope_without_a_number_for_each_pair_is_refused(tmp_path: Path) -> None:
    rope = {"rope_type": "longrope", "short_factor": [1.0], "long_factor": [2.0]}
    with pytest.raises(FileFormatError) as caught:
        models.load(checkpoints.write("phi3", tmp_path / "phi3", rope_scaling=rope))
    assert caught.value.location == "$.rope_scaling.short_factor"
    assert caught.value.reason == (
        "There must be 4, one for each pair of columns. Got 1 instead."
    )
