"""Files by what they are: read whatever their name says, or refused with a way out."""

import gzip
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attnviewer.io import FileFormatError, load
from attnviewer.io.matrices import read_matrices
from attnviewer.io.session import save_session
from tests.documents import four_words
from tests.io.matrices.files import (
    NUMBERS,
    evil_pickle,
    npy_header,
    plain,
    refusal,
    safetensors,
)


def _written(path: Path, kind: str) -> None:
    """Write the same numbers in a format, whatever the file is called."""
    numbers = np.array(NUMBERS)
    with path.open("wb") as file:
        if kind == ".npy":
            np.save(file, numbers)
        elif kind == ".npz":
            np.savez(file, W=numbers)
        elif kind == ".safetensors":
            content = "F64", [2, 3], numbers.astype("<f8").tobytes()
            file.write(safetensors({"W": content}))
        else:
            file.write(str(NUMBERS).encode())


@pytest.mark.parametrize("kind", [".npy", ".npz", ".json", ".safetensors"])
@pytest.mark.parametrize("upper", [False, True])
def test_files_are_read_by_their_suffix_in_any_case(tmp_path, kind, upper) -> None:
    path = tmp_path / f"W{kind.upper() if upper else kind}"
    _written(path, kind)
    for named in (path, str(path)):
        matrices = read_matrices(named)
        assert plain(matrices) == {"W": NUMBERS}
        assert matrices.notices == []
        assert matrices.tokens == ()


@pytest.mark.parametrize("kind", [".npy", ".npz", ".safetensors"])
@pytest.mark.parametrize("suffix", [".npy", ".npz", ".csv", ".json", ".pt", ".dat", ""])
def test_a_file_with_a_wrong_name_is_read_with_a_notice(tmp_path, kind, suffix) -> None:
    path = tmp_path / f"W{suffix}"
    _written(path, kind)
    matrices = read_matrices(path)
    assert plain(matrices) == {"W": NUMBERS}
    told = f"By its content it is a {kind} file."
    assert matrices.notices == ([told] if kind != suffix else [])


@pytest.mark.parametrize(
    "name",
    ["W W.json", "Wé 東京 😀.json", "W.v2.json", "W\n.json", f"{'W' * 250}.json"],
)
def test_any_name_a_file_can_have_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    _written(path, ".json")
    assert plain(read_matrices(path)) == {name.removesuffix(".json"): NUMBERS}


@pytest.mark.parametrize("suffix", ["", ".dat", ".html", ".JS", ".json~"])
def test_a_file_of_an_unknown_kind_is_refused_with_what_can_be_read(tmp_path, suffix):
    path = tmp_path / f"W{suffix}"
    path.write_text("[[1]]")
    told = refusal(path)
    assert told.startswith("It is not known what the file is. Its name must end in ")
    for known in (".json", ".npy", ".npz", ".safetensors"):
        assert known in told


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".json", ".dat", ".png"])
@pytest.mark.parametrize(
    ("start", "kind"),
    [(b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff\xe0", "JPEG")],
)
def test_a_picture_is_told_to_be_for_models(tmp_path, suffix, start, kind) -> None:
    path = tmp_path / f"cat{suffix}"
    path.write_bytes(start + bytes(50))
    assert refusal(path) == (
        f"It is a {kind} image. Models for pictures take it: attnviewer model FOLDER "
        f"--text cat{suffix}"
    )


@pytest.mark.parametrize("suffix", [".md", ".attnx"])
def test_what_only_the_window_opens_is_told_with_the_command(tmp_path, suffix) -> None:
    path = tmp_path / f"course{suffix}"
    path.write_text("# A lesson")
    assert refusal(path).endswith(f" opens it: attnviewer course{suffix}")


@pytest.mark.parametrize("name", ["tokenizer.json", "vocab.txt", "config.json"])
def test_a_file_of_a_model_alone_is_told_with_the_way_to_open_one(tmp_path, name):
    path = tmp_path / name
    path.write_text('{"version": "1.0", "model": {}}')
    assert "attnviewer model FOLDER" in refusal(path)
    with pytest.raises(FileFormatError, match="It is a file of a model, without"):
        load(str(path))


def _xlsb(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.bin", b"")


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".npz", ".json", ".dat", ".xlsx"])
def test_what_holds_no_numbers_is_told_apart(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"W{suffix}"
    for content, kind in (
        (b"%PDF-1.7\n", "a PDF document"),
        (gzip.compress(b"1,2"), "a gzip archive"),
    ):
        path.write_bytes(content)
        assert refusal(path) == f"It is {kind}. It holds no numbers that can be read."
    _xlsb(path)
    told = (
        "It is a workbook in an older or binary format of Excel, or an encrypted one. "
        "Save it as .xlsx, without a password."
    )
    assert refusal(path) == told
    save_session(four_words(), path)
    told = "It is a session of attnviewer. It is opened rather than imported."
    assert refusal(path) == told


@pytest.mark.parametrize("suffix", [".pt", ".pth", ".ckpt", ".bin", ".PT", ".npz"])
def test_a_pytorch_file_is_refused_with_the_way_to_convert_it(tmp_path, suffix) -> None:
    path, trace = tmp_path / f"my model{suffix}", tmp_path / "trace"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", evil_pickle(trace))
        archive.writestr("archive/data/0", bytes(8))
    told = (
        "It is a PyTorch file. Loading it could run code. Convert it where it comes "
        "from: safetensors.torch.save_file("
        f"torch.load('my model{suffix}', weights_only=True), 'my model.safetensors')"
    )
    assert refusal(path) == told
    assert not trace.exists()


@pytest.mark.parametrize("suffix", [".pt", ".bin", ".npy", ""])
def test_an_older_pytorch_file_is_refused_with_the_way_to_convert_it(tmp_path, suffix):
    # What torch.save(…, _use_new_zipfile_serialization=False) begins with.
    begun = bytes.fromhex(
        "80028a0a6cfc9c46f9206aa850192e8002 4de9032e".replace(" ", "")
    )
    path = tmp_path / f"it's{suffix}"
    path.write_bytes(begun + b"\x80\x02}q\x00.")
    assert refusal(path) == (
        "It is a PyTorch file. Loading it could run code. Convert it where it comes "
        f'from: safetensors.torch.save_file(torch.load("it\'s{suffix}", '
        'weights_only=True), "it\'s.safetensors")'
    )


@pytest.mark.parametrize("suffix", [".pkl", ".pickle", ".joblib", ".npy", ".csv", ""])
def test_a_pickle_is_refused_with_the_way_to_convert_it(tmp_path, suffix) -> None:
    path, trace = tmp_path / f"W{suffix}", tmp_path / "trace"
    path.write_bytes(evil_pickle(trace))
    told = (
        "It is a pickle of Python. Loading it could run code. Save its arrays where "
        "they come from: np.savez('W.npz', **arrays)"
    )
    assert refusal(path) == told
    assert not trace.exists()


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        (".pt", "a PyTorch file"),
        (".pkl", "a pickle of Python"),
        (".xls", "a workbook in an older or binary format of Excel"),
        (".attn", "a session of attnviewer"),
    ],
)
def test_a_suffix_tells_where_nothing_else_does(tmp_path, suffix, kind) -> None:
    path = tmp_path / f"W{suffix}"
    path.write_bytes(b"?" * 20)
    assert refusal(path).startswith(f"It is {kind}")


@pytest.mark.parametrize("suffix", [".json", ".npy", ".npz", ".safetensors", ".dat"])
def test_an_empty_file_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"W{suffix}"
    path.touch()
    assert refusal(path) == "The file is empty."


def test_what_is_no_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "It is a folder, not a file."
    assert refusal(tmp_path / "W.npy") == "There is no such file or folder."
    assert refusal(tmp_path / "W\0.npy") == "The name holds a null character."
    assert refusal(tmp_path / "W\ud800.npy") == (
        "The name holds an unpaired surrogate (half a character)."
    )
    assert refusal(tmp_path / f"{'W' * 300}.npy") == "The name is too long."
    pipe = tmp_path / "W.json"
    os.mkfifo(pipe)
    assert refusal(pipe) == "It is not an ordinary file."


@pytest.mark.parametrize("kind", [".npy", ".npz", ".json", ".safetensors"])
def test_a_file_that_may_not_be_read_is_refused(tmp_path, kind, monkeypatch) -> None:
    path = tmp_path / f"W{kind}"
    _written(path, kind)

    def denied(self: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert refusal(path) == "Permission denied."


def test_nothing_in_memory_grows_with_what_a_file_claims(tmp_path: Path) -> None:
    path = tmp_path / "W.npy"
    with path.open("wb") as file:
        file.write(npy_header((2**20, 2**17)))
        file.truncate(len(npy_header((2**20, 2**17))) + 2**30)
    assert refusal(path).endswith(
        "takes 1,099,511,627,776 bytes. Got 1,073,741,824 instead."
    )
