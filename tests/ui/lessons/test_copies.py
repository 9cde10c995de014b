"""A student answers a copy of an exercise, and saves the answers for a teacher."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from attnviewer.document import SetCells
from attnviewer.teaching.exercise.answers import answer_from_plain
from attnviewer.teaching.exercise.file import (
    Copy,
    Exercise,
    exercise_bytes,
    exercise_from_text,
)
from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.submission import read_submission
from tests.ui.lessons.conftest import Learning

TEXT = """---
title: Week 3
id: week-3
---
## Scores

```document
tokens: a, b
draw: X W_Q W_K W_V
width: 2
seed: each
```
```task
kind: numbers
id: keys
step: K
cells: 0, :
hint: Multiply.
```

## Look

```task
kind: make
id: look
until: W_V[0, 0] = 5
```
"""


@pytest.fixture
def copy(tmp_path):
    exercise = exercise_from_text(tmp_path / "week-3.md", TEXT)
    return Exercise(exercise.text, exercise.lesson, Copy("ada", 0x1234567890ABCDEF))


@pytest.fixture
def learning(window, copy, tmp_path, qtbot):
    path = tmp_path / "week-3.attnx"
    path.write_bytes(exercise_bytes(copy))
    learning = Learning(window, path, qtbot)
    learning.open()
    return learning


def the_numbers_are_those_that_the_teacher_grades_by_and_never_shown(learning, copy):
    expected = open_pages(copy.lesson, copy.copy.seed)[0].document
    for name in ("X", "W_Q", "W_K", "W_V"):
        assert (learning.window.document.matrix(name) == expected.matrix(name)).all()
    learning.learner.restart()
    learning.rest()
    for name in ("X", "W_Q", "W_K", "W_V"):
        assert (learning.window.document.matrix(name) == expected.matrix(name)).all()
    assert not learning.learner.varies

    card = learning.card("keys")
    learning.click("help", card)
    assert not learning.button("help", card).isVisible()


def the_answers_are_saved_with_what_was_made_and_those_to_a_lesson_are_not(
    learning, window, copy, lesson_path, tmp_path, monkeypatch, qtbot
):
    learning.type("keys", "1", "2")
    learning.learner.go(1)
    learning.rest()
    edits = learning.window.workbench.edits
    edits.submit(SetCells("", "W_V", 0, 0, np.array([[5.0]])))
    learning.rest()
    assert learning.standing("look").outcome == "right"
    path = tmp_path / "ada.attnsub"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), "")
    )
    action = learning.content.findChild(QAction, "action.lesson.save")
    assert action.isVisible()
    action.trigger()
    handed_in = read_submission(path)
    assert (handed_in.student, handed_in.exercise) == ("ada", "week-3")
    assert handed_in.seed == copy.copy.seed
    assert handed_in.digest == copy.digest
    first, second = open_pages(copy.lesson, copy.copy.seed)
    (keys,), (look,) = first.page.tasks, second.page.tasks
    answer = answer_from_plain(keys, handed_in.answers["keys"].plain, first.document)
    assert answer == {(0, 0): "1", (0, 1): "2"}
    made = answer_from_plain(look, handed_in.answers["look"].plain, second.document)
    assert made.matrix("W_V")[0, 0] == 5.0

    learning = Learning(window, lesson_path, qtbot)
    learning.open()
    action = learning.content.findChild(QAction, "action.lesson.save")
    assert not action.isVisible()


def what_was_made_is_still_there_after_a_restart_of_the_program(
    learning, window, qtbot, copy
):
    learning.learner.go(1)
    learning.rest()
    window.workbench.edits.submit(SetCells("", "W_V", 0, 0, np.array([[5.0]])))
    learning.rest()
    learning.learner.open(copy.lesson, copy)
    answers, _times = learning.learner.answers()
    assert answers["look"].matrix("W_V")[0, 0] == 5.0
    a_restart_can_be_undone(learning, window, copy)


def a_restart_can_be_undone(learning, window, copy):
    learner, place = learning.learner, learning.learner.place
    learning.restart()
    assert learner.answers() == ({}, {})
    buttons = window.notice.findChildren(QPushButton)
    (bring_back,) = (button for button in buttons if button.isVisible())
    assert bring_back.text().replace("&", "") == "Bring my answers back"
    QTest.mouseClick(bring_back, Qt.MouseButton.LeftButton)
    learning.rest()
    assert learner.place == place
    assert learning.window.notice.text == ""
    for _ in ("now", "in the file"):
        answers, _times = learner.answers()
        assert answers["look"].matrix("W_V")[0, 0] == 5.0
        learner.open(copy.lesson, copy)
    learning.restart()
    learning.window.notice.dismiss()
    # Of nothing answered, nothing can be lost.
    learning.restart()
    assert learning.window.notice.text == ""


def test_a_copy_has_the_numbers_that_its_answers_are_graded_by_and_saves_what_was_made(
    learning, copy, window, qtbot, lesson_path, tmp_path, monkeypatch
):
    the_numbers_are_those_that_the_teacher_grades_by_and_never_shown(learning, copy)
    learning.restart()
    what_was_made_is_still_there_after_a_restart_of_the_program(
        learning, window, qtbot, copy
    )
    learning.restart()
    the_answers_are_saved_with_what_was_made_and_those_to_a_lesson_are_not(
        learning, window, copy, lesson_path, tmp_path, monkeypatch, qtbot
    )
