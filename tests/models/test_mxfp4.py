"""Experts in MXFP4 compute what the same numbers in float32 do."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileFormatError
from attnviewer.models.mxfp4 import dequantised
from tests.io.matrices.files import safetensors
from tests.models import by_hand
from tests.models.checkpoints import write

_NUMBERS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_IDS = [3, 17, 42, 5, 29]


def test_the_numbers_are_those_of_the_specification() -> None:
    codes = np.arange(32, dtype=np.uint8) % 16  # every number, twice
    blocks = (codes[::2] | codes[1::2] << 4)[np.newaxis]  # (1, 16)
    half = dequantised(blocks, np.array([126], np.uint8))
    signed = [*_NUMBERS, *(-number for number in _NUMBERS)]
    assert half.tolist() == [number / 2 for number in signed * 2]
    assert np.signbit(half[8])
    assert np.isnan(dequantised(blocks, np.array([255], np.uint8))).all()
    smallest = dequantised(blocks, np.array([0], np.uint8))
    assert smallest[2] == 2.0**-127


def _packed(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return tensors with the matrices of experts packed, and rounded for that."""
    packed = {}
    for name, values in tensors.items():
        if not name.endswith(("experts.gate_up_proj", "experts.down_proj")):
            packed[name] = values
            continue
        across = values.swapaxes(1, 2)  # (experts, out, in)
        groups = across.reshape(*across.shape[:2], -1, 32)
        scales = np.ceil(np.log2(np.abs(groups).max(axis=-1) / 6))
        sizes = np.abs(groups) / 2 ** scales[..., np.newaxis]
        codes = np.abs(sizes[..., np.newaxis] - _NUMBERS).argmin(axis=-1)
        rounded = np.sign(groups) * np.take(_NUMBERS, codes)
        rounded *= 2 ** scales[..., np.newaxis]
        values[...] = rounded.reshape(across.shape).swapaxes(1, 2)
        codes = codes.astype(np.uint8) | (groups < 0).astype(np.uint8) << 3
        packed[f"{name}_blocks"] = codes[..., ::2] | codes[..., 1::2] << 4
        packed[f"{name}_scales"] = (scales + 127).astype(np.uint8)
    return packed


def _save(folder: Path, tensors: dict[str, np.ndarray], **config: object) -> Path:
    written = {
        name: ("U8" if a.dtype == np.uint8 else "F32", list(a.shape), a.tobytes())
        for name, a in tensors.items()
    }
    (folder / "model.safetensors").write_bytes(safetensors(written))
    said = json.loads((folder / "config.json").read_text()) | config
    (folder / "config.json").write_text(json.dumps(said))
    return folder


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two checkpoints of gpt-oss with the same numbers, the second in MXFP4."""
    plain, small = (write("gpt_oss", tmp_path / name) for name in ("plain", "small"))
    own = by_hand.tensors(plain)
    tensors = {n: a.astype("<f4") for n, a in own.items()}
    packed = _packed(tensors)
    _save(plain, tensors)
    return plain, _save(small, packed, quantization_config={"quant_method": "mxfp4"})


def test_packed_experts_compute_the_same(pair) -> None:
    plain, small = (models.load(folder).run(_IDS) for folder in pair)
    np.testing.assert_allclose(small.logits, plain.logits, rtol=1e-4, atol=1e-6)
    assert plain.model.fingerprint != small.model.fingerprint


def test_other_quantised_formats_and_shapes_are_refused(pair) -> None:
    plain, small = pair
    whole = _packed({n: a.astype("<f4") for n, a in by_hand.tensors(plain).items()})
    name = "model.layers.1.mlp.experts.down_proj_scales"
    _save(small, whole | {name: whole[name][:, :-1].copy()})
    with pytest.raises(FileFormatError, match=r"shape \(3, 32, 1\), for 32 inputs"):
        models.load(small)
    _save(small, whole, quantization_config={"quant_method": "gptq"})
    with pytest.raises(FileFormatError, match=r"Only plain weights and mxfp4"):
        models.load(small)
