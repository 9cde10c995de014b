"""Title and notes are typed in the window, undone, saved and exported."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from attnviewer.io import read_session

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
EXAMPLE = "Four words, weights drawn with seed 42"


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.focusWidget() or window, key, modifiers)


def title_of(window):
    return window.findChild(QLabel, "title")


def editor_of(window):
    return window.findChild(QLineEdit, "title.editor")


def a_document_is_renamed_by_a_click_and_by_keys(window, monkeypatch, tmp_path, qtbot):
    path = tmp_path / "lesson.attn"
    suggested = []

    def ask(_parent, _title, place, _kinds):
        suggested.append(place)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    window.activateWindow()
    before = window.focusWidget()
    QTest.mouseClick(title_of(window), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    editor = editor_of(window)
    assert window.focusWidget() is editor
    assert editor.selectedText() == EXAMPLE
    QTest.keyClicks(editor, "Lesson 3")
    press(window, Qt.Key.Key_Return)
    assert window.focusWidget() is before
    assert window.document.title == "Lesson 3"
    assert title_of(window).text() == "Lesson 3 — modified"
    assert window.windowTitle().startswith("Lesson 3")
    assert window.step_view.computation.title == "Lesson 3"
    assert window.findChild(QAction, "action.undo").text().endswith("document")
    press(window, Qt.Key.Key_Z, CONTROL)
    assert title_of(window).text() == EXAMPLE

    press(window, Qt.Key.Key_F2, SHIFT)
    QTest.keyClicks(window.focusWidget(), "given up")
    press(window, Qt.Key.Key_Escape)
    assert window.document.title == EXAMPLE
    press(window, Qt.Key.Key_F2, SHIFT)
    QTest.keyClicks(window.focusWidget(), "  ")
    press(window, Qt.Key.Key_Return)
    assert window.document.title == EXAMPLE, "a title cannot be empty"

    press(window, Qt.Key.Key_F2, SHIFT)
    QTest.keyClicks(window.focusWidget(), "Of another")
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    window.opener.open_example("two-heads")
    title = window.document.title
    elsewhere.close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert editor_of(window) is None or not editor_of(window).isVisible()
    press(window, Qt.Key.Key_Return)
    assert window.document.title == title
    window.opener.open_example("four-words")

    press(window, Qt.Key.Key_F2, SHIFT)
    QTest.keyClicks(window.focusWidget(), "Saved while typing")
    press(window, Qt.Key.Key_S, CONTROL)
    assert suggested[0].endswith("Saved while typing.attn")
    assert read_session(path).title == "Saved while typing"

    window.findChild(QAction, "action.notes").trigger()
    press(window, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(window.focusWidget(), "Noted")
    press(window, Qt.Key.Key_S, CONTROL)
    assert read_session(path).notes == "Noted"
    assert window.focusWidget() is window.findChild(QWidget, "notes.scroll")


def notes_are_edited_in_place_undone_and_can_be_added_and_removed(window):
    window.activateWindow()
    area = window.findChild(QWidget, "notes.scroll")
    before, height = window.document.notes, area.height()
    area.setFocus()
    press(window, Qt.Key.Key_F2)
    editor = window.findChild(QPlainTextEdit, "notes.editor")
    assert window.focusWidget() is editor
    assert editor.toPlainText() == before
    press(window, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(editor, "Look at cell 0,2.")
    press(window, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "Then at 0,3.")
    assert window.document.notes == before, "nothing is taken over while it is typed"
    press(window, Qt.Key.Key_Return, CONTROL)
    assert window.document.notes == "Look at cell 0,2.\nThen at 0,3."
    assert window.findChild(QLabel, "notes").text() == window.document.notes
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.document.notes == before
    assert area.height() == height

    press(window, Qt.Key.Key_Return)
    QTest.keyClicks(window.focusWidget(), "x")
    press(window, Qt.Key.Key_Escape)
    assert window.document.notes == before
    press(window, Qt.Key.Key_F2)
    press(window, Qt.Key.Key_A, CONTROL)
    press(window, Qt.Key.Key_Delete)
    press(window, Qt.Key.Key_Tab)  # another part of the window takes the text over
    assert window.document.notes == ""
    assert not area.isVisible()
    table = window.inputs.table("X")
    table.setFocus()
    window.findChild(QAction, "action.notes").trigger()
    assert area.isVisible()
    press(window, Qt.Key.Key_Escape)
    assert window.focusWidget() is table
    window.findChild(QAction, "action.notes").trigger()
    QTest.keyClicks(window.focusWidget(), "New ones")
    press(window, Qt.Key.Key_Return, CONTROL)
    assert window.document.notes == "New ones"


def a_sentence_over_an_example_takes_its_title_and_notes_away(window):
    window.activateWindow()
    before = window.document.notes
    press(window, Qt.Key.Key_T, CONTROL)
    text = window.findChild(QPlainTextEdit, "sentence.text")
    text.selectAll()
    QTest.keyClicks(text, "so tired today")
    window.findChild(QPushButton, "sentence.accept").click()
    assert window.document.tokens == ("so", "tired", "today")
    assert window.document.title == "so tired today"
    assert window.document.notes == ""
    assert window.step_view.computation.title == "so tired today"
    press(window, Qt.Key.Key_Z, CONTROL)
    assert (window.document.title, window.document.notes) == (EXAMPLE, before)


def test_title_and_notes_are_typed_undone_and_saved_and_a_sentence_takes_them_away(
    window, monkeypatch, tmp_path, qtbot
):
    a_sentence_over_an_example_takes_its_title_and_notes_away(window)
    window.opener.open_example("four-words")
    notes_are_edited_in_place_undone_and_can_be_added_and_removed(window)
    window.opener.open_example("four-words")
    a_document_is_renamed_by_a_click_and_by_keys(window, monkeypatch, tmp_path, qtbot)
