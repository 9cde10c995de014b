"""Going to a cell by positions and tokens, with keys and mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton

from attnviewer.ui.navigation.go_to_dialog import GoToDialog
from attnviewer.ui.navigation.places import found_places, offered_places

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

TOKENS = [f"{word}{place}" for place in range(60) for word in ("the", "cat", "7")]


def ask(window):
    window.activateWindow()  # without a window manager
    assert QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    return window.findChild(GoToDialog)


def type_into(dialog, name, text):
    line = dialog.findChild(QLineEdit, f"go_to.{name}")
    line.setFocus()
    line.clear()
    QTest.keyClicks(line, text)
    line.completer().popup().hide()
    return line


def close(dialog):
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_positions_tokens_and_quoted_numbers_are_found():
    labels = ["The", "cat", "7", "the", "∅"]
    assert found_places(labels, " 3 ") == [3]
    assert found_places(labels, "the") == [0, 3]
    assert found_places(labels, "“7”") == found_places(labels, '"7"') == [2]
    assert offered_places(labels, "7", 9) == [2]
    assert offered_places(labels, "t", 2) == [0, 1]
    for text, reason in [
        ("", "Type a position"),
        ("5", "from 0 to 4. Got 5 instead"),
        ("dog", "No token here contains “dog”"),
    ]:
        with pytest.raises(ValueError, match=reason):
            found_places(labels, text)


def positions_lead_to_a_cell_that_can_be_read(long):
    selection, heatmap = long.workbench.selection, long.step_view.heatmap
    assert heatmap.cell_rect((0, 0)).height() < 5
    dialog = ask(long)
    assert dialog.focusWidget().objectName() == "go_to.row"
    row = type_into(dialog, "row", "120")
    QTest.keyClick(row, Qt.Key.Key_Tab)
    column = dialog.focusWidget()
    QTest.keyClicks(column, "7")
    QTest.keyClick(column, Qt.Key.Key_Return)
    assert selection.cell == (120, 7)
    rect, box = heatmap.cell_rect((120, 7)), heatmap.box.geometry()
    assert rect.height() >= 27.9
    assert rect.width() >= 55.9
    assert box.contains(rect)
    close(dialog)
    assert long.step_view.isAncestorOf(QApplication.focusWidget())


def matches_follow_each_other_round_and_back(long):
    selection = long.workbench.selection
    selection.choose_cell("weights", (5, 9))
    dialog = ask(long)
    line = type_into(dialog, "column", "CAT1")
    found = [n for n, token in enumerate(TOKENS) if "cat1" in token]
    visited = []
    for _ in range(len(found) + 1):
        QTest.keyClick(line, Qt.Key.Key_Return)
        visited.append(selection.cell)
    later = [n for n in found if n >= 9]
    around = later + [n for n in found if n < 9] + later[:1]
    assert visited == [(5, n) for n in around]  # the row stays
    count = dialog.findChild(QLabel, "go_to.column.count")
    assert count.text() == f"{found.index(visited[-1][1]) + 1} of {len(found)}"
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert selection.cell == visited[-2]
    button = dialog.findChild(QToolButton, "go_to.column.next")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert selection.cell == visited[-1]
    close(dialog)


def a_token_of_the_list_is_gone_to(long):
    long.workbench.selection.choose_cell("weights", None)
    dialog = ask(long)
    line = dialog.findChild(QLineEdit, "go_to.row")
    QTest.keyClicks(line, "71")  # tokens, as there is no position of this text in them
    popup = line.completer().popup()
    model = popup.model()
    texts = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert texts[0] == "71  ·  5"
    assert texts[1:] == [f"7{n}  ·  {3 * n + 2}" for n in range(10, 20)]
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert long.workbench.selection.cell == (32, 32)  # its own key, if none is named
    close(dialog)


def what_is_not_there_is_said_in_place_and_nothing_moves(long):
    selection = long.workbench.selection
    selection.choose_cell("weights", (5, 9))
    dialog = ask(long)
    reason = dialog.findChild(QLabel, "go_to.reason")
    line = type_into(dialog, "row", "dog")
    for text, words in [("dog", "contains “dog”"), ("180", "from 0 to 179")]:
        line = type_into(dialog, "row", text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert words in reason.text()
        assert selection.cell == (5, 9)
    QTest.keyClicks(line, "1")
    assert not reason.text()
    close(dialog)


def it_opens_the_heatmap_and_closes_with_its_step(long):
    window, before = long, long.workbench.selection.cell
    window.step_view.set_view("table")
    action = window.findChild(QAction, "action.go_to")
    action.trigger()
    dialog = window.findChild(GoToDialog)
    line = type_into(dialog, "row", "9")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.step_view.view == "heatmap"
    assert window.workbench.selection.cell == (9, before[1])  # the key stays
    window.workbench.selection.choose_step("Q")
    assert not dialog.isVisible()
    action.trigger()
    titles = [label.text() for label in window.findChildren(QLabel)]
    assert "&Column (features)" in titles


def test_positions_and_tokens_lead_to_cells_or_it_is_said_why_not(open_long):
    for follows in (
        positions_lead_to_a_cell_that_can_be_read,
        matches_follow_each_other_round_and_back,
        a_token_of_the_list_is_gone_to,
        what_is_not_there_is_said_in_place_and_nothing_moves,
        it_opens_the_heatmap_and_closes_with_its_step,
    ):
        follows(open_long(TOKENS))  # all of their weights in sight
