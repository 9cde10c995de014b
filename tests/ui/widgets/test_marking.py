"""Rows and columns are marked, lit and walked over, with real clicks and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.state.selection import Marked

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key, Held = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CTRL = Held.NoModifier, Held.ShiftModifier, Held.ControlModifier


@pytest.fixture
def heatmap(window):
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    heatmap = window.step_view.heatmap
    heatmap.setFocus()
    return heatmap


def marked_of(window):
    marked = window.workbench.selection.marked
    return sorted(marked.rows), sorted(marked.columns)


def click_label(qtbot, heatmap, axis, index, held=NONE):
    (place,) = (x.rect for x in axis.placed() if x.index == index)
    at = axis.mapToScene(place.center()).toPoint()
    qtbot.mouseClick(heatmap.viewport(), Qt.MouseButton.LeftButton, held, at)


def check_clicks_on_labels_and_keys_mark_and_unmark_rows_and_columns(
    qtbot, window, heatmap
):
    click_label(qtbot, heatmap, heatmap.rows, 1)
    assert marked_of(window) == ([1], [])
    click_label(qtbot, heatmap, heatmap.rows, 3, SHIFT)
    assert marked_of(window) == ([1, 2, 3], [])
    click_label(qtbot, heatmap, heatmap.rows, 2, CTRL)
    assert marked_of(window) == ([1, 3], [])
    click_label(qtbot, heatmap, heatmap.columns, 0, CTRL)
    assert marked_of(window) == ([1, 3], [0])
    click_label(qtbot, heatmap, heatmap.columns, 2)
    assert marked_of(window) == ([], [2])
    click_label(qtbot, heatmap, heatmap.columns, 2)
    assert marked_of(window) == ([], [])

    window.workbench.open_step("weights", (1, 1))
    for _ in range(2):
        qtbot.keyClick(heatmap, Key.Key_Down, SHIFT)
    assert marked_of(window) == ([1, 2, 3], [])
    assert window.workbench.selection.cell == (3, 1)
    qtbot.keyClick(heatmap, Key.Key_Up, SHIFT)
    assert marked_of(window) == ([1, 2], [])
    qtbot.keyClick(heatmap, Key.Key_Right, SHIFT)
    assert marked_of(window) == ([1, 2], [1, 2])
    qtbot.keyClick(heatmap, Key.Key_Escape)
    assert marked_of(window) == ([], [])
    assert window.workbench.selection.cell == (2, 2)
    qtbot.keyClick(heatmap, Key.Key_Escape)
    assert window.workbench.selection.cell is None
    window.workbench.open_step("weights", (2, 1))
    qtbot.keyClick(heatmap, Key.Key_Space, SHIFT)
    qtbot.keyClick(heatmap, Key.Key_Space, CTRL)
    assert marked_of(window) == ([2], [1])
    qtbot.keyClick(heatmap, Key.Key_Space, SHIFT)
    assert marked_of(window) == ([], [1])


def check_marks_stay_among_queries_and_keys_and_go_elsewhere(window):
    selection = window.workbench.selection
    window.workbench.open_step("weights")
    selection.mark(Marked(frozenset({1, 3}), frozenset({2})))
    window.workbench.open_step("scores")
    assert marked_of(window) == ([1, 3], [2])
    window.workbench.open_step("Q")
    assert marked_of(window) == ([], [])
    window.workbench.open_step("weights")
    selection.mark(Marked(frozenset({1, 3}), frozenset({0, 2})))
    small = Document("Two", ["a", "b"], {"X": np.eye(2)}, Spec(projected=False))
    window.workbench.open(small)
    assert marked_of(window) == ([], [])


def check_alt_with_plus_and_minus_zooms_about_the_cell_and_with_0_fits(
    qtbot, window, heatmap
):
    window.workbench.open_step("weights", (0, 0))
    whole = heatmap.box.viewRange()
    qtbot.keyClick(heatmap, Key.Key_Plus, Held.AltModifier)
    (left, right), (top, bottom) = heatmap.box.viewRange()
    # The cell's middle stays where it is.
    assert 0 <= left < 0.5
    assert 0 <= top < 0.5
    assert right < whole[0][1]
    assert bottom < whole[1][1]
    qtbot.keyClick(heatmap, Key.Key_Minus, Held.AltModifier)
    assert np.allclose(heatmap.box.viewRange(), whole)
    qtbot.keyClick(heatmap, Key.Key_Plus, Held.AltModifier)
    qtbot.keyClick(heatmap, Key.Key_0, Held.AltModifier)
    assert np.allclose(heatmap.box.viewRange(), whole)


def lit_rows(window, heatmap):
    """Return the rows whose labels have the accent's colour."""
    accent, found = window.appearance.theme.accent, []
    for label in heatmap.rows.placed():
        corner = heatmap.rows.mapToScene(label.rect.topLeft())
        if has_color(heatmap, corner, label.rect.size(), accent):
            found.append(label.index)
    return found


def check_marked_rows_are_framed_and_a_query_under_the_pointer_lights_its_labels(
    qtbot, window, heatmap
):
    selection = window.workbench.selection
    selection.choose_cell("weights", None)
    theme = window.appearance.theme
    selection.mark(Marked(frozenset({1, 2})))
    picture = heatmap.grab().toImage()
    first, last = heatmap.cell_rect((1, 0)), heatmap.cell_rect((2, 0))
    x = round(first.left()) + 20
    for y in (first.top(), last.bottom()):
        assert theme.accent in {
            picture.pixelColor(x, round(y) + d).name() for d in (-1, 0, 1)
        }
    (label,) = (x.rect for x in heatmap.rows.placed() if x.index == 1)
    corner = heatmap.rows.mapToScene(label.topLeft())
    assert has_color(heatmap, corner, label.size(), theme.selected)

    selection.mark(Marked())
    assert lit_rows(window, heatmap) == []
    selection.hover("Q", (2, 0))
    assert 2 in lit_rows(window, heatmap)
    assert 0 not in lit_rows(window, heatmap)
    selection.hover("Q", None)
    assert lit_rows(window, heatmap) == []
    place = heatmap.cell_rect((1, 2)).center()
    qtbot.mouseMove(heatmap.viewport(), place.toPoint())
    assert window.workbench.selection.hovered == ("weights", (1, 2))
    assert lit_rows(window, heatmap) == [1]
    (label,) = (x.rect for x in heatmap.columns.placed() if x.index == 2)
    corner = heatmap.columns.mapToScene(label.topLeft())
    assert has_color(heatmap, corner, label.size(), theme.accent)


def test_lines_are_marked_zoomed_framed_and_lit_and_marks_go_with_their_tokens(
    qtbot, window, heatmap
):
    check_clicks_on_labels_and_keys_mark_and_unmark_rows_and_columns(
        qtbot, window, heatmap
    )
    check_alt_with_plus_and_minus_zooms_about_the_cell_and_with_0_fits(
        qtbot, window, heatmap
    )
    check_marked_rows_are_framed_and_a_query_under_the_pointer_lights_its_labels(
        qtbot, window, heatmap
    )
    check_marks_stay_among_queries_and_keys_and_go_elsewhere(window)


def has_color(heatmap, corner: QPointF, size, color):
    picture = heatmap.grab().toImage()
    xs = range(round(corner.x()), round(corner.x() + size.width()))
    ys = range(round(corner.y()), round(corner.y() + size.height()))
    return any(picture.pixelColor(x, y).name() == color for x in xs for y in ys)
