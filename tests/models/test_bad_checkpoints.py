"""Damaged checkpoints are refused in one sentence, soon and in little memory."""

import json
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileFormatError
from tests.models import encoder_decoders, output_heads
from tests.models.checkpoints import write
from tests.models.vision import recorded_vision

_HUGE = 10**9
_SIZES = {
    "llama": ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"),
    "gpt2": ("n_embd", "n_layer", "n_head", "n_positions"),
    "bert": ("intermediate_size", "max_position_embeddings", "type_vocab_size"),
    "albert": ("embedding_size", "num_hidden_groups", "num_hidden_layers"),
    "deberta-v2": ("position_buckets", "intermediate_size"),
    "gpt_oss": ("num_local_experts", "num_experts_per_tok"),
    "opt": ("word_embed_proj_dim", "ffn_dim"),
}
_WORKER = """
import json, resource, sys, time
from attnviewer import models
from attnviewer.io import FileError
told = {}
for folder in sys.argv[1:]:
    start = time.perf_counter()
    try:
        models.load(folder)
        sentence = "opened"
    except FileError as error:
        sentence = str(error)
    told[folder] = sentence, time.perf_counter() - start
print(json.dumps([told, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


def _with_header(change: Callable[[dict], object]) -> Callable[[Path], None]:
    def write_changed(folder: Path) -> None:
        path = write("llama", folder) / "model.safetensors"
        content = path.read_bytes()
        (length,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8 : 8 + length])
        change(header)
        changed = json.dumps(header).encode()
        packed = struct.pack("<Q", len(changed)) + changed + content[8 + length :]
        path.write_bytes(packed)

    return write_changed


def _offsets(header: dict) -> None:
    first, second, *_ = (value for name, value in header.items() if name[0] != "_")
    second["data_offsets"] = first["data_offsets"]


def _leading(to: str) -> Callable[[Path], None]:
    def write_index(folder: Path) -> None:
        write("llama", folder, shards=2)
        path = folder / "model.safetensors.index.json"
        index = json.loads(path.read_text())
        index["weight_map"] = dict.fromkeys(index["weight_map"], to)
        path.write_text(json.dumps(index))

    return write_index


_DAMAGED = {
    "header of 2**62 bytes": lambda folder: (
        write("gpt2", folder) / "model.safetensors"
    ).write_bytes(struct.pack("<Q", 2**62) + b"{}"),
    "overlapping": _with_header(_offsets),
    "renamed": _with_header(lambda h: h.update(x=h.pop("model.norm.weight"))),
    "outside": _leading("../../secret.safetensors"),
    "missing": _leading("missing.safetensors"),
    "nested": lambda folder: (write("gpt2", folder) / "config.json").write_text(
        "[" * 100_000
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no getrusage")
def test_nothing_takes_long_or_much_memory_to_be_refused(tmp_path: Path) -> None:
    folders = []
    for family, fields in _SIZES.items():
        for field in fields:
            folders.append(write(family, tmp_path / f"{family} {field}"))
            config = json.loads((folders[-1] / "config.json").read_text())
            config[field] = _HUGE
            (folders[-1] / "config.json").write_text(json.dumps(config))
    for name, damage in _DAMAGED.items():
        folders.append(tmp_path / name)
        damage(folders[-1])
    command = [sys.executable, "-c", _WORKER, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told, kilobytes = json.loads(done.stdout)
    for folder, (sentence, seconds) in told.items():
        assert sentence.startswith(folder), sentence
        assert sentence.endswith("."), sentence
        assert len(sentence) < 600, sentence
        assert seconds < 5, folder
    assert kilobytes < 2**20


@pytest.mark.parametrize(
    ("family", "config", "location"),
    [
        ("llama", {"quantization_config": {"quant_method": m}}, ".quant_method")
        for m in ("gptq", "awq", "bitsandbytes", "fp8", 3)
    ]
    + [
        ("llama", {"quantization_config": {"load_in_8bit": True}}, "n_config"),
        ("llama", {"hidden_act": "soft"}, "$.hidden_act"),
        ("deberta-v2", {"position_buckets": 300}, "$.position_buckets"),
    ],
)
def test_a_value_that_is_not_supported_is_told_with_its_path(
    family: str, config: dict, location: str, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError) as caught:
        models.load(write(family, tmp_path, **config))
    assert str(caught.value.location).endswith(location)
    assert "Got " in caught.value.reason


_YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}
_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 4.0,
    "high_freq_factor": 1.0,
    "original_max_position_embeddings": 64,
}
_LINEAR = {"rope_type": "linear", "factor": 2.0}
_TOO_LARGE = {**_YARN, "attention_factor": 1e200}


@pytest.mark.parametrize(
    ("family", "config", "location"),
    [
        ("llama", {"rope_scaling": _TOO_LARGE}, ".rope_scaling.attention_factor"),
        ("gpt_neox", {"rope_scaling": _TOO_LARGE}, ".rope_scaling.attention_factor"),
        ("modernbert", {"rope_scaling": _TOO_LARGE}, ".rope_scaling.attention_factor"),
        (
            "llama",
            {"rope_scaling": {**_YARN, "mscale": 1e200, "mscale_all_dim": 1.0}},
            ".rope_scaling.mscale",
        ),
        (
            "llama",
            {"rope_scaling": {**_YARN, "beta_slow": 5e-324}},
            ".rope_scaling.beta_slow",
        ),
        (
            "llama",
            {"rope_scaling": {**_LINEAR, "factor": 5e-324}},
            ".rope_scaling.factor",
        ),
        ("llama", {"head_dim": 10_000_000, "rope_scaling": _LINEAR}, ".head_dim"),
        ("llama", {"hidden_size": 10**8, "rope_scaling": _LINEAR}, ".hidden_size"),
        ("llama", {"rope_scaling": _LLAMA3}, ".rope_scaling"),
        ("llama", {"rope_scaling": {**_YARN, "beta_fast": 0.5}}, ".rope_scaling"),
        ("llama", {"rope_scaling": _YARN, "rope_theta": 1.0}, ".rope_scaling"),
        (
            "phi3",
            {
                "original_max_position_embeddings": 1,
                "rope_scaling": {
                    "rope_type": "longrope",
                    "short_factor": [1.0] * 4,
                    "long_factor": [1.0] * 4,
                },
            },
            ".rope_scaling",
        ),
    ],
)
def test_numbers_that_no_rotation_has_are_refused_at_once_with_their_path(
    family: str, config: dict, location: str, tmp_path: Path
) -> None:
    folder = write(family, tmp_path)
    told = json.loads((folder / "config.json").read_text())
    told.pop("rope_parameters", None)
    (folder / "config.json").write_text(json.dumps(told | config))
    start = time.process_time()
    with pytest.raises(FileFormatError) as caught:
        models.load(folder)
    assert time.process_time() - start < 1
    assert caught.value.location == f"${location}"


def test_a_ratio_of_widths_beyond_the_range_is_told_with_its_path(
    tmp_path: Path,
) -> None:
    told, _ = recorded_vision.load("dinov2")
    told["config"]["mlp_ratio"] = 1e300
    with pytest.raises(FileFormatError) as caught:
        models.load(recorded_vision.write(told, tmp_path))
    assert caught.value.location == "$.mlp_ratio"


def test_values_of_heads_and_of_buckets_are_told_with_their_path(
    tmp_path: Path,
) -> None:
    case = output_heads.cases()["DebertaV2ForSequenceClassification"]
    case["config"]["pooler_hidden_act"] = "soft"
    with pytest.raises(FileFormatError) as caught:
        models.load(recorded_vision.write(case, tmp_path))
    assert caught.value.location == "$.pooler_hidden_act"
    t5 = encoder_decoders.load("t5")
    with pytest.raises(FileFormatError) as caught:
        models.load(t5.write(tmp_path, relative_attention_num_buckets=1))
    assert caught.value.location == "$.relative_attention_num_buckets"


def _with_nan(tensor: str, folder: Path) -> tuple[models.ModelTrace, str]:
    """Return a run of a model with one number spoilt, and what names its place."""
    write("gpt2", folder, tie_word_embeddings=False)
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    (name,) = (name for name in header if name.endswith(tensor))
    own = header[name]
    start, stop = (8 + length + offset for offset in own["data_offsets"])
    values = np.frombuffer(content[start:stop], "<f4").reshape(own["shape"]).copy()
    values[-1, -1] = np.nan
    content[start:stop] = values.tobytes()
    path.write_bytes(content)
    run = models.load(folder).run([47, 3])
    return run, f"{path} has such numbers in {name}."


@pytest.mark.parametrize(
    ("tensor", "seen"),
    [
        ("h.1.mlp.c_fc.weight", "hidden states after layer 1"),
        ("wte.weight", "embeddings"),
        ("lm_head.weight", "logits"),
    ],
)
def test_weights_that_are_no_numbers_are_named(
    tensor: str, seen: str, tmp_path: Path
) -> None:
    run, named = _with_nan(tensor, tmp_path)
    with pytest.raises(ValueError, match="such numbers in") as caught:
        _ = run.logits
    assert str(caught.value).startswith(f"The {seen} must hold finite numbers.")
    assert str(caught.value).endswith(named)


def test_a_weight_of_attention_that_is_no_number_is_named_with_its_layer(
    tmp_path: Path,
) -> None:
    run, named = _with_nan("h.1.attn.c_attn.weight", tmp_path)
    with pytest.raises(ValueError, match="'W_V' matrix of layer 1 must") as caught:
        run.attention(1)
    assert str(caught.value).endswith(named)
