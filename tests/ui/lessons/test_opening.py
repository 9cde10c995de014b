"""Lessons and exercises open as other files do: File ▸ Open, and by dropping."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from attnviewer.teaching.exercise.file import (
    Copy,
    Exercise,
    exercise_bytes,
    exercise_from_text,
)
from attnviewer.ui.lessons.chooser import LessonChooser
from tests.ui.dragging import drag_enter
from tests.ui.lessons.conftest import LESSON, Learning


@pytest.fixture
def copy_path(tmp_path):
    text = LESSON.replace("id: by-hand", "id: week-3")
    exercise = exercise_from_text(tmp_path / "week-3.md", text)
    path = tmp_path / "week-3.ATTNX"
    given = Copy("ada", 0x1234567890ABCDEF)
    path.write_bytes(exercise_bytes(Exercise(exercise.text, exercise.lesson, given)))
    return path


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    enter = drag_enter(300, 300, data)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    none = Qt.KeyboardModifier.NoModifier
    left = Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, event)


def choose(window, path, monkeypatch):
    """Choose a file in the dialog of File ▸ Open, if its filter shows it."""
    answer(path, monkeypatch)
    window.findChild(QAction, "action.open").trigger()


def answer(path, monkeypatch):
    """Have the next dialog of files answer with a path, if its filter shows it."""

    def chosen(_parent, _title, _folder, filters):
        assert f"*{path.suffix.lower()}" in filters.split(";;")[0].replace(")", " ")
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", chosen)


def test_a_lesson_opens_as_any_other_file_and_a_text_that_is_none_is_refused(
    window, qtbot, monkeypatch, lesson_path, copy_path, tmp_path
):
    own = window.document
    for path in (lesson_path, copy_path):
        learning = Learning(window, path, qtbot)
        if path == lesson_path:
            choose(window, path, monkeypatch)
        else:
            drop(window, path)
        learning.rest()
        assert learning.learner.lesson.title == "Scores by hand"
        assert (learning.learner.exercise is None) == (path == lesson_path)
        assert learning.content.isVisible()
        assert window.workbench.host is own
        learning.feature.close_lesson()
        learning.rest()
        assert window.document is own

    path, before = tmp_path / "notes.md", window.document
    path.write_text("Buy milk.", encoding="utf-8")
    drop(window, path)
    assert window.document is before
    assert "notes.md" in window.frame.notice.text


def test_a_lesson_file_opens_from_the_list_of_lessons(
    window, qtbot, monkeypatch, lesson_path
):
    learning = Learning(window, lesson_path, qtbot)
    window.findChild(QAction, "action.lessons").trigger()
    chooser = window.findChild(LessonChooser)
    answer(lesson_path, monkeypatch)
    button = chooser.findChild(QPushButton, "lessons.file")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    learning.rest()
    assert window.findChild(LessonChooser) is None
    assert learning.learner.lesson.title == "Scores by hand"
    assert learning.content.isVisible()
