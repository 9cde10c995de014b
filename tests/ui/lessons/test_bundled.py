"""Every bundled lesson is gone through in the window, from its list to its end."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget

from attnviewer.teaching import bundled_lessons
from attnviewer.teaching.tasks import MakeTask, NumbersTask
from tests.ui.lessons.conftest import Learning
from tests.ui.lessons.making import IN_THE_WINDOW, Key, key, press

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LESSONS = [lesson.id for lesson in bundled_lessons()]


def answer(learning, lesson, task):
    """Answer a task with the keys, or make in the window what it asks for."""
    card = learning.card(task.id)
    if isinstance(task, MakeTask):
        IN_THE_WINDOW[f"{lesson}/{task.id}"](learning)
        learning.rest()
        return
    solution = task.solution(learning.learner.situation())
    card.answer.enter()
    if isinstance(task, NumbersTask):
        for cell in sorted(solution):  # as Tab goes
            press(solution[cell])
            key(Key.Key_Tab)
    else:
        for number in solution if isinstance(solution, tuple) else (None,):
            if number is None:
                options = card.answer.findChildren(QAbstractButton)
                number = _number_of(card.answer, solution, len(options))
            card.findChild(QAbstractButton, f"lesson.option.{number}").setFocus()
            key(Key.Key_Space)
        learning.button("check", card).setFocus()
    key(Key.Key_Return)
    learning.rest()


def _number_of(answer, solution, count):
    names = getattr(answer, "_names", None) or answer._ids
    assert len(names) == count
    return names.index(solution)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_gone_through_to_its_end(window, qtbot, lesson):
    window.findChild(QAction, "action.lessons").trigger()
    rows = window.findChild(QListWidget, "lessons.list")
    rows.setCurrentRow(LESSONS.index(lesson))
    QTest.keyClick(rows, Key.Key_Return)
    with qtbot.waitActive(window):
        window.activateWindow()  # without a window manager
    learning = Learning(window, None, qtbot)
    learning.rest()
    learner = learning.learner
    assert learner.lesson.id == lesson
    for place in range(learner.places):
        assert learner.place == place
        page = learner.page
        for task in () if page is None else page.tasks:
            answer(learning, lesson, task)
            standing = learner.standing(task)
            assert standing.outcome == "right", (task.id, standing)
            assert standing.at_first
        if place + 1 < learner.places:
            learning.click("next")
    learner.go(len(learner.lesson.pages))
    learning.rest()
    assert "You are through" in learning.content.page._text.text
