"""Goal Seek is offered by the menus of cells and rows of every view."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel

from attnviewer.compute import HeadLocation
from attnviewer.ui.views.flow.card import FlowCard
from tests.menus import choose_row, context_menu
from tests.ui.goal_seek.asking import (
    ask,
    dialog_of,
    open_cell,
    part,
    targets,
    text_of,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def asked(window) -> tuple[str, str]:
    """Return what the only target is about: its name and its quantity."""
    (row,) = targets(dialog_of(window))
    name = part(row, QLabel, "seek.target.name").text()
    return name, part(row, QComboBox, "seek.target.quantity").currentText()


def check_the_key_asks_for_the_selected_cell_of_a_computed_step_with_its_number(window):
    open_cell(window, "scores", (0, 2))
    dialog = ask(window)
    assert asked(window) == ("scores[word 1, word 3]", "This number")
    assert text_of(dialog, "seek.target.now") == "now 10"

    dialog_of(window).reject()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    open_cell(window, "X", (0, 0), "table")
    assert ask(window) is None
    assert "computed step" in window.frame.notice.text


def check_cells_and_row_labels_of_heatmap_and_table_ask_for_themselves(window):
    open_cell(window, "weights", (0, 2))
    heatmap = window.step_view.heatmap
    place = heatmap.cell_rect((2, 1)).center().toPoint()
    choose_row(context_menu(heatmap.viewport(), place), "Goal Seek…")
    assert asked(window) == ("weights[word 3, word 2]", "This number")
    dialog_of(window).reject()
    label = next(label for label in heatmap.rows.placed() if label.index == 1)
    inside = label.place.map(label.text_rect.center())
    place = heatmap.rows.mapToScene(inside).toPoint()
    choose_row(context_menu(heatmap.viewport(), place), "Goal Seek for this row…")
    assert asked(window) == ("weights[word 2, :]", "Entropy of the row")

    dialog_of(window).reject()
    open_cell(window, "scores", (0, 2), "table")
    table = window.step_view.table
    middle = table.visualRect(table.model().index(0, 2)).center()
    choose_row(context_menu(table.viewport(), middle), "Goal Seek…")
    assert asked(window) == ("scores[word 1, word 3]", "This number")
    dialog_of(window).reject()
    header = table.verticalHeader()
    place = QPoint(6, header.sectionViewportPosition(3) + 6)
    choose_row(context_menu(header.viewport(), place), "Goal Seek for this row…")
    assert asked(window) == ("scores[word 4, :]", "Sum of the row")


def check_a_cell_of_the_strip_a_line_and_a_cell_of_how_are_asked_for(window):
    card = window.flow.findChild(FlowCard, "flow.scores")
    place = card.grid.cell_rect((1, 3)).translated(card.corner).center()
    choose_row(context_menu(card, place), "Goal Seek…")
    assert asked(window) == ("scores[word 2, word 4]", "This number")
    inputs = window.flow.findChild(FlowCard, "flow.X")
    menu = context_menu(inputs, inputs.rect().center())
    assert not any("Goal" in action.text() for action in menu.actions())
    menu.close()

    dialog_of(window).reject()
    open_cell(window, "weights", (0, 2), "lines")
    picture = window.step_view.page.picture
    picture.grab()
    lines = (
        (x, y)
        for x in range(0, picture.viewport().width(), 4)
        for y in range(0, picture.viewport().height(), 4)
        if picture.line_at(QPoint(x, y).toPointF()) is not None
    )
    place = QPoint(*next(lines))
    row, column = picture.line_at(place.toPointF())
    QTest.mouseMove(picture.viewport(), place)
    QApplication.processEvents()
    choose_row(context_menu(picture.viewport(), place), "Goal Seek…")
    assert asked(window)[0] == f"weights[word {row + 1}, word {column + 1}]"

    dialog_of(window).reject()
    open_cell(window, "weights", (0, 2), "how")
    stage = window.step_view.page.stage
    choose_row(context_menu(stage, QPoint(2, 2)), "Goal Seek…")
    assert asked(window) == ("weights[word 1, word 3]", "This number")


def test_menus_of_every_view_and_the_key_ask_for_the_cell_that_is_meant(window):
    check_cells_and_row_labels_of_heatmap_and_table_ask_for_themselves(window)
    dialog_of(window).reject()
    check_a_cell_of_the_strip_a_line_and_a_cell_of_how_are_asked_for(window)
    dialog_of(window).reject()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    check_the_key_asks_for_the_selected_cell_of_a_computed_step_with_its_number(window)


def test_a_card_of_all_heads_asks_for_the_cell_in_its_head(appearance, open_window):
    window = open_window("example:two-heads", (1366, 768))
    open_cell(window, "weights", (3, 1), "heads")
    page = window.step_view.page
    card = page.heads.wall.card_of(HeadLocation(None, 1))
    place = card.grid.cell_rect((5, 2)).translated(card.corner).center()
    QTest.mouseMove(card, place)
    QApplication.processEvents()
    choose_row(context_menu(card, place), "Goal Seek…")
    assert asked(window)[0] == "weights H1[was, slept]"


def test_the_menu_of_a_head_in_the_attention_menu_has_no_cell(open_window, appearance):
    window = open_window("example:two-heads", (1366, 768))
    menu = window.findChild(object, "menu.head")
    menu.aboutToShow.emit()
    shown = [a.text() for a in menu.actions() if a.isVisible() and a.text()]
    assert shown == ["Switch &off H1", "Set H1 to its &mean"]
