"""What stands on a sheet."""

import numpy as np
import pytest

from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.seeds import seed_of
from attnviewer.teaching.sheets.content import off_paper
from attnviewer.teaching.sheets.sheet import (
    ChoiceQuestion,
    NumberQuestion,
    Table,
    WindowQuestion,
)
from tests.teaching.exercise.course import SECRET, exercise_of
from tests.teaching.sheets.sheets import TEXT, sheets_of


@pytest.fixture(scope="module")
def sheet():
    return sheets_of("ada")[0]


@pytest.fixture(scope="module")
def pages():
    lesson = exercise_of(TEXT.replace("TOKENS", "the, cat, sat")).lesson
    return open_pages(lesson, seed_of(SECRET, "week3", "ada"))


def test_the_numbers_are_those_of_the_students_copy(sheet, pages) -> None:
    tables = {b.name: b for b in sheet.parts[0].blocks if isinstance(b, Table)}
    x = pages[0].document.matrix("X")
    shown = [[float(tables["X"].cells[r, c]) for c in range(2)] for r in range(3)]
    assert np.array_equal(shown, x)


def test_what_a_task_asks_for_is_not_given(sheet) -> None:
    names = {b.name for b in sheet.parts[0].blocks if isinstance(b, Table)}
    assert names == {"X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "scaled"}


def test_a_bug_hunt_shows_every_step_and_no_mistake(sheet) -> None:
    names = {b.name for b in sheet.parts[1].blocks if isinstance(b, Table)}
    assert {"scores", "scaled", "weights", "output"} <= names
    assert "mistake" not in str(sheet.parts[1].blocks[0]).lower()


def test_the_key_agrees_with_the_computation(sheet, pages) -> None:
    trace = pages[0].document.compute()
    masked, weights = sheet.parts[0].questions[:2]
    assert isinstance(masked, NumberQuestion)
    assert isinstance(weights, NumberQuestion)
    for question, step in ((masked, "masked"), (weights, "weights")):
        for cell, blank in question.blanks.items():
            assert blank.value == trace[step][cell]
    assert set(weights.blanks) == {(2, 0), (2, 1), (2, 2)}
    assert weights.blanks[2, 0].tolerance == 0.005
    assert masked.blanks[0, 2].value == -np.inf
    assert set(masked.finite) == {(r, c) for r in range(3) for c in range(r + 1)}


def test_the_right_options_are_those_that_are_checked_as_right(sheet, pages) -> None:
    both, *_ = sheet.parts[0].questions[2:]
    where, which = sheet.parts[1].questions
    assert isinstance(both, ChoiceQuestion)
    assert (both.right, both.several) == ((0, 1), True)
    bug = pages[1].document.spec.mistakes[0].id
    first = {"scale-missing": "scaled", "weights-transposed": "output"}[bug]
    [right] = where.right
    assert where.options[right].spans[0].text == first
    assert len(which.right) == 1
    assert not which.several


def test_a_task_for_the_window_stands_on_the_sheet_with_its_points(sheet) -> None:
    lesson = exercise_of(TEXT.replace("TOKENS", "the, cat, sat")).lesson
    assert [task.id for task in off_paper(lesson)] == ["changed"]
    assert sheet.points == 3 + 2 + 4 + 1 + 1 + 1
    told = sheet.parts[-1].blocks[-1]
    assert isinstance(told, WindowQuestion)
    assert (told.task, told.points) == ("changed", 1)
    assert told not in sheet.parts[-1].questions
