"""Filling by the handle at the corner of the selection."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document, Region

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
press = QTest.keyClick


@pytest.fixture
def bench(open_bench):
    values = np.zeros((6, 4))
    values[2, 1:3] = 0.1, 5
    values[3, 1:3] = 0.2, 4
    tokens = [f"t{row}" for row in range(6)]
    spec = Spec(projected=False)
    bench = open_bench(Document("Six", tokens, {"X": values}, spec))
    bench.window.resize(500, 600)
    QApplication.processEvents()
    return bench


def select(bench, block):
    table = bench.at("X", block.row, block.column)
    for _ in range(block.height - 1):
        press(table, Key.Key_Down, SHIFT)
    for _ in range(block.width - 1):
        press(table, Key.Key_Right, SHIFT)
    return table


class Drag:
    """The left button held down on the corner of the selected block."""

    def __init__(self, bench, block):
        self.table = select(bench, block)
        corner = self.rect(block.rows.stop - 1, block.columns.stop - 1).bottomRight()
        QTest.mouseMove(self.table.viewport(), corner - QPoint(4, 4))
        self.cursor = self.table.viewport().cursor().shape()
        QTest.mousePress(self.table.viewport(), LEFT, NONE, corner - QPoint(4, 4))

    def rect(self, row, column):
        return self.table.visualRect(self.table.model().index(row, column))

    def to(self, row, column):
        QTest.mouseMove(self.table.viewport(), self.rect(row, column).center())

    def end(self, row, column, modifiers=NONE):
        self.to(row, column)
        where = self.rect(row, column).center()
        QTest.mouseRelease(self.table.viewport(), LEFT, modifiers, where)


def numbers(bench):
    return bench.document.matrix("X").tolist()


BOTH = Region(2, 1, 2, 2)


def test_two_rows_are_continued_downwards_in_one_step_of_undo(bench):
    before = numbers(bench)
    drag = Drag(bench, BOTH)
    assert drag.cursor == Qt.CursorShape.CrossCursor
    drag.to(4, 2)
    assert bench.edits.count() == 0
    drag.end(5, 2)
    assert [row[1:3] for row in numbers(bench)[2:]] == [
        *([0.1, 5], [0.2, 4]),
        *([0.3, 3], [0.4, 2]),
    ]
    assert bench.edits.count() == 1
    assert bench.edits.undoText() == "Fill a series in X"
    assert bench.table("X").selected_block() == Region(2, 1, 4, 2)
    bench.edits.undo()
    assert numbers(bench) == before
    assert bench.table("X").selected_block() == BOTH


def test_upwards_a_series_goes_on_backwards(bench):
    Drag(bench, BOTH).end(0, 2)
    assert [row[1:3] for row in numbers(bench)[:2]] == [[-0.1, 7], [0, 6]]


def test_to_the_right_columns_are_continued(bench):
    Drag(bench, BOTH).end(2, 3)
    assert [row[3] for row in numbers(bench)[2:4]] == [9.9, 7.8]


def test_to_the_left_one_column_is_copied(bench):
    Drag(bench, Region(2, 1, 2, 1)).end(3, 0)
    assert [row[0] for row in numbers(bench)[2:4]] == [0.1, 0.2]


def test_one_row_is_copied(bench):
    Drag(bench, Region(3, 1, 1, 2)).end(5, 1)
    assert [row[1:3] for row in numbers(bench)[3:]] == [[0.2, 4]] * 3
    assert bench.edits.undoText() == "Fill copies in X"


def test_control_copies_several_rows_and_counts_from_one(bench):
    Drag(bench, BOTH).end(5, 1, CONTROL)
    assert [row[1:3] for row in numbers(bench)[4:]] == [[0.1, 5], [0.2, 4]]
    Drag(bench, Region(5, 2, 1, 1)).end(5, 3, CONTROL)
    assert numbers(bench)[5] == [0, 0.2, 4, 5]


def test_a_frame_shows_what_will_be_filled_and_escape_fills_nothing(bench):
    before = numbers(bench)
    drag = Drag(bench, BOTH)
    plain = drag.table.viewport().grab().toImage()
    drag.to(5, 2)
    assert drag.table.painter.framed == Region(4, 1, 2, 2)
    assert drag.table.viewport().grab().toImage() != plain
    press(drag.table, Key.Key_Escape)
    assert drag.table.painter.framed is None
    drag.to(0, 0)
    drag.end(5, 2)
    assert numbers(bench) == before
    assert bench.edits.count() == 0
    assert drag.table.selected_block() == BOTH


def test_a_drag_that_ends_where_it_began_fills_nothing(bench):
    drag = Drag(bench, BOTH)
    drag.to(5, 2)
    drag.end(3, 2)
    assert bench.edits.count() == 0


def test_tokens_and_several_blocks_have_no_handle(bench):
    tokens = bench.at("tokens", 0)
    assert tokens.handles == []
    table = select(bench, BOTH)
    assert len(table.handles) == 2
    where = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, CONTROL, where)
    assert len(table.handles) == 1
    press(table, Key.Key_F2)
    assert table.handles == []
