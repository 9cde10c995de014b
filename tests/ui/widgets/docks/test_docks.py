"""Docks are moved, floated and closed by the menu and by the mouse."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QToolButton

from attnviewer.io import load
from attnviewer.ui.features.settings import SettingsFeature
from attnviewer.ui.widgets.docks.dock_area_menu import DockAreaMenu
from attnviewer.ui.window.app import create_window
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Area = Qt.DockWidgetArea
NAMES = ("inputs", "explain", "history")
OF_A_MODEL = (
    "heads",
    "recording",
    "model",
    "contributions",
    "patching",
    "generation",
    "head",
)


def dock(window, name):
    return window.findChild(QDockWidget, f"dock.{name}")


def do(window, name):
    action_of(window, name).trigger()
    QApplication.processEvents()


def places(window):
    """Return where each dock is, and how wide if it is shown."""
    docks = {name: dock(window, name) for name in NAMES}
    return {
        name: (
            window.dockWidgetArea(dock),
            dock.isFloating(),
            dock.width() if dock.isVisible() else None,
        )
        for name, dock in docks.items()
    }


def title_of(dock):
    return next(w for w in dock.titleBarWidget().findChildren(QLabel) if w.isVisible())


@pytest.fixture
def another(qtbot, appearance):
    """Another window, as it is built at the next start."""
    window = create_window("example:two-heads")
    qtbot.addWidget(window)
    window.resize(1366, 768)
    yield window
    window.close()


def test_the_menu_puts_each_dock_to_a_side_and_out_of_the_window(window):
    for name in NAMES:
        check_places(window, name)
        do(window, "docks.reset")


def check_places(window, name):
    for place, area in (
        ("left", Area.LeftDockWidgetArea),
        ("right", Area.RightDockWidgetArea),
        ("below", Area.BottomDockWidgetArea),
    ):
        do(window, f"dock.{name}.floating")
        assert dock(window, name).isFloating()
        assert dock(window, name).isVisible()
        do(window, f"dock.{name}.{place}")
        assert not dock(window, name).isFloating()
        assert window.dockWidgetArea(dock(window, name)) == area
        assert dock(window, name).isVisible()
    # Closed, it comes back by its line in the View menu.
    do(window, f"dock.{name}.close")
    assert not dock(window, name).isVisible()
    do(window, f"dock.{name}")
    assert dock(window, name).isVisible()


def check_the_heading_says_what_is_shown_and_its_menu_says_where_that_is(window):
    docks = [dock(window, name) for name in ("inputs", "explain")]
    assert [title_of(each).text() for each in docks] == ["Inputs", "Explain"]
    button = window.findChild(QToolButton, "dock.inputs.menu")
    assert button.accessibleName() == "Place of Inputs"
    assert button.menu().title() == "&Inputs"
    assert len({each.titleBarWidget().height() for each in docks}) == 1
    menu = next(m for m in window.findChildren(DockAreaMenu) if m.title() == "E&xplain")

    def checked():
        menu.aboutToShow.emit()
        return [a.objectName() for a in menu.actions() if a.isChecked()]

    assert checked() == ["action.dock.explain.right"]
    do(window, "dock.explain.floating")
    assert checked() == ["action.dock.explain.floating"]
    do(window, "dock.explain.close")
    assert checked() == []


def check_a_double_click_on_the_heading_floats_a_dock_or_puts_it_back_a_drag_lifts_it(
    window,
):
    explain = dock(window, "explain")
    for floating in (True, False):
        title = title_of(explain)
        QTest.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
        QApplication.processEvents()
        assert explain.isFloating() == floating
    title, left = title_of(explain), Qt.MouseButton.LeftButton
    QTest.mousePress(title, left, pos=QPoint(4, 4))
    for step in (QPoint(-40, 60), QPoint(-80, 120), QPoint(-120, 160)):
        QTest.mouseMove(title, step)
    QTest.mouseRelease(title, left, pos=QPoint(-120, 160))
    assert explain.isFloating()


def check_what_is_typed_in_a_floating_dock_is_refused_beside_its_cell(window, qtbot):
    do(window, "dock.inputs.floating")
    inputs = dock(window, "inputs")
    table = window.inputs.table("W_Q")
    table.setCurrentIndex(table.model().index(0, 0))
    table.setFocus()
    qtbot.keyClick(table.viewport(), Qt.Key.Key_X)
    editor = table.editors[0]
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    reason = window.reason
    assert reason.isVisible()
    assert reason.window() is inputs
    cell = QRect(editor.mapToGlobal(QPoint()), editor.size())
    said = QRect(reason.mapToGlobal(QPoint()), reason.size())
    assert abs(said.top() - cell.bottom()) < 20 or abs(cell.top() - said.bottom()) < 20
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    reason.clear()


def test_headings_tell_move_float_and_refuse_beside_cells(window, qtbot):
    check_the_heading_says_what_is_shown_and_its_menu_says_where_that_is(window)
    do(window, "docks.reset")
    check_a_double_click_on_the_heading_floats_a_dock_or_puts_it_back_a_drag_lifts_it(
        window
    )
    do(window, "docks.reset")
    check_what_is_typed_in_a_floating_dock_is_refused_beside_its_cell(window, qtbot)


def test_closing_a_dock_by_its_menu_returns_the_focus_to_where_it_was_or_the_step(
    window,
):
    table = window.inputs.table("W_Q")
    table.setFocus()
    do(window, "dock.inputs.close")
    assert window.step_view.isAncestorOf(QApplication.focusWidget())

    do(window, "dock.inputs")
    table.setFocus()
    do(window, "dock.history")
    assert dock(window, "history").isAncestorOf(QApplication.focusWidget())
    do(window, "dock.history.close")
    assert QApplication.focusWidget() is table
    do(window, "dock.explain.close")
    assert QApplication.focusWidget() is table


def test_panels_that_say_that_no_model_is_open_keep_the_focus_themselves(window):
    """Not the lists that they hide."""
    for name in OF_A_MODEL:
        do(window, f"dock.{name}.left")
        focus = QApplication.focusWidget()
        assert dock(window, name).isAncestorOf(focus), name
        assert focus.isVisible(), name


SHOWN_AGAIN_AND_CLOSED_WHILE_TYPING = """
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget
from attnviewer.ui.window.app import create_window
from attnviewer.ui.window.application import create_application

def settle():
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QApplication.processEvents()

application = create_application()
for name in ("pins", "training"):
    window = create_window("example:four-words")
    window.show()
    toggle = window.findChild(QAction, f"action.dock.{name}")
    toggle.trigger()
    toggle.trigger()
    window.hide()
    window.show()
    application.processEvents()
    if name == "pins":
        window.close()
print("shown again", flush=True)
for name in ("inputs", "lines"):
    dock = window.findChild(QDockWidget, f"dock.{name}")
    dock.show()
    dock.setFloating(True)
    settle()
table = window.inputs.table("W_Q")
table.setCurrentIndex(table.model().index(0, 0))
for field in (dock.widget().lines.threshold.number, table):
    field.window().activateWindow()
    field.setFocus()
    QTest.keyClick(field, "x")
    settle()
window.close()
visible = [w.objectName() for w in application.topLevelWidgets() if w.isVisible()]
assert visible == [], visible
window.deleteLater()
del window, field, dock, table, toggle
settle()
print("closed")
"""


def test_a_window_is_shown_again_after_a_dock_was_closed_and_closes_while_one_types():
    # The C library overwrites what is freed: reading it crashes each time.
    done = subprocess.run(
        [sys.executable, "-c", SHOWN_AGAIN_AND_CLOSED_WHILE_TYPING],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "MALLOC_PERTURB_": "165"},
    )
    assert (done.returncode, done.stdout) == (0, "shown again\nclosed\n")
    assert "Error" not in done.stderr


def test_a_layout_comes_back_in_another_window_but_for_what_cannot_be_read(
    window, another, qtbot
):
    at_first = places(window)
    do(window, "dock.history")
    do(window, "dock.history.left")
    do(window, "dock.explain.close")
    window.resizeDocks([dock(window, "inputs")], [401], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    state = window.docks.layout_state()
    before = places(window)
    assert before != at_first
    for spoilt in (
        None,
        "layout",
        QByteArray(),
        QByteArray(b"\x00\xff" * 100),
        state.left(state.size() // 2),
        QByteArray(b"\xff" * 20) + state.mid(20),
    ):
        assert not another.docks.restore(spoilt), spoilt
    with qtbot.waitExposed(another):
        another.show()
    assert places(another) == at_first
    another.hide()
    assert another.docks.restore(state)
    with qtbot.waitExposed(another):
        another.show()
    assert places(another) == before
    check_a_floating_dock_from_beside_the_screen_comes_back_onto_it(window, another)


def test_a_dock_that_floats_when_the_window_closes_floats_at_the_next_start(
    window, another
):
    window.add(SettingsFeature)
    do(window, "dock.explain.floating")
    window.close()
    assert not dock(window, "explain").isVisible()
    another.add(SettingsFeature)
    another.show()
    QApplication.processEvents()
    explain = dock(another, "explain")
    assert explain.isFloating()
    assert explain.isVisible()
    do(another, "docks.reset")  # for those who start later


def check_a_floating_dock_from_beside_the_screen_comes_back_onto_it(window, another):
    another.hide()
    do(window, "docks.reset")
    do(window, "dock.explain.floating")
    dock(window, "explain").move(20_000, 15_000)
    assert another.docks.restore(window.docks.layout_state())
    another.show()
    QApplication.processEvents()
    screen = another.screen().availableGeometry()
    assert dock(another, "explain").isFloating()
    assert screen.intersects(dock(another, "explain").frameGeometry())


def test_a_dock_opens_as_wide_as_it_needs_and_all_go_back_to_where_they_were(window):
    at_first = places(window)
    do(window, "dock.explain.left")
    do(window, "dock.inputs.floating")
    do(window, "dock.history")
    window.resizeDocks([dock(window, "explain")], [500], Qt.Orientation.Horizontal)
    do(window, "docks.reset")
    assert places(window) == at_first
    line = round(1.17 * QFontInfo(window.font()).pixelSize())  # in most fonts
    do(window, "dock.lines")
    assert dock(window, "lines").width() == pytest.approx(26 * line, abs=1)
    window.resizeDocks([dock(window, "lines")], [500], Qt.Orientation.Horizontal)
    do(window, "dock.lines")
    do(window, "dock.lines")
    assert dock(window, "lines").width() == 500


def test_docks_keep_their_proportion_to_the_size_of_texts(window):
    normal = dock(window, "inputs").width()
    window.appearance.set_text_size(125)
    QApplication.processEvents()
    assert dock(window, "inputs").width() == pytest.approx(1.25 * normal, rel=0.05)
    window.appearance.set_text_size(200)
    QApplication.processEvents()
    assert dock(window, "inputs").width() < window.width() / 3
    assert window.step_view.width() > window.width() / 3


def test_the_explained_cell_has_its_whole_name_and_the_walk_takes_no_room_of_docks(
    another, appearance
):
    another.show()
    another.workbench.open(load("example:four-words"))
    another.workbench.selection.choose_cell("weights", (0, 2))
    QApplication.processEvents()
    name = another.findChild(QLabel, "explain.cell")
    assert name.text() == "weights[word 1, word 3]"
    assert name.width() >= name.fontMetrics().horizontalAdvance(name.text())
    appearance.set_text_size(150)
    QApplication.processEvents()
    before = places(another)
    do(another, "dock.walk")
    assert dock(another, "walk").isVisible()
    assert places(another) == before
    right = dock(another, "explain").geometry()
    assert not dock(another, "walk").geometry().intersects(right)
