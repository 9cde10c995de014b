"""The mask painted and chosen, with real drags and keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTabBar,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.document.masks import MaskPreset, preset_of, visibility
from attnviewer.ui.views.inputs.mask.table import MaskTable

Key = Qt.Key
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
press = QTest.keyClick


def words(n=4, **spec):
    tokens = [f"word {i + 1}" for i in range(n)]
    return Document("Words", tokens, {"X": np.eye(n, 3)}, Spec(projected=False, **spec))


def settle():
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()


class Painter:
    """A person before the mask: the pointer, the keys, and what they see."""

    def __init__(self, bench):
        self.bench, self.edits = bench, bench.edits
        self.document = bench.document

    @property
    def table(self) -> MaskTable:
        return self.bench.table("mask")

    def centre(self, row, column) -> QPoint:
        return self.table.visualRect(self.table.model().index(row, column)).center()

    def drag(self, *cells, button=LEFT, keys=NONE):
        """Press on the first cell, jump from cell to cell, and release."""
        places = [self.centre(*cell) for cell in cells]
        QTest.mousePress(self.table.viewport(), button, keys, places[0])
        for place in places[1:]:
            self.move(place, button, keys)
        QTest.mouseRelease(self.table.viewport(), button, keys, places[-1])

    def move(self, place, button=LEFT, keys=NONE):
        # QTest's own moves know nothing of the pressed button.
        viewport = self.table.viewport()
        where = QPointF(place), QPointF(viewport.mapToGlobal(place))
        none = Qt.MouseButton.NoButton
        event = QMouseEvent(QEvent.Type.MouseMove, *where, none, button, keys)
        QApplication.sendEvent(viewport, event)

    @property
    def rows(self) -> list[str]:
        window = visibility(self.document).window()
        return ["".join("x" if cell else "." for cell in row) for row in window]

    @property
    def count_text(self) -> str:
        return self.bench.panel.findChild(QLabel, "mask.count").text()

    def field(self, name):
        return self.bench.panel.findChild(QSpinBox, f"mask.{name}")

    @property
    def sizes(self):
        return self.bench.panel.findChild(QLineEdit, "mask.sizes")

    @property
    def kind(self):
        return self.bench.panel.findChild(QComboBox, "mask.kind")


@pytest.fixture
def paint(open_bench):
    def open_(document):
        bench = open_bench(document)
        tabs = bench.panel.findChild(QTabBar, "inputs.tabs")
        tabs.setCurrentIndex(tabs.count() - 1)
        settle()
        return Painter(bench)

    return open_


# -------------------------------------------------------------------- painting


def test_a_press_turns_a_cell_and_undo_brings_the_rule_back(paint):
    hand = paint(words(causal=True))
    hand.drag((0, 3))
    assert hand.rows == ["x..x", "xx..", "xxx.", "xxxx"]
    assert hand.edits.undoText() == "Paint mask: show 1 cell"
    hand.drag((0, 3))
    hand.drag((2, 0))
    assert hand.rows == ["x...", "xx..", ".xx.", "xxxx"]
    assert hand.edits.undoText() == "Paint mask: hide 1 cell"
    for _ in range(3):
        hand.edits.undo()
    assert hand.document.spec == Spec(projected=False, causal=True)
    assert "mask" not in hand.document.matrices
    assert not hand.edits.canUndo()


def test_a_quick_drag_leaves_no_gaps_and_is_one_step_of_undo(paint):
    hand = paint(words(6, causal=True))
    before = hand.rows
    hand.drag((5, 0), (5, 5), (1, 1))
    assert hand.rows == ["x.....", "x.....", "xx....", "xxx...", "xxxx..", "......"]
    assert hand.edits.undoText() == "Paint mask: hide 10 cells"
    assert hand.edits.count() == 1
    after = hand.document.matrix("mask").tobytes()
    hand.edits.undo()
    assert hand.rows == before
    hand.edits.redo()
    assert hand.document.matrix("mask").tobytes() == after


def test_the_value_of_the_first_cell_decides_for_the_whole_stroke(paint):
    hand = paint(words(causal=True))
    # The first is hidden and shown; those that are visible already stay so.
    hand.drag((1, 3), (1, 0))
    assert hand.rows == ["x...", "xxxx", "xxx.", "xxxx"]
    assert hand.edits.undoText() == "Paint mask: show 2 cells"


@pytest.mark.parametrize(("button", "keys"), [(RIGHT, NONE), (LEFT, SHIFT)])
def test_the_right_button_and_shift_spread_what_the_cell_has(paint, button, keys):
    hand = paint(words(causal=True))
    hand.drag((3, 0), (0, 3), button=button, keys=keys)
    assert hand.rows == ["x..x", "xxx.", "xxx.", "xxxx"]
    hand.drag((0, 1), (3, 1), button=button, keys=keys)
    assert hand.rows == ["x..x", "x.x.", "x.x.", "x.xx"]


def test_a_stroke_that_changes_nothing_is_no_edit(paint):
    hand = paint(words(causal=True))
    hand.drag((0, 0), button=RIGHT)
    assert hand.edits.count() == 0
    assert hand.document.revision == 0


def test_a_double_click_turns_a_cell_twice(paint):
    hand = paint(words(causal=True))
    place = hand.centre(0, 2)
    QTest.mouseClick(hand.table.viewport(), LEFT, NONE, place)
    QTest.mouseDClick(hand.table.viewport(), LEFT, NONE, place)
    assert hand.rows[0] == "x..."
    assert hand.table.model().index(0, 2).data() == "0"


def test_a_drag_beyond_the_edge_paints_to_the_edge(paint):
    hand = paint(words(causal=True))
    viewport = hand.table.viewport()
    QTest.mousePress(viewport, LEFT, NONE, hand.centre(3, 0))
    hand.move(QPoint(viewport.width() + 500, hand.centre(3, 0).y()))
    QTest.mouseRelease(viewport, LEFT, NONE, hand.centre(3, 0))
    assert hand.rows[3] == "...."
    # Released: what the pointer passes now stays.
    hand.move(hand.centre(0, 0), Qt.MouseButton.NoButton)
    assert hand.rows[0] == "x..."


def test_two_strokes_are_two_steps_of_undo(paint):
    hand = paint(words(causal=True))
    hand.drag((1, 0), (3, 0))
    hand.drag((2, 1), (3, 1))
    assert hand.edits.count() == 2
    hand.edits.undo()
    assert hand.rows == ["x...", ".x..", ".xx.", ".xxx"]


# ------------------------------------------------------------------------ keys


def test_space_turns_and_arrows_move(paint):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 0, 0)
    press(table, Key.Key_Right)
    press(table, Key.Key_Space)
    assert hand.rows[0] == "xx.."
    press(table, Key.Key_Space)
    assert hand.rows[0] == "x..."
    assert hand.edits.undoText() == "Paint mask: hide 1 cell"


def test_space_paints_the_selected_block_as_its_current_cell_turns(paint):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 1, 1)
    press(table, Key.Key_Down, SHIFT)
    press(table, Key.Key_Right, SHIFT)
    # The current cell is the last one, word 3 and word 3: visible.
    press(table, Key.Key_Space)
    assert hand.rows == ["x...", "x...", "x...", "xxxx"]
    assert hand.edits.undoText() == "Paint mask: hide 3 cells"


@pytest.mark.parametrize(
    ("key", "want"),
    [
        (Key.Key_1, "xx"),
        (Key.Key_V, "xx"),
        (Key.Key_0, ".."),
        (Key.Key_H, ".."),
        (Key.Key_Delete, ".."),
    ],
)
def test_keys_show_and_hide_the_selected_cells(paint, key, want):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 0, 0)
    press(table, Key.Key_Right, SHIFT)
    press(table, key)
    assert hand.rows[0] == f"{want}.."
    assert hand.edits.count() == 1


def test_other_letters_neither_edit_nor_jump(paint):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 2, 2)
    QTest.keyClicks(table, "w5x")
    press(table, Key.Key_F2)
    assert hand.bench.editor("mask") is None
    assert hand.bench.current("mask") == (2, 2)
    assert hand.edits.count() == 0


def test_a_row_is_hidden_by_its_header_and_marked_as_seeing_nothing(paint):
    hand = paint(words(causal=True))
    header = hand.table.verticalHeader()
    y = header.sectionViewportPosition(2) + 5
    QTest.mouseClick(header.viewport(), LEFT, NONE, QPoint(5, y))
    press(hand.table, Key.Key_Delete)
    assert hand.rows[2] == "...."
    model = hand.table.model()
    assert model.headerData(2, Qt.Orientation.Vertical) == "∅ word 3"
    tip = model.headerData(
        2, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole.value
    )
    assert tip == "word 3 sees no key: all its weights are 0"
    assert hand.document.compute().window("weights")[2].tolist() == [0, 0, 0, 0]
    check_headings_have_room_for_other_names(hand)


def check_headings_have_room_for_other_names(hand):
    table, tokens = hand.table, [f"another word {n}" for n in range(4)]
    before = table.verticalHeader().width(), table.horizontalHeader().height()
    hand.edits.submit(Replace("Rename", tokens=tuple(tokens)))
    settle()
    wanted = table.heading_size()
    after = table.verticalHeader().width(), table.horizontalHeader().height()
    assert after == (wanted.width(), wanted.height())
    assert after > before


def test_copied_cells_are_zeros_and_ones(paint):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 1, 0)
    press(table, Key.Key_Down, SHIFT)
    press(table, Key.Key_Right, SHIFT)
    press(table, Key.Key_Right, SHIFT)
    press(table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "1\t1\t0\n1\t1\t1"


def test_undo_selects_what_was_painted(paint):
    hand = paint(words(causal=True))
    table = hand.bench.at("mask", 1, 0)
    press(table, Key.Key_Space)
    hand.bench.at("X", 0, 0)
    hand.edits.undo()
    assert hand.bench.current("mask") == (1, 0)


# --------------------------------------------------------------------- presets


def test_the_panel_comes_with_a_mask_and_goes_without(paint):
    hand = paint(words(causal=True))
    assert hand.bench.has_table("mask")
    assert hand.count_text == "6 hidden of 16"
    hand.kind.setFocus()
    QTest.keyClicks(hand.kind, "n")
    assert hand.edits.undoText() == "Set mask to None"
    assert not hand.bench.has_table("mask")
    settle()
    hand.edits.undo()
    settle()
    assert hand.bench.has_table("mask")


@pytest.mark.parametrize(
    ("key", "want", "fields"),
    [
        ("w", ["x...", "xx..", "xxx.", ".xxx"], {"left": 2, "right": 0}),
        ("pad", ["xxx."] * 4, {"real": 3}),
        ("pr", ["xx..", "xx..", "xxx.", "xxxx"], {"prefix": 2}),
        ("b", ["xx..", "xx..", "..xx", "..xx"], {}),
        # On its way there is padding, which is what is painted on.
        ("pai", ["xxx."] * 4, {}),
    ],
)
def test_a_mask_is_chosen_by_key_with_its_numbers_beside_it(paint, key, want, fields):
    hand = paint(words(causal=True))
    hand.kind.setFocus()
    QTest.keyClicks(hand.kind, key)
    assert hand.rows == want
    boxes = {name: hand.field(name) for name in ("left", "right", "real", "prefix")}
    shown = {name: box.value() for name, box in boxes.items() if box.isVisible()}
    assert shown == fields
    assert hand.sizes.isVisible() == (key == "b")
    # Each letter of a name chooses the first mask that begins so.
    while hand.edits.canUndo():
        hand.edits.undo()
    assert hand.document.spec == Spec(projected=False, causal=True)


def test_numbers_act_live_and_a_sitting_is_one_step_of_undo(paint):
    hand = paint(words(6, window=(1, 1)))
    left = hand.field("left")
    left.setFocus()
    for _ in range(3):
        press(left, Key.Key_Up)
    assert hand.document.spec.window == (4, 1)
    assert hand.count_text == "11 hidden of 36"
    assert hand.edits.count() == 1
    press(left, Key.Key_Return)
    press(left, Key.Key_Down)
    assert hand.edits.count() == 2
    assert hand.edits.undoText() == "Set mask to Window 3|1"
    hand.edits.undo()
    hand.edits.undo()
    assert hand.document.spec.window == (1, 1)
    assert left.value() == 1
    check_all_keys_of_the_other_side_stay_all_of_them(hand)


def check_all_keys_of_the_other_side_stay_all_of_them(hand):
    spec = replace(hand.document.spec, window=(1, None))
    hand.edits.submit(Replace("Window", spec=spec))
    press(hand.field("left"), Key.Key_Up)
    assert hand.document.spec.window == (2, None)
    press(hand.field("right"), Key.Key_Down)
    assert hand.document.spec.window == (2, 4)


@pytest.mark.parametrize(("key", "name"), [("pad", "real"), ("pr", "prefix")])
def test_a_number_stays_within_the_keys(paint, key, name):
    hand = paint(words(causal=True))
    hand.kind.setFocus()
    QTest.keyClicks(hand.kind, key)
    box = hand.field(name)
    box.setFocus()
    for _ in range(9):
        press(box, Key.Key_Up)
    assert box.isVisible()
    assert box.value() == {"real": 4, "prefix": 3}[name]
    for _ in range(9):
        press(box, Key.Key_Down)
    assert box.isVisible()
    assert box.value() == {"real": 0, "prefix": 1}[name]


def test_blocks_are_typed_as_sizes_and_a_wrong_text_tells_why(paint):
    hand = paint(words(6, causal=True))
    hand.kind.setFocus()
    QTest.keyClicks(hand.kind, "b")
    hand.sizes.setFocus()
    hand.sizes.selectAll()
    QTest.keyClicks(hand.sizes, "1, 2")
    assert hand.rows == ["x.....", ".xx...", ".xx...", "...xx.", "...xx.", ".....x"]
    QTest.keyClicks(hand.sizes, "x")
    assert hand.bench.reason.text() == (
        "Type block sizes of at least 1, such as 2 or 3, 2."
    )
    assert hand.sizes.text() == "1, 2x"
    hand.bench.elsewhere.setFocus()
    assert hand.sizes.text() == "1, 2"
    assert not hand.bench.reason.isVisible()
    hand.edits.undo()
    hand.edits.undo()
    assert hand.document.spec.causal


def test_painting_makes_a_preset_a_painted_mask(paint):
    hand = paint(words(causal=True))
    hand.kind.setFocus()
    QTest.keyClicks(hand.kind, "b")
    assert hand.kind.currentText() == "Block"
    hand.drag((0, 3))
    assert hand.kind.currentText() == "Painted"
    assert hand.count_text == "7 hidden of 16"
    hand.edits.undo()
    assert hand.kind.currentText() == "Block"
    assert preset_of(hand.document) == MaskPreset("block", (2,))


def test_every_control_has_a_name_and_is_reached_with_tab(paint):
    hand = paint(words(window=(1, 1)))
    controls = [hand.kind, hand.field("left"), hand.field("right"), hand.table]
    assert all(control.accessibleName() for control in controls)
    assert hand.table.accessibleDescription()
    hand.kind.setFocus()
    reached = [hand.kind]
    for _ in range(3):
        press(QApplication.focusWidget(), Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert reached == controls
