"""The row and the column of a cell as curves beside a large matrix."""

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsSceneHoverEvent

from attnviewer.compute import Spec
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.step.heatmap.profile import Line, Profile

N = 300


def lines(heatmap):
    return heatmap.profiles.row.line, heatmap.profiles.column.line


def same(values, expected):
    return values is not None and np.array_equal(values, expected, equal_nan=True)


def the_curves_are_those_of_the_selected_cell_and_of_the_one_pointed_at(long, qtbot):
    heatmap, selection = long.step_view.heatmap, long.workbench.selection
    weights = long.workbench.engine.current.trace["weights"].copy()
    weights[np.triu_indices(N, 1)] = np.nan  # masked cells have no length
    selection.choose_cell("weights", (120, 40))
    qtbot.waitUntil(lambda: lines(heatmap)[0] is not None)
    qtbot.waitUntil(lambda: lines(heatmap)[0].label == "t120 (120)")
    row, column = lines(heatmap)
    assert same(row.values, weights[120])
    assert same(column.values, weights[:, 40])
    place = heatmap.box.geometry().center().toPoint() + QPoint(-20, 30)
    QTest.mouseMove(heatmap.viewport(), place)
    pointed = heatmap.shown_at(place.toPointF())
    qtbot.waitUntil(lambda: lines(heatmap)[0].label != "t120 (120)")
    assert same(lines(heatmap)[0].values, weights[pointed[0]])
    assert same(lines(heatmap)[1].values, weights[:, pointed[1]])


def cells_that_share_a_pixel_have_the_largest_length(long, qtbot):
    heatmap = long.step_view.heatmap
    long.workbench.selection.choose_cell("weights", (290, 40))
    qtbot.waitUntil(
        lambda: lines(heatmap)[0] and lines(heatmap)[0].label == "t290 (290)"
    )
    row = heatmap.profiles.row
    values = np.nan_to_num(row.line.values)
    lengths = row.lengths(60)
    assert np.allclose(lengths, values.reshape(60, 5).max(axis=1) / values.max())
    assert lengths.max() == 1
    cells, curve = heatmap.box.geometry(), row.geometry()
    assert (curve.left(), curve.right()) == (cells.left(), cells.right())
    assert curve.top() > cells.bottom()
    assert heatmap.profiles.column.geometry().left() > cells.right()
    assert heatmap.bar.geometry().left() > heatmap.profiles.column.geometry().right()


def they_can_be_hidden_for_good_and_leave_their_room(long, _qtbot):
    heatmap = long.step_view.heatmap
    wide = heatmap.box.geometry().width()
    action = long.findChild(QAction, "action.profiles")
    QTest.keyClick(long, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    assert not action.isChecked()
    assert not heatmap.profiles.row.isVisible()
    assert heatmap.box.geometry().width() > wide
    assert own_settings().value("heatmap/profiles", type=bool) is False


def a_column_of_weights_waits_for_all_rows_to_be_read(long, qtbot):
    heatmap = long.step_view.heatmap
    content = heatmap.content

    class Sketch:
        share = 0.5

    object.__setattr__(content, "overview", Sketch())
    heatmap.profiles.show_content(content)
    qtbot.waitUntil(lambda: heatmap.profiles.column.line.values is None)
    assert heatmap.profiles.row.line.values is not None
    Sketch.share = 1
    heatmap.profiles.show_content(content)
    qtbot.waitUntil(lambda: heatmap.profiles.column.line.values is not None)
    object.__setattr__(content, "overview", None)


def test_a_long_name_keeps_its_number_and_a_masked_cell_is_no_nan(qapp):
    profile = Profile("bottom")
    hidden = np.array([False, True])
    values = np.array([0.5, np.nan])
    scale = scale_for((0.0, 1.0), signed=False, theme=LIGHT, look=AUTOMATIC)
    name = f"{'very' * 30} long (20006)"
    profile.set_line(Line(name, values, hidden, "ab".__getitem__, scale, signed=False))
    profile.set_range(0, 2)
    profile.setGeometry(150, 0, 200, 30)
    assert profile.heading().startswith("very")
    assert profile.heading().endswith("(20006)")
    assert QFontMetricsF(profile.font()).horizontalAdvance(profile.heading()) < 150
    event = QGraphicsSceneHoverEvent()
    event.setPos(QPointF(150, 5))
    profile.hoverMoveEvent(event)
    assert profile.toolTip().splitlines()[1:] == ["b: masked", "largest: 0.5 at a"]


def test_they_are_of_the_cell_chosen_or_pointed_at_once_read_unless_hidden(
    open_long, qtbot
):
    for follows in (
        cells_that_share_a_pixel_have_the_largest_length,
        a_column_of_weights_waits_for_all_rows_to_be_read,
        the_curves_are_those_of_the_selected_cell_and_of_the_one_pointed_at,
        they_can_be_hidden_for_good_and_leave_their_room,
    ):
        follows(open_long([f"t{n}" for n in range(N)], Spec(causal=True)), qtbot)
