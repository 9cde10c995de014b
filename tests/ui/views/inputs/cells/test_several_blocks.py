"""Several blocks selected at once, by clicks and drags with Ctrl."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, SetCells
from attnviewer.ui.views.inputs.cells.model import CellModel

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
press = QTest.keyClick


def place(bench, name, row, column):
    table = bench.table(name)
    return table.visualRect(table.model().index(row, column)).center()


def click(bench, name, row, column, modifiers=NONE):
    where = place(bench, name, row, column)
    QTest.mouseClick(bench.table(name).viewport(), LEFT, modifiers, where)


def drag(bench, name, start, end, modifiers=NONE):
    viewport = bench.table(name).viewport()
    QTest.mousePress(viewport, LEFT, modifiers, place(bench, name, *start))
    for position in (start, end):
        QTest.mouseMove(viewport, place(bench, name, *position))
    QTest.mouseRelease(viewport, LEFT, modifiers, place(bench, name, *end))


@pytest.fixture
def two_blocks(bench):
    """W_Q with its first row's start and its last row's end selected."""
    click(bench, "W_Q", 0, 0)
    click(bench, "W_Q", 0, 1, SHIFT)
    click(bench, "W_Q", 2, 2, CONTROL)
    return bench


def test_a_click_with_control_adds_a_block_where_the_current_cell_is(two_blocks):
    table = two_blocks.table("W_Q")
    assert table.selected_blocks() == [Region(0, 0, 1, 2), Region(2, 2, 1, 1)]
    assert two_blocks.current("W_Q") == (2, 2)
    assert table.selected_block() == Region(2, 2, 1, 1)
    press(table, Key.Key_Up, SHIFT)
    assert table.selected_blocks() == [Region(0, 0, 1, 2), Region(1, 2, 2, 1)]
    click(two_blocks, "W_Q", 1, 1)
    assert table.selected_blocks() == [Region(1, 1, 1, 1)]


def test_a_drag_with_control_adds_a_block(two_blocks):
    drag(two_blocks, "W_Q", (1, 0), (2, 1), CONTROL)
    assert Region(1, 0, 2, 2) in two_blocks.table("W_Q").selected_blocks()
    assert len(two_blocks.table("W_Q").selected_blocks()) == 3
    assert two_blocks.current("W_Q") == (1, 0)
    check_a_table_that_shares_its_cells_costs_an_edit_nothing_more(two_blocks)


def check_a_table_that_shares_its_cells_costs_an_edit_nothing_more(bench):
    table, read = bench.table("W_Q"), []
    model = table.model()
    model.status_text = lambda *cell: read.append("status") or ""
    model.values = lambda block: read.append("statistics") or np.zeros((1, 1))

    def per_edit(number):
        read.clear()
        edit = SetCells("Type", "W_Q", 0, 0, np.array([[number]]))
        bench.edits.submit(edit)
        return list(read)

    once = per_edit(7.0)
    assert {"status", "statistics"} == set(once)
    bench.panel._watch(table)
    assert per_edit(8.0) == once


def test_a_click_with_control_on_a_header_adds_its_column(bench):
    table = bench.table("W_Q")
    across = table.horizontalHeader()
    for column, modifiers in ((0, NONE), (2, CONTROL)):
        point = QPoint(across.sectionViewportPosition(column) + 15, 5)
        QTest.mouseClick(across.viewport(), LEFT, modifiers, point)
    assert table.selected_blocks() == [Region(0, 0, 3, 1), Region(0, 2, 3, 1)]


def test_typing_writes_the_current_cell_and_goes_on_through_all_blocks(two_blocks):
    bench = two_blocks
    path = []
    for text in "678":
        QTest.keyClicks(bench.table("W_Q"), text)
        press(bench.editor("W_Q"), Key.Key_Tab)
        path.append(bench.current("W_Q"))
    assert path == [(0, 0), (0, 1), (2, 2)]
    assert bench.document.matrix("W_Q")[0, :2].tolist() == [7, 8]
    assert bench.document.matrix("W_Q")[2, 2] == 6
    press(bench.table("W_Q"), Key.Key_Return, SHIFT)
    assert bench.current("W_Q") == (0, 1)


def test_delete_and_control_enter_reach_all_blocks_in_one_step_of_undo(two_blocks):
    bench, matrix = two_blocks, two_blocks.document.matrix("W_Q").copy()
    press(bench.table("W_Q"), Key.Key_Delete)
    expected = matrix.copy()
    expected[0, :2] = expected[2, 2] = 0
    assert bench.document.matrix("W_Q").tolist() == expected.tolist()
    assert bench.edits.undoText() == "Set 3 cells of W_Q to 0"
    QTest.keyClicks(bench.table("W_Q"), "9")
    press(bench.editor("W_Q"), Key.Key_Return, CONTROL)
    expected[0, :2] = expected[2, 2] = 9
    assert bench.document.matrix("W_Q").tolist() == expected.tolist()
    assert bench.edits.count() == 2
    bench.edits.undo()
    bench.edits.undo()
    assert bench.document.matrix("W_Q").tolist() == matrix.tolist()


def test_blocks_that_line_up_are_copied_as_one(bench):
    matrix = bench.document.matrix("W_Q")
    clipboard = QGuiApplication.clipboard()
    click(bench, "W_Q", 1, 2)
    click(bench, "W_Q", 1, 0, CONTROL)
    press(bench.table("W_Q"), Key.Key_C, CONTROL)
    assert clipboard.text() == f"{matrix[1, 0]:g}\t{matrix[1, 2]:g}"
    click(bench, "W_Q", 2, 1)
    click(bench, "W_Q", 0, 1, CONTROL)
    press(bench.table("W_Q"), Key.Key_C, CONTROL)
    assert clipboard.text() == f"{matrix[0, 1]:g}\n{matrix[2, 1]:g}"
    clipboard.clear()


def test_blocks_that_do_not_line_up_are_neither_copied_nor_cut(two_blocks):
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    press(two_blocks.table("W_Q"), Key.Key_C, CONTROL)
    assert clipboard.text() == "before"
    assert two_blocks.reason.text() == (
        "Several blocks can be copied only if they span the same rows or the same "
        "columns."
    )
    press(two_blocks.table("W_Q"), Key.Key_X, CONTROL)
    assert two_blocks.reason.text() == "Only one block can be cut at a time."
    assert two_blocks.edits.count() == 0


def test_cells_are_copied_as_numpy_with_every_digit(two_blocks):
    bench = two_blocks
    bench.enter("W_Q", 0, 0, "1/3")
    drag(bench, "W_Q", (0, 0), (1, 1))
    numpy = bench.panel.findChild(QAction, "action.copy_numpy")
    numpy.trigger()
    clipboard = QGuiApplication.clipboard()
    text = "np.array([[0.3333333333333333, 0.0],\n          [2.0, 0.0]])"
    assert clipboard.text() == text
    click(bench, "W_Q", 0, 0)
    click(bench, "W_Q", 0, 2, CONTROL)
    numpy.trigger()
    assert clipboard.text() == "np.array([[0.3333333333333333, 2.0]])"
    click(bench, "tokens", 0, 0)
    numpy.trigger()
    assert clipboard.text() == "np.array([['word 1']])"
    clipboard.clear()


# ------------------------------------------------------------------ statistics


@pytest.fixture
def told(bench):
    """The lines of statistics that were told, the newest last."""
    lines = [""]
    bench.panel.statistics_changed.connect(lines.append)
    return lines


def test_statistics_of_the_selection_are_told_and_follow_edits(bench, told):
    for row, text in enumerate(("1", "2", "6")):
        bench.enter("W_Q", row, 0, text)
    assert told[-1] == ""
    drag(bench, "W_Q", (0, 0), (2, 0))
    assert told[-1] == "Sum 9 · Mean 3 · Count 3 · Min 1 · Max 6"
    click(bench, "W_Q", 1, 0)
    assert told[-1] == ""
    click(bench, "W_Q", 2, 0, CONTROL)
    QTest.keyClicks(bench.table("W_Q"), "-")
    QTest.keyClicks(bench.editor("W_Q"), "1")
    press(bench.editor("W_Q"), Key.Key_Return, CONTROL)
    assert told[-1].startswith("Sum −2 · Mean −1 · Count 2 ·")
    bench.elsewhere.setFocus()
    assert told[-1] == ""


def test_tokens_are_only_counted(bench, told):
    press(bench.at("tokens", 0), Key.Key_A, CONTROL)
    assert told[-1] == "Count 4"


def test_the_mean_of_numbers_whose_sum_overflows_is_finite(bench, told):
    drag(bench, "W_Q", (0, 0), (0, 1))
    QTest.keyClicks(bench.table("W_Q"), "1")
    QTest.keyClicks(bench.editor("W_Q"), "e308")
    press(bench.editor("W_Q"), Key.Key_Return, CONTROL)
    assert told[-1].startswith("Sum ∞ · Mean 1e308 · Count 2")


def test_headings_of_selected_lines_are_marked_without_asking_each_cell(
    open_bench, monkeypatch
):
    x = np.zeros((3000, 4))
    bench = open_bench(Document("long", ["a"] * 3000, {"X": x}, Spec(projected=False)))
    table, asked = bench.table("X"), []
    flags = CellModel.flags

    def counted(model, index):
        asked.append(index.row())
        return flags(model, index)

    monkeypatch.setattr(CellModel, "flags", counted)
    press(bench.at("X", 5, 1), Key.Key_A, CONTROL)
    bench.window.grab()
    assert len(asked) < 300
    table.select_block(Region(2, 1, 4, 2))
    across = table.horizontalHeader().selectionModel()
    down = table.verticalHeader().selectionModel()
    columns = [k for k in range(4) if across.columnIntersectsSelection(k)]
    rows = [k for k in range(3000) if down.rowIntersectsSelection(k)]
    assert (columns, rows) == ([1, 2], [2, 3, 4, 5])
