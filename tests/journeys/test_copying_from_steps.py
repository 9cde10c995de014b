"""Copying from the heatmap and the cards, as a person does it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from attnviewer.ui.text.number_format import AUTOMATIC, NumberFormat
from attnviewer.ui.views.flow.card import FlowCard
from tests.menus import choose_row, context_menu

Key = Qt.Key
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def clipboard():
    return QGuiApplication.clipboard().text()


def weights(window):
    return window.workbench.engine.current.trace["weights"]


def cells_rows_and_cards_are_copied_by_key_and_context_menu(window):
    window.step_view.set_view("heatmap")
    heatmap, selection = window.step_view.heatmap, window.workbench.selection
    heatmap.setFocus()
    selection.choose_cell("weights", (1, 2))
    QTest.keyClick(heatmap, Key.Key_C, CONTROL)
    assert float(clipboard()) == weights(window)[1, 2]
    assert window.notice.text == "weights[word 2, word 3] copied"
    QTest.keyClick(heatmap, Key.Key_Space, SHIFT)
    QTest.keyClick(heatmap, Key.Key_C, CONTROL)
    row = [float(number) for number in clipboard().split("\t")]
    assert row == weights(window)[1].tolist()
    assert window.notice.text == "1×4 cells of weights copied"
    QTest.keyClick(heatmap, Key.Key_Escape)
    QTest.keyClick(heatmap, Key.Key_Escape)
    QTest.keyClick(heatmap, Key.Key_C, CONTROL)
    assert window.notice.text == "Select a cell or mark rows to copy."

    window.step_view.set_view("heatmap")
    heatmap, selection = window.step_view.heatmap, window.workbench.selection
    place = heatmap.cell_rect((2, 3)).center().toPoint()
    choose_row(context_menu(heatmap.viewport(), place), "Copy as NumPy")
    assert selection.cell == (2, 3)
    value = eval(clipboard(), {"np": np})
    assert value.tolist() == [[weights(window)[2, 3]]]
    bar = heatmap.bar
    menu = context_menu(bar, bar.rect().center())
    assert [a.text().replace("&", "") for a in menu.actions() if a.text()] == [
        *("Copy", "Copy as NumPy", "Pin numbers…", "Unpin", "Goal Seek…"),
        "Group tokens…",
        *("Copy picture", "Save picture…"),
        *("Colours and limits…", "Go to token…", "Show all"),
    ]
    choose_row(menu, "Colours and limits…")
    assert bar.panel.isVisible()
    bar.panel.close()

    card = window.flow.findChild(FlowCard, "flow.scores")
    choose_row(context_menu(card, QPoint(20, 8)), "Copy as NumPy")
    scores = window.workbench.engine.current.trace["scores"]
    value = eval(clipboard(), {"np": np})
    assert value.tolist() == scores.tolist()
    assert window.notice.text == "4×4 cells of scores copied"
    choose_row(context_menu(card, QPoint(20, 8)), "Open")
    assert window.workbench.selection.step == "scores"


def number_formats_do_not_follow_into_other_documents(window):
    two = NumberFormat("decimals", 2)
    window.inputs.look.set_format("X", two)
    table = window.step_view.table
    table.set_number_format(two)
    window.opener.open_example("two-heads")
    assert window.inputs.look.format_of("X") == AUTOMATIC
    assert table.number_format == AUTOMATIC


def test_steps_are_copied_by_key_and_context_menu_and_formats_stay_with_their_document(
    window,
):
    cells_rows_and_cards_are_copied_by_key_and_context_menu(window)
    window.opener.open_example("four-words")
    number_formats_do_not_follow_into_other_documents(window)
