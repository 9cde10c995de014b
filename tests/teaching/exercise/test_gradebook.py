"""Gradebooks."""

import csv
from pathlib import Path

import pytest

from attnviewer.teaching.exercise.gradebook import write_gradebook
from attnviewer.teaching.exercise.grading import Grade, Grades
from attnviewer.teaching.exercise.roster import Roster, Student
from tests.teaching.exercise.course import NOON

ROSTER = Roster(
    (
        Student("s1", "Lovelace, Ada", login="ada", section="A", lms_id="11"),
        Student("s2", "", "Emmy", "Noether", "emmy@x.org"),
        Student("s3", "=cmd|' /C calc'!A0"),
    )
)
GRADES = Grades(
    "Week 3",
    {"scores": 3.0, "most": 1.0},
    ROSTER,
    {
        "s1": Grade(
            "s1", {"scores": 3 * (2 / 3), "most": 1.0}, NOON, Path("d/a.attnsub")
        ),
        "s2": Grade("s2", {"scores": 1 / 3, "most": 0.0}, NOON, Path("b.attnsub")),
    },
)


def _rows(tmp_path, format: str) -> list[list[str]]:
    path = tmp_path / "grades.csv"
    write_gradebook(GRADES, path, format)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_canvas_gets_the_columns_that_it_imports(tmp_path) -> None:
    assert _rows(tmp_path, "canvas") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Week 3"],
        ["    Points Possible", "", "", "", "", "4"],
        ["Lovelace, Ada", "11", "s1", "ada", "A", "3"],
        ["Noether, Emmy", "", "s2", "", "", "0.333333"],
        ["'=cmd|' /C calc'!A0", "", "s3", "", "", ""],
    ]


def test_moodle_gets_points_and_feedback(tmp_path) -> None:
    heading, ada, emmy, other = _rows(tmp_path, "moodle")
    assert heading[:4] == ["First name", "Last name", "ID number", "Email address"]
    assert heading[4:] == ["Week 3", "Week 3 feedback"]
    assert ada[2:] == ["s1", "", "3", "scores: 2 of 3; most: 1 of 1"]
    assert emmy[:5] == ["Emmy", "Noether", "s2", "emmy@x.org", "0.333333"]
    assert other[2:] == ["s3", "", "", ""]


def test_the_plain_one_has_each_task(tmp_path) -> None:
    heading, ada, _, other = _rows(tmp_path, "plain")
    assert heading == [
        "id",
        "name",
        "points",
        "of",
        "scores",
        "most",
        "handed in",
        "file",
    ]
    assert ada[:6] == ["s1", "Lovelace, Ada", "3", "4", "2", "1"]
    assert ada[6:] == ["2026-03-02T12:00:00+00:00", "a.attnsub"]
    assert other == ["s3", "'=cmd|' /C calc'!A0", "", "4", "", "", "", ""]


@pytest.mark.parametrize("format", ["canvas", "moodle", "plain"])
def test_no_cell_is_a_formula_of_a_spreadsheet(tmp_path, format: str) -> None:
    cells = [cell for row in _rows(tmp_path, format) for cell in row]
    assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "@")]


def test_a_gradebook_of_canvas_that_was_written_is_a_roster(tmp_path) -> None:
    from attnviewer.teaching.exercise.roster import read_roster

    _rows(tmp_path, "canvas")
    ids = [student.id for student in read_roster(tmp_path / "grades.csv").students]
    assert ids == ["s1", "s2", "s3"]
