"""A page about training leaves the lesson its room."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from attnviewer.teaching import bundled_lessons
from tests.ui.lessons.conftest import Learning

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
LEAST = 300
"""The least height of a page, in pixels."""


@pytest.fixture
def at_training(open_window, qtbot):
    """Return a function that opens the page *Train it* of *Gradients*."""

    def open_(width, height):
        window = open_window("example:four-words", (width, height))
        learning = Learning(window, None, qtbot)
        lesson = next(ls for ls in bundled_lessons() if ls.id == "gradients")
        titles = [page.title for page in lesson.pages]
        learning.feature.open_lesson(lesson)
        learning.rest()
        learning.learner.go(titles.index("Train it"))
        learning.rest()
        return learning

    return open_


def press_training(learning):
    QTest.keyClick(learning.window, Qt.Key.Key_T, CONTROL_SHIFT)
    learning.rest()


def play(learning):
    """Play until numbers change, and pause."""
    window = learning.window
    before = window.document.matrix("W_Q").copy()
    button = window.findChild(QToolButton, "training.play")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    learning.qtbot.waitUntil(
        lambda: bool((window.document.matrix("W_Q") != before).any())
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    learning.rest()


@pytest.mark.parametrize("size", [(1366, 768), (1600, 1000)])
def test_training_comes_as_a_tab_beside_the_lesson_ready_with_its_task(
    at_training, size
):
    learning = at_training(*size)
    docks = learning.window.frame.docks
    lesson, training = docks.dock("lesson"), docks.dock("training")
    explain = docks.dock("explain")
    assert training.isHidden()
    height = learning.content.height()
    assert height >= LEAST
    press_training(learning)
    assert not training.visibleRegion().isEmpty()
    assert training.isAncestorOf(QApplication.focusWidget())
    play(learning)
    docks.open_panel("lesson")
    learning.rest()
    assert not lesson.visibleRegion().isEmpty()
    assert learning.content.height() >= height - 1
    # Without the lesson it stands below Explain, as in any other document.
    learning.feature.close_lesson()
    learning.rest()
    assert training not in learning.window.tabifiedDockWidgets(explain)
    assert not training.visibleRegion().isEmpty()
    assert training.y() > explain.y()
