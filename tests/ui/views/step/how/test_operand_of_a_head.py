"""Of a matrix of several heads, How shows and edits the columns of one."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.document import Region
from tests.ui.views.step.editing import settle

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
HEAD = slice(4, 8)
"""The columns of the second of two heads."""


def second_head(window):
    """Return the table of W_Q in the picture of the second head, opened anew."""
    window.opener.open_example("two-heads")
    window.step_view.set_view("how")
    window.workbench.selection.choose_step("Q")
    window.workbench.selection.choose_head(1)
    settle()
    table = window.step_view.page.stage.findChild(object, "operand.W_Q")
    assert [c for c in range(8) if not table.isColumnHidden(c)] == [4, 5, 6, 7]
    return table


def click(table, row, column):
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle()


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)
    settle()


def current(table):
    return table.currentIndex().row(), table.currentIndex().column()


def test_cells_and_keys_are_those_of_the_head_that_is_seen(window):
    window.resize(1920, 1080)
    check_all_cells(window, second_head(window))
    check_keys(second_head(window))
    check_another_head(window, second_head(window))


def check_all_cells(window, second_head):
    """What selects all selects the head's cells."""
    before = window.document.matrix("W_Q").copy()
    click(second_head, 2, 5)
    press(Key.Key_A, CTRL)
    assert second_head.selected_blocks() == [Region(0, 4, 8, 4)]
    press(Key.Key_Delete)
    after = window.document.matrix("W_Q")
    assert np.array_equal(after[:, :4], before[:, :4])
    assert not after[:, HEAD].any()


KEYS = [
    ((2, 6), Key.Key_Home, Qt.KeyboardModifier.NoModifier, (2, 4)),
    ((2, 6), Key.Key_Home, CTRL, (0, 4)),
    ((2, 6), Key.Key_Left, CTRL, (2, 4)),
    ((2, 4), Key.Key_Right, CTRL, (2, 7)),
    ((2, 4), Key.Key_Left, Qt.KeyboardModifier.NoModifier, (2, 4)),
    ((2, 7), Key.Key_Tab, Qt.KeyboardModifier.NoModifier, (3, 4)),
    ((2, 4), Key.Key_Backtab, SHIFT, (1, 7)),
]
"""Cells, what is pressed in them, and where that leads."""


def check_keys(second_head):
    """Keys, and what Shift selects, stay among the columns that are seen."""
    for start, key, modifiers, end in KEYS:
        click(second_head, *start)
        press(key, modifiers)
        assert current(second_head) == end, (start, key)

    click(second_head, 2, 6)
    press(Key.Key_Space, SHIFT)
    assert second_head.selected_blocks() == [Region(2, 4, 1, 4)]
    click(second_head, 2, 6)
    press(Key.Key_Home, CTRL | SHIFT)
    assert second_head.selected_blocks() == [Region(0, 4, 3, 3)]


def check_another_head(window, second_head):
    """The cell with the keys follows to another head."""
    click(second_head, 2, 6)
    window.workbench.selection.choose_head(0)
    settle()
    assert second_head.hasFocus()
    QTest.keyClicks(second_head, "7")
    press(Key.Key_Return)
    assert window.document.matrix("W_Q")[2, 2] == 7
    assert current(second_head) == (3, 2)
