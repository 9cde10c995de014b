"""Every bundled lesson is gone through in the window, from its place in the list."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QListWidget,
    QRadioButton,
)

from attnviewer.teaching import bundled_lessons
from attnviewer.teaching.tasks import MakeTask, NumbersTask, WrongStepTask
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from tests.ui.lessons.conftest import Learning
from tests.ui.lessons.making import IN_THE_WINDOW, LEFT, Key, key, press

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LESSONS = [lesson.id for lesson in bundled_lessons()]


def answer(learning, lesson, task):
    """Answer a task with the keys, or make in the window what it asks for."""
    if isinstance(task, MakeTask):
        IN_THE_WINDOW[f"{lesson}/{task.id}"](learning)
        learning.rest()
        return
    card = learning.card(task.id)
    solution = task.solution(learning.learner.situation())
    inside = learning.content.isAncestorOf(QApplication.focusWidget())
    reach(card) if inside else click_into(card)
    if isinstance(task, NumbersTask):
        for cell in sorted(solution):  # as Tab goes
            press(solution[cell])
            key(Key.Key_Tab)
    else:
        options = learning.card(task.id).findChildren(QAbstractButton)
        options = [o for o in options if o.objectName().startswith("lesson.option.")]
        for option in _options(card.answer, solution, options):
            choose(options, option)
        reach(learning.button("check", card))
    key(Key.Key_Return)
    # The keys go on once there is a place for what was said.
    QApplication.processEvents()
    QApplication.processEvents()


def reach(widget):
    """Press Tab until the keys go into a widget, which mostly they do by themselves."""
    for _ in range(12):
        focused = QApplication.focusWidget()
        if focused is widget or widget.isAncestorOf(focused):
            return
        key(Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {widget.objectName()}.")


def click_into(card):
    """Click the first option of a task, coming from elsewhere in the window."""
    option = card.findChild(QRadioButton, "lesson.option.0")
    QTest.mouseClick(option, LEFT, pos=QPoint(8, option.height() // 2))


def choose(options, option):
    """Choose an option: arrows lead along radio buttons, Tab along boxes to tick."""
    steps = options.index(option) - options.index(QApplication.focusWidget())
    key(Key.Key_Down if isinstance(option, QRadioButton) else Key.Key_Tab, steps)
    assert option.hasFocus()
    if not option.isChecked():
        key(Key.Key_Space)
    assert option.isChecked()


def _options(answer, solution, options):
    """Return the buttons of what is right, from the first down."""
    if isinstance(solution, tuple):
        return [options[number] for number in sorted(solution)]
    assert len(answer.names) == len(options)
    return [options[answer.names.index(solution)]]


# Few windows, and as many tests as there are processes to share them.
@pytest.mark.usefixtures("few_starts")
@pytest.mark.parametrize("start", range(0, len(LESSONS), 4))
def test_lessons_are_gone_through(window, qtbot, start):
    for lesson in LESSONS[start : start + 4]:
        go_through(window, qtbot, lesson)


def cut_off_columns(window):
    """Return the matrices of few columns that are not seen whole."""
    tables = window.findChildren(MatrixTable)
    few = [t for t in tables if t.isVisible() and t.cells.columnCount() <= 4]
    return [
        t.name
        for t in few
        if t.horizontalHeader().length() > t.horizontalHeader().width()
    ]


def go_through(window, qtbot, lesson):
    window.findChild(QAction, "action.lessons").trigger()
    rows = window.findChild(QListWidget, "lessons.list")
    QTest.keyClick(rows, Key.Key_Home)
    for _ in range(LESSONS.index(lesson)):
        QTest.keyClick(rows, Key.Key_Down)
    QTest.keyClick(rows, Key.Key_Return)
    with qtbot.waitActive(window):
        window.activateWindow()  # without a window manager
    learning = Learning(window, None, qtbot)
    learning.rest()
    learner = learning.learner
    assert learner.lesson.id == lesson
    visited = places_of(learner, whole=lesson == LESSONS[0])
    for place in visited:
        if learner.place != place:
            learner.go(place)
            learning.content.enter()
            learning.rest()
        assert learner.place == place
        assert cut_off_columns(window) == []
        page = learner.page
        if page is None:
            assert "You have finished" in learning.content.page._text.text
        for task in () if page is None else page.tasks:
            answer(learning, lesson, task)
            standing = learner.standing(task)
            assert standing.outcome == "right", (task.id, standing)
            assert standing.at_first
        if place + 1 not in visited:
            continue
        if QApplication.focusWidget() is learning.button("next"):
            key(Key.Key_Return)
            learning.rest()
        else:
            learning.click("next")
    if learner.place + 1 == learner.places and not isinstance(task, MakeTask):
        qtbot.waitUntil(learning.button("another").hasFocus)


def places_of(learner, whole):
    """Return all places of a lesson, or only its first page and what is to be made.

    The others are of the same kinds, and tests.teaching.test_bundled_lessons answers
    them all. No summary: that is of all. Neither is a search for a mistake as the last
    exercise, as in the lesson that is gone through from end to end.
    """
    lesson = learner.lesson
    # The summary stands between the pages and the exercises.
    pages = [*lesson.pages, None, *lesson.exercises]
    assert len(pages) == learner.places
    searched = any(isinstance(t, WrongStepTask) for t in pages[-1].tasks)
    return [
        place
        for place, page in enumerate(pages)
        if whole
        or place == 0
        or (place + 1 == learner.places and not searched)
        or (page is not None and any(isinstance(t, MakeTask) for t in page.tasks))
    ]
