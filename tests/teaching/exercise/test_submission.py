"""Submissions."""

import json
from pathlib import Path

import pytest

from attnviewer.io import FileError
from attnviewer.teaching.exercise.submission import (
    PART,
    read_submission,
    submission_of,
)
from tests.teaching.exercise.course import (
    NOON,
    exercise_of,
    hand_in,
    submitted,
)
from tests.teaching.exercise.hostile import TAMPERED, parts_of, zipped


@pytest.fixture
def path(tmp_path) -> Path:
    return hand_in(tmp_path, "ada", submitted("ada", exercise_of()))


def changed(path: Path, change) -> None:
    """Change the description of a submission, or replace its text."""
    written = json.loads(parts_of(path)[PART])
    written = change(written) if callable(change) else written | change
    path.write_bytes(zipped({PART: json.dumps(written).encode()}))


def test_what_is_written_is_read(path) -> None:
    assert read_submission(path) == submitted("ada", exercise_of())


def test_only_a_students_copy_can_be_handed_in() -> None:
    with pytest.raises(ValueError, match="The 'exercise' must be a student's copy"):
        submission_of(exercise_of(), {}, {}, NOON)


def test_it_holds_no_verdict_and_no_points(path) -> None:
    written = json.loads(parts_of(path)[PART])
    names = {"format", "version", "exercise", "student", "seed", "text", "answers"}
    assert written.keys() == names | {"handed_in"}
    assert {name for a in written["answers"].values() for name in a} == {"answer", "at"}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_archive_is_refused(path, name: str) -> None:
    tamper, reason = TAMPERED[name]
    path.write_bytes(tamper(parts_of(path)))
    with pytest.raises(FileError) as caught:
        read_submission(path)
    assert reason in str(caught.value)


@pytest.mark.parametrize("field", ["verdict", "points", "score", "grade", "secret"])
def test_a_forged_verdict_is_refused_by_name(path, field: str) -> None:
    changed(path, {field: 100})
    with pytest.raises(FileError, match=f"unknown field '{field}'"):
        read_submission(path)


@pytest.mark.parametrize("field", ["verdict", "right", "share"])
def test_a_forged_verdict_in_an_answer_is_refused_by_name(path, field: str) -> None:
    changed(path, lambda w: w["answers"]["scores"].update({field: 1}) or w)
    with pytest.raises(FileError, match=f"unknown field '{field}'"):
        read_submission(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "attnviewer-exercise"}, "The 'format' must be"),
        ({"version": 9}, "a newer attnviewer may read it"),
        ({"seed": 7}, "Expected a text"),
        ({"seed": "0" * 15}, "matching regex"),
        ({"text": "x"}, "matching regex"),
        ({"handed_in": "yesterday"}, "Invalid"),
        ({"handed_in": "2026-03-02T12:00:00"}, "timezone"),
        ({"student": ""}, "length >= 1"),
        ({"answers": []}, "Expected an object"),
        (
            lambda w: {n: v for n, v in w.items() if n != "text"},
            "required field 'text'",
        ),
        (lambda w: [w], "Expected an object"),
    ],
)
def test_a_changed_description_is_refused(path, change, reason: str) -> None:
    changed(path, change)
    with pytest.raises(FileError) as caught:
        read_submission(path)
    assert reason in str(caught.value)


def test_deeply_nested_json_is_refused(path) -> None:
    path.write_bytes(zipped({PART: b"[" * 200_000}))
    with pytest.raises(FileError):
        read_submission(path)


def test_a_field_that_is_there_twice_is_refused(path) -> None:
    text = parts_of(path)[PART].replace(b'"seed"', b'"seed": "0", "seed"', 1)
    path.write_bytes(zipped({PART: text}))
    with pytest.raises(FileError, match="Two entries have the name 'seed'"):
        read_submission(path)
