"""Exercise files."""

import json
from pathlib import Path

import pytest

from attnviewer.io import FileError
from attnviewer.io.session import save_session
from attnviewer.teaching.exercise.file import (
    DESCRIPTION,
    TEXT,
    exercise_bytes,
    exercise_from_text,
    read_exercise,
    read_exercise_text,
)
from attnviewer.teaching.exercise.opening import open_pages
from tests.teaching.exercise.course import (
    DRAWN,
    SECRET,
    WEIGHTS,
    copy_of,
    exercise_of,
)
from tests.teaching.exercise.hostile import TAMPERED, parts_of, zipped


@pytest.fixture
def path(tmp_path) -> Path:
    written = tmp_path / "copy.attnx"
    written.write_bytes(exercise_bytes(copy_of("ada", exercise_of())))
    return written


def test_what_is_written_is_read(path) -> None:
    exercise = exercise_of()
    copy = read_exercise(path)
    assert copy.text == exercise.text
    assert copy.lesson == exercise.lesson
    assert copy.digest == exercise.digest
    assert copy.copy == copy_of("ada", exercise).copy


def test_a_file_without_an_id_keeps_the_name_that_it_had(tmp_path) -> None:
    text = WEIGHTS.replace("id: weights-by-hand\n", "")
    exercise = exercise_from_text(Path("week3.md"), text)
    assert exercise.id == "week3"
    (tmp_path / "renamed.attnx").write_bytes(exercise_bytes(exercise))
    assert read_exercise(tmp_path / "renamed.attnx").id == "week3"


def test_the_secret_is_in_no_copy(path) -> None:
    everything = b"".join(parts_of(path).values()) + path.read_bytes()
    for written in (
        SECRET,
        SECRET.hex().encode(),
        SECRET[:8],
        SECRET.hex()[:16].encode(),
    ):
        assert written not in everything


def test_the_same_exercise_gives_the_same_bytes(path, tmp_path) -> None:
    again = tmp_path / "again.attnx"
    again.write_bytes(exercise_bytes(copy_of("ada", exercise_of())))
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_archive_is_refused(path, name: str) -> None:
    tamper, reason = TAMPERED[name]
    path.write_bytes(tamper(parts_of(path)))
    with pytest.raises(FileError) as caught:
        read_exercise(path)
    assert reason in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"points": 600}, "are not those of its text"),
        ({"title": "Another"}, "are not those of its text"),
        ({"id": "../../etc"}, "The 'id' must be letters"),
        ({"format": "zip"}, "The 'format' must be 'attnviewer-exercise'"),
        ({"version": 2}, "reads version 1"),
        ({"secret": "00"}, "unknown field 'secret'"),
        ({"student": {"id": "ada", "seed": "zz"}}, "seed"),
        ({"student": {"id": "../ada", "seed": "0" * 16}}, "must begin with a letter"),
        ({"student": {"id": "ada", "seed": "0" * 16, "grade": 1}}, "unknown field"),
    ],
)
def test_a_changed_description_is_refused(path, change, reason: str) -> None:
    parts = parts_of(path)
    entries = json.loads(parts[DESCRIPTION]) | change
    path.write_bytes(zipped({**parts, DESCRIPTION: json.dumps(entries).encode()}))
    with pytest.raises(FileError) as caught:
        read_exercise(path)
    assert reason in str(caught.value)


def test_a_wrong_text_is_told_with_its_line(path) -> None:
    parts = parts_of(path)
    text = parts[TEXT].replace(b"step: scores", b"step: score")
    path.write_bytes(zipped({**parts, TEXT: text}))
    with pytest.raises(FileError, match=r"exercise\.md line \d+"):
        read_exercise(path)


def test_an_exercise_names_no_files(tmp_path) -> None:
    document = open_pages(exercise_of().lesson, 1)[0].document
    save_session(document, tmp_path / "x.attn")
    path = tmp_path / "e.md"
    path.write_text(WEIGHTS.replace(DRAWN, "\n```document\nfile: x.attn\n```\n"))
    with pytest.raises(FileError, match="An exercise is one file") as caught:
        read_exercise_text(path)
    assert caught.value.location == "line 7"


def test_an_exercise_has_a_task() -> None:
    with pytest.raises(FileError, match="It has no task"):
        exercise_of(f"---\ntitle: Empty\n---\n## Page\n{DRAWN}\nText.\n")
