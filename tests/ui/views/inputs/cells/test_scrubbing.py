"""Numbers that follow the wheel, the mouse and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from attnviewer.document import Region, SetCells
from attnviewer.ui.views.inputs.cells import scrubbing
from tests.wheel import NOTCH, turn_wheel

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
press = QTest.keyClick


@pytest.fixture
def clock(monkeypatch):
    """The time, in seconds, that stands still unless a test moves it on."""
    time = [100.0]
    monkeypatch.setattr(scrubbing, "monotonic", lambda: time[0])
    return time


def place(bench, name, row, column):
    table = bench.table(name)
    return table.visualRect(table.model().index(row, column)).center()


def wheel(bench, name, row, column, notches, modifiers=CONTROL):
    viewport = bench.table(name).viewport()
    where = place(bench, name, row, column)
    turn_wheel(viewport, round(NOTCH * notches), where, modifiers)


class Drag:
    """The left button held down on a cell, with Alt."""

    def __init__(self, bench, name, row, column, modifiers=ALT):
        self.viewport = bench.table(name).viewport()
        self.start = place(bench, name, row, column)
        QTest.mousePress(self.viewport, LEFT, modifiers, self.start)

    def to(self, x):
        QTest.mouseMove(self.viewport, self.start + QPoint(x, 0))

    def end(self, x):
        QTest.mouseRelease(self.viewport, LEFT, ALT, self.start + QPoint(x, 0))


def number(bench, name="W_Q", row=0, column=2):
    return float(bench.document.matrix(name)[row, column])


def test_turns_of_the_wheel_are_one_step_of_undo(bench, clock):
    for value in (2.1, 2.2, 2.3):
        wheel(bench, "W_Q", 0, 2, 1)
        assert number(bench) == value
    assert bench.edits.count() == 1
    assert bench.edits.undoText() == "Scrub W_Q[0, 2] to 2.3"
    assert bench.current("W_Q") == (0, 2)
    bench.edits.undo()
    assert number(bench) == 2


def test_shift_makes_the_steps_ten_times_finer(bench, clock):
    wheel(bench, "W_Q", 0, 2, 3, CONTROL | SHIFT)
    assert number(bench) == 2.03
    wheel(bench, "W_Q", 0, 2, -3, CONTROL | SHIFT)
    assert number(bench) == 2
    assert bench.edits.count() == 0


def test_parts_of_a_notch_add_up(bench, clock):
    for _ in range(4):
        wheel(bench, "W_Q", 0, 2, 0.25)
    assert number(bench) == 2.1


@pytest.mark.parametrize("between", ["a pause", "another cell", "an undo", "an edit"])
def test_another_gesture_is_another_step_of_undo(bench, clock, between):
    wheel(bench, "W_Q", 0, 2, 1)
    if between == "a pause":
        clock[0] += 1
    elif between == "another cell":
        wheel(bench, "W_Q", 0, 0, 1)
    elif between == "an undo":
        bench.edits.undo()
        bench.edits.redo()
        bench.edits.undo()
    else:
        values = np.array([[5.0]])
        bench.edits.submit(SetCells("Set", "W_Q", 0, 2, values))
    steps, before = bench.edits.count(), number(bench)
    wheel(bench, "W_Q", 0, 2, 1)
    if between == "an undo":
        assert bench.edits.count() == 1
        assert number(bench) == 2.1
    else:
        assert bench.edits.count() == steps + 1
        assert number(bench) == pytest.approx(before + 0.1)


def test_the_wheel_without_control_changes_nothing(bench):
    wheel(bench, "W_Q", 0, 2, 1, NONE)
    assert bench.document.revision == 0


def test_a_drag_with_alt_is_followed_live_and_is_one_step_of_undo(bench):
    drag = Drag(bench, "W_K", 0, 0)
    for x, value in [(4, 2.1), (12, 2.3), (-8, 1.8), (20, 2.5)]:
        drag.to(x)
        assert number(bench, "W_K", 0, 0) == value
    drag.end(20)
    assert bench.edits.count() == 1
    assert bench.edits.undoText() == "Scrub W_K[0, 0] to 2.5"
    QTest.mouseMove(drag.viewport, drag.start + QPoint(40, 0))
    assert number(bench, "W_K", 0, 0) == 2.5
    bench.edits.undo()
    assert number(bench, "W_K", 0, 0) == 2
    assert bench.table("W_K").hasFocus()


def test_two_drags_are_two_steps_of_undo(bench):
    for _ in range(2):
        drag = Drag(bench, "W_K", 0, 0)
        drag.to(8)
        drag.end(8)
    assert bench.edits.count() == 2


def test_a_drag_back_to_where_it_began_leaves_no_step(bench):
    drag = Drag(bench, "W_K", 0, 0)
    drag.to(40)
    drag.to(0)
    drag.end(0)
    assert number(bench, "W_K", 0, 0) == 2
    assert bench.edits.count() == 0


def test_escape_during_a_drag_restores_the_number(bench):
    drag = Drag(bench, "W_K", 0, 0)
    drag.to(40)
    press(bench.table("W_K"), Key.Key_Escape)
    assert number(bench, "W_K", 0, 0) == 2
    assert bench.edits.count() == 0
    drag.to(80)
    drag.end(80)
    assert number(bench, "W_K", 0, 0) == 2
    assert bench.table("W_K").selected_block().height == 1


def test_keys_scrub_the_current_cell(bench, clock):
    table = bench.at("W_Q", 0, 2)
    press(table, Key.Key_Up, CONTROL | ALT)
    press(table, Key.Key_Up, CONTROL | ALT)
    press(table, Key.Key_Down, CONTROL | ALT | SHIFT)
    assert number(bench) == 2.19
    assert bench.edits.count() == 1
    assert bench.current("W_Q") == (0, 2)


def test_tokens_and_cells_being_typed_into_are_not_scrubbed(bench):
    wheel(bench, "tokens", 1, 0, 1)
    press(bench.at("tokens", 1), Key.Key_Up, CONTROL | ALT)
    drag = Drag(bench, "tokens", 1, 0)
    drag.to(20)
    drag.end(20)
    editor = bench.type_into("W_Q", 0, 2, "7")
    wheel(bench, "W_Q", 0, 2, 1)
    assert editor.text() == "7"
    assert bench.document.revision == 0
    press(editor, Key.Key_Escape)


def test_the_ends_of_the_range_are_not_passed(bench, clock):
    largest = 1.7976931348623157e308
    for start, notches in [(largest, 5), (5e-324, 1), (-largest, -5)]:
        values = np.array([[start]])
        bench.edits.submit(SetCells("Set", "W_Q", 0, 2, values))
        wheel(bench, "W_Q", 0, 2, notches)
        assert np.isfinite(number(bench))
        assert abs(number(bench)) >= abs(start)


def test_the_handle_of_the_current_cell_scrubs_without_any_key(bench):
    table = bench.at("W_Q", 0, 2)
    cell = table.visualRect(table.currentIndex())
    start = QPoint(cell.left() + 3, cell.center().y())
    QTest.mouseMove(table.viewport(), start)
    assert table.viewport().cursor().shape() == Qt.CursorShape.SizeHorCursor
    QTest.mousePress(table.viewport(), LEFT, NONE, start)
    QTest.mouseMove(table.viewport(), start + QPoint(13, 0))
    assert number(bench) == 2.3
    QTest.mouseRelease(table.viewport(), LEFT, NONE, start + QPoint(13, 0))
    assert bench.edits.count() == 1
    assert table.selected_block() == Region(0, 2, 1, 1)
    QTest.mouseMove(table.viewport(), cell.center())
    assert table.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor
    bench.edits.undo()
    assert number(bench) == 2


def test_beside_the_handle_a_drag_selects(bench):
    table = bench.at("W_Q", 0, 1)
    QTest.mousePress(table.viewport(), LEFT, NONE, place(bench, "W_Q", 0, 1))
    QTest.mouseMove(table.viewport(), place(bench, "W_Q", 1, 2))
    QTest.mouseRelease(table.viewport(), LEFT, NONE, place(bench, "W_Q", 1, 2))
    assert bench.edits.count() == 0
    assert table.selected_block() == Region(0, 1, 2, 2)
