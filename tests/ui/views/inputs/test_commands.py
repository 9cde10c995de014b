"""What menus offer for the selected cells, and when."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from attnviewer.ui.widgets.actions import ActionRow

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
press = QTest.keyClick

COMMANDS = [
    "Cu&t",
    "&Copy",
    "Cop&y as NumPy",
    "&Paste",
    "&Delete",
    "Select &all",
    "Fi&ll down",
    "Fill ri&ght",
]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def menu(bench):
    return bench.panel.findChild(QMenu, "inputs.menu")


def texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def action(bench, name):
    return bench.panel.findChild(QAction, f"action.{name}")


def test_the_commands_are_at_work_only_while_a_table_has_the_keys(bench):
    paste = action(bench, "paste")
    bench.at("W_Q", 0, 0)
    assert paste.isEnabled()
    press(bench.table("W_Q"), Key.Key_F2)
    assert not paste.isEnabled()
    press(bench.editor("W_Q"), Key.Key_Escape)
    assert paste.isEnabled()
    bench.elsewhere.setFocus()
    assert not paste.isEnabled()


def test_another_view_has_the_commands_it_serves_while_it_has_the_keys(bench):
    copied = []
    commands = {"copy": lambda: copied.append("elsewhere")}
    bench.panel.commands.serve(bench.elsewhere, commands)
    bench.at("W_Q", 0, 0)
    bench.elsewhere.setFocus()
    assert action(bench, "copy").isEnabled()
    assert not action(bench, "paste").isEnabled()
    action(bench, "copy").trigger()
    bench.at("W_Q", 0, 0)
    action(bench, "copy").trigger()
    assert copied == ["elsewhere"]
    assert QGuiApplication.clipboard().text() == "2"


def test_the_commands_act_on_the_table_that_has_the_keys(bench):
    QGuiApplication.clipboard().setText("7")
    bench.at("W_K", 0, 0)
    bench.at("W_Q", 1, 1)
    action(bench, "paste").trigger()
    assert bench.document.matrix("W_Q")[1, 1] == 7
    action(bench, "select_all").trigger()
    action(bench, "cut").trigger()
    assert not bench.document.matrix("W_Q").any()
    assert QGuiApplication.clipboard().text() == "2\t0\t2\n2\t7\t0\n2\t1\t2"
    bench.edits.undo()
    action(bench, "clear").trigger()
    assert bench.edits.undoText() == "Set 9 cells of W_Q to 0"


@pytest.mark.parametrize("how", ["mouse", "Menu", "Shift+F10"])
def test_the_context_menu_opens_by_mouse_and_keys_and_acts(bench, how):
    table = bench.at("W_Q", 0, 2)
    if how == "mouse":
        place = table.visualRect(table.currentIndex()).center()
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, place, table.viewport().mapToGlobal(place))
        QApplication.sendEvent(table.viewport(), event)
    elif how == "Menu":
        press(table, Key.Key_Menu)
    else:
        press(table, Key.Key_F10, SHIFT)
    assert menu(bench).isVisible()
    assert texts(menu(bench)) == COMMANDS
    press(menu(bench), Key.Key_D)
    assert not menu(bench).isVisible()
    assert bench.document.matrix("W_Q")[0, 2] == 0


def test_a_window_puts_more_into_the_context_menu_where_it_works(bench):
    done = []
    fill = [ActionRow("fill", "&Fill…", done.append, data=4)]
    bench.panel.commands.set_menu([(lambda table: table.name == "W_Q", fill)])
    for name, more in (("W_K", []), ("W_Q", ["&Fill…"]), ("tokens", [])):
        press(bench.at(name, 0, 0), Key.Key_Menu)
        assert texts(menu(bench)) == [*COMMANDS, *more]
        press(menu(bench), Key.Key_Escape)
    press(bench.at("W_Q", 0, 0), Key.Key_Menu)
    press(menu(bench), Key.Key_F)
    assert done == [4]
