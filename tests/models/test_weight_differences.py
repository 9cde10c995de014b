"""The difference of each head's weights between two checkpoints."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from attnviewer.models import load, weight_differences
from tests.models import checkpoints


def tuned(folder: Path, to: Path, name: str, at: tuple, by: float) -> Path:
    """Return a copy of a checkpoint with one weight changed."""
    to.mkdir()
    tensors = load_file(folder / "model.safetensors")
    tensors[name][at] += by
    save_file(tensors, to / "model.safetensors")
    (to / "config.json").write_bytes((folder / "config.json").read_bytes())
    return to


def test_a_changed_weight_is_found_in_the_heads_that_have_it(tmp_path: Path) -> None:
    # Four heads of eight columns, of which two share keys and values.
    folder = checkpoints.write_llama(tmp_path / "base")
    name = "model.layers.1.self_attn.k_proj.weight"
    other = tuned(folder, tmp_path / "tuned", name, (9, 3), 0.5)
    seen: list[int] = []
    found = weight_differences(load(other), load(folder), progress=seen.append)
    assert seen == [0, 1]
    expected = np.zeros((2, 4))
    expected[1, 2:] = 0.5  # row 9 is of the second head of keys
    for measure in ("norm", "largest"):
        np.testing.assert_allclose(found.grid("W_K", measure).values, expected)
    stored = load_file(folder / "model.safetensors")[name]
    expected[1, 2:] /= np.sqrt((stored[8:16].astype(float) ** 2).sum())
    np.testing.assert_allclose(found.grid("W_K").values, expected)
    for weight in ("W_Q", "W_V", "W_O"):
        assert not found.grid(weight, "largest").values.any()
    assert found.grid("W_K").title == "‖ΔW_K‖ / ‖W_K‖, tuned − base"


def test_the_rows_of_w_o_belong_to_heads(tmp_path: Path) -> None:
    # GPT-2 stores (inputs, outputs); row 17 is of the third head of eight columns.
    folder = checkpoints.write_gpt2(tmp_path / "base")
    name = "transformer.h.0.attn.c_proj.weight"
    other = tuned(folder, tmp_path / "tuned", name, (17, 30), -0.25)
    values = weight_differences(load(other), load(folder)).grid("W_O", "norm").values
    np.testing.assert_allclose(values, [[0, 0, 0.25, 0], [0] * 4], rtol=1e-6)


def test_biases_belong_to_heads_but_for_that_of_the_output(tmp_path: Path) -> None:
    # c_attn.bias has q, k and v of 32 numbers each; place 64 + 9 is b_V's of head 1.
    folder = checkpoints.write_gpt2(tmp_path / "base")
    name = "transformer.h.1.attn.c_attn.bias"
    tuned(folder, tmp_path / "a", name, (64 + 9,), 0.5)
    name = "transformer.h.0.attn.c_proj.bias"
    other = tuned(tmp_path / "a", tmp_path / "tuned", name, ([3, 20],), -3.0)
    found = weight_differences(load(other), load(folder))
    values = found.grid("b_V", "norm").values
    np.testing.assert_allclose(values, [[0] * 4, [0, 0.5, 0, 0]], rtol=1e-5)
    values = found.grid("b_O", "norm").values
    np.testing.assert_allclose(values, [[3 * 2**0.5] * 4, [0] * 4], rtol=1e-5)
    assert found.grid("b_O", "largest").values[0, 0] == pytest.approx(3)
    assert not found.grid("b_Q").values.any()
    plain = load(checkpoints.write_llama(tmp_path / "llama"))
    with pytest.raises(ValueError, match=r"'weight' must be .*W_O"):
        weight_differences(plain, plain).grid("b_Q")


def test_other_architectures_and_tokens_are_refused(tmp_path: Path) -> None:
    model = load(checkpoints.write_llama(tmp_path / "base"))
    others = {
        "family Llama": checkpoints.write_qwen2(tmp_path / "qwen2"),
        "n_kv_heads 2": checkpoints.write_llama(
            tmp_path / "grouped", num_key_value_heads=4
        ),
        "n_layers 2": checkpoints.write_llama(tmp_path / "deep", num_hidden_layers=3),
    }
    for wanted, folder in others.items():
        with pytest.raises(ValueError, match=f"must have {wanted}.*, as base has"):
            weight_differences(model, load(folder))
    for name, second in (("a", "b"), ("c", "d")):
        folder = checkpoints.write_llama(tmp_path / name)
        vocabulary = json.dumps({"the": 0, second: 1})
        (folder / "vocab.json").write_text(vocabulary, encoding="utf-8")
    expected = r"must have the tokens of a, with 'b' at 1\. Got 'd' instead\."
    with pytest.raises(ValueError, match=expected):
        weight_differences(load(tmp_path / "a"), load(tmp_path / "c"))
    assert not weight_differences(load(tmp_path / "a"), model).grid("W_Q").values.any()
