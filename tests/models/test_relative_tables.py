"""Edited tables of relative positions go back into a model."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from attnviewer import models
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from tests.models import encoder_decoders, recorded


def _checkpoint(name: str, folder: Path) -> tuple[Path, list[int]]:
    if name.startswith("deberta"):
        case = recorded.load(name)
        return case.write(folder), case.input_ids
    other = encoder_decoders.load(name)
    return other.write(folder), other.told["input_ids"]


def _with_tensor(folder: Path, tensor: str, values: np.ndarray) -> models.Model:
    """Return the model of a checkpoint in which a tensor was changed by hand."""
    other = shutil.copytree(folder, folder.with_name("by_hand"))
    tensors = load_file(folder / "model.safetensors")
    assert tensors[tensor].shape == values.shape
    save_file(tensors | {tensor: values}, other / "model.safetensors")
    return models.load(other)


@pytest.mark.parametrize(
    ("name", "table", "tensor"),
    [
        ("mpnet", "relative_bias", "encoder.relative_attention_bias.weight"),
        (
            "t5_encoder",
            "relative_bias",
            "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        ),
        ("deberta_own_projections", "R", "deberta.encoder.rel_embeddings.weight"),
    ],
)
@pytest.mark.parametrize("head", [None, 1])
def test_an_edited_table_changes_the_model_as_a_changed_checkpoint_does(
    name: str, table: str, tensor: str, head: int | None, tmp_path: Path
) -> None:
    folder, ids = _checkpoint(name, tmp_path / name)
    run = models.load(folder).run(ids)
    n_layers = run.model.n_layers
    patches = []
    for layer in range(n_layers):
        document = attention_document(run, layer, head)
        values = document.matrix(table).copy()
        values[1:4, -1] += 2
        edited = document.with_matrices({**document.matrices, table: values})
        edited.link = document.link
        patches.append(patch_of(edited))
    everywhere, first = with_patches(run, patches), with_patches(run, patches[:1])
    own = load_file(folder / "model.safetensors")
    if tensor not in own:
        tensor = tensor.removeprefix("deberta.")
    changed = own[tensor].copy()
    column = -1 if head is None or table == "R" else head
    changed[1:4, column] += 2
    by_hand = _with_tensor(folder, tensor, changed).run(ids)
    for layer in range(n_layers + 1):
        want = by_hand.stream(layer)
        close = {"atol": 1e-5 * np.abs(want).max(), "rtol": 0}
        np.testing.assert_allclose(everywhere.stream(layer), want, **close)
        if layer == 1:
            np.testing.assert_allclose(first.stream(1), want, **close)
    moved = np.abs(first.stream(n_layers) - run.stream(n_layers)).max()
    assert moved > 1e-3 * np.abs(run.stream(n_layers)).max()
