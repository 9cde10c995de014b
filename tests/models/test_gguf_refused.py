"""GGUF files that are damaged, hostile or unsupported are refused in one sentence."""

import resource
import struct
import sys
from contextlib import suppress
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from attnviewer.io import FileError
from attnviewer.models import load
from attnviewer.models.gguf import header as gguf_header
from tests.models import checkpoints

_HUGE = 2**63
_SMALL = {
    "block_count": 1,
    "context_length": 8,
    "embedding_length": 4,
    "feed_forward_length": 4,
    "attention.head_count": 1,
    "attention.layer_norm_rms_epsilon": 1e-6,
}


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def setting(key: str, value: object) -> bytes:
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if isinstance(value, float):
        return text(key) + struct.pack("<If", 6, value)
    return text(key) + struct.pack("<II", 4, value)


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    sides = struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
    return text(name) + sides + struct.pack("<IQ", kind, offset)


def header(*parts: bytes, tensors: int = 0, settings: int = 0, version: int = 3):
    return b"GGUF" + struct.pack("<IQQ", version, tensors, settings) + b"".join(parts)


def llama(*tensors: bytes, **more: object) -> bytes:
    """Return a file with the settings of a small Llama, some tensors and zeros.

    A setting of None is left out.
    """
    given = {f"llama.{key}": value for key, value in _SMALL.items()}
    given |= {key.replace("__", "."): value for key, value in more.items()}
    given = {"general.architecture": "llama"} | given
    told = {key: value for key, value in given.items() if value is not None}
    settings = [setting(key, value) for key, value in told.items()]
    parts = *settings, *tensors, bytes(128)
    return header(*parts, tensors=len(tensors), settings=len(settings))


def refusal(path: Path, content: bytes) -> str:
    """Return the line with which a file is refused, without its path."""
    path.write_bytes(content)
    began = process_time()
    with pytest.raises(FileError) as caught:
        load(path)
    assert process_time() - began < 5
    told = str(caught.value)
    assert told.isprintable()
    return told.removeprefix(str(path)).lstrip(":, ")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "It is no GGUF file, or was cut short."),
        (b"GGML" + bytes(40), "It is no GGUF file."),
        (b"GGUF\x03", "It is no GGUF file, or was cut short."),
        (
            header(version=1),
            "Its version must be 2 or 3, with the lowest byte first. Got 1 instead.",
        ),
        (
            header(version=3 << 24),
            "Its version must be 2 or 3, with the lowest byte first. "
            "Got 50331648 instead.",
        ),
        (header(tensors=10**9), "It has more than 65,536 tensors."),
        (header(tensors=2**16), "Its header was cut short or is damaged."),
        (header(settings=_HUGE), "It has more than 65,536 settings."),
        (
            header(struct.pack("<Q", _HUGE), bytes(20), settings=1),
            "Its header was cut short or is damaged.",
        ),
        (
            header(text("a"), struct.pack("<IQ", 8, _HUGE), settings=1),
            "Its header was cut short or is damaged.",
        ),
        (
            header(text("a"), struct.pack("<IIQ", 9, 8, _HUGE), settings=1),
            "Its header was cut short or is damaged.",
        ),
        (
            header(text("a"), struct.pack("<IIQ", 9, 6, _HUGE), settings=1),
            "Its header was cut short or is damaged.",
        ),
        (
            header(text("a"), struct.pack("<IIQ", 9, 9, 1), bytes(9), settings=1),
            "a: Values of the type number 9 are not read.",
        ),
        (
            header(setting("a", 1), setting("a", 2), settings=2),
            "a: It is set twice.",
        ),
        (
            header(text("a"), struct.pack("<I", 9), bytes(20), tensors=1),
            "a: A tensor has at most 4 dimensions. Got 9 instead.",
        ),
        (
            llama(tensor("token_embd.weight", (4, 4)), tensor("token_embd.weight", ())),
            "token_embd.weight: It has two tensors of this name.",
        ),
        (
            llama(general__alignment=0),
            "general.alignment: It must be a positive whole number.",
        ),
        (
            llama(split__count=3),
            "split.count: It is one of several files of a model. Merge them first: "
            "llama-gguf-split --merge.",
        ),
        (
            llama(llama__expert_count=8),
            "llama.expert_count: Only 0 is computed here. Got 8 instead.",
        ),
        (
            llama(llama__logit_scale=2),
            "llama.logit_scale: This setting (2) is not known here: without it the "
            "results would be others.",
        ),
        (
            llama(llama__rope__dimension_count=2),
            "llama.rope.dimension_count: All 4 columns of a head must rotate. "
            "Got 2 instead.",
        ),
        (
            llama(llama__rope__scaling__type="longrope"),
            "llama.rope.scaling.type: It must be one of none, linear, yarn. "
            "Got 'longrope' instead.",
        ),
        (
            header(setting("general.architecture", "mamba"), settings=1),
            "general.architecture: The architecture must be one of llama, qwen2, "
            "qwen3, gemma, gemma2, phi3, gpt2. Got 'mamba' instead.",
        ),
        (
            header(setting("general.architecture", "llama"), settings=1),
            "llama.embedding_length: This setting is missing.",
        ),
        (
            llama(llama__attention__layer_norm_rms_epsilon=None),
            "llama.attention.layer_norm_rms_epsilon: This setting is missing.",
        ),
    ],
)
def test_a_damaged_or_unsupported_header_is_told(tmp_path, content, told) -> None:
    assert refusal(tmp_path / "m.gguf", content) == told


def test_a_tensor_of_another_model_is_not_ignored(tmp_path: Path) -> None:
    content = llama(tensor("blk.0.ffn_gate_inp.weight", (0,)))
    assert refusal(tmp_path / "m.gguf", content) == (
        "blk.0.ffn_gate_inp.weight: llama does not use this tensor: without it the "
        "results would be others."
    )


def test_a_file_that_was_cut_short_is_told_without_its_weights(tmp_path: Path) -> None:
    for shape in ((10**9, 4), (_HUGE, _HUGE, _HUGE, _HUGE)):
        told = refusal(tmp_path / "m.gguf", llama(tensor("token_embd.weight", shape)))
        assert told.startswith(f"token_embd.weight: A tensor of the shape {shape}")
        assert told.endswith("it was cut short or is damaged.")


def test_a_file_that_is_cut_off_while_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.gguf"
    mapped = gguf_header.mmap

    def late(*given, **options):
        path.write_bytes(b"")
        return mapped(*given, **options)

    monkeypatch.setattr(gguf_header, "mmap", late)
    assert refusal(path, llama()) == "Another program is writing to it."


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in KiB there")
def test_lists_without_end_take_little_time_and_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    # A sparse file, in which an array has 2^23 empty texts.
    start = header(text("a"), struct.pack("<IIQ", 9, 8, 2**23), settings=1)
    path.write_bytes(start)
    with path.open("r+b") as file:
        file.truncate(2**33)
    began, before = process_time(), resource.getrusage(resource.RUSAGE_SELF)
    with pytest.raises(FileError, match="It has more than 1,048,576 texts"):
        load(path)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert process_time() - began < 5
    assert after.ru_maxrss - before.ru_maxrss < 2**20


def test_quantised_weights_without_the_package_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gguf", None)
    told = refusal(tmp_path / "m.gguf", llama(tensor("output.weight", (1, 32), kind=2)))
    assert told == (
        "Quantised weights need the package 'gguf', which is not installed: "
        "pip install 'attnviewer[gguf]'."
    )


def test_types_that_are_not_known_or_not_dequantised_are_told(tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    path = tmp_path / "m.gguf"
    told = refusal(path, llama(tensor("token_embd.weight", (4, 4), kind=99)))
    assert told == (
        "token_embd.weight: The type number 99 of its weights is not known."
    )
    told = refusal(path, llama(tensor("token_embd.weight", (4, 4), kind=8)))
    assert told == (
        "token_embd.weight: The columns must be a multiple of 32 in Q8_0. "
        "Got 4 instead."
    )
    from tests.models.gguf_files import write_gguf

    folder = checkpoints.write_llama(tmp_path / "hf")
    write_gguf(folder, path)
    content = bytearray(path.read_bytes())
    at = content.index(b"blk.0.attn_q.weight") + len("blk.0.attn_q.weight") + 4 + 16
    assert struct.unpack_from("<I", content, at) == (0,)
    # Integers of as many bytes as the floats.
    struct.pack_into("<I", content, at, gguf.GGMLQuantizationType.I32)
    told = refusal(path, bytes(content))
    assert told == (
        "model.layers.0.self_attn.q_proj.weight: Weights in I32 cannot be dequantised."
    )


def test_damaged_bytes_are_refused_or_read_but_never_crash(tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    from tests.models.gguf_files import write_gguf

    folder = checkpoints.write_llama(tmp_path / "hf")
    path = write_gguf(folder, tmp_path / "m.gguf")
    content = path.read_bytes()
    length = content.index(b"output_norm.weight")
    generator = np.random.default_rng(3)
    for _ in range(60):
        damaged = bytearray(content)
        for place in generator.integers(0, length, 3):
            damaged[place] = generator.integers(0, 256)
        path.write_bytes(damaged)
        with suppress(FileError):
            load(path)
