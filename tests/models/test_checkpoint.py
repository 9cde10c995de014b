"""Checkpoints are opened where they lie, and their weights read as they are stored."""

import json
import os
import shutil
import struct
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from attnviewer.io import FileError, FileFormatError
from attnviewer.io.safetensors import TensorFile
from attnviewer.models.checkpoint import Checkpoint, open_checkpoint
from tests.io.matrices.files import safetensors

A = np.array([[1.5, -2.0], [0.1, 3e38], [0.0, -1e-40]], np.float32)
B = np.array([7.0, 8.0], np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "gpt2", "n_layer": 2}')
    return folder


@pytest.fixture
def whole(folder: Path) -> Path:
    save_file({"a": A, "b": B}, folder / "model.safetensors")
    return folder


@pytest.fixture
def sharded(folder: Path) -> Path:
    save_file({"a": A}, folder / "model-1.safetensors", {"format": "pt"})
    save_file({"b": B}, folder / "model-2.safetensors", {"format": "pt"})
    weight_map = {"a": "model-1.safetensors", "b": "model-2.safetensors"}
    index = {"metadata": {"total_size": 32}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder


def _stored(folder: Path, dtype: str, shape: list[int], content: bytes) -> Checkpoint:
    tensors = safetensors({"a": (dtype, shape, content)})
    (folder / "model.safetensors").write_bytes(tensors)
    return open_checkpoint(folder)


@pytest.mark.parametrize("named", ["", "config.json", "model.safetensors"])
def test_a_model_is_opened_by_its_folder_or_a_file_of_it(whole: Path, named) -> None:
    checkpoint = open_checkpoint(str(whole / named))
    assert checkpoint.path == whole
    assert checkpoint.name == "tiny"
    assert checkpoint.config == {"model_type": "gpt2", "n_layer": 2}
    assert sorted(checkpoint.names) == ["a", "b"]
    assert "a" in checkpoint
    assert "c" not in checkpoint
    assert checkpoint.shape("a") == (3, 2)
    assert checkpoint.file_of("b") == whole / "model.safetensors"
    assert checkpoint.read("a").tobytes() == A.tobytes()


@pytest.mark.parametrize(
    "named",
    ["", "config.json", "model.safetensors.index.json", "model-2.safetensors"],
)
def test_weights_in_several_files_are_one_model(sharded: Path, named) -> None:
    checkpoint = open_checkpoint(sharded / named)
    assert checkpoint.path == sharded
    assert sorted(checkpoint.names) == ["a", "b"]
    assert checkpoint.file_of("a") == sharded / "model-1.safetensors"
    assert checkpoint.file_of("b") == sharded / "model-2.safetensors"
    assert checkpoint.read("a").tobytes() == A.tobytes()
    assert checkpoint.read("b").tobytes() == B.tobytes()


def test_weights_of_another_name_are_opened_by_it(whole: Path) -> None:
    save_file({"c": B}, whole / "tuned.safetensors")
    assert list(open_checkpoint(whole / "tuned.safetensors").names) == ["c"]
    assert sorted(open_checkpoint(whole).names) == ["a", "b"]


def test_weights_of_another_name_do_not_belong_to_an_index(sharded: Path) -> None:
    save_file({"c": B}, sharded / "tuned.safetensors")
    assert list(open_checkpoint(sharded / "tuned.safetensors").names) == ["c"]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("gpt2", "gpt2"),
        ("all_minilm/model", "all_minilm"),
        ("hub/models--openai--gpt2-xl/snapshots/607a30d", "gpt2-xl"),
        ("hub/models--gpt2/snapshots/607a30d", "gpt2"),
        ("mine/snapshots/step-100", "mine"),
        ("models--org--name", "name"),
    ],
)
def test_a_model_is_called_after_where_it_lies(tmp_path, folder, name) -> None:
    file_of = tmp_path / folder
    file_of.mkdir(parents=True)
    (file_of / "config.json").write_text('{"_name_or_path": "/home/somebody/secret"}')
    save_file({"a": A}, file_of / "model.safetensors")
    assert open_checkpoint(file_of).name == name


def test_the_folder_in_use_has_a_name_too(whole: Path, monkeypatch) -> None:
    monkeypatch.chdir(whole)
    checkpoint = open_checkpoint(".")
    assert checkpoint.name == "tiny"
    assert checkpoint.read("b").tolist() == [7.0, 8.0]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own")
def test_files_of_a_cache_are_links_to_elsewhere(sharded: Path, tmp_path) -> None:
    blobs = tmp_path / "blobs"
    blobs.mkdir()
    for number, path in enumerate(sorted(sharded.iterdir())):
        path.rename(blobs / str(number))
        path.symlink_to(f"../blobs/{number}")
    assert open_checkpoint(sharded).read("a").tobytes() == A.tobytes()
    by_file = open_checkpoint(sharded / "model-1.safetensors")
    assert by_file.path == sharded
    assert by_file.read("b").tobytes() == B.tobytes()


def test_float32_is_shown_without_a_copy_and_read_only(whole: Path) -> None:
    a = open_checkpoint(whole).read("a")
    assert a.dtype == np.float32
    assert not a.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        a[0, 0] = 0.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        a.flags.writeable = True


def test_float32_at_an_odd_byte_is_given_where_it_can_be_computed_with(folder) -> None:
    parts = {"odd": ("U8", [1], b"\7"), "a": ("F32", [3, 2], A.tobytes())}
    (folder / "model.safetensors").write_bytes(safetensors(parts))
    for a in (
        open_checkpoint(folder).read("a"),
        open_checkpoint(folder).rows("a", [0, 1, 2]),
    ):
        assert a.flags.aligned
        assert a.tobytes() == A.tobytes()


@pytest.mark.parametrize(("dtype", "code"), [("F16", "e"), ("F64", "d")])
def test_other_floats_become_float32(folder: Path, dtype, code) -> None:
    numbers = [1.5, -2.0, 0.1, 65504.0, 6e-8, float("-inf")]
    content = struct.pack(f"<6{code}", *numbers)
    want = struct.pack("<6f", *struct.unpack(f"<6{code}", content))
    checkpoint = _stored(folder, dtype, [3, 2], content)
    a = checkpoint.read("a")
    assert (a.dtype, a.shape) == (np.float32, (3, 2))
    assert a.tobytes() == want
    assert not a.flags.writeable
    assert checkpoint.rows("a", [2, 0]).tobytes() == want[16:] + want[:8]


def test_bfloat16_is_the_upper_half_of_float32(folder: Path) -> None:
    numbers = [1.0, -2.5, 0.15625, 2.0**-130, 3.0e38, float("-inf")]
    upper = [struct.pack("<f", number)[2:] for number in numbers]
    want = b"".join(b"\0\0" + half for half in upper)
    checkpoint = _stored(folder, "BF16", [3, 2], b"".join(upper))
    a = checkpoint.read("a")
    assert (a.dtype, a.shape) == (np.float32, (3, 2))
    assert a.tobytes() == want
    assert a[0].tolist() == [1.0, -2.5]
    assert not a.flags.writeable
    assert checkpoint.rows("a", [1]).tobytes() == want[8:16]


def test_tensors_of_any_shape_keep_it(folder: Path) -> None:
    shapes = [(), (0, 5), (1,), (2, 1, 3, 2)]
    tensors = {str(s): np.full(s, 2.0, np.float32) for s in shapes}
    save_file(tensors, folder / "model.safetensors")
    checkpoint = open_checkpoint(folder)
    for shape in shapes:
        assert checkpoint.shape(str(shape)) == shape
        assert checkpoint.read(str(shape)).tolist() == tensors[str(shape)].tolist()
        assert checkpoint.read(str(shape)).shape == shape


def test_rows_are_a_copy_in_the_order_that_was_asked_for(whole: Path) -> None:
    checkpoint = open_checkpoint(whole)
    rows = checkpoint.rows("a", [2, 0, 2])
    assert rows.tolist() == A[[2, 0, 2]].tolist()
    rows[:] = 5.0
    assert checkpoint.read("a").tobytes() == A.tobytes()
    assert checkpoint.rows("a", np.array([1], np.uint16)).tolist() == A[[1]].tolist()
    assert checkpoint.rows("a", []).shape == (0, 2)


def test_rows_that_follow_each_other_are_read_together(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[int, int]] = []
    read_into = TensorFile._read_into

    def noted(file: TensorFile, name: str, parts: Iterable[tuple[Any, int]]) -> None:
        parts = list(parts)
        read.extend((row, len(part)) for part, row in parts)
        read_into(file, name, parts)

    monkeypatch.setattr(TensorFile, "_read_into", noted)
    rows = open_checkpoint(whole).rows("a", [1, 2, 2, 0, 1, 2, 1])
    assert rows.tolist() == A[[1, 2, 2, 0, 1, 2, 1]].tolist()
    assert read == [(1, 2), (2, 1), (0, 3), (1, 1)]


@pytest.mark.parametrize(
    ("shape", "rows"), [([], [0, 0]), ([3], [2, 0]), ([2, 0], [1]), ([2, 1, 3], [1])]
)
def test_rows_of_any_shape_are_those_of_the_whole(folder: Path, shape, rows) -> None:
    tensor = np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
    checkpoint = _stored(folder, "F32", shape, tensor.tobytes())
    expected = np.atleast_1d(tensor)[rows]
    assert checkpoint.rows("a", rows).shape == expected.shape
    assert checkpoint.rows("a", rows).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("indices", "got"),
    [([0, 3], "3"), ([-1], "-1"), ([2**63], str(2**63)), ([0.5], "0.5")],
)
def test_rows_that_are_not_there_are_refused(whole: Path, indices, got) -> None:
    told = (
        "The 'indices' must be whole numbers of at least 0 and less than 3, the rows "
        f"of 'a'. Got {got} instead."
    )
    with pytest.raises(ValueError) as caught:  # noqa: PT011 compared as a whole
        open_checkpoint(whole).rows("a", indices)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("dtype", "content"),
    [
        ("I64", bytes(8)),
        ("U8", bytes(1)),
        ("BOOL", bytes(1)),
        ("F8_E4M3", bytes(1)),
        ("F8_E5M2", bytes(1)),
        ("ANY_NEW", bytes(3)),
    ],
)
def test_what_is_no_weight_is_told_when_it_is_read(folder, dtype, content) -> None:
    b = ("F32", [2], B.tobytes())
    parts = {"a.weight": (dtype, [1], content), "b": b}
    path = folder / "model.safetensors"
    path.write_bytes(safetensors(parts))
    checkpoint = open_checkpoint(folder)
    assert checkpoint.shape("a.weight") == (1,)
    assert checkpoint.read("b").tolist() == [7.0, 8.0]
    for ask in (checkpoint.read, lambda name: checkpoint.rows(name, [0])):
        with pytest.raises(FileFormatError) as caught:
            ask("a.weight")
        assert str(caught.value) == (
            f"{path}, a.weight: Weights must be in F32, F16, BF16 or F64; quantised "
            f"ones are not read. Got {dtype} instead."
        )


def test_what_float32_cannot_hold_is_refused(folder: Path) -> None:
    checkpoint = _stored(folder, "F64", [2], struct.pack("<2d", 1.0, 1e39))
    with pytest.raises(FileFormatError, match=r"a: It has numbers that are too large"):
        checkpoint.read("a")


def test_a_tensor_that_is_not_there_is_named(whole: Path) -> None:
    checkpoint = open_checkpoint(whole)
    for ask in (
        checkpoint.read,
        checkpoint.shape,
        checkpoint.file_of,
        lambda name: checkpoint.rows(name, [0]),
    ):
        with pytest.raises(FileFormatError) as caught:
            ask("c")
        assert str(caught.value) == (
            f"{whole}, c: There is no tensor of this name among the weights."
        )


_ALL, _OF_FILES = 1, 2
"""The columns of resident pages in /proc/self/statm."""


def _resident(column: int = _ALL) -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[column])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("dtype", ["F32", "BF16"])
def test_gigabytes_take_no_time_and_no_memory_until_they_are_looked_at(
    folder: Path, dtype: str
) -> None:
    size = {"F32": 4, "BF16": 2}[dtype]
    n_rows = 3 * 2**30 // 1024 // size
    large = n_rows * 1024 * size
    described = {
        "wte": {"dtype": dtype, "shape": [n_rows, 1024], "data_offsets": [0, large]},
        "b": {"dtype": dtype, "shape": [4], "data_offsets": [large, large + 4 * size]},
    }
    header = json.dumps(described).encode()
    header += b" " * (-len(header) % 8)  # as the library puts the numbers
    path = folder / "model.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    os.truncate(path, 8 + len(header) + large + 4 * size)
    open_checkpoint(folder)  # loads whatever there is to load
    before, begun = _resident(), time.process_time()
    checkpoint = open_checkpoint(folder)
    b = checkpoint.read("b")
    rows = checkpoint.rows("wte", [0, 7, n_rows - 1])
    assert time.process_time() - begun < 0.5  # whatever else the machine does
    assert b.tolist() == [0.0] * 4
    assert rows.shape == (3, 1024)
    assert not rows.any()
    if dtype == "F32":
        whole = checkpoint.read("wte")
        assert whole.shape == (n_rows, 1024)
        assert whole[-1, -1] == 0.0
    assert _resident() - before < 50e6


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_rows_of_a_table_leave_those_around_them_out_of_memory(folder: Path) -> None:
    table = np.zeros((4096, 1024), np.float32)  # 16 MiB
    save_file({"wte": table}, folder / "model.safetensors")
    checkpoint = open_checkpoint(folder)
    checkpoint.rows("wte", [0])  # loads whatever there is to load
    before = _resident()
    rows = checkpoint.rows("wte", np.arange(0, 4096, 16))  # one in 64 KiB, 1 MiB
    assert rows.shape == (256, 1024)
    assert _resident() - before < 4e6


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_what_was_converted_does_not_stay_in_memory_as_stored(folder: Path) -> None:
    table = np.ones((4096, 1024), np.float16)  # 8 MiB
    save_file({"wte": table}, folder / "model.safetensors")
    checkpoint = open_checkpoint(folder)
    checkpoint.rows("wte", [0])  # loads whatever there is to load
    before = _resident(_OF_FILES)
    np.testing.assert_array_equal(checkpoint.read("wte")[-1, :4], table[-1, :4])
    np.testing.assert_array_equal(checkpoint.rows("wte", slice(9, 700)), table[9:700])
    assert _resident(_OF_FILES) - before < 4e6


def test_tensors_of_a_file_share_what_is_mapped_of_it(whole: Path) -> None:
    checkpoint = open_checkpoint(whole)
    owners = []
    for name in ("a", "b", "a"):
        owner = checkpoint.read(name)
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        owners.append(owner.base)
    assert owners[0] is not None
    assert all(owner is owners[0] for owner in owners)


def test_a_file_is_mapped_once_however_often_it_is_opened(whole: Path) -> None:
    first, second = open_checkpoint(whole), open_checkpoint(whole)
    assert np.shares_memory(first.read("a"), second.read("b").base)
    path = whole / "model.safetensors"
    _replace(path)
    third = open_checkpoint(whole)
    assert not np.shares_memory(first._views["a"], third.read("a"))
    np.testing.assert_array_equal(third.read("a"), A + 1)
    np.testing.assert_array_equal(first._views["a"], A)


def _truncate(path: Path) -> None:
    os.truncate(path, 9)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _replace(path: Path) -> None:
    save_file({"a": A + 1, "b": B}, path.with_name("other"))
    path.with_name("other").replace(path)


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be replaced")
@pytest.mark.parametrize("read", [(), ("a",), ("b",)])
@pytest.mark.parametrize("change", [_truncate, _empty, _replace, Path.unlink])
def test_weights_that_change_after_they_were_opened_are_not_read(
    whole: Path, change, read
) -> None:
    checkpoint = open_checkpoint(whole)
    for name in read:
        checkpoint.read(name)
    path = whole / "model.safetensors"
    change(path)
    for ask in (checkpoint.read, lambda name: checkpoint.rows(name, [0])):
        with pytest.raises(FileError) as caught:
            ask("a")
        assert str(caught.value) == (
            f"{path}: It has been changed or removed since. Open it again."
        )


def test_rows_of_a_file_that_is_cut_short_while_they_are_read_are_refused(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = open_checkpoint(whole)
    path = whole / "model.safetensors"
    # The look at the file comes before it is cut.
    monkeypatch.setattr(TensorFile, "check_unchanged", lambda _: _truncate(path))
    with pytest.raises(FileError, match="It has been changed or removed since"):
        checkpoint.rows("a", [2])


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be replaced")
@pytest.mark.parametrize("change", [_replace, Path.unlink])
def test_weights_in_use_stay_when_a_new_file_takes_their_place(whole, change) -> None:
    a = open_checkpoint(whole).read("a")
    change(whole / "model.safetensors")
    assert a.tobytes() == A.tobytes()


def test_a_fingerprint_is_of_what_is_in_the_files_and_not_of_where_they_are(
    whole: Path, tmp_path: Path
) -> None:
    own = open_checkpoint(whole).fingerprint
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    assert open_checkpoint(copy).fingerprint == own
    config = copy / "config.json"
    config.write_text('{"model_type": "other"}', encoding="utf-8")
    assert open_checkpoint(copy).fingerprint != own
    shutil.copy(whole / "config.json", config)
    save_file({"a": A, "b": B + 1}, copy / "model.safetensors")
    assert open_checkpoint(copy).fingerprint != own
    (copy / "model.safetensors").rename(copy / "mine.safetensors")
    assert open_checkpoint(copy / "mine.safetensors").source == copy / (
        "mine.safetensors"
    )
    assert open_checkpoint(whole).source == whole
