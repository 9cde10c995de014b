"""The whole of a large matrix in a corner of the heatmap."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.step.heatmap.minimap import BORDER, SMALLEST_FRAME
from tests.wheel import turn_wheel

N = 300
Key = Qt.Key


def zoom_in(heatmap):
    middle = heatmap.box.geometry().center().toPoint()
    for _ in range(3):
        turn_wheel(heatmap.viewport(), 1200, middle)
    QApplication.processEvents()


def middle_of(heatmap):
    return heatmap.box.sight.center()


def at(minimap, x, y):
    """Return the place of a cell in the minimap."""
    return QPoint(round(minimap.width() * x / N), round(minimap.height() * y / N))


def it_shows_where_the_view_is_and_leads_elsewhere(long):
    heatmap = long.step_view.heatmap
    minimap, box = heatmap.minimap, heatmap.box
    assert not minimap.isVisible()  # all cells are in sight
    zoom_in(heatmap)
    assert minimap.isVisible()
    assert heatmap.box.geometry().contains(minimap.geometry().toRectF())
    frame, sight = minimap.frame(), box.sight
    wider = SMALLEST_FRAME / 2 + BORDER  # than a cell that would be too small
    for share, end in [(sight.left(), frame.left()), (sight.bottom(), frame.bottom())]:
        assert abs(end - minimap.width() * share / N) <= wider
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=at(minimap, 90, 210))
    assert abs(middle_of(heatmap).x() - 90) < 5
    assert abs(middle_of(heatmap).y() - 210) < 5
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=at(minimap, 90, 210))
    QTest.mouseMove(minimap, at(minimap, 299, 0))
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=at(minimap, 299, 0))
    assert box.sight.size() == sight.size()  # moved, not zoomed
    heatmap.fit()
    assert not minimap.isVisible()


def no_cell_is_pointed_at_under_it(long):
    heatmap, selection = long.step_view.heatmap, long.workbench.selection
    zoom_in(heatmap)
    window, view = long.windowHandle(), heatmap.viewport()
    place = view.mapTo(long, heatmap.box.geometry().center().toPoint())
    QTest.mouseMove(window, place)
    QApplication.processEvents()
    assert selection.hovered[1] is not None
    minimap = heatmap.minimap
    QTest.mouseMove(window, minimap.mapTo(long, minimap.rect().center()))
    QApplication.processEvents()
    assert selection.hovered[1] is None
    heatmap.fit()


def arrow_keys_move_the_view_and_it_never_covers_the_selected_cell(long):
    heatmap, selection = long.step_view.heatmap, long.workbench.selection
    zoom_in(heatmap)
    minimap = heatmap.minimap
    minimap.setFocus(Qt.FocusReason.TabFocusReason)
    before = middle_of(heatmap)
    QTest.keyClick(minimap, Key.Key_Down)
    QTest.keyClick(minimap, Key.Key_Left)
    moved = middle_of(heatmap) - before
    sight = heatmap.box.sight
    assert moved.y() == pytest.approx(sight.height() / 2)
    assert moved.x() == pytest.approx(-sight.width() / 2)
    words = minimap.accessibleDescription()
    assert words.startswith(f"Rows {int(sight.top())} to")
    QTest.keyClick(minimap, Key.Key_Escape)
    assert heatmap.hasFocus()
    place = minimap.geometry().center()
    cell = heatmap.cell_at(place.toPointF())
    selection.choose_cell("weights", cell)
    assert not minimap.geometry().contains(heatmap.cell_rect(cell).center().toPoint())


def it_can_be_hidden_for_good(long):
    heatmap = long.step_view.heatmap
    zoom_in(heatmap)
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(heatmap, Key.Key_K, control)
    assert not heatmap.minimap.isVisible()
    assert own_settings().value("heatmap/minimap", type=bool) is False
    assert not long.findChild(QAction, "action.minimap").isChecked()
    QTest.keyClick(heatmap, Key.Key_K, control)
    assert heatmap.minimap.isVisible()


def small_matrices_have_none(small):
    zoom_in(small.step_view.heatmap)
    assert not small.step_view.heatmap.minimap.isVisible()


def test_it_shows_where_the_view_is_and_moves_it_unless_hidden_or_small(open_long):
    for follows, count in (
        (small_matrices_have_none, 200),
        (it_shows_where_the_view_is_and_leads_elsewhere, N),
        (arrow_keys_move_the_view_and_it_never_covers_the_selected_cell, N),
        (no_cell_is_pointed_at_under_it, N),
        (it_can_be_hidden_for_good, N),
    ):
        follows(open_long([f"t{n}" for n in range(count)]))
