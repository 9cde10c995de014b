"""What is no whole checkpoint is refused with a reason that helps."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from attnviewer.io import FileError
from attnviewer.models.checkpoint import open_checkpoint
from tests.io.matrices.files import safetensors

A = np.ones((3, 2), np.float32)
INDEX = "model.safetensors.index.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    return folder


def refusal(path: Path, of: Path | None = None) -> str:
    """Return the line with which a checkpoint is refused, without the path told."""
    with pytest.raises(FileError) as caught:
        open_checkpoint(path)
    told = str(caught.value)
    assert told.isprintable()
    assert told.startswith(str(of or path))
    return told.removeprefix(str(of or path)).lstrip(":, ")


def _index(folder: Path, weight_map: dict[str, object]) -> Path:
    path = folder / INDEX
    path.write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    return path


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "The folder is empty."


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path / "x") == "There is no such file or folder."


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("none")
    told = refusal(tmp_path)
    assert told == "There is neither config.json nor model.safetensors in it."


def test_a_model_in_its_hubs_cache_is_opened_by_a_snapshot(tmp_path: Path) -> None:
    for name in ("blobs", "refs", "snapshots"):
        (tmp_path / name).mkdir()
    told = "The model is in a folder of its snapshots: open that one."
    assert refusal(tmp_path) == told


def test_a_configuration_without_weights_is_told(folder: Path) -> None:
    assert refusal(folder) == "There is no model.safetensors in it."
    told = refusal(folder / "config.json", folder)
    assert told == "There is no model.safetensors in it."


@pytest.mark.parametrize("named", ["", "model.safetensors"])
def test_weights_without_a_configuration_are_told(tmp_path: Path, named) -> None:
    save_file({"a": A}, tmp_path / "model.safetensors")
    assert refusal(tmp_path / named) == (
        "There is no config.json beside model.safetensors. It tells how the model is "
        "built, and comes with the weights."
    )


def test_weights_of_another_name_are_not_guessed_at(folder: Path) -> None:
    save_file({"a": A}, folder / "tuned.safetensors")
    assert refusal(folder) == (
        "There is neither model.safetensors nor model.safetensors.index.json in it. "
        "If tuned.safetensors holds all weights, open that file."
    )


def test_files_of_weights_without_their_index_are_told(folder: Path) -> None:
    for number in (1, 2):
        save_file({"a": A}, folder / f"model-0000{number}-of-00002.safetensors")
    assert refusal(folder) == (
        "There is no model.safetensors.index.json in it, which tells which of its 2 "
        "files has which weights, and comes with them."
    )


@pytest.mark.parametrize("suffix", [".bin", ".pt", ".pth", ".ckpt", ".pkl"])
@pytest.mark.parametrize("by_file", [False, True])
def test_pickled_weights_are_not_opened_but_a_way_is_told(
    folder: Path, suffix: str, by_file: bool
) -> None:
    path = folder / f"pytorch_model{suffix}"
    path.write_bytes(b"\x80\x02.")
    assert refusal(path if by_file else folder, path) == (
        "It is pickled, and loading it could run code. Convert the model where it "
        "comes from: transformers.AutoModelForCausalLM.from_pretrained(folder)"
        ".save_pretrained(other) writes model.safetensors; for encoders, AutoModel."
    )


@pytest.mark.parametrize("suffix", [".h5", ".msgpack", ".onnx"])
@pytest.mark.parametrize("by_file", [False, True])
def test_weights_of_other_programs_are_told(tmp_path, suffix, by_file) -> None:
    path = tmp_path / f"weights{suffix}"
    path.write_bytes(b"GGUF")
    assert refusal(path if by_file else tmp_path, path) == (
        f"Weights in {suffix} are not read. Models are often given in several forms: "
        "take the one with model.safetensors."
    )


def test_a_file_that_belongs_to_no_model_is_told(folder: Path) -> None:
    (folder / "notes.txt").write_text("none")
    assert refusal(folder / "notes.txt") == (
        "A model is opened by its folder, its config.json, or its weights in "
        ".safetensors or .gguf."
    )


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_a_name_that_no_file_can_have_is_told(tmp_path: Path, name) -> None:
    with pytest.raises(FileError, match="The name holds"):
        open_checkpoint(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_pipe_is_not_waited_for(folder: Path, name) -> None:
    save_file({"a": A}, folder / "model.safetensors")
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert refusal(folder, folder / name) == "It is not an ordinary file."


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own")
def test_a_link_to_nothing_is_told(folder: Path) -> None:
    (folder / "model.safetensors").symlink_to("../blobs/gone")
    told = refusal(folder, folder / "model.safetensors")
    assert told == "There is no such file or folder."


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="all may be read"
)
def test_a_folder_that_may_not_be_read_is_told(folder: Path) -> None:
    folder.chmod(0)
    try:
        assert refusal(folder) == "Permission denied."
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("cut", [1, 30, 10**6])
def test_a_file_that_was_cut_short_is_told(folder: Path, cut) -> None:
    path = folder / "model.safetensors"
    save_file({"a": A}, path)
    os.truncate(path, max(path.stat().st_size - cut, 0))
    assert refusal(folder, path) in (
        "The tensors have 24 bytes, and the file 23 for them.",
        "It is no safetensors file, or was cut short.",
    )


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "a.gguf"])
def test_a_pointer_to_a_large_file_is_told_with_what_fetches_it(
    folder: Path, name
) -> None:
    save_file({"a": A}, folder / "model.safetensors")
    path = folder / name
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9")
    of = path if path.suffix == ".gguf" else folder
    assert refusal(of, path).startswith("It is a pointer of Git LFS, not the file it")
    assert "'git lfs pull'" in refusal(of, path)


_BAD_JSON = [
    (b"", "The file is empty."),
    (b"{", "line 1: It is not JSON: the text breaks off."),
    (b'{"a": NaN}', "line 1: NaN is not allowed: numbers must be finite."),
    (b'{"a":\n-Infinity}', "line 2: -Infinity is not allowed"),
    (b"[1]", "$: Expected an object, got a list."),
    (b"null", "$: Expected an object, got null."),
    (b'{"weight_map": {"a": "\xff"}}', "It is not text in UTF-8."),
    (b'{"a": "\xff", "weight_map": {"a": "b"}}', "It is not text in UTF-8."),
    ('{"a": 1}'.encode("utf-16"), "It is text in UTF-16. JSON must be in UTF-8."),
    (b"{" + b'"":0,' * 2**18 + b'"a":0}', "It has more than 262,144 entries."),
    (b" " * (2**24 + 1), "It is larger than 16 MiB."),
]


@pytest.mark.parametrize(("content", "told"), _BAD_JSON)
def test_a_configuration_that_cannot_be_read_is_told(folder, content, told) -> None:
    save_file({"a": A}, folder / "model.safetensors")
    (folder / "config.json").write_bytes(content)
    assert refusal(folder, folder / "config.json").startswith(told)


def test_a_configuration_that_is_nested_too_deeply_is_told(folder: Path) -> None:
    save_file({"a": A}, folder / "model.safetensors")
    (folder / "config.json").write_bytes(b'{"a":' + b"[" * 10**6)
    told = refusal(folder, folder / "config.json")
    assert told == "Its lists are nested too deeply."


@pytest.mark.parametrize(
    "content",
    [
        '{"n_layer": 1, "n_layer": 2}',
        '{"text": \n {"n_layer": 1, "n_layer": 2} }',
        '{"parts": [{"text": {"n_layer": 1, "n_layer": 2}}]}',
    ],
)
def test_a_configuration_that_says_something_twice_is_told(folder, content) -> None:
    save_file({"a": A}, folder / "model.safetensors")
    (folder / "config.json").write_text(content)
    told = refusal(folder, folder / "config.json")
    assert told == "Two entries have the name 'n_layer'."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        *_BAD_JSON,
        (b"{}", "$: Object missing required field 'weight_map'."),
        (b'{"weight_map": 3}', "$.weight_map: Expected an object"),
        (b'{"weight_map": {}}', "$.weight_map: Expected an object of length >= 1."),
        (b'{"weight_map": {"a": 3}}', "$.weight_map[...]: Expected a text"),
        (
            b'{"weight_map": {"a": "x", "a": "y"}}',
            "Two entries have the name 'a'.",
        ),
        (
            b'{"weight_map": {"a": "x"}, "weight_map": {"a": "y"}}',
            "Two entries have the name 'weight_map'.",
        ),
    ],
)
def test_an_index_that_cannot_be_read_is_told(folder: Path, content, told) -> None:
    (folder / INDEX).write_bytes(content)
    assert refusal(folder, folder / INDEX).startswith(told)


@pytest.mark.parametrize(
    "shard",
    [
        *("../x.safetensors", "/x.safetensors", "sub/x.safetensors", "..", ".", ""),
        *("..\\x.safetensors", "C:x.safetensors", "x\0.safetensors", "x\u202e.bin"),
    ],
)
def test_an_index_may_not_lead_out_of_its_folder(folder: Path, shard: str) -> None:
    for file_of in (folder, folder.parent):
        save_file({"a": A}, file_of / "x.safetensors")
    path = _index(folder, {"a": shard})
    assert refusal(folder, path).startswith(
        "Files of weights must be named without a folder, and lie beside it. Got '"
    )


def test_a_file_that_an_index_names_and_is_missing_is_named(folder: Path) -> None:
    save_file({"a": A}, folder / "m-1.safetensors")
    names = {letter: f"m-{n}.safetensors" for n, letter in enumerate("abc", 1)}
    path = _index(folder, names)
    assert refusal(folder, path) == (
        "The model is not whole: m-2.safetensors and 1 more of its 3 files of weights "
        "must lie in the same folder."
    )
    save_file({"b": A}, folder / "m-2.safetensors")
    assert refusal(folder, path) == (
        "The model is not whole: m-3.safetensors of its 3 files of weights must lie in "
        "the same folder."
    )


def test_a_name_that_is_too_long_for_a_file_is_missing(folder: Path) -> None:
    path = _index(folder, {"a": "x" * 5000})
    assert refusal(folder, path).startswith("The model is not whole: xxx")


def test_a_tensor_that_is_not_where_the_index_says_is_named(folder: Path) -> None:
    save_file({"a": A}, folder / "m-1.safetensors")
    path = _index(folder, {"a": "m-1.safetensors", "b": "m-1.safetensors"})
    assert refusal(folder, path) == "b: The tensor is not in m-1.safetensors."


def test_a_tensor_in_two_files_is_named(folder: Path) -> None:
    save_file({"a": A, "c": A}, folder / "m-1.safetensors")
    save_file({"b": A, "c": A}, folder / "m-2.safetensors")
    _index(folder, {"a": "m-1.safetensors", "b": "m-2.safetensors"})
    assert refusal(folder, folder / "m-2.safetensors") == (
        "c: A tensor of the same name is in m-1.safetensors."
    )


def test_a_damaged_file_among_several_is_named(folder: Path) -> None:
    save_file({"a": A}, folder / "m-1.safetensors")
    (folder / "m-2.safetensors").write_bytes(b"abc")
    _index(folder, {"a": "m-1.safetensors", "b": "m-2.safetensors"})
    told = refusal(folder, folder / "m-2.safetensors")
    assert told == "It is no safetensors file, or was cut short."


def test_tensors_that_overlap_are_told(folder: Path) -> None:
    content = safetensors({"a": ("F8_E4M3", [1], b"\1")})
    path = folder / "model.safetensors"
    path.write_bytes(content.replace(b"[0, 1]", b"[1, 0]"))
    assert refusal(folder, path).startswith("a: A tensor of the shape (1,) in F8_E4M3")
