"""A person turns to a menu, a button or the history with a cell still open."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QWidget,
)

from attnviewer.ui.widgets.mask_choice import choose_mask
from tests.documents import state_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def type_into(window, name, row, column, text):
    """Click a cell and type, the editor left open."""
    table = window.inputs.table(name)
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    for letter in text:
        QTest.keyClicks(QApplication.focusWidget(), letter)
    return QApplication.focusWidget()


def enter(window, name, row, column, text):
    QTest.keyClick(type_into(window, name, row, column, text), Key.Key_Return)


def push(window, name):
    button = window.findChild(QAbstractButton, f"button.{name}")
    QTest.mouseClick(button, LEFT)


def choose(window, *titles):
    bar = window.menuBar()
    menu, found = bar, bar.actions()
    for title in titles:
        named = [a for a in found if a.text().replace("&", "").startswith(title)]
        action = min(named, key=lambda a: len(a.text()))  # "Fill", not "Fill down"
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
        if menu is not bar and action.menu() is not None:
            QTest.keyClick(menu, Key.Key_Right)  # at once, not after Qt's delay
        menu = QApplication.activePopupWidget()
        found = menu.actions() if menu is not None else []


def w_q(window):
    return window.document.matrix("W_Q").tolist()


OPENED = [[2, 0, 2], [2, 0, 0], [2, 1, 2]]


def what_is_typed_is_undone_first_redone_and_there_before_fills_unless_refused(
    window,
):
    ways = {
        "button": lambda name: push(window, name.lower()),
        "menu": lambda name: choose(window, "Edit", name),
    }
    for step in ways.values():
        enter(window, "W_Q", 0, 0, "7")
        type_into(window, "W_Q", 2, 2, "9")
        step("Undo")
        assert w_q(window) == [[7, 0, 2], *OPENED[1:]]
        step("Redo")
        assert w_q(window) == [[7, 0, 2], [2, 0, 0], [2, 1, 9]]
        step("Undo")
        step("Undo")
        assert w_q(window) == OPENED
        assert not window.isWindowModified()

    enter(window, "W_Q", 0, 0, "7")
    editor = type_into(window, "W_Q", 2, 2, "1,5")
    push(window, "undo")
    assert w_q(window) == OPENED
    assert not window.isWindowModified()
    assert editor.isVisible()
    assert editor.text() == "1,5"
    QTest.keyClick(editor, Key.Key_A, CONTROL)
    QTest.keyClicks(editor, "1.5")
    QTest.keyClick(editor, Key.Key_Return)
    assert w_q(window) == [*OPENED[:2], [2, 1, 1.5]]

    window.opener.open_example("four-words")
    enter(window, "W_Q", 0, 0, "7")
    push(window, "undo")
    type_into(window, "W_Q", 2, 2, "9")
    push(window, "redo")
    assert w_q(window) == [*OPENED[:2], [2, 1, 9]]
    assert window.workbench.edits.count() == 1

    window.opener.open_example("four-words")
    type_into(window, "W_Q", 0, 0, "7")
    choose(window, "Edit", "Fill", "Negate")
    assert w_q(window) == [[-7, 0, -2], [-2, 0, 0], [-2, -1, -2]]
    push(window, "undo")
    assert w_q(window)[0] == [7, 0, 2]

    window.opener.open_example("four-words")
    type_into(window, "W_Q", 0, 0, "7")
    button = window.findChild(QAbstractButton, "fill.W_Q")
    QTimer.singleShot(0, button.menu().close)
    QTest.mouseClick(button, LEFT)
    assert w_q(window)[0] == [7, 0, 2]


def test_neither_the_sentence_nor_another_document_swallows_what_is_being_typed(window):
    editor = type_into(window, "tokens", 0, 0, "cat")
    QTest.keyClick(editor, Key.Key_T, CONTROL)
    text = window.findChild(QPlainTextEdit, "sentence.text")
    QTest.keyClick(text.window(), Key.Key_Escape)
    assert window.document.tokens[0] == "cat"

    type_into(window, "W_Q", 0, 0, "7")
    choose(window, "Examples", "Your journey")
    (kept,) = window.workbench.set_aside
    assert kept.matrix("W_Q")[0, 0] == 7


def the_history_takes_what_is_typed_and_a_typed_temperature_is_undone_first(
    window,
):
    QTest.keyClick(window, Key.Key_H, CONTROL | SHIFT)
    enter(window, "W_Q", 0, 0, "7")
    type_into(window, "W_Q", 2, 2, "9")
    history = window.findChild(QListView, "history.list")
    start = history.visualRect(history.model().index(0, 0)).center()
    QTest.mouseClick(history.viewport(), LEFT, pos=start)
    assert w_q(window) == OPENED
    assert not window.isWindowModified()
    push(window, "redo")
    push(window, "redo")
    assert w_q(window) == [[7, 0, 2], [2, 0, 0], [2, 1, 9]]

    window.opener.open_example("four-words")
    enter(window, "W_Q", 0, 0, "7")
    line = window.findChild(QLineEdit, "spec.temperature.number")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "0.5")
    push(window, "undo")
    assert window.document.spec.temperature == 1
    assert w_q(window)[0][0] == 7
    push(window, "redo")
    assert window.document.spec.temperature == 0.5
    assert QApplication.focusWidget() is line

    window.opener.open_example("four-words")
    enter(window, "W_Q", 0, 0, "7")
    heads = window.findChild(QWidget, "spec.heads")
    heads.setFocus()
    heads.selectAll()
    QTest.keyClicks(heads, "3")
    push(window, "undo")
    assert window.document.spec.n_heads == 1
    assert w_q(window)[0][0] == 7
    push(window, "redo")
    assert window.document.spec.n_heads == 3


def test_what_is_typed_is_asked_about_at_the_close_and_lies_above_an_edit(window):
    asked = []
    window.confirm_close = lambda _window, titles: bool(asked.append(titles))
    type_into(window, "W_Q", 0, 0, "7")
    assert not window.close()
    assert asked == [[window.document]]
    assert w_q(window)[0][0] == 7

    window.opener.open_example("four-words")
    start = state_of(window.document)
    type_into(window, "tokens", 2, 0, "z")
    # As if by a file that is read once more, which asks nobody.
    choose_mask(window.workbench.edits, "painted")
    stack = window.workbench.edits.activeStack()
    texts = [stack.text(row) for row in range(stack.count())]
    assert texts == ["Paint the mask by hand", "Rename token word 3 to z"]
    end = state_of(window.document)
    while stack.canUndo():
        QTest.keyClick(window, Key.Key_Z, CONTROL)
    assert state_of(window.document) == start
    stack.setIndex(2)
    assert state_of(window.document) == end


def test_what_is_typed_is_undone_first_and_there_before_the_history_and_fills(window):
    the_history_takes_what_is_typed_and_a_typed_temperature_is_undone_first(window)
    window.opener.open_example("four-words")
    what_is_typed_is_undone_first_redone_and_there_before_fills_unless_refused(window)
