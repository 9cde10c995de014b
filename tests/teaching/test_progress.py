import json
from pathlib import Path

import pytest

from attnviewer.io.errors import FileError
from attnviewer.teaching import Progress, load_progress, save_progress
from attnviewer.teaching.answers import answer_of, plain_answer

DONE = Progress(
    answers={
        "numbers": {(0, 1): "0.5", (2, 0): "1/3"},
        "choice": (0, 2),
        "mistake": "scale-missing",
    },
    done=frozenset({"numbers", "make"}),
    skipped=frozenset({"choice"}),
    hints={"numbers": 2},
    page=3,
    seed=17,
)


def test_progress_is_kept_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "lessons" / "progress"
    save_progress(folder, "four-words", DONE)
    assert load_progress(folder, "four-words") == (DONE, "")
    assert load_progress(folder, "other") == (Progress(), "")
    assert [path.name for path in folder.iterdir()] == ["lesson-four-words.json"]


def test_a_document_is_no_part_of_it(tmp_path: Path) -> None:
    save_progress(tmp_path, "a", Progress(answers={"make": object(), "choice": (1,)}))
    assert load_progress(tmp_path, "a")[0].answers == {"choice": (1,)}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe{}",
        b"[" * 100_000,
        b'{"format": "other"}',
        b'{"answers": {"a": 1.5}, "done": [], "skipped": [], "hints": {}, "page": 0, '
        b'"seed": 0, "format": "attnviewer-progress", "version": 1}',
    ],
)
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "lesson-a.json"
    path.write_bytes(data)
    progress, said = load_progress(tmp_path, "a")
    assert progress == Progress()
    assert "could not be read" in said
    assert not path.exists()
    (aside,) = tmp_path.iterdir()
    assert aside.name in said
    assert aside.read_bytes() == data
    assert load_progress(tmp_path, "a") == (Progress(), "")


def test_a_file_is_never_half_written(tmp_path: Path) -> None:
    save_progress(tmp_path, "a", DONE)
    path = tmp_path / "lesson-a.json"
    assert json.loads(path.read_bytes())["answers"]["numbers"] == {
        "0,1": "0.5",
        "2,0": "1/3",
    }
    before = path.read_bytes()
    path.unlink()
    path.mkdir()
    with pytest.raises(FileError):
        save_progress(tmp_path, "a", DONE)
    path.rmdir()
    path.write_bytes(before)
    assert load_progress(tmp_path, "a") == (DONE, "")


@pytest.mark.parametrize("lesson", ["", "../a", "a/b", "a b", "a" * 61])
def test_an_id_is_no_way_out_of_the_folder(tmp_path: Path, lesson: str) -> None:
    with pytest.raises(ValueError, match="id of a lesson"):
        save_progress(tmp_path, lesson, DONE)
    with pytest.raises(ValueError, match="id of a lesson"):
        load_progress(tmp_path, lesson)


def test_cells_that_are_none_are_left_out() -> None:
    plain = {"0,1": "a", "x": "b", "1,": "c", "-1,0": "d", "1,2,3": "e"}
    assert answer_of(plain) == {(0, 1): "a"}
    assert plain_answer({(0, 1): 0.5}) == {"0,1": "0.5"}
