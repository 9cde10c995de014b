"""``attnviewer exercise``: from a text to a gradebook."""

import csv
import stat
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from attnviewer import cli
from attnviewer.teaching.exercise.file import read_exercise
from attnviewer.teaching.exercise.secret import read_secret
from attnviewer.teaching.exercise.seeds import seed_of
from attnviewer.teaching.exercise.submission import (
    PART,
    submission_of,
    write_submission,
)
from tests.teaching.exercise.course import NOON, WEIGHTS, solutions
from tests.teaching.exercise.hostile import parts_of, zipped

ROSTER = "id,name\nada,Ada\nben,Ben\ncy/dia,Cydia\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The working folder, with a text and a roster."""
    monkeypatch.chdir(tmp_path)
    Path("week3.md").write_text(WEIGHTS)
    Path("roster.csv").write_text(ROSTER)
    return tmp_path


def _run(capsys, command: str) -> tuple[int, str, str]:
    code = cli.main(["exercise", *command.split()])
    told = capsys.readouterr()
    return code, told.out, told.err


NEW = "new week3.md --to week3.attnx --roster roster.csv --students copies"
SHEET = "sheet week3.attnx"
GRADE = "grade in --exercise week3.attnx --roster roster.csv --to grades.csv"


@pytest.fixture
def course(folder, capsys) -> Path:
    """The folder with the exercise, its copies and an empty folder for submissions."""
    assert _run(capsys, NEW)[0] == 0
    (folder / "in").mkdir()
    return folder


def _hand_in(name: str, *, points: bool = True) -> Path:
    copy = read_exercise(Path("copies", f"{name}.attnx"))
    answers = solutions(copy) if points else {}
    path = Path("in", f"{name}.attnsub")
    times = dict.fromkeys(answers, NOON)
    write_submission(submission_of(copy, answers, times, NOON), path)
    return path


def test_new_makes_the_secret_the_exercise_and_the_copies(folder, capsys) -> None:
    code, told, noted = _run(capsys, NEW)
    assert (code, noted) == (0, "")
    assert told.splitlines() == [
        "week3.secret written; only you may have it, and grading needs it",
        "week3.attnx written",
        "copies: 3 copies written",
    ]
    assert sorted(path.name for path in Path("copies").iterdir()) == [
        "ada.attnx",
        "ben.attnx",
        "cy%2Fdia.attnx",
    ]
    secret = read_secret(Path("week3.secret"))
    copy = read_exercise(Path("copies/cy%2Fdia.attnx"))
    assert copy.copy is not None
    assert copy.copy.student == "cy/dia"
    assert copy.copy.seed == seed_of(secret, "weights-by-hand", "cy/dia")
    assert read_exercise(Path("week3.attnx")).copy is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_the_secret_is_for_its_owner_alone(course) -> None:
    assert stat.S_IMODE(Path("week3.secret").stat().st_mode) == 0o600


def test_new_keeps_a_secret_that_is_there(course, capsys) -> None:
    before = Path("week3.secret").read_bytes(), Path("copies/ada.attnx").read_bytes()
    code, told, _ = _run(capsys, NEW)
    assert code == 0
    assert "secret" not in told
    after = Path("week3.secret").read_bytes(), Path("copies/ada.attnx").read_bytes()
    assert before == after


def test_new_without_a_roster_makes_the_exercise_alone(folder, capsys) -> None:
    code, told, _ = _run(capsys, "new week3.md --to a.attnx --secret course.secret")
    assert (code, len(told.splitlines())) == (0, 2)
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.attnx",
        "course.secret",
        "roster.csv",
        "week3.md",
    ]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (NEW.replace("week3.md", "none.md"), "There is no such file"),
        (NEW.replace("--students copies", ""), "--roster and --students belong"),
        (NEW.replace("week3.attnx", "week3.zip"), "the name must end in .attnx"),
        (NEW.replace("roster.csv", "week3.md"), "No heading is 'id'"),
        (NEW.replace("week3.md", "wrong.md"), "wrong.md, line 16: "),
        (f"{NEW} --secret roster.csv", "It is no secret"),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_written(
    folder, capsys, command: str, reason: str
) -> None:
    Path("wrong.md").write_text(WEIGHTS.replace("step: scores", "step: score"))
    before = sorted(folder.iterdir())
    code, told, noted = _run(capsys, command)
    assert (code, told) == (2, "")
    assert reason in noted
    assert sorted(folder.iterdir()) == before


def test_numbers_that_are_the_same_for_all_are_told(folder, capsys) -> None:
    Path("week3.md").write_text(WEIGHTS.replace("seed: each", "seed: 5"))
    code, _, noted = _run(capsys, NEW)
    assert code == 0
    assert noted.startswith("attnviewer: Nothing is drawn with 'seed: each'")


def test_two_students_with_the_same_numbers_are_told(folder, capsys) -> None:
    given = "draw: W_V\nnumbers: 0..1\nX: 1 0; 0 1; 2 1\nW_Q: 1 0; 0 1\nW_K: 1 2; 3 1"
    Path("week3.md").write_text(WEIGHTS.replace("draw: X W_Q W_K W_V", given))
    ids = "".join(f"s{number}\n" for number in range(20))
    Path("roster.csv").write_text(f"id\n{ids}")
    code, _, noted = _run(capsys, NEW)
    assert code == 0
    assert "have the same numbers; draw more matrices, or from a wider range." in noted


def test_right_answers_become_grades_and_damaged_ones_a_note(course, capsys) -> None:
    _hand_in("ada")
    _hand_in("ben", points=False)
    Path("in/bad.attnsub").write_bytes(b"PK")
    code, told, noted = _run(capsys, GRADE)
    assert code == 1
    expected = "grades.csv written: 2 of 3 students graded, 1 submission refused\n"
    assert told == expected
    assert noted.startswith(f"attnviewer: not graded: {Path('in/bad.attnsub')}: ")
    with Path("grades.csv").open(newline="") as file:
        rows = {row["id"]: row["points"] for row in csv.DictReader(file)}
    assert rows == {"ada": "6", "ben": "0", "cy/dia": ""}


@pytest.mark.parametrize("format", ["plain", "canvas", "moodle"])
def test_grades_are_written_in_each_format(course, capsys, format: str) -> None:
    _hand_in("ada")
    code, _, noted = _run(capsys, f"{GRADE} --format {format}")
    assert (code, noted) == (0, "")
    first = Path("grades.csv").read_text().partition(",")[0]
    assert first == {"plain": "id", "canvas": "Student", "moodle": "First name"}[format]


def test_grading_needs_the_secret(course, capsys) -> None:
    Path("week3.secret").rename("kept.secret")
    code, _, noted = _run(capsys, GRADE)
    assert code == 2
    assert "week3.secret: There is no such file" in noted
    assert not Path("grades.csv").exists()
    assert _run(capsys, f"{GRADE} --secret kept.secret")[0] == 0


def test_check_tells_what_a_text_has(folder, capsys) -> None:
    expected = "week3.md: 'Weights by hand' is in order: 1 page, 3 tasks, 6 points.\n"
    assert _run(capsys, "check week3.md") == (0, expected, "")


def test_check_tells_line_and_reason(folder, capsys) -> None:
    Path("week3.md").write_text(WEIGHTS.replace("kind: choice", "kind: guess"))
    code, told, _ = _run(capsys, "check week3.md")
    assert code == 1
    assert told.startswith("week3.md, line 32: ")
    assert _run(capsys, "check none.md")[0] == 2


def test_check_of_a_submission_is_for_practice(course, capsys) -> None:
    path = _hand_in("ada")
    code, told, _ = _run(capsys, f"check {path} --exercise copies/ada.attnx")
    assert code == 0
    *_, points, practice = told.splitlines()
    assert points == "6 of 6 points"
    assert practice.startswith("This is for practice: ")


def test_check_tells_which_numbers_of_a_submission_are_wrong(course, capsys) -> None:
    copy = read_exercise(Path("copies/ada.attnx"))
    answers = solutions(copy) | {"scores": {(0, 0): "99"}, "most": ()}
    times = dict.fromkeys(answers, NOON)
    path = Path("in/ada.attnsub")
    write_submission(submission_of(copy, answers, times, NOON), path)
    code, told, _ = _run(capsys, f"check {path} --exercise week3.attnx")
    assert code == 1
    assert "scores: 0 of 3." in told
    assert "  [0, 0] wrong." in told
    assert "2 of 6 points" in told


def test_a_forged_submission_is_told_by_name(course, capsys) -> None:
    path = _hand_in("ada")
    text = parts_of(path)[PART].replace(b'"format"', b'"points": 6, "format"')
    path.write_bytes(zipped({PART: text}))
    code, told, _ = _run(capsys, f"check {path} --exercise week3.attnx")
    assert code == 1
    assert "unknown field 'points'" in told


@pytest.mark.parametrize("key", ["", " --key"])
@pytest.mark.parametrize("format", ["tex", "pdf"])
def test_sheets_of_all_students_are_written_for_paper(
    course, capsys, qapp, format: str, key: str
) -> None:
    command = f"{SHEET} --to out --format {format} --roster roster.csv{key}"
    assert _run(capsys, command) == (0, "out written: 3 sheets\n", "")
    start = {"tex": b"\\documentclass", "pdf": b"%PDF-"}[format]
    assert Path("out").read_bytes().startswith(start)


def test_sheets_are_written_as_questions_for_platforms(course, capsys) -> None:
    code, told, _ = _run(capsys, f"{SHEET} --to q.xml --format moodle --variants 3")
    assert (code, told) == (0, "q.xml written: 3 sheets\n")
    names = [q.findtext("name/text") for q in ElementTree.parse("q.xml").getroot()]
    assert len(set(filter(None, names))) == 3
    assert _run(capsys, f"{SHEET} --to q.zip --format qti --student ada")[0] == 0
    assert parts_of(Path("q.zip")).keys() == {"imsmanifest.xml", "item-1-1.xml"}


def test_the_sheet_of_a_copy_is_the_students_without_the_secret(course, capsys) -> None:
    assert _run(capsys, f"{SHEET} --to a.tex --format tex --student ada")[0] == 0
    Path("week3.secret").unlink()
    code, _, _ = _run(capsys, "sheet copies/ada.attnx --to b.tex --format tex")
    assert code == 0
    assert Path("a.tex").read_bytes() == Path("b.tex").read_bytes()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--format tex", "Name --student, --roster or --variants"),
        ("--format qti --key --student ada", "questions of a platform hold"),
        ("--format tex --variants 0", "whole number from 1"),
        ("--format tex --student ../x", "must begin with a letter or a digit"),
        ("--format tex --student ada --variants 2", "not allowed with"),
    ],
)
def test_unclear_sheets_are_refused(course, capsys, options: str, reason: str) -> None:
    code, told, noted = _run(capsys, f"{SHEET} --to out {options}")
    assert (code, told) == (2, "")
    assert reason in noted
    assert not Path("out").exists()


def test_a_command_is_needed(capsys) -> None:
    code, _, noted = _run(capsys, "")
    assert code == 2
    assert "COMMAND" in noted
    code, told, _ = _run(capsys, "--help")
    assert code == 0
    assert "new, sheet, check or grade" in " ".join(told.split())
