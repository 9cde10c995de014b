"""Models in GGUF have the numbers of the checkpoints that they were converted from."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from attnviewer.io import FileError
from attnviewer.models import generate, head_table, load
from attnviewer.models.sentences import first_sentence, run_over
from attnviewer.models.tokenizing.token_encoding import BYTE_SIGNS
from tests.models import checkpoints
from tests.models.configurations import TWELVE
from tests.models.generated import PROMPT

gguf = pytest.importorskip("gguf")
from tests.models.gguf_files import change, converted, write_gguf  # noqa: E402

_CASES = {
    "llama": {},
    "llama_tied_with_biases": {
        "tie_word_embeddings": True,
        "attention_bias": True,
        "mlp_bias": True,
    },
    "llama_wide_heads": {"head_dim": 16, "num_key_value_heads": 1},
    "mistral": {"sliding_window": None, "head_dim": None},
    "qwen2": {},
    "qwen3": {},
    "gemma": {},
    "gemma2": {"query_pre_attn_scalar": 16},
    "gpt2": {},
    "phi3": {},
    "phi3_with_window": {"sliding_window": 3},
}


def assert_same_runs(path: Path, folder: Path, tolerance: float = 1e-6) -> None:
    """Check that a model in GGUF computes what the one in a folder does."""
    found, wanted = (load(at).run(TWELVE) for at in (path, folder))
    for layer in range(wanted.model.n_layers):
        np.testing.assert_allclose(
            found.attention(layer)["weights"],
            wanted.attention(layer)["weights"],
            atol=tolerance,
        )
    largest = np.abs(wanted.logits).max()
    np.testing.assert_allclose(found.logits, wanted.logits, atol=tolerance * largest)


@pytest.mark.parametrize("name", _CASES)
def test_single_precision_gives_the_same_numbers(tmp_path: Path, name: str) -> None:
    folder = checkpoints.write(name.partition("_")[0], tmp_path / "hf", **_CASES[name])
    assert_same_runs(write_gguf(folder, tmp_path / "m.gguf"), folder)


@pytest.mark.parametrize("kind", ["F16", "BF16", "Q8_0", "Q4_0"])
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_quantised_weights_are_those_of_the_blocks(
    tmp_path: Path, family: str, kind: str
) -> None:
    sizes = {} if family == "gpt2" else {"intermediate_size": 64}
    folder = checkpoints.write(family, tmp_path / "hf", **sizes)
    path = write_gguf(folder, tmp_path / "m.gguf", kind)
    config = json.loads((folder / "config.json").read_text())
    number = gguf.GGMLQuantizationType[kind]
    rounded = {
        name: change(
            config,
            name,
            gguf.dequantize(gguf.quantize(array, number), number)
            if array.ndim == 2
            else array,
            back=True,
        )
        for name, array in converted(folder).items()
    }
    save_file(rounded, folder / "model.safetensors")
    assert_same_runs(path, folder)


def test_frequencies_are_divided_by_the_factors_of_llama_3(tmp_path: Path) -> None:
    # With base 10000 and 8 columns the wave lengths are 2π (1, 10, 100, 1000); with 64
    # trained positions those below 16 are kept and those above 64 divided by 8.
    scaling = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    }
    folder = checkpoints.write_llama(tmp_path / "hf", rope_scaling=scaling)
    part = (64 / (20 * np.pi) - 1) / 3
    middle = 1 / ((1 - part) / 8 + part)
    factors = np.array([1, middle, 8, 8], np.float32)
    path = write_gguf(folder, tmp_path / "m.gguf", extra={"rope_freqs.weight": factors})
    assert_same_runs(path, folder, 2e-6)


@pytest.mark.parametrize("kind", ["linear", "yarn"])
def test_scaled_positions_are_those_of_the_settings(tmp_path: Path, kind: str) -> None:
    scaling = {
        "rope_type": kind,
        "factor": 4.0,
        "original_max_position_embeddings": 16,
    }
    folder = checkpoints.write_llama(tmp_path / "hf", rope_scaling=scaling)
    settings = {
        "arch__rope__scaling__type": kind,
        "arch__rope__scaling__factor": 4.0,
        "arch__rope__scaling__original_context_length": 16,
    }
    path = write_gguf(folder, tmp_path / "m.gguf", **settings)
    assert_same_runs(path, folder)


def test_a_window_that_llama_cpp_does_not_read_has_no_effect(tmp_path: Path) -> None:
    folder = checkpoints.write_llama(tmp_path / "hf")
    path = write_gguf(folder, tmp_path / "m.gguf", arch__attention__sliding_window=2)
    assert_same_runs(path, folder)


def test_a_folder_with_one_file_is_opened_and_named_by_it(tmp_path: Path) -> None:
    folder = checkpoints.write_llama(tmp_path / "hf")
    (tmp_path / "tiny").mkdir()
    path = write_gguf(folder, tmp_path / "tiny" / "tiny-Q8.gguf")
    model = load(path.parent)
    assert (model.name, model.source) == ("tiny-Q8", path)
    again = pickle.loads(pickle.dumps(model))
    assert again.fingerprint == model.fingerprint
    shutil.copy(path, path.with_name("other.gguf"))
    with pytest.raises(FileError, match="It has 2 models in GGUF, such as other"):
        load(path.parent)


@pytest.mark.parametrize("end", ["eos", "eot", "eom"])
def test_the_end_tokens_of_the_file_end_a_text(tmp_path: Path, end: str) -> None:
    folder = checkpoints.write_llama(tmp_path / "hf")
    named = {f"tokenizer__ggml__{end}_token_id": 13}
    model = load(write_gguf(folder, tmp_path / "m.gguf", **named))
    # Greedy tokens are 6, 13, …, as recorded with transformers.
    made = generate(model.run(PROMPT), 8)
    assert (made.ids, made.stopped) == ((6, 13), "The token #13 ends the text.")


def test_tokens_are_named_and_looked_up_but_texts_need_rules(tmp_path: Path) -> None:
    folder = checkpoints.write_llama(tmp_path / "hf")
    tokens = ["<s>", "▁the", "<0x0A>", *(f"t{id}" for id in range(45))]
    path = write_gguf(
        folder,
        tmp_path / "m.gguf",
        tokenizer__ggml__model="llama",
        tokenizer__ggml__tokens=tokens,
        tokenizer__ggml__token_type=[3, 1, 6, *[1] * 45],
    )
    model = load(path)
    assert model.run([0, 1, 47]).tokens == ("<s>", "▁the", "t44")
    assert model.run(["▁the", "t0"]).ids == (1, 3)
    assert model.readable(["▁the"]) == ("␣the",)
    with pytest.raises(ValueError, match="Texts need the checkpoint's file tokenizer"):
        model.run("the")
    # What is typed in the window are ids or tokens then.
    assert run_over(model, first_sentence(model)).ids == tuple(range(16))
    assert run_over(model, "▁the t0").ids == (1, 3)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        # A number is one part, up to three digits are one, or each digit is.
        ("gpt-2", ["a", "Ġab", "123", "4"]),
        ("llama-bpe", ["<s>", "a", "Ġab", "123", "4"]),
        ("qwen2", ["a", "Ġab", "1", "2", "3", "4"]),
    ],
)
def test_texts_are_split_as_the_named_way_says(tmp_path: Path, way, expected) -> None:
    path = _splitting(tmp_path, way)
    run = load(path).run("a ab1234")
    assert list(run.tokens) == expected
    assert run.ids == tuple(_TOKENS.index(token) for token in expected)
    special = load(path).run("a<s>").ids
    assert special[-2:] == (_TOKENS.index("a"), _TOKENS.index("<s>"))


@pytest.mark.parametrize(
    ("adds", "expected"),
    [
        ({}, ["<s>", "a"]),
        ({"bos": False}, ["a"]),
        ({"eos": True}, ["<s>", "a", "</s>"]),
        ({"bos": False, "eos": True}, ["a", "</s>"]),
    ],
)
def test_texts_have_the_ends_that_the_file_asks_for(
    tmp_path: Path, adds, expected
) -> None:
    asked = {f"tokenizer__ggml__add_{end}_token": told for end, told in adds.items()}
    path = _splitting(tmp_path, "llama-bpe", **asked)
    assert list(load(path).run("a").tokens) == expected


_TOKENS = [*BYTE_SIGNS, "ab", "Ġab", "12", "123", "</s>", "<s>"]


def _splitting(folder: Path, way: str, **settings: object) -> Path:
    """Return a file that splits texts in a named way."""
    count = len(_TOKENS)
    return write_gguf(
        checkpoints.write_llama(folder / "hf", vocab_size=count),
        folder / "m.gguf",
        tokenizer__ggml__model="gpt2",
        tokenizer__ggml__pre=way,
        tokenizer__ggml__tokens=_TOKENS,
        tokenizer__ggml__token_type=[*[1] * (count - 2), 3, 3],
        tokenizer__ggml__merges=["a b", "Ġ ab", "1 2", "12 3"],
        tokenizer__ggml__bos_token_id=count - 1,
        tokenizer__ggml__eos_token_id=count - 2,
        **settings,
    )


def test_rows_of_a_quantised_table_are_read_alone(tmp_path: Path) -> None:
    folder = checkpoints.write_gpt2(tmp_path / "hf")
    path = write_gguf(folder, tmp_path / "m.gguf", "Q8_0")
    weights = load(path).weights
    ids = np.array([5, 0, 5])
    whole = np.concatenate([table for _, table in weights.blocks("tokens")])
    np.testing.assert_array_equal(weights.rows("tokens", ids), whole[ids])


def test_two_models_in_one_folder_are_different_models(tmp_path: Path) -> None:
    folder = checkpoints.write("gpt2", tmp_path / "hf")
    paths = [write_gguf(folder, tmp_path / f"{name}.gguf") for name in "ab"]
    runs = [load(path).run(TWELVE) for path in paths]
    with pytest.raises(ValueError, match=r"same model\. Got a and b instead"):
        head_table(runs)
