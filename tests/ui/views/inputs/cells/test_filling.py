"""Filling the selected cells by keys, as in spreadsheets."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attnviewer.compute import Spec
from attnviewer.document import Document, Region

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
press = QTest.keyClick

DOWN = [(Key.Key_D, CONTROL), (Key.Key_D, CONTROL | SHIFT)]


def select(bench, name, block):
    table = bench.at(name, block.row, block.column)
    for _ in range(block.height - 1):
        press(table, Key.Key_Down, SHIFT)
    for _ in range(block.width - 1):
        press(table, Key.Key_Right, SHIFT)
    return table


def type_over(bench, name, text):
    """Begin to type into the current cell of what is selected."""
    QTest.keyClicks(bench.table(name), text[0])
    QTest.keyClicks(bench.editor(name), text[1:])


def rows(bench, name):
    return bench.document.matrix(name).tolist()


def test_control_and_enter_fill_the_selection_with_what_is_typed(bench):
    table = select(bench, "W_Q", Region(0, 0, 2, 2))
    before = rows(bench, "W_Q")
    type_over(bench, "W_Q", "1/4")
    press(bench.editor("W_Q"), Key.Key_Return, CONTROL)
    assert bench.editor("W_Q") is None
    assert bench.document.matrix("W_Q")[:2, :2].tolist() == [[0.25, 0.25]] * 2
    assert bench.current("W_Q") == (0, 0)
    assert table.selected_block() == Region(0, 0, 2, 2)
    assert bench.edits.undoText() == "Fill the selection in W_Q"
    bench.edits.undo()
    assert rows(bench, "W_Q") == before


def test_control_and_enter_in_one_cell_write_it_and_stay(bench):
    press(bench.type_into("X", 1, 1, "7"), Key.Key_Enter, CONTROL)
    assert bench.current("X") == (1, 1)
    assert bench.edits.undoText() == "Set X[word 2, 1] to 7"
    press(bench.table("X"), Key.Key_Return, CONTROL)
    assert bench.current("X") == (1, 1)


def test_control_and_enter_refuse_a_bad_text_and_keep_it_open(bench):
    select(bench, "W_Q", Region(0, 0, 1, 2))
    type_over(bench, "W_Q", "1,5")
    editor = bench.editor("W_Q")
    press(editor, Key.Key_Return, CONTROL)
    assert bench.editor("W_Q") is editor
    assert bench.reason.text() == "Write decimals with a point: 1.5"
    assert bench.edits.count() == 0
    press(editor, Key.Key_Escape)


@pytest.mark.parametrize("keys", DOWN)
def test_a_block_is_filled_down_from_its_first_row(bench, keys):
    first, *_ = rows(bench, "W_Q")
    table = select(bench, "W_Q", Region(0, 1, 3, 2))
    press(table, *keys)
    assert [row[1:] for row in rows(bench, "W_Q")] == [first[1:]] * 3
    assert bench.edits.undoText() == "Fill down in W_Q"
    assert table.selected_block() == Region(0, 1, 3, 2)
    assert bench.edits.count() == 1


def test_a_block_is_filled_to_the_right_from_its_first_column(bench):
    column = [row[0] for row in rows(bench, "W_K")]
    press(select(bench, "W_K", Region(0, 0, 3, 3)), Key.Key_R, CONTROL)
    assert rows(bench, "W_K") == [[value] * 3 for value in column]
    assert bench.edits.undoText() == "Fill right in W_K"


def test_one_row_takes_the_one_above_and_one_column_the_one_on_its_left(bench):
    matrix = bench.document.matrix("W_Q").copy()
    press(bench.at("W_Q", 1, 2), Key.Key_D, CONTROL)
    matrix[1, 2] = matrix[0, 2]
    press(bench.at("W_Q", 2, 1), Key.Key_R, CONTROL)
    matrix[2, 1] = matrix[2, 0]
    assert rows(bench, "W_Q") == matrix.tolist()
    done = bench.edits.count()
    press(bench.at("W_Q", 0, 0), Key.Key_D, CONTROL)
    press(bench.at("W_Q", 0, 0), Key.Key_R, CONTROL)
    assert bench.edits.count() == done


def test_tokens_are_filled_alike_and_stay_as_many(bench):
    table = select(bench, "tokens", Region(0, 0, 3, 1))
    press(table, Key.Key_D, CONTROL)
    assert bench.document.tokens == ("word 1", "word 1", "word 1", "word 4")
    QTest.keyClicks(table, "x")
    press(bench.editor("tokens"), Key.Key_Return, CONTROL)
    assert bench.document.tokens == ("x", "x", "x", "word 4")
    assert bench.edits.count() == 2
    bench.edits.undo()
    bench.edits.undo()
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "word 4")


def test_a_bias_of_the_scores_and_the_mask_are_filled_alike(open_bench):
    spec = Spec(projected=False, mask=True, bias=True)
    matrices = {
        "X": np.eye(3),
        "mask": np.tril(np.ones((3, 3), bool)),
        "bias": [[0.0, -np.inf, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]],
    }
    bench = open_bench(Document("Both", ["a", "b", "c"], matrices, spec))
    for tab, name in enumerate(("X", "mask", "bias")):
        bench.panel.findChild(object, "inputs.tabs").setCurrentIndex(tab)
        press(select(bench, name, Region(0, 0, 3, 3)), Key.Key_D, CONTROL)
        assert rows(bench, name) == [np.array(matrices[name])[0].tolist()] * 3
    assert bench.edits.count() == 3


def test_f2_and_a_double_click_put_the_cursor_at_the_end(bench):
    bench.enter("W_Q", 1, 1, "12.5")
    press(bench.at("W_Q", 1, 1), Key.Key_F2)
    QTest.keyClicks(bench.editor("W_Q"), "3")
    press(bench.editor("W_Q"), Key.Key_Return)
    assert bench.document.matrix("W_Q")[1, 1] == 12.53
    table = bench.table("W_Q")
    cell = table.visualRect(table.model().index(1, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    assert not bench.editor("W_Q").hasSelectedText()
    QTest.keyClicks(bench.editor("W_Q"), "1")
    press(bench.editor("W_Q"), Key.Key_Return)
    assert bench.document.matrix("W_Q")[1, 1] == 12.531
