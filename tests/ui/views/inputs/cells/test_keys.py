"""Keys and mouse that move and select, as in Excel."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, Replace

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
press = QTest.keyClick


@pytest.fixture
def tall(open_bench):
    tokens = [f"t{row}" for row in range(40)]
    values = np.arange(240.0).reshape(40, 6)
    return open_bench(Document("Tall", tokens, {"X": values}, Spec(projected=False)))


def place(bench, row, column, name="W_Q"):
    table = bench.table(name)
    return table.visualRect(table.model().index(row, column)).center()


WAYS = [
    (Key.Key_Home, NONE, (7, 3), (7, 0)),
    (Key.Key_End, NONE, (7, 3), (7, 5)),
    (Key.Key_Home, CONTROL, (7, 3), (0, 0)),
    (Key.Key_End, CONTROL, (7, 3), (39, 5)),
    (Key.Key_Left, CONTROL, (7, 3), (7, 0)),
    (Key.Key_Right, CONTROL, (7, 3), (7, 5)),
    (Key.Key_Up, CONTROL, (7, 3), (0, 3)),
    (Key.Key_Down, CONTROL, (7, 3), (39, 3)),
    (Key.Key_PageDown, NONE, (7, 3), (18, 3)),
    (Key.Key_PageUp, NONE, (30, 3), (19, 3)),
    (Key.Key_PageUp, NONE, (3, 3), (0, 3)),
    (Key.Key_Right, NONE, (7, 5), (7, 5)),
]
"""Keys, where they are pressed, and the cell that they lead to."""


def test_keys_go_where_excel_goes(tall):
    for key, modifiers, start, end in WAYS:
        tall.at("X", 0, 0)
        table = tall.at("X", *start)
        press(table, key, modifiers)
        assert tall.current("X") == end, key
        assert table.selected_block() == Region(*end, 1, 1), key
        place = table.visualRect(table.currentIndex())
        assert table.viewport().rect().intersects(place), key


BLOCKS = [
    ([(Key.Key_Right, SHIFT), (Key.Key_Down, SHIFT)], (7, 3, 2, 2)),
    ([(Key.Key_Left, SHIFT), (Key.Key_Up, SHIFT)], (6, 2, 2, 2)),
    ([(Key.Key_Right, SHIFT), (Key.Key_Left, SHIFT)], (7, 3, 1, 1)),
    ([(Key.Key_Right, SHIFT)] + [(Key.Key_Left, SHIFT)] * 2, (7, 2, 1, 2)),
    ([(Key.Key_Down, SHIFT | CONTROL)], (7, 3, 33, 1)),
    ([(Key.Key_End, SHIFT | CONTROL)], (7, 3, 33, 3)),
    ([(Key.Key_Home, SHIFT)], (7, 0, 1, 4)),
    ([(Key.Key_PageDown, SHIFT)], (7, 3, 12, 1)),
    ([(Key.Key_Space, SHIFT)], (7, 0, 1, 6)),
    ([(Key.Key_Space, CONTROL)], (0, 3, 40, 1)),
    ([(Key.Key_Down, SHIFT), (Key.Key_Space, SHIFT)], (7, 0, 2, 6)),
    ([(Key.Key_A, CONTROL)], (0, 0, 40, 6)),
]
"""Keys, and the block that they select from a cell: its corner, height and width."""


def test_shift_selects_from_the_cell_where_the_selection_began(tall):
    for keys, block in BLOCKS:
        tall.at("X", 0, 0)
        table = tall.at("X", 7, 3)
        for key, modifiers in keys:
            press(table, key, modifiers)
        assert table.selected_block() == Region(*block), keys
        assert tall.current("X") == (7, 3), keys
        assert tall.editor("X") is None, keys


@pytest.mark.parametrize(
    ("key", "modifiers", "path"),
    [
        (Key.Key_Return, NONE, [(1, 0), (0, 1), (1, 1), (0, 0)]),
        (Key.Key_Return, SHIFT, [(1, 1), (0, 1), (1, 0), (0, 0)]),
        (Key.Key_Tab, NONE, [(0, 1), (1, 0), (1, 1), (0, 0)]),
        (Key.Key_Backtab, SHIFT, [(1, 1), (1, 0), (0, 1), (0, 0)]),
    ],
)
def test_enter_and_tab_go_round_inside_a_selection(bench, key, modifiers, path):
    table = bench.at("W_Q", 0, 0)
    press(table, Key.Key_Right, SHIFT)
    press(table, Key.Key_Down, SHIFT)
    for step in path:
        press(table, key, modifiers)
        assert bench.current("W_Q") == step
        assert table.selected_block() == Region(0, 0, 2, 2)


def test_typing_goes_round_inside_a_selection_too(bench):
    table = bench.at("W_Q", 0, 0)
    press(table, Key.Key_Right, SHIFT)
    for digit in "789":
        QTest.keyClicks(table, digit)
        press(bench.editor("W_Q"), Key.Key_Tab)
    assert bench.document.matrix("W_Q")[0].tolist() == [9, 8, 2]


def type_along(bench, name, text, key, modifiers=NONE):
    """Type into the current cell and press a key in the editor."""
    QTest.keyClicks(bench.table(name), text)
    press(bench.editor(name), key, modifiers)


@pytest.mark.parametrize("name", ["X", "W_Q"])
def test_enter_after_tabs_returns_to_the_column_where_the_row_was_begun(bench, name):
    bench.at(name, 0, 0)
    for row in (0, 1):
        for text, key in (("7", Key.Key_Tab), ("8", Key.Key_Tab), ("9", Key.Key_Enter)):
            type_along(bench, name, text, key)
        assert bench.current(name) == (row + 1, 0)
    assert bench.document.matrix(name)[:2].tolist() == [[7, 8, 9], [7, 8, 9]]


def test_enter_after_tabs_without_typing_and_backwards_returns_too(bench):
    table = bench.at("W_Q", 1, 1)
    press(table, Key.Key_Tab)
    press(table, Key.Key_Return)
    assert bench.current("W_Q") == (2, 1)
    press(table, Key.Key_Backtab, SHIFT)
    press(table, Key.Key_Return, SHIFT)
    assert bench.current("W_Q") == (1, 1)


def test_a_run_of_tabs_that_goes_on_in_the_next_row_began_there(bench):
    table = bench.at("W_Q", 0, 2)
    for key in (Key.Key_Tab, Key.Key_Tab, Key.Key_Return):
        press(table, key)
    assert bench.current("W_Q") == (2, 0)


@pytest.mark.parametrize("how", ["arrow", "click", "click on the same cell"])
def test_arrows_and_the_mouse_end_a_run_of_tabs(bench, how):
    table = bench.at("W_Q", 0, 0)
    press(table, Key.Key_Tab)
    if how == "arrow":
        press(table, Key.Key_Right)
        press(table, Key.Key_Left)
    else:
        if how == "click":
            QTest.mouseClick(table.viewport(), LEFT, pos=place(bench, 0, 2))
        QTest.mouseClick(table.viewport(), LEFT, pos=place(bench, 0, 1))
    press(table, Key.Key_Return)
    assert bench.current("W_Q") == (1, 1)


def test_arrows_leave_what_was_typed_and_stay_inside_what_is_edited(bench):
    editor = bench.type_into("W_Q", 0, 0, "12")
    press(editor, Key.Key_Right)
    assert bench.editor("W_Q") is None
    assert bench.current("W_Q") == (0, 1)
    assert bench.document.matrix("W_Q")[0, 0] == 12
    press(bench.at("W_Q", 0, 0), Key.Key_F2)
    editor = bench.editor("W_Q")
    press(editor, Key.Key_End)
    press(editor, Key.Key_Left)
    QTest.keyClicks(editor, ".")
    assert editor.text() == "1.2"
    press(editor, Key.Key_Return)
    assert bench.document.matrix("W_Q")[0, 0] == 1.2


def test_f2_and_a_click_give_the_arrows_to_what_is_being_typed(bench):
    editor = bench.type_into("W_Q", 0, 0, "12")
    press(editor, Key.Key_F2)
    press(editor, Key.Key_Left)
    assert editor.cursorPosition() == 1
    press(editor, Key.Key_F2)
    press(editor, Key.Key_Left)
    assert bench.editor("W_Q") is None
    editor = bench.type_into("W_Q", 1, 1, "34")
    QTest.mouseClick(editor, LEFT, pos=editor.rect().center())
    press(editor, Key.Key_Left)
    assert bench.editor("W_Q") is editor
    press(editor, Key.Key_Escape)


def test_an_arrow_does_not_leave_bad_text(bench):
    editor = bench.type_into("W_Q", 0, 0, "1,5")
    press(editor, Key.Key_Right)
    assert bench.editor("W_Q") is editor
    assert bench.reason.text() == "Write decimals with a point: 1.5"
    assert bench.current("W_Q") == (0, 0)
    press(editor, Key.Key_Escape)


def test_a_drag_selects_and_the_cell_it_began_with_stays_current(bench):
    viewport = bench.at("W_Q", 2, 2).viewport()
    QTest.mousePress(viewport, LEFT, pos=place(bench, 0, 0))
    for row, column in [(0, 1), (1, 1), (1, 2)]:
        QTest.mouseMove(viewport, place(bench, row, column))
    QTest.mouseRelease(viewport, LEFT, pos=place(bench, 1, 2))
    assert bench.table("W_Q").selected_block() == Region(0, 0, 2, 3)
    assert bench.current("W_Q") == (0, 0)
    press(bench.table("W_Q"), Key.Key_Left, SHIFT)
    assert bench.table("W_Q").selected_block() == Region(0, 0, 2, 2)


def test_a_click_with_shift_selects_from_the_current_cell(bench):
    viewport = bench.table("W_Q").viewport()
    QTest.mouseClick(viewport, LEFT, pos=place(bench, 2, 2))
    QTest.mouseClick(viewport, LEFT, SHIFT, place(bench, 1, 0))
    assert bench.table("W_Q").selected_block() == Region(1, 0, 2, 3)
    assert bench.current("W_Q") == (2, 2)


def test_headers_and_the_corner_select_columns_rows_and_all(bench):
    table = bench.table("W_Q")
    across, down = table.horizontalHeader(), table.verticalHeader()
    point = QPoint(across.sectionViewportPosition(1) + 5, 5)
    QTest.mouseClick(across.viewport(), LEFT, pos=point)
    assert table.selected_block() == Region(0, 1, 3, 1)
    point = QPoint(5, down.sectionViewportPosition(2) + 5)
    QTest.mouseClick(down.viewport(), LEFT, pos=point)
    assert table.selected_block() == Region(2, 0, 1, 3)
    QTest.mouseClick(table.findChild(QAbstractButton), LEFT)
    assert table.selected_block() == Region(0, 0, 3, 3)
    press(table, Key.Key_Delete)
    assert not bench.document.matrix("W_Q").any()


def test_a_selection_stays_inside_a_matrix_that_shrinks(bench):
    table = bench.at("X", 2, 0)
    press(table, Key.Key_End, SHIFT | CONTROL)
    edit = Replace("Fewer", tokens=("a",), matrices={"X": np.ones((1, 3))})
    bench.edits.submit(edit)
    block = table.selected_block()
    assert block is None or block.rows.stop <= 1
    press(table, Key.Key_Delete)
    press(table, Key.Key_Home, CONTROL)
    press(table, Key.Key_Right, SHIFT)
    press(table, Key.Key_C, CONTROL)
    bench.edits.undo()
    assert bench.document.matrix("X").shape[0] in (1, 4)
