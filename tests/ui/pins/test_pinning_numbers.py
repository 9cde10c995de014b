"""Numbers are pinned, changed, switched off and let go, by keys and mouse."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
)

from attnviewer import Pin
from attnviewer.document import SetCells
from attnviewer.document.pins import add_pins
from attnviewer.document.rearranging import named
from attnviewer.document.sequences import duplicate_tokens, remove_tokens
from attnviewer.document.variants.spec_edit import spec_edit
from attnviewer.io import load
from tests.mnemonics import mnemonics_of

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def shown(window):
    """Return the window on the score of word 1 and word 3, which is 10."""
    window.step_view.set_view("heatmap")
    select_score(window)
    return window


def select_score(window):
    window.workbench.open_step("scores", (0, 2))
    QApplication.processEvents()


def reopen(window):
    """Open the four words anew, without pins, in a window that has the keys."""
    window.workbench.open(load("example:four-words"))
    window.activateWindow()
    select_score(window)


def dialog(window) -> QDialog:
    (found,) = filter(QDialog.isVisible, window.findChildren(QDialog, "pin"))
    return found


def ask(window) -> QDialog:
    QTest.keyClick(window.step_view.heatmap, Key.Key_P, CTRL)
    QApplication.processEvents()
    return dialog(window)


def value(window, step, cell) -> float:
    window.workbench.engine.catch_up()
    return float(window.workbench.engine.current.trace[step][cell])


def said(window) -> str:
    return window.findChild(QLabel, "notice.text").text()


def listed(window) -> list[str]:
    window.docks.open_panel("pins")
    pins = window.findChild(QListWidget, "pins.list")
    return [pins.item(row).text() for row in range(pins.count())]


def check_ctrl_p_pins_the_cell_its_row_its_column_or_the_step(shown) -> None:
    asked = ask(shown)
    fields = {f"pin.{name}" for name in ("what", "how", "value")}
    assert fields <= mnemonics_of(asked).keys()
    assert asked.findChild(QLabel, "pin.cells").text() == "scores[word 1, word 3]"
    assert asked.findChild(QLineEdit, "pin.value").text() == "10"
    QTest.keyClicks(QApplication.focusWidget(), "1/4")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    assert shown.document.pins == (Pin("scores", 0, 2, 0.25),)
    assert value(shown, "scores", (0, 2)) == 0.25
    assert listed(shown) == ["scores[word 1, word 3] = 0.25"]
    shown.workbench.edits.undo()
    assert value(shown, "scores", (0, 2)) == 10
    assert listed(shown) == []
    assert shown.findChild(QLabel, "pins.none").isVisible()
    check_buttons_keep_their_height_in_a_low_panel(shown)
    for index, name, pin in (
        (0, "scores[word 1, word 3]", Pin("scores", 0, 2, 5.0)),
        (1, "scores[word 1, :]", Pin("scores", 0, slice(None), 5.0)),
        (2, "scores[:, word 3]", Pin("scores", slice(None), 2, 5.0)),
        (3, "scores[:, :]", Pin("scores", slice(None), slice(None), 5.0)),
    ):
        reopen(shown)
        asked = ask(shown)
        choose(asked.findChild(QComboBox, "pin.what"), index)
        assert asked.findChild(QLabel, "pin.cells").text() == name
        field = asked.findChild(QLineEdit, "pin.value")
        field.selectAll()
        QTest.keyClicks(field, "5")
        QTest.keyClick(field, Key.Key_Return)
        assert shown.document.pins == (pin,)
        assert listed(shown) == [f"{name} = 5"]


def check_buttons_keep_their_height_in_a_low_panel(shown) -> None:
    dock = shown.findChild(QDockWidget, "dock.pins")
    shown.resizeDocks([dock], [1], Qt.Orientation.Vertical)
    QApplication.processEvents()
    for name in ("add", "change", "remove", "clear", "compare"):
        button = shown.findChild(QPushButton, f"pins.{name}")
        assert button.height() >= button.sizeHint().height(), name


def check_what_cannot_be_pinned_is_refused_in_place(shown) -> None:
    asked = ask(shown)
    field = asked.findChild(QLineEdit, "pin.value")
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Key.Key_Return)
    assert asked.isVisible()
    assert "abc" in asked.findChild(QLabel, "pin.reason").text()
    QTest.keyClick(asked, Key.Key_Escape)
    assert shown.document.pins == ()
    reopen(shown)
    shown.workbench.open_step("weights", (1, 0))
    asked = ask(shown)
    share = asked.findChild(QCheckBox, "pin.share")
    QTest.mouseClick(share, Qt.MouseButton.LeftButton)
    field = asked.findChild(QLineEdit, "pin.value")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1.5")
    assert "at most 1" in asked.findChild(QLabel, "pin.reason").text()
    field.selectAll()
    QTest.keyClicks(field, "0.7")
    QTest.keyClick(field, Key.Key_Return)
    assert shown.document.pins == (Pin("weights", 1, 0, 0.7, rest="share"),)
    assert shown.workbench.engine.current.trace["weights"][1].sum() == pytest.approx(1)
    reopen(shown)
    shown.workbench.open_step("weights", (1, 0))
    asked = ask(shown)
    what = asked.findChild(QComboBox, "pin.what")
    what.setFocus()
    QTest.keyClick(what, Key.Key_Down)
    what.activated.emit(what.currentIndex())
    share = asked.findChild(QCheckBox, "pin.share")
    QTest.mouseClick(share, Qt.MouseButton.LeftButton)
    field = asked.findChild(QLineEdit, "pin.value")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.1")
    QTest.keyClick(field, Key.Key_Return)
    assert asked.isVisible()
    reason = asked.findChild(QLabel, "pin.reason").text()
    assert "must sum to 1" in reason
    assert "Got 0.4" in reason
    assert shown.document.pins == ()
    field.selectAll()
    QTest.keyClicks(field, "0.25")
    QTest.keyClick(field, Key.Key_Return)
    assert value(shown, "weights", (1, 3)) == 0.25
    reopen(shown)
    shown.workbench.open_step("X", (0, 0))
    QTest.keyClick(shown.step_view, Key.Key_P, CTRL)
    assert shown.findChild(QDialog, "pin") is None
    assert said(shown).startswith("Select a cell of a computed step")


def test_pins_that_exceed_a_row_stay_off_and_are_compared_with_no_other(shown) -> None:
    pin = Pin("weights", 0, 2, 0.01, how="add", rest="share")
    edits = shown.workbench.edits
    edits.submit(add_pins(shown.document, [pin], "Pin"))
    weights = shown.document.matrices["W_Q"]
    edits.submit(SetCells("Scale", "W_Q", 0, 0, 20 * weights))
    with pytest.raises(ValueError, match="at most 1 where the others share"):
        shown.document.compute()
    edits.submit(SetCells("Set", "W_Q", 0, 0, weights[:1, :1]))
    shown.step_view.set_view("difference")
    QApplication.processEvents()
    assert "at most 1" in shown.workbench.baseline.last_edit().trouble
    while shown.document.pins:
        edits.undo()
        QApplication.processEvents()
    assert value(shown, "scores", (0, 2)) == 10
    reopen(shown)
    document, edits = shown.document, shown.workbench.edits
    first = Pin("weights", 1, 0, 0.7, rest="share", enabled=False)
    edits.submit(add_pins(document, [first], "Pin"))
    other = replace(first, columns=(2,), enabled=True)
    edits.submit(add_pins(document, [other], "Pin"))
    shown.docks.open_panel("pins")
    pins = shown.findChild(QListWidget, "pins.list")
    reason = shown.findChild(QLabel, "reason")
    count = edits.count()
    pins.setCurrentRow(0)
    QTest.keyClick(pins, Key.Key_Space)
    assert reason.isVisible()
    assert "In row 1 (“word 2”) they sum to 1.4" in reason.text()
    assert pins.item(0).checkState() == Qt.CheckState.Unchecked
    assert document.pins == (first, other)
    assert edits.count() == count
    assert value(shown, "weights", (1, 2)) == 0.7
    pins.setCurrentRow(1)
    QTest.keyClick(pins, Key.Key_Space)
    pins.setCurrentRow(0)
    QTest.keyClick(pins, Key.Key_Space)
    assert value(shown, "weights", (1, 0)) == 0.7


def test_pins_are_changed_switched_off_and_removed_in_the_list(shown) -> None:
    pin = Pin("scores", 0, 2, 5.0)
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
    shown.docks.open_panel("pins")
    pins = shown.findChild(QListWidget, "pins.list")
    panel = shown.findChild(QPushButton, "pins.change").parentWidget()
    panel.show()
    pins.setCurrentRow(0)
    QTest.keyClick(pins, Key.Key_Return)
    asked = dialog(shown)
    box = asked.findChild(QComboBox, "pin.how")
    QTest.keyClick(box, Key.Key_Down)
    box.activated.emit(box.currentIndex())
    field = asked.findChild(QLineEdit, "pin.value")
    QTest.keyClick(field, Key.Key_Return)
    assert shown.document.pins == (Pin("scores", 0, 2, 5.0, how="add"),)
    assert value(shown, "scores", (0, 2)) == 15
    pins.setCurrentRow(0)
    QTest.keyClick(pins, Key.Key_Space)
    assert not shown.document.pins[0].enabled
    assert value(shown, "scores", (0, 2)) == 10
    QTest.keyClick(pins, Key.Key_Return)
    field = dialog(shown).findChild(QLineEdit, "pin.value")
    QTest.keyClicks(field, "6")
    QTest.keyClick(field, Key.Key_Return)
    off = Pin("scores", 0, 2, 6.0, how="add", enabled=False)
    assert shown.document.pins == (off,)  # it stays off
    QTest.keyClick(pins, Key.Key_Delete)
    assert shown.document.pins == ()
    reopen(shown)
    pin = Pin("scores", 0, [1, 2], [[1.0, 2.0]])
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
    shown.docks.open_panel("pins")
    pins = shown.findChild(QListWidget, "pins.list")
    assert listed(shown) == ["scores[word 1, word 2 … word 3] = a block"]
    QTest.keyClick(pins, Key.Key_Return)
    asked = dialog(shown)
    choose(asked.findChild(QComboBox, "pin.how"), 1)
    QTest.keyClick(asked.findChild(QLineEdit, "pin.value"), Key.Key_Return)
    assert shown.document.pins == (replace(pin, how="add"),)
    reopen(shown)
    pin = Pin("scores", 0, 2, 5.0)
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
    names = ("she", *shown.document.tokens[1:])
    edit = named(shown.document, "X", names, "Rename")
    shown.workbench.edits.submit(edit)
    shown.workbench.engine.catch_up()
    assert listed(shown) == ["scores[she, word 3] = 5"]
    reopen(shown)
    shown.opener.open_example("two-heads")
    pins = [Pin("scores", 0, 2, 5.0, head=1), Pin("weights", 1, 1, 0.5, head=0)]
    shown.workbench.edits.submit(add_pins(shown.document, pins, "Pin"))
    shown.workbench.engine.catch_up()
    shown.docks.open_panel("pins")
    rows = shown.findChild(QListWidget, "pins.list")
    shown.findChild(QPushButton, "pins.change").parentWidget().show()
    selection = shown.workbench.selection
    assert [text.partition("[")[0] for text in listed(shown)] == [
        *("scores H1", "weights H0"),
    ]
    QTest.keyClick(rows, Key.Key_Down)
    assert (selection.step, selection.head, selection.cell) == ("weights", 0, (1, 1))
    item = rows.visualItemRect(rows.item(0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=item)
    assert (selection.step, selection.head, selection.cell) == ("scores", 1, (0, 2))
    check_a_pin_beyond_the_computed_tokens_is_listed_by_its_numbers(shown)


def check_a_pin_beyond_the_computed_tokens_is_listed_by_its_numbers(window) -> None:
    reopen(window)
    edits, last = window.workbench.edits, len(window.document.tokens)
    edits.submit(duplicate_tokens(window.document, "X", last - 1, 1, "Duplicate"))
    window.workbench.engine.catch_up()
    pin = Pin("scores", last, last, 0.5)
    edits.submit(add_pins(window.document, [pin], "Pin"))
    edits.activeStack().setIndex(0)
    window.workbench.engine.catch_up()
    edits.activeStack().setIndex(2)
    assert listed(window) == ["scores[4, 4] = 0.5"]
    window.workbench.engine.catch_up()
    assert listed(window) == ["scores[word 4 (2), word 4 (2)] = 0.5"]
    reopen(window)
    assert listed(window) == []


def test_unpinning_and_other_edits_remove_pins_and_say_so(shown) -> None:
    pins = [Pin("scores", 0, slice(None), 1.0), Pin("scores", 3, 3, 1.0)]
    shown.workbench.edits.submit(add_pins(shown.document, pins, "Pin"))
    unpin = shown.findChild(QAction, "action.edit.unpin")
    unpin.trigger()
    assert shown.document.pins == (pins[1],)
    unpin.trigger()
    assert said(shown) == "None of the selected cells is pinned."
    reopen(shown)
    pins = [Pin("scores", 0, 3, 1.0), Pin("scaled", 0, 0, 1.0)]
    edits = shown.workbench.edits
    edits.submit(add_pins(shown.document, pins, "Pin"))
    edits.submit(remove_tokens(shown.document, "X", 3, 1, "Remove"))
    assert said(shown) == "A pin went with its tokens."
    spec = replace(shown.document.spec, scale=1.0)
    edits.submit(spec_edit(shown.document, spec, "Scale"))
    assert said(shown).startswith("The pin scaled[0, 0] = 1 was dropped. The 'step of")


def choose(box, index) -> None:
    box.setCurrentIndex(index)
    box.activated.emit(index)


def check_ctrl_p_on_just_the_cells_of_a_pin_changes_it_and_else_adds_one(
    shown,
) -> None:
    pin = Pin("scores", 0, 2, 5.0, how="add")
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
    asked = ask(shown)
    assert asked.windowTitle() == "Change the pin"
    assert not asked.findChild(QComboBox, "pin.what").isVisible()
    field = asked.findChild(QLineEdit, "pin.value")
    assert field.text() == "5"
    QTest.keyClicks(field, "6")
    QTest.keyClick(field, Key.Key_Return)
    assert shown.document.pins == (Pin("scores", 0, 2, 6.0, how="add"),)
    reopen(shown)
    pin = Pin("scores", 0, slice(None), 1.0)
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
    asked = ask(shown)
    assert asked.windowTitle() == "Pin numbers"
    field = asked.findChild(QLineEdit, "pin.value")
    QTest.keyClick(field, Key.Key_Return)
    assert shown.document.pins == (pin, Pin("scores", 0, 2, 1.0))


def test_ctrl_p_pins_what_is_asked_for_or_refuses_it_in_place(shown):
    check_ctrl_p_pins_the_cell_its_row_its_column_or_the_step(shown)
    reopen(shown)
    check_what_cannot_be_pinned_is_refused_in_place(shown)
    reopen(shown)
    check_ctrl_p_on_just_the_cells_of_a_pin_changes_it_and_else_adds_one(shown)
