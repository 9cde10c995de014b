"""Presentation mode enlarges the flow and the step, and restores everything."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QToolBar

from attnviewer.compute import Slip
from attnviewer.document.mistakes import set_mistakes
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key


def press(key):
    QTest.keyClick(QApplication.focusWidget(), key)
    QApplication.processEvents()


def state(window):
    """Return everything that a presentation changes."""
    docks = window.findChildren(QDockWidget)
    bars = window.menuBar(), window.status, window.findChild(QToolBar, "bar")
    return {
        "docks": [(dock.isVisible(), dock.geometry()) for dock in docks],
        "bars": [(bar.isVisible(), bar.height()) for bar in bars],
        "window": (window.windowState(), window.size()),
        "text": QApplication.font().pointSizeF(),
        "focus": QApplication.focusWidget(),
    }


def test_the_flow_and_the_step_fill_the_screen_and_keys_work_as_before(window):
    size = QFontInfo(window.font()).pixelSize()
    QTest.keyClick(window, Key.Key_F11)
    QApplication.processEvents()
    assert window.isFullScreen()
    assert window.flow.isVisible()
    assert window.step_view.isVisible()
    assert not any(dock.isVisible() for dock in window.findChildren(QDockWidget))
    assert not window.status.isVisible()
    assert not window.spec_bar.isVisible()
    assert window.menuBar().height() == 0
    assert QFontInfo(window.font()).pixelSize() == pytest.approx(1.5 * size, abs=1)
    assert "Escape" in window.notice.text
    hint = window.notice.mapTo(window, window.notice.rect().bottomLeft())
    assert hint.y() < window.step_view.mapTo(window, QPoint()).y()
    assert window.step_view.page.isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(window, Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.step_view.view == "lines"
    QTest.keyClick(window, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.workbench.selection.step != "weights"
    # A number can be changed and explained.
    QTest.keyClick(window, Key.Key_F8)
    assert window.inputs.isVisible()
    table = window.inputs.table("X")
    assert window.inputs.isAncestorOf(window.focusWidget())
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "7")
    press(Key.Key_Return)
    assert window.document.matrix("X")[0, 0] == 7
    QTest.keyClick(window, Key.Key_F9)
    assert window.explain.isVisible()
    document = window.document
    edit = set_mistakes(document, [Slip("scale-missing")], "Mistake")
    window.workbench.edits.submit(edit)
    QApplication.processEvents()
    mistakes = window.findChild(QToolBar, "mistake")
    assert not mistakes.isVisible()
    QTest.keyClick(window, Key.Key_F11)
    assert not window.isFullScreen()
    assert mistakes.isVisible()


def check_everything_is_as_before_afterwards(window):
    window.findChild(QAction, "action.dock.history").trigger()
    action_of(window, "dock.explain.left").trigger()
    table = window.inputs.table("W_Q")
    table.setFocus()
    QApplication.processEvents()
    before = state(window)
    for way in ("F11", "Escape"):
        if way == "F11":
            QTest.keyClick(window, Key.Key_F11)
        else:
            window.findChild(QAction, "action.presentation").trigger()
        QApplication.processEvents()
        assert state(window) != before
        if way == "F11":
            QTest.keyClick(window, Key.Key_F11)
        else:
            window.workbench.selection.choose_cell("weights", None)
            press(Key.Key_Escape)
        for _ in range(3):
            QApplication.processEvents()
        after = state(window)
        docks = zip(after.pop("docks"), before["docks"], strict=True)
        for (shown, place), (shown_before, place_before) in docks:
            assert shown == shown_before, way
            # Qt rounds the heights of stacked docks.
            corners = place.topLeft() - place_before.topLeft()
            sizes = place.size() - place_before.size()
            assert max(map(abs, (*corners.toTuple(), *sizes.toTuple()))) <= 2, way
        others = {part: what for part, what in before.items() if part != "docks"}
        assert after == others, way
        assert window.notice.text == ""
        assert not window.presentation.action.isChecked()


def test_texts_are_never_larger_than_the_largest_size_and_the_hint_goes(window, qtbot):
    window.appearance.set_text_size(200)
    size = QApplication.font().pointSizeF()
    window.presentation.findChild(QTimer).setInterval(1)
    QTest.keyClick(window, Key.Key_F11)
    assert QApplication.font().pointSizeF() == size
    qtbot.waitUntil(lambda: window.notice.text == "")
    window.presentation.leave()
    assert window.appearance.text_size == 200


def check_the_text_size_of_a_presentation_stays_and_panels_grow_with_it(window):
    control = Qt.KeyboardModifier.ControlModifier

    def size():
        return window.font().pointSizeF()

    def widths():
        for _ in range(3):
            QApplication.processEvents()
        return [d.width() for d in window.docks.all if d.isVisible()]

    before, small = widths(), size()
    QTest.keyClick(window, Key.Key_F11)
    presented = size()
    QTest.keyClick(window, Key.Key_Plus, control)
    QTest.keyClick(window, Key.Key_Plus, control)
    assert size() > presented
    QTest.keyClick(window, Key.Key_F11)
    for width, at_first in zip(widths(), before, strict=True):
        assert width == pytest.approx(at_first * size() / small, abs=4)
    QTest.keyClick(window, Key.Key_0, control)
    assert size() == small
    assert widths() == pytest.approx(before, abs=2)


def test_a_presentation_keeps_its_text_size_and_puts_all_else_back(window):
    check_the_text_size_of_a_presentation_stays_and_panels_grow_with_it(window)
    check_everything_is_as_before_afterwards(window)


def test_a_panel_that_had_no_room_to_grow_does_not_shrink_with_the_texts(window):
    control = Qt.KeyboardModifier.ControlModifier

    def width():
        for _ in range(3):
            QApplication.processEvents()
        return window.docks.dock("explain").width()

    QTest.keyClick(window, Key.Key_F11)
    QTest.keyClick(window, Key.Key_F9)
    assert window.explain.isVisible()
    opened = width()
    most = round(0.32 * window.width())  # leaves space for the centre, too
    before = min(opened, most)
    window.appearance.set_text_size(200)
    assert width() == most
    QTest.keyClick(window, Key.Key_0, control)
    assert width() == before
    window.presentation.leave()
