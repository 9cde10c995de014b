"""A teacher records tasks about the open document."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
)

from attnviewer.compute import Pin
from attnviewer.document import Replace
from attnviewer.io.session import read_session
from attnviewer.teaching import Situation, lesson_from_text, read_lesson
from attnviewer.teaching.drafting import lesson_of
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from attnviewer.ui.lessons.recorder import RecordDialog
from tests.mnemonics import mnemonics_of

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def record(window, qtbot):
    """Return what opens the dialog on a cell."""

    def open_(step="weights", cell=(2, 1)):
        window.workbench.selection.choose_cell(step, cell)
        window.findChild(QAction, "action.record").trigger()
        QApplication.processEvents()
        return window.findChild(RecordDialog)

    yield open_
    close(window)


def close(window):
    dialog = window.findChild(RecordDialog)
    if dialog is not None:
        dialog.reject()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def part(dialog, kind, name):
    return dialog.findChild(kind, f"record.{name}")


def choose(dialog, name, data):
    box = part(dialog, QComboBox, name)
    box.setCurrentIndex(box.findData(data))


def read(dialog):
    (page,) = lesson_from_text(lesson_of(dialog.text, "T"), "t.md").pages
    return page


def the_text_asks_for_a_cell_or_whole_rows_with_digits_question_and_hints(
    record, window
):
    dialog = record()
    part(dialog, QLineEdit, "ask").setText("How much?")
    part(dialog, QSpinBox, "digits").setValue(3)
    names = ("kind", "title", "ask", "reach", "digits", "hints", "copy", "save")
    assert {f"record.{name}" for name in names} <= mnemonics_of(dialog).keys()
    part(dialog, QPlainTextEdit, "hints").setPlainText("One.\n\nTwo.")
    page = read(dialog)
    (task,) = page.tasks
    assert isinstance(task, NumbersTask)
    assert task.cells(window.document) == ((2, 1),)
    assert (task.step, task.ask, task.tolerance.amount) == ("weights", "How much?", 3)
    assert task.hints == ("One.", "Two.")
    opened = page.document.open()
    for name in window.document.spec.input_names:
        assert (opened.matrix(name) == window.document.matrix(name)).all()

    n = len(window.document.tokens)
    for reach, cells in (
        ("row", {(2, k) for k in range(n)}),
        ("column", {(k, 1) for k in range(n)}),
        ("all", {(i, k) for i in range(n) for k in range(n)}),
    ):
        choose(dialog, "reach", reach)
        (task,) = read(dialog).tasks
        assert set(task.cells(window.document)) == cells


def every_other_kind_is_recorded_and_what_cannot_be_is_said(record, window):
    dialog = record("weights", (0, 0))
    choose(dialog, "kind", "largest")
    (task,) = read(dialog).tasks
    assert isinstance(task, ChoiceTask)
    choose(dialog, "kind", "make")
    assert mnemonics_of(dialog)["record.condition"] == "Alt+U"
    part(dialog, QLineEdit, "only").setText("W_Q")
    part(dialog, QLineEdit, "condition").setText("weights[0, 0] >= 0.9")
    (task,) = read(dialog).tasks
    assert isinstance(task, MakeTask)
    assert task.only == ("W_Q",)
    part(dialog, QLineEdit, "condition").setText("weights[0, 0] >=")
    assert dialog.text == ""
    assert not part(dialog, QPushButton, "save").isEnabled()

    choose(dialog, "kind", "choice")
    assert "option" in part(dialog, QLabel, "reason").text()
    answers = part(dialog, QPlainTextEdit, "options")
    answers.setPlainText("Its key is long\n* Its query is | Yes: twice as long.")
    part(dialog, QLineEdit, "ask").setText("Why?")
    part(dialog, QPlainTextEdit, "hints").setPlainText("Look at Q.")
    (task,) = read(dialog).tasks
    assert isinstance(task, ChoiceTask)
    assert task.hints == ("Look at Q.",)
    options = task.options(window.document)
    assert [option.text for option in options] == ["Its key is long", "Its query is"]
    situation = Situation(window.document, {}, (task,))
    assert task.solution(situation) == (1,)
    assert task.check(situation, (1,)).right
    choose(dialog, "kind", "wrong-step")
    choose(dialog, "mistake", "scale-missing")
    page = read(dialog)
    (task,) = page.tasks
    assert isinstance(task, WrongStepTask)
    opened = page.document.open()
    assert task.solution(Situation(opened, {}, (task,))) == "scaled"
    scores, scaled = (opened.compute()[s] for s in ("scores", "scaled"))
    assert (scores == scaled).all()
    choose(dialog, "kind", "mistake")
    (task,) = read(dialog).tasks
    assert isinstance(task, MistakeTask)
    assert "scale-missing" in task.options(opened)
    # The document of the window computes as it should.
    assert not window.document.spec.mistakes


def the_lesson_is_saved_with_a_session_beside_it_if_need_be_and_reads_back(
    record, window, tmp_path, monkeypatch
):
    path = tmp_path / "mine.md"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), "")
    )
    dialog = record()
    part(dialog, QLineEdit, "title").setText("My task")
    QTest.mouseClick(part(dialog, QPushButton, "copy"), LEFT)
    assert QGuiApplication.clipboard().text() == dialog.text
    QTest.mouseClick(part(dialog, QPushButton, "save"), LEFT)
    QApplication.processEvents()
    lesson = read_lesson(path)
    assert lesson.title == "My task"
    assert [page.title for page in lesson.pages] == ["My task"]
    assert "mine.md" in window.notice.text

    path = tmp_path / "pinned.md"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), "")
    )
    spec = replace(window.document.spec, pins=(Pin("scores", 0, 0, 1.0),))
    window.workbench.edits.submit(Replace("", spec=spec))
    dialog = record("weights", (0, 0))
    QTest.mouseClick(part(dialog, QPushButton, "save"), LEFT)
    QApplication.processEvents()
    assert read_session(tmp_path / "pinned.attn").spec.pins
    (page,) = read_lesson(path).pages
    assert page.document.file == "pinned.attn"

    before = [(tmp_path / f"pinned{s}").read_bytes() for s in (".md", ".attn")]
    dialog = record("weights", (0, 0))
    part(dialog, QLineEdit, "title").setText("Another")
    QTest.mouseClick(part(dialog, QPushButton, "save"), LEFT)
    said = part(dialog, QLabel, "reason").text()
    assert "pinned.attn" in said
    assert "It already exists and was not overwritten." in said
    assert before == [(tmp_path / f"pinned{s}").read_bytes() for s in (".md", ".attn")]


def the_condition_of_a_task_is_about_the_chosen_head(record, window):
    window.opener.open_example("two-heads")
    window.workbench.selection.choose_head(1)
    first, second = window.workbench.engine.current.trace["weights"][:, 4, 1]
    assert abs(first - second) > 0.1
    dialog = record("weights", (4, 1))
    condition = part(dialog, QLineEdit, "condition").text()
    assert condition == f"weights[4, 1] >= {second:.2g}"


def test_tasks_of_every_kind_are_recorded_and_saved_as_a_lesson_that_reads_back(
    record, window, tmp_path, monkeypatch
):
    the_text_asks_for_a_cell_or_whole_rows_with_digits_question_and_hints(
        record, window
    )
    close(window)
    every_other_kind_is_recorded_and_what_cannot_be_is_said(record, window)
    close(window)
    the_lesson_is_saved_with_a_session_beside_it_if_need_be_and_reads_back(
        record, window, tmp_path, monkeypatch
    )
    close(window)
    the_condition_of_a_task_is_about_the_chosen_head(record, window)
    close(window)
