"""Context menus of cells, labels and cards pin numbers."""

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit

from attnviewer import Pin
from attnviewer.document.pins import add_pins
from attnviewer.io import load
from attnviewer.ui.views.flow.card import FlowCard
from tests.menus import choose_row, context_menu

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

EVERY = slice(None)


def answer(window, name, number) -> None:
    asked = window.findChild(QDialog, "pin")
    assert asked.findChild(QLabel, "pin.cells").text() == name
    field = asked.findChild(QLineEdit, "pin.value")
    field.selectAll()
    QTest.keyClicks(field, number)
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.fixture
def open_view(window):
    """Open a view of the scores of the four words, which have no pins."""

    def open_(name):
        window.workbench.open(load("example:four-words"))
        window.workbench.open_step("scores", (0, 2))
        window.step_view.set_view(name)
        QApplication.processEvents()
        return window.step_view.page_of(name)

    return open_


def check_the_menus_of_table_and_cards_pin_and_unpin(window, open_view):
    table = open_view("table")
    model = table.model()
    block = QItemSelection(model.index(0, 1), model.index(2, 2))
    select = QItemSelectionModel.SelectionFlag.ClearAndSelect
    table.selectionModel().select(block, select)
    middle = table.visualRect(model.index(1, 1)).center()
    choose_row(context_menu(table.viewport(), middle), "Pin numbers…")
    answer(window, "scores[word 1 … word 3, word 2 … word 3]", "7")
    assert window.document.pins == (Pin("scores", [0, 1, 2], [1, 2], 7.0),)
    choose_row(context_menu(table.viewport(), middle), "Unpin")
    assert window.document.pins == ()
    open_view("table")
    card = window.flow.findChild(FlowCard, "flow.scores")
    choose_row(context_menu(card, QPoint(20, 8)), "Pin the whole step…")
    answer(window, "scores[:, :]", "0")
    assert window.document.pins == (Pin("scores", EVERY, EVERY, 0.0),)
    other = Pin("scaled", 0, 0, 1.0)
    window.workbench.edits.submit(add_pins(window.document, [other], "Pin"))
    choose_row(context_menu(card, QPoint(20, 8)), "Unpin")
    assert window.document.pins == (other,)
    open_view("table")
    card = window.flow.findChild(FlowCard, "flow.X")
    menu = context_menu(card, QPoint(20, 8))
    assert not any("in" in a.text() and "Pin" in a.text() for a in menu.actions())
    menu.close()
    window.workbench.open_step("X", (0, 0))
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    heatmap = window.step_view.heatmap
    label = heatmap.rows.placed()[1]
    inside = label.place.map(label.text_rect.center())
    place = heatmap.rows.mapToScene(inside).toPoint()
    menu = context_menu(heatmap.viewport(), place)
    assert "heatmap.pin" not in " ".join(a.objectName() for a in menu.actions())
    menu.close()


def check_labels_of_table_and_heatmap_pin_their_line(window, open_view):
    for row, text, name, pin in (
        (True, "Pin row…", "scores[word 2, :]", Pin("scores", 1, EVERY, 7.0)),
        (False, "Pin column…", "scores[:, word 2]", Pin("scores", EVERY, 1, 7.0)),
    ):
        table = open_view("table")
        header = table.verticalHeader() if row else table.horizontalHeader()
        start = header.sectionViewportPosition(1) + 6
        place = QPoint(6, start) if row else QPoint(start, 6)
        choose_row(context_menu(header.viewport(), place), text)
        answer(window, name, "7")
        assert window.document.pins == (pin,)
    for axis, text, name, pin in (
        ("rows", "Pin row…", "scores[word 2, :]", Pin("scores", 1, EVERY, 7.0)),
        ("columns", "Pin column…", "scores[:, word 2]", Pin("scores", EVERY, 1, 7.0)),
    ):
        heatmap = open_view("heatmap")
        labels = getattr(heatmap, axis)
        label = next(label for label in labels.placed() if label.index == 1)
        inside = label.place.map(label.text_rect.center())
        place = labels.mapToScene(inside).toPoint()
        choose_row(context_menu(heatmap.viewport(), place), text)
        answer(window, name, "7")
        assert window.document.pins == (pin,)
        assert window.workbench.selection.cell == (0, 2)


def test_menus_of_cells_cards_and_labels_pin_and_unpin(window, open_view):
    check_the_menus_of_table_and_cards_pin_and_unpin(window, open_view)
    check_labels_of_table_and_heatmap_pin_their_line(window, open_view)
