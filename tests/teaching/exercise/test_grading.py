"""Grading of folders."""

import sys
from pathlib import Path

import numpy as np
import pytest

from attnviewer.document import Document, Replace
from attnviewer.io import FileError
from attnviewer.teaching.exercise.grading import grade_folder
from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.submission import PART
from tests.teaching.exercise.course import (
    SECRET,
    WEIGHTS,
    copy_of,
    exercise_of,
    hand_in,
    roster_of,
    submitted,
)
from tests.teaching.exercise.hostile import TAMPERED, parts_of, zipped

EXERCISE = exercise_of()
ROSTER = roster_of("ada", "ben", "cy")


def _graded(folder: Path, roster=ROSTER):
    return grade_folder(folder, EXERCISE, roster, SECRET)


def test_right_answers_get_all_points_and_missing_students_none(tmp_path) -> None:
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE))
    grades = _graded(tmp_path)
    assert grades.possible == 6
    assert {s: g.points for s, g in grades.by_student.items()} == {"ada": 6}
    assert grades.by_student["ada"].points_of == {"scores": 3, "weights": 2, "most": 1}
    assert (grades.refused, grades.notices) == ((), ())


def test_a_part_of_the_cells_gets_a_part_of_the_points(tmp_path) -> None:
    whole = submitted("ada", EXERCISE).answers["scores"].plain
    four = dict(list(whole.items())[:4])
    some = {tuple(map(int, cell.split(","))): text for cell, text in four.items()}
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE, {"scores": some}))
    assert _graded(tmp_path).by_student["ada"].points == pytest.approx(3 * 4 / 9)


def test_submissions_in_folders_are_found_and_other_files_left_alone(tmp_path) -> None:
    (tmp_path / "group 1" / "ada").mkdir(parents=True)
    hand_in(tmp_path / "group 1" / "ada", "answers", submitted("ada", EXERCISE))
    (tmp_path / "readme.txt").write_text("no submission")
    grades = _graded(tmp_path)
    assert list(grades.by_student) == ["ada"]
    assert grades.refused == ()


@pytest.mark.parametrize("name", TAMPERED)
def test_a_hostile_submission_is_refused_by_name_and_the_rest_graded(
    tmp_path, name: str
) -> None:
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE))
    bad = hand_in(tmp_path, "ben", submitted("ben", EXERCISE))
    tamper, reason = TAMPERED[name]
    bad.write_bytes(tamper(parts_of(bad)))
    grades = _graded(tmp_path)
    [refused] = grades.refused
    assert refused.path == bad
    assert reason in str(refused)
    assert {s: g.points for s, g in grades.by_student.items()} == {"ada": 6}


def test_another_students_seed_is_refused(tmp_path) -> None:
    path = hand_in(tmp_path, "ben", submitted("ada", EXERCISE))
    text = parts_of(path)[PART].replace(b'"ada"', b'"ben"')
    path.write_bytes(zipped({PART: text}))
    grades = _graded(tmp_path)
    assert "Its seed is not that of 'ben'" in str(grades.refused[0])
    assert not grades.by_student


def test_a_copy_made_with_another_secret_is_refused(tmp_path) -> None:
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE, secret=b"x" * 32))
    assert "another secret" in str(_graded(tmp_path).refused[0])


def test_somebody_who_is_not_on_the_roster_is_refused(tmp_path) -> None:
    hand_in(tmp_path, "eve", submitted("eve", EXERCISE))
    assert "'eve' is not on the roster." in str(_graded(tmp_path).refused[0])


def test_another_exercise_is_refused(tmp_path) -> None:
    other = exercise_of(WEIGHTS.replace("id: weights-by-hand", "id: week2"))
    hand_in(tmp_path, "ada", submitted("ada", other))
    reason = str(_graded(tmp_path).refused[0])
    assert "It answers the exercise 'week2', not 'weights-by-hand'." in reason


def test_another_text_of_the_exercise_is_refused(tmp_path) -> None:
    easier = exercise_of(WEIGHTS.replace("cells: 2, :", "cells: 2, 0"))
    hand_in(tmp_path, "ada", submitted("ada", easier))
    assert "another version of the exercise's text" in str(_graded(tmp_path).refused[0])


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"bonus": (1,)}, "The exercise has no task 'bonus'."),
        ({"scores": (1,)}, "The answer to 'scores' cannot be read: Expected an object"),
        ({"most": "all"}, "The answer to 'most' cannot be read: Expected a list"),
    ],
)
def test_answers_that_fit_no_task_are_refused(tmp_path, answers, reason) -> None:
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE, answers))
    assert reason in str(_graded(tmp_path).refused[0])


def test_numbers_that_cannot_be_read_are_only_wrong(tmp_path) -> None:
    hostile = {(0, 0): "__import__('os')", (0, 1): "9**9**9**9", (1, 1): "nan"}
    hand_in(tmp_path, "ada", submitted("ada", EXERCISE, {"scores": hostile}))
    grades = _graded(tmp_path)
    assert grades.refused == ()
    assert grades.by_student["ada"].points == 0


@pytest.mark.parametrize("names", [("1st", "2nd"), ("2nd", "1st")])
def test_of_two_submissions_the_later_counts_and_is_told(tmp_path, names) -> None:
    wrong = {"most": ()}
    hand_in(tmp_path, names[0], submitted("ada", EXERCISE, wrong))
    hand_in(tmp_path, names[1], submitted("ada", EXERCISE, minutes=5))
    grades = _graded(tmp_path)
    assert grades.by_student["ada"].points == 6
    [notice] = grades.notices
    assert notice.startswith("ada handed in more than once: ")
    assert f"{names[1]}.attnsub of 2026-03-02T12:05:00+00:00 counts" in notice


def test_a_later_submission_that_is_refused_leaves_the_earlier(tmp_path) -> None:
    hand_in(tmp_path, "a", submitted("ada", EXERCISE))
    hand_in(tmp_path, "b", submitted("ada", EXERCISE, minutes=5, secret=b"y" * 32))
    grades = _graded(tmp_path)
    assert grades.by_student["ada"].points == 6
    assert len(grades.refused) == 1


def test_of_two_at_the_same_time_the_last_by_name_counts(tmp_path) -> None:
    hand_in(tmp_path, "a", submitted("ada", EXERCISE))
    hand_in(tmp_path, "b", submitted("ada", EXERCISE, {}))
    assert _graded(tmp_path).by_student["ada"].file.name == "b.attnsub"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_links_to_folders_are_not_followed(tmp_path) -> None:
    (tmp_path / "outside").mkdir()
    hand_in(tmp_path / "outside", "ada", submitted("ada", EXERCISE))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link").symlink_to(tmp_path / "outside")
    assert not _graded(tmp_path / "inside").by_student


def test_a_folder_that_is_not_there_is_an_error(tmp_path) -> None:
    with pytest.raises(FileError, match="There is no such folder"):
        _graded(tmp_path / "none")


def test_a_changed_document_gets_the_points_of_what_holds_of_it(tmp_path) -> None:
    text = WEIGHTS.partition("```task")[0] + (
        "```task\nkind: make\nid: made\npoints: 4\nonly: W_Q, W_K\n"
        "until: weights[0, 0] = 1/3 ~ 0.01\nuntil: scores[0, 0] > 5\n```\n"
    )
    exercise = exercise_of(text)
    roster = roster_of("ada", "ben")

    def made(student: str, **matrices: float) -> Document:
        copy = copy_of(student, exercise)
        (page,) = open_pages(exercise.lesson, copy.copy.seed)
        changed = {
            name: np.full(page.document.matrix(name).shape, number)
            for name, number in matrices.items()
        }
        page.document.apply(Replace("", matrices=changed))
        return page.document

    answers = {
        "ada": made("ada", W_Q=0.0),  # all weights are alike, all scores 0
        "ben": made("ben", W_Q=0.0, X=1.0),
    }
    for student, answer in answers.items():
        handed_in = submitted(student, exercise, {"made": answer})
        hand_in(tmp_path, student, handed_in)
    grades = grade_folder(tmp_path, exercise, roster, SECRET)
    assert grades.refused == ()
    assert grades.possible == 4
    assert {s: g.points for s, g in grades.by_student.items()} == {
        "ada": 2,
        "ben": 0,  # X may not change
    }
