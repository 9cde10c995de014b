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
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
)

from attnviewer import Pin
from attnviewer.document.pins import add_pins
from attnviewer.document.sequences import remove_tokens
from attnviewer.document.variants.spec_edit import spec_edit

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def shown(window, qtbot):
    """Return the window on the score of word 1 and word 3, which is 10."""
    window.workbench.open_step("scores", (0, 2))
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    return window


def dialog(window) -> QDialog:
    found = window.findChild(QDialog, "pin")
    assert found is not None
    assert found.isVisible()
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
    pins = window.findChild(QListWidget, "pins.list")
    return [pins.item(row).text() for row in range(pins.count())]


def test_ctrl_p_pins_the_selected_number_by_one_step_of_undo(shown) -> None:
    asked = ask(shown)
    assert asked.findChild(QLabel, "pin.cells").text() == "scores[word 1, word 3]"
    assert asked.findChild(QLineEdit, "pin.value").text() == "10"
    QTest.keyClicks(QApplication.focusWidget(), "1/4")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    assert shown.document.pins == (Pin("scores", 0, 2, 0.25),)
    assert value(shown, "scores", (0, 2)) == 0.25
    assert listed(shown) == ["scores[0, 2] = 0.25"]
    shown.workbench.edits.undo()
    assert value(shown, "scores", (0, 2)) == 10
    assert listed(shown) == []


def test_a_text_that_is_no_number_is_refused_in_place(shown) -> None:
    asked = ask(shown)
    field = asked.findChild(QLineEdit, "pin.value")
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Key.Key_Return)
    assert asked.isVisible()
    assert "abc" in asked.findChild(QLabel, "pin.reason").text()
    QTest.keyClick(asked, Key.Key_Escape)
    assert shown.document.pins == ()


def test_weights_share_the_rest_if_wanted(shown) -> None:
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


def test_a_pin_is_changed_switched_off_and_removed_in_the_list(shown, qtbot) -> None:
    pin = Pin("scores", 0, 2, 5.0)
    shown.workbench.edits.submit(add_pins(shown.document, [pin], "Pin"))
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
    QTest.keyClick(pins, Key.Key_Delete)
    assert shown.document.pins == ()


def test_unpinning_a_cell_removes_what_acts_on_it(shown) -> None:
    pins = [Pin("scores", 0, slice(None), 1.0), Pin("scores", 3, 3, 1.0)]
    shown.workbench.edits.submit(add_pins(shown.document, pins, "Pin"))
    unpin = shown.findChild(QAction, "action.edit.unpin")
    unpin.trigger()
    assert shown.document.pins == (pins[1],)
    unpin.trigger()
    assert said(shown) == "None of the selected cells is pinned."


def test_inputs_are_not_pinned_but_edited(shown) -> None:
    shown.workbench.open_step("X", (0, 0))
    QTest.keyClick(shown.step_view, Key.Key_P, CTRL)
    assert shown.findChild(QDialog, "pin") is None
    assert said(shown).startswith("Select a cell of a computed step")


def test_what_drops_pins_says_so(shown) -> None:
    pins = [Pin("scores", 0, 3, 1.0), Pin("scaled", 0, 0, 1.0)]
    edits = shown.workbench.edits
    edits.submit(add_pins(shown.document, pins, "Pin"))
    edits.submit(remove_tokens(shown.document, "X", 3, 1, "Remove"))
    assert said(shown) == "A pin went with its tokens."
    spec = replace(shown.document.spec, scale=1.0)
    edits.submit(spec_edit(shown.document, spec, "Scale"))
    assert said(shown).startswith("The pin scaled[0, 0] = 1 was dropped. The 'step of")
