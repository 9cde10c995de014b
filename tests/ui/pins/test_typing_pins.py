"""Computed numbers are pinned by typing, pasting and deleting, in both views."""

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from attnviewer import Pin
from attnviewer.document.pins import add_pins
from attnviewer.io import load
from attnviewer.ui.features.pins import PinsFeature
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.widgets.cell_editor import CellEditor
from attnviewer.ui.widgets.pending_input import commit_pending_input
from tests.focus import press

Key = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def asked_before(qapp):
    """The user has pinned a number by typing before."""
    own_settings().setValue("pins/known", True)


@pytest.fixture
def open_view(window, asked_before):
    """Open a view with the keys, on the score of word 1 and word 3, without pins."""

    def open_(name):
        commit_pending_input()
        window.workbench.engine.catch_up()
        window.workbench.open(load("example:four-words"))
        window.notice.dismiss()
        window.reason.clear()
        window.workbench.open_step("scores", (0, 2))
        window.step_view.set_view(name)
        QApplication.processEvents()
        view = window.step_view.page_of(name)
        view.setFocus()
        return view

    return open_


@pytest.fixture
def views(open_view):
    """Open one view after the other, each on a new document."""
    return lambda: map(open_view, ("heatmap", "table"))


def type_(text) -> None:
    for character in text:
        QTest.keyClicks(QApplication.focusWidget(), character)


def editor() -> CellEditor:
    focused = QApplication.focusWidget()
    assert isinstance(focused, CellEditor)
    return focused


def select(table, first, last) -> None:
    model = table.model()
    table.setCurrentIndex(model.index(*first))
    block = QItemSelection(model.index(*first), model.index(*last))
    select = QItemSelectionModel.SelectionFlag.ClearAndSelect
    table.selectionModel().select(block, select)


def reason(window) -> str:
    window.workbench.engine.catch_up()
    bubble = window.findChild(QLabel, "reason")
    return bubble.text() if bubble.isVisible() else ""


def test_typed_numbers_and_arithmetic_are_pinned_and_keys_move_on(window, views):
    for view in views():
        type_("-2.5")
        press(Key.Key_Return)
        assert window.document.pins == (Pin("scores", 0, 2, -2.5),)
        window.workbench.engine.catch_up()
        assert window.workbench.engine.current.trace["scores"][0, 2] == -2.5
        assert window.workbench.selection.cell == (1, 2)
        assert view.hasFocus()
        window.workbench.edits.undo()
        assert window.document.pins == ()
    for _ in views():
        type_("0.5*3")
        press(Key.Key_Tab)
        assert window.document.pins == (Pin("scores", 0, 2, 1.5),)
        assert window.workbench.selection.cell == (0, 3)
        type_("=1/4")
        press(Key.Key_Left)
        assert window.document.pins[1] == Pin("scores", 0, 3, 0.25)
        assert window.workbench.selection.cell == (0, 2)
    for view in views():
        press(Key.Key_A)
        assert view.hasFocus()
    for _ in views():
        window.workbench.open_step("X", (0, 0))
        before = window.document.matrix("X").copy()
        type_("7")
        press(Key.Key_Return)
        assert not isinstance(QApplication.focusWidget(), CellEditor)
        assert window.document.pins == ()
        assert (window.document.matrix("X") == before).all()


def check_escape_or_another_step_gives_up_and_looking_pins_nothing(window, views):
    for view in views():
        type_("7")
        press(Key.Key_Escape)
        assert view.hasFocus()
        press(Key.Key_F2)
        assert editor().text() == "10"
        press(Key.Key_Return)
        press(Key.Key_Return)
        assert editor().isVisible()
        press(Key.Key_Escape)
        assert window.document.pins == ()
    for _ in views():
        type_("7")
        window.workbench.open_step("scaled", (0, 2))
        window.workbench.engine.catch_up()
        QApplication.processEvents()
        assert not isinstance(QApplication.focusWidget(), CellEditor)
        assert window.document.pins == ()


def check_what_cannot_be_pinned_stays_in_the_cell_with_its_reason(window, views):
    for _ in views():
        type_("1,5")
        press(Key.Key_Return)
        assert editor().refused
        assert reason(window) == "Write decimals with a point: 1.5"
        press(Key.Key_A, CTRL)
        type_("1.5")
        assert not reason(window)
        press(Key.Key_Return)
        assert window.document.pins == (Pin("scores", 0, 2, 1.5),)
    for _ in views():
        window.workbench.open_step("weights", (0, 2))
        type_("-inf")
        press(Key.Key_Return)
        assert editor().refused
        assert "weights" in reason(window)
        press(Key.Key_Escape)
        assert window.document.pins == ()


def test_typing_again_changes_a_pin_of_the_cell_that_is_not_overruled(window, views):
    for _ in views():
        pins = [Pin("scores", 0, slice(None), 1.0), Pin("scores", 0, 2, 2.0)]
        window.workbench.edits.submit(add_pins(window.document, pins, "Pin"))
        window.workbench.engine.catch_up()
        type_("3")
        press(Key.Key_Return)
        assert window.document.pins == (pins[0], Pin("scores", 0, 2, 3.0))
    for _ in views():
        pins = [Pin("scores", 0, 2, 2.0), Pin("scores", 0, slice(None), 1.0)]
        window.workbench.edits.submit(add_pins(window.document, pins, "Pin"))
        window.workbench.engine.catch_up()
        type_("3")
        press(Key.Key_Return)
        assert window.document.pins == (*pins, Pin("scores", 0, 2, 3.0))
    for _ in views():
        pins = [Pin("scores", 0, 2, 1.0), Pin("scores", 1, 1, 1.0)]
        window.workbench.edits.submit(add_pins(window.document, pins, "Pin"))
        press(Key.Key_Delete)
        assert window.document.pins == (pins[1],)
        press(Key.Key_Delete)
        assert window.document.pins == (pins[1],)
        assert window.notice.text == "None of the selected cells is pinned."
    for view in views():
        window.opener.open_example("two-heads")
        window.workbench.open_step("scores", (0, 1))
        window.workbench.open_head(1)
        QApplication.processEvents()
        view.setFocus()
        type_("4")
        press(Key.Key_Return)
        assert window.document.pins == (Pin("scores", 0, 1, 4.0, head=1),)


def check_a_pasted_block_is_one_pin_or_refused(window, views, open_view):
    for _ in views():
        QGuiApplication.clipboard().setText("1\t2\n3\t4")
        press(Key.Key_V, CTRL)
        assert window.document.pins == (
            Pin("scores", [0, 1], [2, 3], [[1, 2], [3, 4]]),
        )
        window.workbench.edits.undo()
        assert window.document.pins == ()
    for _ in views():
        QGuiApplication.clipboard().setText("1\t2\t3\n4\t5\t6")
        press(Key.Key_V, CTRL)
        assert window.document.pins == ()
        assert reason(window).startswith(
            "The block of 2×3 cells does not fit into scores from row 0, column 2 on"
        )
        QGuiApplication.clipboard().setText("no numbers")
        press(Key.Key_V, CTRL)
        assert window.document.pins == ()
        assert "number" in reason(window)
    table = open_view("table")
    select(table, (0, 1), (1, 2))
    QGuiApplication.clipboard().setText("8")
    press(Key.Key_V, CTRL)
    assert window.document.pins == (Pin("scores", [0, 1], [1, 2], 8.0),)


def check_control_enter_pins_the_selected_block_or_the_marked_row(window, open_view):
    table = open_view("table")
    select(table, (0, 1), (1, 2))
    type_("5")
    press(Key.Key_Return, CTRL)
    assert window.document.pins == (Pin("scores", [0, 1], [1, 2], 5.0),)
    select(table, (0, 1), (1, 2))
    type_("6")
    press(Key.Key_Return, CTRL)
    assert window.document.pins == (Pin("scores", [0, 1], [1, 2], 6.0),)
    open_view("heatmap")
    press(Key.Key_Space, SHIFT)
    type_("5")
    press(Key.Key_Return, CTRL)
    assert window.document.pins == (Pin("scores", 0, slice(None), 5.0),)


def check_small_cells_are_edited_and_zoomed_by_keys(window, open_view):
    heatmap = open_view("heatmap")
    window.opener.open_example("four-words")
    heatmap.setFocus()
    type_("-12.345")
    field = editor()
    assert field.width() >= field.fontMetrics().horizontalAdvance("-12.345")
    assert field.height() >= field.fontMetrics().height()
    assert heatmap.viewport().rect().contains(field.geometry())
    press(Key.Key_Escape)
    heatmap = open_view("heatmap")
    whole = heatmap.box.sight
    press(Key.Key_Plus, ALT)
    assert heatmap.box.sight.width() < whole.width()
    press(Key.Key_0, ALT)
    assert heatmap.box.sight == whole
    assert heatmap.hasFocus()
    press(Key.Key_Escape)  # no cell is selected any more
    press(Key.Key_Plus)
    assert heatmap.box.sight.width() < whole.width()


def test_cells_take_typed_and_pasted_numbers_of_blocks_small_cells_and_marked_rows(
    window, views, open_view
):
    check_a_pasted_block_is_one_pin_or_refused(window, views, open_view)
    check_control_enter_pins_the_selected_block_or_the_marked_row(window, open_view)
    check_small_cells_are_edited_and_zoomed_by_keys(window, open_view)


def test_only_the_first_number_ever_is_asked_about(window, qtbot):
    for name in ("heatmap", "table"):
        window.workbench.open(load("example:four-words"))
        own_settings().remove("pins/known")
        check_question(window, name, qtbot)


def check_question(window, name, qtbot):
    def take_the_keys() -> None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.step_view.page.setFocus()

    window.workbench.open_step("scores", (0, 2))
    window.step_view.set_view(name)
    QApplication.processEvents()
    take_the_keys()
    type_("5")
    press(Key.Key_Return)
    question = window.findChild(QDialog, "pin.question")
    assert question.isVisible()
    asked = question.findChild(QLabel, "pin.question.asked").text()
    assert asked == ("Computed numbers follow from the inputs. Pin this number to 5?")
    means = question.findChild(QLabel, "pin.question.means").text()
    assert "scores[word 1, word 3]" in means
    QTest.keyClick(question, Key.Key_Escape)
    assert window.document.pins == ()
    assert window.workbench.selection.cell == (0, 2)
    take_the_keys()
    type_("5")
    press(Key.Key_Return)
    pin = window.findChild(QDialog, "pin.question").focusWidget()
    assert pin.text() == "Pin"
    QTest.keyClick(pin, Key.Key_Return)
    assert window.document.pins == (Pin("scores", 0, 2, 5.0),)
    window.workbench.selection.choose_here((1, 1))
    take_the_keys()
    type_("6")
    press(Key.Key_Return)
    assert window.document.pins[1] == Pin("scores", 1, 1, 6.0)


def check_menus_and_a_window_that_closes_take_what_is_being_typed(window, views):
    for _ in views():
        type_("7")
        commit_pending_input()
        assert window.document.pins == (Pin("scores", 0, 2, 7.0),)
        assert window.workbench.selection.cell == (0, 2)
    for view in views():
        feature = window.findChild(PinsFeature)
        type_("7")
        assert feature.commit_editors()
        assert window.document.pins == (Pin("scores", 0, 2, 7.0),)
        window.workbench.engine.catch_up()
        QApplication.processEvents()
        view.setFocus()
        type_("1,5")
        press(Key.Key_Return)
        assert not feature.commit_editors()
        press(Key.Key_Escape)
        assert feature.commit_editors()


def check_a_refused_text_stays_at_its_cell_until_escape(window, open_view):
    heatmap = open_view("heatmap")
    type_("1,5")
    press(Key.Key_Return)
    kept = editor()
    where = heatmap.cell_rect((2, 1)).center().toPoint()
    QTest.mouseClick(heatmap.viewport(), Qt.MouseButton.LeftButton, pos=where)
    QApplication.processEvents()
    assert window.workbench.selection.cell == (2, 1)
    assert kept.isVisible()
    assert (kept.text(), kept.refused) == ("1,5", True)
    heatmap.setFocus()
    type_("7")  # what was refused comes first
    assert editor() is kept
    assert kept.text() == "1,5"
    press(Key.Key_A, CTRL)
    type_("1.5")
    press(Key.Key_Return)
    assert window.document.pins == (Pin("scores", 0, 2, 1.5),)
    assert window.workbench.selection.cell == (1, 2)
    heatmap = open_view("heatmap")
    type_("1,5")
    press(Key.Key_Return)
    kept = editor()
    window.workbench.selection.choose_here((2, 1))
    heatmap.setFocus()
    assert kept.isVisible()
    press(Key.Key_Escape)
    assert not kept.isVisible()
    assert not reason(window)
    type_("4")
    press(Key.Key_Return)
    assert window.document.pins == (Pin("scores", 2, 1, 4.0),)


def test_what_is_being_typed_is_given_up_refused_kept_or_taken(
    window, views, open_view
):
    check_escape_or_another_step_gives_up_and_looking_pins_nothing(window, views)
    check_what_cannot_be_pinned_stays_in_the_cell_with_its_reason(window, views)
    check_a_refused_text_stays_at_its_cell_until_escape(window, open_view)
    check_menus_and_a_window_that_closes_take_what_is_being_typed(window, views)
