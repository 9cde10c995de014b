"""Lessons and exercises open as other files do: File ▸ Open, and by dropping."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from attnviewer.teaching.exercise.file import (
    Copy,
    Exercise,
    exercise_from_text,
    write_exercise,
)
from tests.ui.dragging import drag_enter
from tests.ui.lessons.conftest import LESSON, Learning


@pytest.fixture
def copy_path(tmp_path):
    text = LESSON.replace("id: by-hand", "id: week-3")
    exercise = exercise_from_text(tmp_path / "week-3.md", text)
    path = tmp_path / "week-3.ATTNX"
    given = Copy("ada", 0x1234567890ABCDEF)
    write_exercise(Exercise(exercise.text, exercise.lesson, given), path)
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

    def chosen(_parent, _title, _folder, filters):
        assert f"*{path.suffix.lower()}" in filters.split(";;")[0].replace(")", " ")
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", chosen)
    window.findChild(QAction, "action.open").trigger()


@pytest.mark.parametrize(
    ("way", "kind"), [("open", "lesson_path"), ("drop", "copy_path")]
)
def test_a_lesson_opens_as_any_other_file(
    window, qtbot, monkeypatch, request, way, kind
):
    path = request.getfixturevalue(kind)
    learning = Learning(window, path, qtbot)
    own = window.document
    if way == "open":
        choose(window, path, monkeypatch)
    else:
        drop(window, path)
    learning.rest()
    assert learning.learner.lesson.title == "Scores by hand"
    assert (learning.learner.exercise is None) == (kind == "lesson_path")
    assert learning.content.isVisible()
    assert window.workbench.host is own


def test_a_text_that_is_no_lesson_is_refused_with_the_reason(window, tmp_path):
    path, before = tmp_path / "notes.md", window.document
    path.write_text("Buy milk.", encoding="utf-8")
    drop(window, path)
    assert window.document is before
    assert "notes.md" in window.frame.notice.text
