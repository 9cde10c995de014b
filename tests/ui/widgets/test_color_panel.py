"""A person chooses colours, limits and a filter at the bar beside the heatmap."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from attnviewer.document import SetCells
from attnviewer.ui.state.looks import AtLeast, Largest, Look
from attnviewer.ui.widgets.color_panel import place_beside

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, window):
    """The panel of the scores' look, opened with a click."""
    window.step_view.set_view("heatmap")
    window.workbench.open_step("scores")
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    qtbot.mouseClick(window.step_view.heatmap.bar, LEFT)
    panel = window.step_view.heatmap.bar.panel
    qtbot.waitUntil(panel.isVisible)
    yield panel
    panel.hide()


def look(window, step="scores"):
    return window.workbench.looks.of(step)


def choose(qtbot, panel, name, text):
    """Choose from a box by the keys, as a person would who sees the list."""
    box = panel.findChild(QComboBox, f"look.{name}")
    box.setFocus()
    qtbot.keyClick(box, Key.Key_Space)
    goal = box.findText(text)
    assert goal >= 0
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    place = view.visualRect(box.model().index(goal, 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: box.currentText() == text)


def type_into(qtbot, panel, name, text):
    line = panel.findChild(QLineEdit, f"look.{name}")
    assert line.isVisible()
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Key.Key_Return)


def test_space_and_return_open_it_from_the_keys_and_escape_closes_it(qtbot, window):
    window.step_view.set_view("heatmap")
    heatmap = window.step_view.heatmap
    heatmap.setFocus()
    qtbot.keyClick(heatmap, Key.Key_Tab)
    assert heatmap.bar.hasFocus()
    for key in (Key.Key_Space, Key.Key_Return):
        qtbot.keyClick(heatmap.bar, key)
        qtbot.waitUntil(heatmap.bar.panel.isVisible)
        assert heatmap.bar.panel.colors.hasFocus()
        qtbot.keyClick(heatmap.bar.panel, Key.Key_Escape)
        assert not heatmap.bar.panel.isVisible()


def test_any_map_can_be_chosen_for_any_step_and_scores_can_share_their_limits(
    qtbot, window, panel
):
    choose(qtbot, panel, "colors", "Cividis")
    assert look(window) == Look(colors="cividis")
    assert look(window, "weights") == Look()
    heatmap = window.step_view.heatmap
    # The number in it, 14, is the largest; this is where cividis ends.
    corner = heatmap.cell_rect((2, 2)).topLeft().toPoint()
    picture = heatmap.grab().toImage()
    color = picture.pixelColor(corner.x() + 8, corner.y() + 8).getRgb()[:3]
    assert color == (255, 234, 70)

    assert panel.across.isVisible()
    qtbot.mouseClick(panel.across, LEFT, pos=QPoint(12, panel.across.height() // 2))
    assert look(window, "masked").across_steps
    window.workbench.open_step("weights")
    assert not panel.across.isVisible()


def check_typed_limits_start_as_what_is_seen_and_are_refused_in_place(
    qtbot, window, panel
):
    choose(qtbot, panel, "limits", "typed")
    assert (panel.low.text(), panel.high.text()) == ("0", "14")
    type_into(qtbot, panel, "low", "1/4")
    assert look(window) == Look(policy="typed", typed=(0.25, 14.0))
    type_into(qtbot, panel, "low", "15")
    assert panel.reason.text() == (
        "The low end must be below the high end, 14. Got 15 instead."
    )
    type_into(qtbot, panel, "low", "much")
    assert panel.reason.text()
    assert look(window) == Look(policy="typed", typed=(0.25, 14.0))
    type_into(qtbot, panel, "low", "-1")
    assert panel.reason.text() == ""
    assert look(window).typed == (-1.0, 14.0)


def check_a_filter_is_a_threshold_or_a_number_of_cells_and_percentiles_are_below_50(
    qtbot, window, panel
):
    for kind, typed, expected in (
        ("cells of at least", "2.5", AtLeast(2.5)),
        ("the largest of each row", "2", Largest(2)),
    ):
        choose(qtbot, panel, "filter", kind)
        type_into(qtbot, panel, "least", typed)
        assert look(window).filter == expected
        type_into(qtbot, panel, "least", "-1")
        assert panel.reason.text().endswith("Got -1 instead.")
        choose(qtbot, panel, "filter", "all cells")
        assert look(window).filter is None

    assert not panel.percent.isVisible()
    choose(qtbot, panel, "limits", "percentiles")
    type_into(qtbot, panel, "percent", "10")
    assert look(window) == Look(policy="percentile", percentile=10)
    type_into(qtbot, panel, "percent", "50")
    assert panel.reason.text() == (
        "The percent must be from 0 to less than 50. Got 50 instead."
    )
    # What is refused withholds nothing else, and waits to be corrected.
    choose(qtbot, panel, "filter", "cells of at least")
    expected = Look(policy="percentile", percentile=10, filter=AtLeast(0.1))
    assert look(window) == expected
    assert panel.percent.text() == "50"
    assert panel.reason.text().endswith("Got 50 instead.")
    type_into(qtbot, panel, "percent", "20")
    assert look(window).percentile == 20
    assert panel.reason.text() == ""


def check_kept_limits_stay_while_numbers_change_until_they_are_let_go(
    qtbot, window, panel
):
    qtbot.mouseClick(panel.kept, LEFT, pos=QPoint(12, panel.kept.height() // 2))
    assert look(window).kept == (0.0, 14.0)
    edit = SetCells("Set X[0, 0] to 50", "X", 0, 0, np.array([[50.0]]))
    window.workbench.edits.submit(edit)
    window.workbench.engine.flush()
    scale = window.step_view.heatmap._content.scale
    assert (scale.low, scale.high) == (0.0, 14.0)
    qtbot.mouseClick(panel.kept, LEFT, pos=QPoint(12, panel.kept.height() // 2))
    scale = window.step_view.heatmap._content.scale
    assert scale.high > 1000


@pytest.mark.parametrize(
    ("bar", "cells", "screen"),
    [
        ((740, 327, 41, 367), (395, 366, 324, 324), (0, 0, 1366, 768)),
        ((1300, 327, 41, 367), (695, 400, 590, 324), (0, 0, 1366, 768)),
        ((1300, 40, 41, 367), (395, 60, 890, 360), (0, 0, 1366, 768)),
        ((1210, 10, 60, 640), (500, 30, 690, 620), (0, 0, 1280, 700)),
        ((2000, 200, 60, 640), (1500, 200, 480, 620), (1366, 100, 1280, 900)),
    ],
)
def test_the_panel_covers_neither_map_nor_bar_where_the_screen_has_room(
    bar, cells, screen
):
    size, free = QSize(348, 260), QRect(*screen)
    corner = place_beside(size, QRect(*bar), QRect(*cells), free)
    panel = QRect(corner, size)
    assert free.contains(panel)
    assert not panel.intersects(QRect(*cells))
    assert not panel.intersects(QRect(*bar))


def check_the_panel_is_told_where_bar_and_map_are(panel, window, qtbot, monkeypatch):
    panel.hide()
    calls = []

    def note(size, bar, cells, screen):
        calls.append((bar, cells))
        return QPoint(0, 0)

    monkeypatch.setattr("attnviewer.ui.widgets.color_panel.place_beside", note)
    heatmap = window.step_view.heatmap
    qtbot.mouseClick(heatmap.bar, LEFT)
    origin = heatmap.mapToGlobal(QPoint())
    bar = heatmap.bar.geometry().translated(origin)
    cells = heatmap.box.geometry().toRect().translated(origin)
    assert calls == [(bar, cells)]


def check_numbers_have_room_in_larger_texts(panel, window):
    window.appearance.set_text_size(200)
    QApplication.processEvents()
    for name in ("low", "high", "percent", "least"):
        line = panel.findChild(QLineEdit, f"look.{name}")
        text = line.fontMetrics().horizontalAdvance("−1.234e−100")
        assert line.width() >= text + 4, name


def test_limits_and_filters_are_typed_kept_and_refused_beside_bar_and_map(
    qtbot, window, panel, monkeypatch
):
    check_typed_limits_start_as_what_is_seen_and_are_refused_in_place(
        qtbot, window, panel
    )
    window.workbench.looks.set("scores", Look())
    check_a_filter_is_a_threshold_or_a_number_of_cells_and_percentiles_are_below_50(
        qtbot, window, panel
    )
    window.workbench.looks.set("scores", Look())
    check_kept_limits_stay_while_numbers_change_until_they_are_let_go(
        qtbot, window, panel
    )
    check_the_panel_is_told_where_bar_and_map_are(panel, window, qtbot, monkeypatch)
    check_numbers_have_room_in_larger_texts(panel, window)
