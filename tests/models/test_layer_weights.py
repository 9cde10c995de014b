"""The weights of a layer: views of the mapped file while there are any."""

import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from attnviewer import models
from attnviewer.io import FileError
from tests.models.checkpoints import write, write_bert, write_gpt2

PARTS = ("W_", "b_")


def _aligned(folder: Path) -> Path:
    """Write a checkpoint again as the library does, with numbers at whole addresses."""
    path = folder / "model.safetensors"
    save_file(load_file(path), path)
    return folder


def test_parts_stored_as_float32_are_views_and_the_same_every_time(
    tmp_path: Path,
) -> None:
    weights = models.load(_aligned(write_gpt2(tmp_path / "little"))).weights
    first, again = (weights.layer(0, PARTS) for _ in range(2))
    assert {"W_Q", "W_K", "W_V", "W_O"} <= first.keys() == again.keys()
    for name, array in first.items():
        assert np.shares_memory(array, again[name])


def test_the_norm_of_an_only_head_is_the_same_every_time(tmp_path: Path) -> None:
    folder = write(
        "stablelm",
        tmp_path / "little",
        extra={f"layers.#.self_attn.{s}_layernorm.norms.0": "m" for s in "qk"},
        num_attention_heads=1,
        num_key_value_heads=1,
        qk_layernorm=True,
    )
    weights = models.load(_aligned(folder)).weights
    first, again = (weights.layer(0, ("gain_",)) for _ in range(2))
    assert first.keys() == again.keys() == {"gain_Q", "gain_K"}
    for name, array in first.items():
        np.testing.assert_array_equal(array, again[name])


def test_parts_that_must_be_widened_are_not_kept_in_memory(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "half", dtype="float16")
    weights = models.load(folder).weights
    first, again = (weights.layer(0, PARTS) for _ in range(2))
    for name, array in first.items():
        assert array.dtype == np.float32
        assert not np.shares_memory(array, again[name])
        np.testing.assert_array_equal(array, again[name])


def test_a_caller_that_takes_parts_out_does_not_take_them_from_the_next(
    tmp_path: Path,
) -> None:
    weights = models.load(_aligned(write_gpt2(tmp_path / "little"))).weights
    weights.layer(0, PARTS)
    weights.layer(0, PARTS).clear()
    assert "W_Q" in weights.layer(0, PARTS)


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be replaced")
def test_a_layer_that_was_read_is_refused_once_its_file_is_gone(tmp_path: Path) -> None:
    folder = _aligned(write_gpt2(tmp_path / "little"))
    weights = models.load(folder).weights
    weights.layer(0, PARTS)
    (folder / "model.safetensors").unlink()
    with pytest.raises(FileError, match="It has been changed or removed since"):
        weights.layer(0, PARTS)
