"""Blocks copied, cut and pasted with real keys."""

import numpy as np
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, SetCells
from attnviewer.io import load
from tests.ui.views.inputs.tables import select

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
press = QTest.keyClick


def clipboard():
    return QGuiApplication.clipboard()


def paste(bench, name, row, column, text):
    clipboard().setText(text)
    press(bench.at(name, row, column), Key.Key_V, CONTROL)


def matrix(bench, name):
    return bench.document.matrix(name).tolist()


def offers(bench):
    buttons = bench.notice.findChildren(QPushButton)
    return [button for button in buttons if button.isVisible()]


def unchanged(bench):
    return bench.edits.count() == 0 and bench.document.revision == 0


# ------------------------------------------------------------------------- copy


def test_control_x_copies_the_block_and_sets_it_to_zero(bench):
    table = bench.at("W_Q", 0, 0)
    select(table, 0, 0, 1, 1)
    press(table, Key.Key_X, CONTROL)
    assert clipboard().text() == "2\t0\n2\t0"
    assert matrix(bench, "W_Q") == [[0, 0, 2], [0, 0, 0], [2, 1, 2]]
    assert bench.edits.undoText() == "Cut 4 cells of W_Q"
    bench.edits.undo()
    press(bench.at("W_Q", 0, 2), Key.Key_X, CONTROL)
    assert bench.edits.undoText() == "Cut W_Q[0, 2]"
    assert clipboard().text() == "2"


def test_cutting_tokens_copies_them_and_takes_none_away(bench):
    press(bench.at("tokens", 1), Key.Key_X, CONTROL)
    assert clipboard().text() == "word 2"
    assert unchanged(bench)


@pytest.mark.parametrize(
    "number", [5e-324, 1.7976931348623157e308, -0.0, 0.1 + 0.2, 1e15, -1e-300]
)
def test_every_number_survives_copy_and_paste_bit_for_bit(bench, number):
    bench.edits.submit(SetCells("Set", "W_Q", 0, 0, np.array([[number]])))
    press(bench.at("W_Q", 0, 0), Key.Key_C, CONTROL)
    press(bench.at("W_K", 2, 2), Key.Key_V, CONTROL)
    assert bench.document.matrix("W_K")[2, 2].tobytes() == np.float64(number).tobytes()


def test_the_keys_of_an_open_editor_are_its_own(bench):
    clipboard().setText("7")
    press(bench.at("W_Q", 0, 0), Key.Key_F2)
    editor = bench.editor("W_Q")
    press(editor, Key.Key_A, CONTROL)
    assert editor.selectedText() == "2"
    press(editor, Key.Key_V, CONTROL)
    assert editor.text() == "7"
    press(editor, Key.Key_Delete)
    press(editor, Key.Key_Backspace)
    assert editor.text() == ""
    assert unchanged(bench)
    press(editor, Key.Key_Escape)


# ------------------------------------------------------------------------ paste


def test_a_block_is_pasted_in_one_step_and_selected(bench):
    paste(bench, "W_K", 1, 1, "array([[5., 6.],\n       [7., 8.]])")
    assert matrix(bench, "W_K") == [[2, 2, 2], [0, 5, 6], [0, 7, 8]]
    assert bench.edits.undoText() == "Paste into W_K"
    assert bench.edits.count() == 1
    assert bench.table("W_K").selected_block() == Region(1, 1, 2, 2)
    bench.edits.undo()
    assert matrix(bench, "W_K") == [[2, 2, 2], [0, 2, 1], [0, 1, 1]]
    assert bench.table("W_K").selected_block() == Region(1, 1, 1, 1)
    bench.edits.redo()
    assert bench.table("W_K").selected_block() == Region(1, 1, 2, 2)


def test_a_single_value_fills_the_selection(bench):
    table = bench.at("W_V", 0, 0)
    select(table, 0, 1, 2, 2)
    clipboard().setText("1/4")
    press(table, Key.Key_V, CONTROL)
    quarter = [[1, 0.25, 0.25], [0, 0.25, 0.25], [0, 0.25, 0.25]]
    assert matrix(bench, "W_V") == quarter
    assert table.selected_block() == Region(0, 1, 3, 2)


def test_a_block_is_repeated_over_a_selection_it_fills_evenly_and_else_once(bench):
    table = bench.at("X", 0, 0)
    select(table, 0, 0, 3, 2)
    clipboard().setText("1\t2\t3\n4\t5\t6")
    press(table, Key.Key_V, CONTROL)
    assert matrix(bench, "X") == [[1, 2, 3], [4, 5, 6]] * 2
    select(table, 0, 0, 2, 2)
    clipboard().setText("7\t8\t9\n7\t8\t9")
    press(table, Key.Key_V, CONTROL)
    assert matrix(bench, "X") == [[7, 8, 9]] * 2 + [[1, 2, 3], [4, 5, 6]]


def test_pasting_what_is_there_is_no_edit_but_selects_it(bench):
    table = bench.at("W_Q", 0, 0)
    select(table, 0, 0, 1, 2)
    press(table, Key.Key_C, CONTROL)
    press(bench.at("W_Q", 0, 0), Key.Key_V, CONTROL)
    assert unchanged(bench)
    assert table.selected_block() == Region(0, 0, 2, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\tx", "Line 1, cell 2 of the text: “x” is not a number."),
        ("-inf", "Line 1, cell 1 of the text: The number must be finite."),
        ("1,500\t2,500", "The comma in “1,500” may stand for"),
        ("", "The text to paste is empty"),
    ],
)
def test_a_bad_text_is_refused_beside_the_cell_and_changes_nothing(bench, text, reason):
    paste(bench, "W_Q", 1, 1, text)
    assert bench.reason.isVisible()
    assert bench.reason.text().startswith(reason)
    table = bench.table("W_Q")
    cell = table.visualRect(table.currentIndex())
    below = table.viewport().mapTo(bench.window, cell.bottomLeft())
    assert 0 < bench.reason.y() - below.y() < 20
    assert unchanged(bench)


def test_decimal_commas_are_told_of_whatever_the_locale(bench):
    QLocale.setDefault(QLocale("de_DE"))
    try:
        paste(bench, "W_Q", 0, 0, "0,5\t1,25\r\n2\t3\r\n")
        assert matrix(bench, "W_Q") == [[0.5, 1.25, 2], [2, 3, 0], [2, 1, 2]]
        assert bench.notice.text == "Commas were read as decimal points."
        press(bench.at("W_Q", 0, 0), Key.Key_C, CONTROL)
        assert clipboard().text() == "0.5"
    finally:
        QLocale.setDefault(QLocale.c())


def test_an_editor_with_refused_text_survives_a_paste_elsewhere(bench):
    bad = bench.type_into("W_Q", 2, 2, "abc")
    press(bad, Key.Key_Return)
    table = bench.table("W_Q")
    for column, text in [(0, "5\t6"), (1, "8\t9")]:
        place = table.visualRect(table.model().index(2 * column, column)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert QApplication.focusWidget() is table
        assert bad.isVisible()
        assert bad.text() == "abc"
        clipboard().setText(text)
        press(table, Key.Key_V, CONTROL)
    assert matrix(bench, "W_Q") == [[5, 6, 2], [2, 0, 0], [2, 8, 9]]
    assert bad.text() == "9"
    press(bad, Key.Key_Escape)


# -------------------------------------------------------------- beyond the edge


def test_rows_below_the_last_token_are_offered_as_new_tokens(bench):
    paste(bench, "X", 3, 1, "1\t2\n3\t4\n5\t6")
    assert unchanged(bench)
    assert bench.notice.text == (
        "The block of 3×2 cells does not fit into X from row 3, column 1 on, "
        "where there is room for 1×2."
    )
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Add 2 tokens and paste", "Paste what fits"]
    QTest.mouseClick(offers(bench)[0], Qt.MouseButton.LeftButton)
    assert matrix(bench, "X")[3:] == [[0, 1, 2], [0, 3, 4], [0, 5, 6]]
    assert bench.document.tokens[4:] == ("word 5", "word 6")
    assert bench.edits.undoText() == "Paste into X"
    assert bench.table("X").selected_block() == Region(3, 1, 3, 2)
    assert bench.table("X").hasFocus()
    assert bench.notice.text == ""
    bench.edits.undo()
    assert len(bench.document.tokens) == 4


def test_an_offer_is_taken_by_its_key(bench, qtbot):
    paste(bench, "W_V", 2, 2, "1\t2\n3\t4")
    assert bench.notice.text == (
        "The block of 2×2 cells does not fit into W_V from row 2, column 2 on, "
        "where there is room for 1×1. With d_model 4, d_v 4, other matrices grow too, "
        "padded with zeros: X 4×4, W_Q 4×3, W_K 4×3."
    )
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Make d_model 4, d_v 4 and paste", "Paste what fits"]
    press(bench.table("W_V"), Key.Key_P, ALT)
    qtbot.waitUntil(lambda: bench.edits.count() == 1)
    assert matrix(bench, "W_V") == [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert bench.table("W_V").hasFocus()


def test_a_block_that_is_too_wide_for_x_is_offered_a_larger_d_model(bench, qtbot):
    paste(bench, "X", 0, 0, "1\t2\t3\t4\n5\t6\t7\t8")
    assert bench.notice.text == (
        "The block of 2×4 cells does not fit into X from row 0, column 0 on, where "
        "there is room for 2×3. With d_model 4, other matrices grow too, padded "
        "with zeros: W_Q 4×3, W_K 4×3, W_V 4×3."
    )
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Make d_model 4 and paste", "Paste what fits"]
    assert unchanged(bench)
    press(bench.table("X"), Key.Key_M, ALT)
    qtbot.waitUntil(lambda: bench.edits.count() == 1)
    expected = [[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 0, 0], [0, 0, 1, 0]]
    assert matrix(bench, "X") == expected
    assert matrix(bench, "W_Q") == [[2, 0, 2], [2, 0, 0], [2, 1, 2], [0, 0, 0]]
    assert bench.edits.undoText() == "Paste into X"
    assert bench.table("X").selected_block() == Region(0, 0, 2, 4)
    bench.edits.undo()
    assert bench.document.matrix("X").shape == (4, 3)
    assert bench.document.matrix("W_Q").shape == (3, 3)


def test_more_tokens_and_a_larger_d_model_are_one_step(bench):
    paste(bench, "X", 3, 2, "1\t2\n3\t4")
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Add 1 token, make d_model 4 and paste", "Paste what fits"]
    QTest.mouseClick(offers(bench)[0], Qt.MouseButton.LeftButton)
    assert matrix(bench, "X")[2:] == [[1, 1, 0, 0], [0, 0, 1, 2], [0, 0, 3, 4]]
    assert bench.document.tokens[3:] == ("word 4", "word 5")
    assert bench.edits.count() == 1


def test_a_wider_w_q_makes_a_larger_d_k(bench):
    paste(bench, "W_Q", 0, 0, "1\t2\t3\t4")
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Make d_k 4 and paste", "Paste what fits"]
    QTest.mouseClick(offers(bench)[0], Qt.MouseButton.LeftButton)
    assert matrix(bench, "W_Q") == [[1, 2, 3, 4], [2, 0, 0, 0], [2, 1, 2, 0]]
    assert bench.document.matrix("W_K").shape == (3, 4)
    assert bench.document.matrix("W_V").shape == (3, 3)


def test_columns_for_which_no_width_is_possible_are_only_cut(open_bench):
    bench = open_bench(load("example:two-heads"))
    columns = bench.document.matrix("W_Q").shape[1]
    wide = "\t".join("1" * (columns + 1))
    paste(bench, "W_Q", 0, 0, wide)  # an odd number for two heads
    assert [b.accessibleName() for b in offers(bench)] == ["Paste what fits"]
    paste(bench, "W_Q", 0, 1, wide)  # two more, but of which head?
    assert [b.accessibleName() for b in offers(bench)] == ["Paste what fits"]
    paste(bench, "W_Q", 0, 0, f"{wide}\t1")
    assert len(offers(bench)) == 2
    assert unchanged(bench)


# ---------------------------------------------------------- names beside numbers


@pytest.mark.parametrize(("table", "row"), [("tokens", 1), ("X", 1)])
def test_names_beside_numbers_are_pasted_in_one_step(bench, table, row):
    paste(bench, table, row, 0, "cat\t1\t2\t3\nsat\t4\t5\t6")
    assert bench.document.tokens == ("word 1", "cat", "sat", "word 4")
    assert matrix(bench, "X")[1:3] == [[1, 2, 3], [4, 5, 6]]
    assert bench.edits.count() == 1
    assert bench.edits.undoText() == "Paste into X"
    assert bench.table("X").selected_block() == Region(1, 0, 2, 3)
    assert bench.notice.text == ""
    bench.edits.undo()
    assert bench.document.tokens == tuple(f"word {k}" for k in range(1, 5))
    assert matrix(bench, "X")[1] == [0, 1, 0]


def test_names_beside_numbers_become_new_tokens_and_columns_if_offered(bench):
    paste(bench, "tokens", 3, 0, "\ta\tb\tc\td\ncat\t1\t2\t3\t4\nsat\t5\t6\t7\t8")
    titles = [button.accessibleName() for button in offers(bench)]
    assert titles == ["Add 1 token, make d_model 4 and paste", "Paste what fits"]
    QTest.mouseClick(offers(bench)[0], Qt.MouseButton.LeftButton)
    assert bench.document.tokens[2:] == ("word 3", "cat", "sat")
    assert matrix(bench, "X")[3:] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    bench.edits.undo()
    paste(bench, "X", 3, 1, "cat, 1, 2, 3\nsat, 5, 6, 7")
    QTest.mouseClick(offers(bench)[1], Qt.MouseButton.LeftButton)
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "cat")
    assert matrix(bench, "X")[3] == [0, 1, 2]


@pytest.mark.parametrize("table", ["tokens", "X"])
def test_a_table_of_pandas_names_tokens_but_not_the_rows_of_weights(bench, table):
    frame = "       d0   d1\ncat   1.0  2.0\nsat  -1.0  3.0\n"
    paste(bench, table, 1, 0, frame)
    assert bench.document.tokens == ("word 1", "cat", "sat", "word 4")
    assert bench.notice.text == (
        "The first row was taken as the names of the columns: d0, d1."
    )
    paste(bench, "W_Q", 0, 0, frame)
    for name, row in (("X", 1), ("W_Q", 0)):
        assert [r[:2] for r in matrix(bench, name)[row : row + 2]] == [[1, 2], [-1, 3]]
    paste(bench, "X", 0, 0, "cat 1 2\nsat 3 4\n5 6 7")
    assert "line 3 with the number 5" in bench.reason.text()


def test_of_several_printed_arrays_the_one_of_the_matrix_is_pasted(bench):
    printed = "W_K:\n[[1 2]\n [3 4]]\nW_Q = [[5, 6], [7, 8]]"
    paste(bench, "W_Q", 0, 0, printed)
    assert [row[:2] for row in matrix(bench, "W_Q")[:2]] == [[5, 6], [7, 8]]
    assert bench.notice.text == (
        "The text has several arrays (W_K, W_Q); W_Q was pasted."
    )
    paste(bench, "X", 0, 0, "embedding:\n[9 8 7]")
    assert matrix(bench, "X")[0] == [9, 8, 7]
    paste(bench, "X", 0, 0, printed)
    assert bench.reason.text().startswith("The text has several arrays: W_K, W_Q.")


def test_a_name_beside_what_is_no_number_is_refused_and_changes_nothing(bench):
    paste(bench, "X", 0, 0, "cat\t1\tx")
    assert bench.reason.text() == "Line 1, cell 3 of the text: “x” is not a number."
    paste(bench, "W_Q", 0, 0, "cat\t1\nsat\t2")  # whose rows are no tokens
    assert "Copy the numbers without their headings." in bench.reason.text()
    assert unchanged(bench)


def test_rows_are_copied_with_the_names_of_their_tokens_and_pasted_back(bench):
    select(bench.at("tokens", 1), 1, 0, 2, 0)
    bench.panel.clipboard.copy_with_names(bench.table("tokens"))
    assert clipboard().text() == "word 2\t0\t1\t0\nword 3\t1\t1\t0"
    select(bench.at("X", 0), 0, 1, 0, 2)
    bench.panel.clipboard.copy_with_names(bench.table("X"))
    assert clipboard().text() == "word 1\t0\t0"
    press(bench.at("X", 3, 1), Key.Key_V, CONTROL)
    assert bench.document.tokens[3] == "word 1"
    assert matrix(bench, "X")[3] == [0, 0, 0]


def test_an_offer_says_how_commas_were_read(bench):
    paste(bench, "W_Q", 2, 0, "0,5\t1\n2\t3")
    assert bench.notice.text.startswith("Commas were read as decimal points. The block")


def test_an_offer_goes_with_the_next_edit(bench):
    paste(bench, "W_V", 2, 2, "1\t2\n3\t4")
    bench.enter("W_Q", 0, 0, "9")
    assert bench.notice.text == ""
    assert offers(bench) == []


def test_lines_pasted_into_tokens_rename_them_and_more_are_offered(bench):
    paste(bench, "tokens", 1, 0, "the\r\ncat\r\n")
    assert bench.document.tokens == ("word 1", "the", "cat", "word 4")
    assert bench.edits.undoText() == "Paste tokens"
    paste(bench, "tokens", 3, 0, "sat\ndown")
    assert bench.edits.count() == 1
    assert offers(bench)[0].accessibleName() == "Add 1 token and paste"
    QTest.mouseClick(offers(bench)[0], Qt.MouseButton.LeftButton)
    assert bench.document.tokens == ("word 1", "the", "cat", "sat", "down")
    assert matrix(bench, "X")[4] == [0, 0, 0]
    paste(bench, "tokens", 0, 0, "a\n\nb")
    assert bench.reason.text() == "Line 2 of the text is empty."


def test_pasting_into_one_of_two_benches_leaves_no_offer_for_another_document(
    open_bench, four_words
):
    bench = open_bench(four_words)
    paste(bench, "W_V", 2, 2, "1\t2")
    other = Document("Other", ["a"], {"X": [[1.0]]}, Spec(projected=False))
    bench.edits.set_document(other)
    bench.panel.set_document(other)
    assert bench.notice.text == ""
    bench.panel.clipboard.paste_what_fits()
    assert other.revision == four_words.revision == 0
    QApplication.processEvents()
