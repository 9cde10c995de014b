"""A person edits cells and blocks in the window, by keys and mouse alone."""

import numpy as np
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QSpinBox, QTableView

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def click(qtbot, window, name, row, column):
    table = window.findChild(QTableView, f"table.{name}")
    place = table.visualRect(table.model().index(row, column)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    return table


def press(qtbot, key, modifiers=NONE):
    """Send a key to whatever has the keys, as a keyboard does."""
    qtbot.keyClick(QApplication.focusWidget(), key, modifiers)


def type_(qtbot, text):
    for letter in text:
        qtbot.keyClicks(QApplication.focusWidget(), letter)


def arithmetic_and_extremes_are_typed_in_a_german_locale(qtbot, window):
    for text, number in [
        ("1/3", 0.3333333333333333),
        ("-sqrt(2)", -1.4142135623730951),
        ("2**-0.5", 0.7071067811865476),
        ("=pi/4", 0.7853981633974483),
        ("5e-324", 5e-324),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("2.0", 2.0),
    ]:
        QLocale.setDefault(QLocale("de_DE"))
        try:
            click(qtbot, window, "W_V", 1, 1)
            type_(qtbot, text)
            press(qtbot, Key.Key_Right)
            assert window.document.matrix("W_V")[1, 1] == number
            press(qtbot, Key.Key_Left)
            revision = window.document.revision
            press(qtbot, Key.Key_F2)
            press(qtbot, Key.Key_Return)
            assert window.document.revision == revision
        finally:
            QLocale.setDefault(QLocale.c())


def a_block_goes_out_and_comes_back_and_a_comma_is_corrected_in_place(qtbot, window):
    click(qtbot, window, "W_Q", 0, 0)
    press(qtbot, Key.Key_A, CONTROL)
    edit = window.menuBar().actions()[1].menu()
    named = {action.objectName(): action for action in edit.actions()}
    named["action.copy"].trigger()
    assert QGuiApplication.clipboard().text() == "2\t0\t2\n2\t0\t0\n2\t1\t2"
    click(qtbot, window, "W_K", 0, 0)
    named["action.paste"].trigger()
    assert np.array_equal(window.document.matrix("W_K"), window.document.matrix("W_Q"))
    assert named["action.undo"].text() == "&Undo Paste into W_K"
    press(qtbot, Key.Key_Z, CONTROL)
    assert window.document.matrix("W_K")[2].tolist() == [0, 1, 1]
    assert not window.isWindowModified()

    window.opener.open_example("four-words")
    table = click(qtbot, window, "W_V", 1, 1)
    type_(qtbot, "0,5*3")
    press(qtbot, Key.Key_Return)
    assert window.reason.text() == "Write decimals with a point: 0.5*3"
    editor = table.viewport().findChild(QLineEdit)
    editor.setFocus()
    press(qtbot, Key.Key_A, CONTROL)
    type_(qtbot, "0.5*3")
    press(qtbot, Key.Key_Return)
    assert window.document.matrix("W_V")[1, 1] == 1.5

    window.opener.open_example("four-words")
    table = click(qtbot, window, "W_Q", 0, 0)
    type_(qtbot, "3.2")
    editor = table.viewport().findChild(QLineEdit)
    window.workbench.engine.flush()
    window.workbench.edits.undo()
    QApplication.processEvents()
    assert editor.text() == "3.2"
    type_(qtbot, "5")
    press(qtbot, Key.Key_Return)
    assert window.document.matrix("W_Q")[0, 0] == 3.25


def too_many_rows_offer_tokens_and_copying_belongs_to_the_view_with_the_keys(
    qtbot, window
):
    table = click(qtbot, window, "X", 3, 0)
    QGuiApplication.clipboard().setText("[[0 0 1]\n [1 0 1]\n [1 1 1]]")
    press(qtbot, Key.Key_V, CONTROL)
    assert window.document.revision == 0
    assert "room for 1×3." in window.notice.text
    button = window.notice.findChild(QPushButton, "notice.offer.0")
    button.setFocus()
    qtbot.keyClick(button, Key.Key_Space)
    assert window.document.matrix("X")[3:].tolist() == [[0, 0, 1], [1, 0, 1], [1, 1, 1]]
    window.workbench.engine.flush()
    assert window.workbench.engine.current.trace.shape("weights")[-2:] == (6, 6)
    assert table.hasFocus()
    press(qtbot, Key.Key_Z, CONTROL)
    assert len(window.document.tokens) == 4
    assert not window.isWindowModified()

    window.opener.open_example("four-words")
    click(qtbot, window, "W_Q", 0, 0)
    press(qtbot, Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "2"
    window.step_view.set_view("table")
    table = window.step_view.findChild(QTableView)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 2))
    qtbot.keyClick(table, Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text().startswith("0.749130385")
    table.setCurrentIndex(table.model().index(0, 0))
    window.findChild(QAction, "action.copy").trigger()
    assert QGuiApplication.clipboard().text().startswith("0.236089863")
    assert not window.findChild(QAction, "action.paste").isEnabled()


def what_is_typed_goes_with_its_document_or_keeps_it_open_if_refused(qtbot, window):
    first = window.document
    click(qtbot, window, "W_Q", 0, 0)
    type_(qtbot, "3.25")
    window.findChild(QAction, "action.example.two-heads").trigger()
    assert window.document is not first
    assert not window.isWindowModified()
    window.opener.reopen(first)
    assert window.document.matrix("W_Q")[0, 0] == 3.25
    assert window.workbench.edits.undoText() == "Set W_Q[0, 0] to 3.25"

    window.opener.open_example("four-words")
    first = window.document
    click(qtbot, window, "W_Q", 0, 0)
    type_(qtbot, "3,25")
    open_other = window.findChild(QAction, "action.example.two-heads").trigger
    open_other()
    assert window.document is first
    assert window.reason.text() == "Write decimals with a point: 3.25"
    assert window.reason.isVisible()
    assert "Correct it or discard it with Escape" in window.notice.text
    assert QApplication.focusWidget().text() == "3,25"
    press(qtbot, Key.Key_Escape)
    open_other()
    assert window.document is not first


def a_menu_takes_over_what_is_typed_or_leaves_the_keys_beside_a_refused_text(
    qtbot, window
):
    table = click(qtbot, window, "W_Q", 0, 0)
    type_(qtbot, "3.25")
    edit = window.menuBar().actions()[1].menu()
    edit.popup(window.mapToGlobal(window.rect().center()))
    assert window.document.matrix("W_Q")[0, 0] == 3.25
    named = {action.objectName(): action for action in edit.actions()}
    assert named["action.undo"].text() == "&Undo Set W_Q[0, 0] to 3.25"
    named["action.copy"].trigger()
    edit.close()
    assert QGuiApplication.clipboard().text() == "3.25"
    assert table.hasFocus()

    window.opener.open_example("four-words")
    click(qtbot, window, "W_Q", 0, 0)
    type_(qtbot, "3,25")
    table = click(qtbot, window, "W_K", 1, 1)
    edit = window.menuBar().actions()[1].menu()
    edit.popup(window.mapToGlobal(window.rect().center()))
    assert table.hasFocus()
    named = {action.objectName(): action for action in edit.actions()}
    named["action.copy"].trigger()
    edit.close()
    assert QGuiApplication.clipboard().text() == "2"


def test_a_window_that_closes_asks_about_what_is_being_typed(qtbot, window):
    asked = []
    window.confirm_close = lambda _window, titles: bool(asked.append(titles))
    for text in ["3.25", "3,25"]:
        asked.clear()
        click(qtbot, window, "W_Q", 0, 0)
        type_(qtbot, text)
        assert not window.close()
        assert asked == [[window.document]]
    window.confirm_close = None


def a_selection_that_is_cut_off_stays_inside_and_its_keys_are_in_the_help(
    window, qtbot
):
    from attnviewer.ui.frame.keys import keys_tables

    menus = [a.menu() for a in window.menuBar().actions() if a.menu()]
    [listed] = keys_tables(menus, {})
    for keys in (
        "Ctrl+X",
        "Ctrl+V",
        "Ctrl+A",
        "Ctrl+Alt+↑ ↓",
        "Shift+F10",
        "Ctrl+Home",
    ):
        assert keys in listed

    click(qtbot, window, "W_Q", 1, 0)
    press(qtbot, Key.Key_Down, SHIFT)
    press(qtbot, Key.Key_Right, SHIFT)
    press(qtbot, Key.Key_M, CONTROL | SHIFT)
    width = window.findChild(QSpinBox, "dimensions.d_model")
    qtbot.keyClick(width, Key.Key_Down)
    qtbot.keyClick(width, Key.Key_Return)
    window.activateWindow()
    QApplication.processEvents()
    table = window.findChild(QTableView, "table.W_Q")
    assert table.model().rowCount() == 2
    table.setFocus()
    press(qtbot, Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "2\t0"
    press(qtbot, Key.Key_Delete)
    assert window.document.matrix("W_Q").tolist() == [[2, 0, 2], [0, 0, 0]]
    press(qtbot, Key.Key_Z, CONTROL)
    press(qtbot, Key.Key_Z, CONTROL)
    assert window.document.matrix("W_Q").tolist() == [[2, 0, 2], [2, 0, 0], [2, 1, 2]]
    assert not window.isWindowModified()


def test_cells_and_blocks_are_typed_pasted_cut_off_and_copied(qtbot, window):
    arithmetic_and_extremes_are_typed_in_a_german_locale(qtbot, window)
    window.opener.open_example("four-words")
    a_block_goes_out_and_comes_back_and_a_comma_is_corrected_in_place(qtbot, window)
    window.opener.open_example("four-words")
    too_many_rows_offer_tokens_and_copying_belongs_to_the_view_with_the_keys(
        qtbot, window
    )
    window.opener.open_example("four-words")
    a_selection_that_is_cut_off_stays_inside_and_its_keys_are_in_the_help(window, qtbot)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_is_typed_goes_with_its_document_and_to_a_menu_unless_refused(
    qtbot, window
):
    what_is_typed_goes_with_its_document_or_keeps_it_open_if_refused(qtbot, window)
    window.opener.open_example("four-words")
    a_menu_takes_over_what_is_typed_or_leaves_the_keys_beside_a_refused_text(
        qtbot, window
    )
