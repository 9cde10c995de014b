from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from attnviewer.compute import InMemory, finite_limits
from attnviewer.document import Labels
from attnviewer.document.labels import axis_labels
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.looks import Look
from tests.ui.paint.contrast import contrast
from tests.wheel import turn_wheel

LOWEST, HIGHEST = (68, 1, 84), (253, 231, 37)
"""The ends of viridis, as its authors published them."""


def content(
    values, *, signed=False, hidden=None, step="other", tokens=None, theme=LIGHT
):
    values = np.asarray(values, dtype=float)
    names = tuple(tokens or (f"t{i}" for i in range(max(values.shape))))
    labels = Labels(names, names)
    return StepContent(
        step,
        InMemory(values, None if hidden is None else np.asarray(hidden)),
        scale_for(finite_limits(values), signed=signed, theme=theme),
        ("queries", "keys"),
        tuple(axis_labels("queries", labels, values.shape[0])),
        tuple(axis_labels("keys", labels, values.shape[1])),
        signed=signed,
    )


def color_at(heatmap, cell):
    """Return the colour near a corner of a cell, away from its number."""
    rect = heatmap.cell_rect(cell)
    place = rect.topLeft() + QPointF(rect.width() / 6, rect.height() / 6)
    return heatmap.grab().toImage().pixelColor(place.toPoint()).getRgb()[:3]


def place_of_bar(heatmap):
    return heatmap.bar.strip().translated(heatmap.bar.pos())


def click(qtbot, heatmap, cell, **keywords):
    place = heatmap.cell_rect(cell).center().toPoint()
    qtbot.mouseClick(
        heatmap.viewport(), Qt.MouseButton.LeftButton, pos=place, **keywords
    )


def drag(heatmap, start, stop):
    """Press, move and release; QTest would lose the pressed button on the way."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kinds = QEvent.Type
    steps = [
        (kinds.MouseMove, start, none, none),
        (kinds.MouseButtonPress, start, left, left),
    ]
    for share in (0.5, 1.0):
        steps.append((kinds.MouseMove, start + (stop - start) * share, none, left))
    steps.append((kinds.MouseButtonRelease, stop, left, none))
    viewport = heatmap.viewport()
    for kind, place, button, buttons in steps:
        # pyqtgraph passes over moves that come faster than this.
        QTest.qWait(15)
        at = QPointF(viewport.mapToGlobal(place.toPoint()))
        event = QMouseEvent(
            kind, place, at, button, buttons, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(viewport, event)


def test_zero_and_one_have_the_published_end_colours(heatmap):
    heatmap.show_content(content([[0.0, 1.0]]), LIGHT)
    assert color_at(heatmap, (0, 0)) == LOWEST
    assert color_at(heatmap, (0, 1)) == HIGHEST


def test_a_hot_cell_at_the_end_of_the_first_row_is_painted_at_the_top_right(heatmap):
    heatmap.show_content(content([[0, 0, 1], [0, 0, 0]]), LIGHT)
    picture = heatmap.grab().toImage()
    area = heatmap.box.geometry()
    corners = {
        "top right": area.topRight() + QPointF(-9, 9),
        "top left": area.topLeft() + QPointF(9, 9),
        "bottom right": area.bottomRight() + QPointF(-9, -9),
        "bottom left": area.bottomLeft() + QPointF(9, -9),
    }
    hot = {
        name
        for name, place in corners.items()
        if picture.pixelColor(place.toPoint()).getRgb()[:3] == HIGHEST
    }
    assert hot == {"top right"}


def test_rows_go_down_and_columns_go_across(heatmap):
    heatmap.show_content(content(np.zeros((2, 3))), LIGHT)
    first, right = heatmap.cell_rect((0, 0)), heatmap.cell_rect((0, 1))
    below = heatmap.cell_rect((1, 0))
    assert right.left() > first.left()
    assert right.top() == first.top()
    assert below.top() > first.top()


def test_a_constant_matrix_of_ones_has_the_top_colour(heatmap):
    heatmap.show_content(content(np.ones((3, 3))), LIGHT)
    assert color_at(heatmap, (1, 1)) == HIGHEST


def test_signed_numbers_are_symmetric_around_a_neutral_zero(heatmap):
    heatmap.show_content(content([[-3.0, 0.0, 3.0]], signed=True), LIGHT)
    table = scale_for((-3.0, 3.0), signed=True, theme=LIGHT).table()
    assert color_at(heatmap, (0, 0)) == tuple(table[0])
    assert color_at(heatmap, (0, 2)) == tuple(table[-1])
    zero = color_at(heatmap, (0, 1))
    assert max(zero) - min(zero) < 16


@pytest.mark.parametrize("odd", [np.nan, -np.inf, np.inf])
@pytest.mark.parametrize("signed", [True, False])
def test_a_number_out_of_range_changes_no_other_cells_colour(heatmap, odd, signed):
    values = np.array([[0.25, 0.5], [0.75, 1.0]])
    heatmap.show_content(content(values, signed=signed), LIGHT)
    before = [color_at(heatmap, cell) for cell in ((0, 0), (0, 1), (1, 1))]
    values[1, 0] = odd
    heatmap.show_content(content(values, signed=signed), LIGHT)
    assert [color_at(heatmap, cell) for cell in ((0, 0), (0, 1), (1, 1))] == before


def test_masked_and_undefined_cells_have_colours_of_their_own(heatmap):
    hidden = [[False, True, False]]
    heatmap.show_content(content([[0.0, 0.0, np.nan]], hidden=hidden), LIGHT)
    assert color_at(heatmap, (0, 0)) == LOWEST
    picture = heatmap.grab().toImage()
    masked = heatmap.cell_rect((0, 1)).toRect().adjusted(4, 4, -4, -4)
    seen = {
        picture.pixelColor(x, y).name()
        for x in range(masked.left(), masked.right())
        for y in range(masked.top(), masked.top() + 20)
    }
    assert seen == {LIGHT.sunken}
    nan = heatmap.cell_rect((0, 2)).topLeft().toPoint() + QPoint(5, 5)
    assert picture.pixelColor(nan).name() == LIGHT.off_scale


def test_small_masked_cells_are_flat(heatmap):
    hidden = ~np.tri(400, dtype=bool)
    heatmap.show_content(content(np.zeros((400, 400)), hidden=hidden), LIGHT)
    picture, area = heatmap.grab().toImage(), heatmap.box.geometry().toRect()
    seen = {
        picture.pixelColor(area.right() - x, area.top() + y).name()
        for x in range(5, 40)
        for y in range(5, 40)
    }
    assert seen == {LIGHT.sunken}


INFINITE = QColor(LIGHT.off_scale).getRgb()[:3]


@pytest.mark.parametrize(("value", "color"), [(1.0, HIGHEST), (np.inf, INFINITE)])
def test_a_lone_hot_cell_among_nine_million_shows_at_full_colour(heatmap, value, color):
    values = np.zeros((3000, 3000))
    values[1234, 2345] = value
    heatmap.show_content(content(values), LIGHT)
    picture = heatmap.grab().toImage()
    place = heatmap.cell_rect((1234, 2345)).center().toPoint()
    around = {
        picture.pixelColor(place.x() + dx, place.y() + dy).getRgb()[:3]
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }
    assert color in around


@pytest.mark.parametrize("size", [(300, 260), (640, 480), (901, 733), (1500, 1300)])
def test_a_lone_hot_cell_shows_wherever_it_is_and_however_small_the_picture(
    heatmap, size
):
    n = 4096
    heatmap.resize(*size)
    for row, column in ((0, 0), (1, n - 1), (2047, 1023), (n - 1, 5), (n - 1, n - 1)):
        values = np.zeros((n, n), np.float32)
        values[row, column] = 1.0
        shown = content(np.zeros((2, 2)))
        names = tuple(map(str, range(n)))
        shown = replace(
            shown, matrix=InMemory(values), row_labels=names, column_labels=names
        )
        heatmap.show_content(shown, LIGHT)
        picture = heatmap.box.geometry().toRect()
        place = heatmap.cell_rect((row, column)).center().toPoint()
        image = heatmap.grab().toImage()
        around = {
            image.pixelColor(x, y).getRgb()[:3]
            for x in range(place.x() - 1, place.x() + 2)
            for y in range(place.y() - 1, place.y() + 2)
            if picture.contains(x, y)
        }
        assert HIGHEST in around


def test_no_large_matrix_is_read_whole_for_numbers_that_have_no_room(
    heatmap, monkeypatch
):
    large = content(np.random.default_rng(0).normal(size=(2000, 2000)), signed=True)
    heatmap.show_content(large, LIGHT)
    heatmap.grab()
    read = []
    window = InMemory.window

    def noted(self, rows=slice(None), columns=slice(None)):
        values = window(self, rows, columns)
        read.append(values.size)
        return values

    monkeypatch.setattr(InMemory, "window", noted)
    heatmap.cells.set_content(large, LIGHT)  # the numbers are laid out anew
    heatmap.grab()
    assert max(read, default=0) < large.matrix.shape[0] ** 2


def test_zoomed_in_a_large_matrix_shows_its_exact_cells(heatmap):
    values = np.zeros((2000, 2000))
    values[1000, 1000] = values[1001, 1001] = 1.0
    heatmap.show_content(content(values), LIGHT)
    heatmap.box.setRange(xRange=(998, 1004), yRange=(998, 1004), padding=0)
    assert color_at(heatmap, (1000, 1000)) == HIGHEST
    assert color_at(heatmap, (1001, 1001)) == HIGHEST
    assert color_at(heatmap, (1000, 1001)) == LOWEST
    assert color_at(heatmap, (1003, 998)) == LOWEST
    assert "0.0000" not in heatmap.cells.texts()
    assert set(heatmap.cells.texts()) == {"0", "1"}


def test_the_caption_says_what_small_numbers_of_a_large_matrix_are_divided_by(heatmap):
    values = np.full((2000, 2000), 5e-5)
    values[0, 0] = 1.0
    heatmap.show_content(content(values), LIGHT)
    for left, said in ((998, ["numbers × 10⁻⁶"]), (0, [])):
        heatmap.box.setRange(xRange=(left, left + 4), yRange=(0, 4), padding=0)
        heatmap.grab()
        QApplication.processEvents()
        told = [entry.text for entry in heatmap.footer.caption.entries]
        assert [text for text in told if "numbers" in text] == said


def test_the_numbers_are_in_the_cells_with_as_many_decimals_as_fit(heatmap):
    heatmap.show_content(content([[0.74913, 0.25087], [0.5, 0.5]]), LIGHT)
    heatmap.grab()
    assert sorted(heatmap.cells.texts()) == ["0.2509", "0.5000", "0.5000", "0.7491"]
    heatmap.resize(1400, heatmap.height())  # the width is left to what is beside
    heatmap.show_content(content(np.full((20, 20), 0.74913)), LIGHT)
    heatmap.grab()
    (text,) = set(heatmap.cells.texts())
    assert text in {"0.7", "0.75", "0.749"}
    heatmap.show_content(content(np.full((100, 100), 0.74913)), LIGHT)
    heatmap.grab()
    assert heatmap.cells.texts() == []


def test_a_small_number_never_looks_like_zero(heatmap):
    values = np.full((14, 14), 0.07)
    values[0, 0], values[0, 1] = 1e-9, 0.0
    heatmap.show_content(content(values), LIGHT)
    heatmap.grab()
    texts = heatmap.cells.texts()
    zeros = [text for text in texts if not text.strip("0.")]
    assert len(zeros) == 1
    assert len(texts) == 14 * 14


def test_infinities_and_nan_are_written_as_such(heatmap):
    heatmap.show_content(content([[np.inf, -np.inf, np.nan, 1.0]], signed=True), LIGHT)
    heatmap.grab()
    assert sorted(heatmap.cells.texts()) == sorted(["∞", "−∞", "NaN", "1"])


def test_hidden_weights_have_no_number_and_hidden_scores_minus_infinity(heatmap):
    hidden = [[False, True], [False, False]]
    weights = content([[1, 0], [0.5, 0.5]], hidden=hidden, step="weights")
    heatmap.show_content(weights, LIGHT)
    heatmap.grab()
    assert len(heatmap.cells.texts()) == 3
    scores = content([[1, -np.inf], [0.5, 0.5]], hidden=hidden, step="masked")
    heatmap.show_content(scores, LIGHT)
    heatmap.grab()
    assert "−∞" in heatmap.cells.texts()


def test_the_dark_theme_paints_another_picture(heatmap):
    values = [[-1.0, 0.0, 1.0]]
    heatmap.show_content(content(values, signed=True), LIGHT)
    light = heatmap.grab().toImage()
    heatmap.show_content(content(values, signed=True, theme=DARK), DARK)
    dark = heatmap.grab().toImage()
    assert light.pixelColor(2, 2).name() == LIGHT.window
    assert dark.pixelColor(2, 2).name() == DARK.window
    middle = heatmap.cell_rect((0, 1)).topLeft().toPoint() + QPoint(8, 8)
    assert light.pixelColor(middle).lightness() > 200
    assert dark.pixelColor(middle).lightness() < 60


def test_a_click_into_the_middle_of_a_cell_chooses_it(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((3, 4))), LIGHT)
    with qtbot.waitSignal(heatmap.cell_chosen) as chosen:
        click(qtbot, heatmap, (1, 2))
    assert chosen.args == [(1, 2)]


def test_a_click_beside_the_cells_chooses_nothing(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((3, 4))), LIGHT)
    outside = heatmap.box.geometry().bottomRight().toPoint() + QPoint(4, 4)
    with qtbot.assertNotEmitted(heatmap.cell_chosen):
        qtbot.mouseClick(heatmap.viewport(), Qt.MouseButton.LeftButton, pos=outside)


@pytest.mark.parametrize(
    ("key", "modifier", "cell"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, (1, 3)),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, (1, 1)),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, (0, 2)),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier, (2, 2)),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, (1, 0)),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, (1, 4)),
        (Qt.Key.Key_PageUp, Qt.KeyboardModifier.NoModifier, (0, 2)),
        (Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier, (3, 2)),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier, (0, 0)),
        (Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier, (3, 4)),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, None),
    ],
)
def test_keys_walk_over_the_cells(heatmap, qtbot, key, modifier, cell):
    heatmap.show_content(content(np.zeros((4, 5))), LIGHT)
    heatmap.choose((1, 2))
    with qtbot.waitSignal(heatmap.cell_chosen) as chosen:
        qtbot.keyClick(heatmap, key, modifier)
    assert chosen.args == [cell]


def test_the_first_key_chooses_the_first_cell_and_other_keys_are_left_alone(
    heatmap, qtbot
):
    heatmap.show_content(content(np.zeros((4, 5))), LIGHT)
    with qtbot.assertNotEmitted(heatmap.cell_chosen):
        qtbot.keyClicks(heatmap, "x")
        qtbot.keyClick(heatmap, Qt.Key.Key_Escape)
        qtbot.keyClick(heatmap, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    with qtbot.waitSignal(heatmap.cell_chosen) as chosen:
        qtbot.keyClick(heatmap, Qt.Key.Key_Down)
    assert chosen.args == [(0, 0)]


def test_walking_out_of_sight_brings_the_cell_into_sight(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((50, 50))), LIGHT)
    heatmap.box.setRange(xRange=(0, 5), yRange=(0, 5), padding=0)
    heatmap.choose((4, 4))
    qtbot.keyClick(heatmap, Qt.Key.Key_Down)
    (left, right), (top, bottom) = heatmap.box.viewRange()
    assert (left, right) == pytest.approx((0, 5))
    assert (top, bottom) == pytest.approx((1, 6))


def test_a_cell_that_is_chosen_elsewhere_is_moved_to_where_it_is_out_of_sight(heatmap):
    heatmap.show_content(content(np.zeros((50, 50))), LIGHT)
    heatmap.box.setRange(xRange=(0, 5), yRange=(0, 5), padding=0)
    heatmap.choose((4, 3))
    assert heatmap.box.viewRange()[0] == pytest.approx((0, 5))  # in sight already
    heatmap.choose((40, 30))
    (left, right), (top, bottom) = heatmap.box.viewRange()
    assert (left, right) == pytest.approx((28, 33))
    assert (top, bottom) == pytest.approx((38, 43))


def test_hovering_says_each_cell_once_and_none_on_leaving(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((3, 3))), LIGHT)
    said = []
    heatmap.cell_hovered.connect(said.append)
    for cell in ((0, 0), (1, 2)):
        place = heatmap.cell_rect(cell).center().toPoint()
        qtbot.mouseMove(heatmap.viewport(), place)
        qtbot.mouseMove(heatmap.viewport(), place + QPoint(3, 3))
    QApplication.sendEvent(heatmap.viewport(), QEvent(QEvent.Type.Leave))
    assert said == [(0, 0), (1, 2), None]


def test_the_wheel_zooms_within_limits_and_a_double_click_fits(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((40, 30))), LIGHT)
    middle = heatmap.box.geometry().center()
    whole = pytest.approx(np.array([[0, 30], [0, 40]]), abs=1e-9)
    turn_wheel(heatmap.viewport(), -1200, middle.toPoint())
    assert np.array(heatmap.box.viewRange()) == whole
    turn_wheel(heatmap.viewport(), 240, middle.toPoint())
    (left, right), (top, bottom) = heatmap.box.viewRange()
    assert 0 < left < right < 30
    assert 0 < top < bottom < 40
    for _ in range(60):
        turn_wheel(heatmap.viewport(), 240, middle.toPoint())
    assert np.ptp(heatmap.box.viewRange(), axis=1) == pytest.approx([2, 2])
    qtbot.mouseDClick(
        heatmap.viewport(), Qt.MouseButton.LeftButton, pos=middle.toPoint()
    )
    qtbot.mouseRelease(
        heatmap.viewport(), Qt.MouseButton.LeftButton, pos=middle.toPoint()
    )
    assert np.array(heatmap.box.viewRange()) == whole


def test_dragging_pans_no_further_than_the_edge_and_chooses_nothing(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((40, 30))), LIGHT)
    heatmap.box.setRange(xRange=(3, 9), yRange=(4, 8), padding=0)
    start = heatmap.box.geometry().center()
    with qtbot.assertNotEmitted(heatmap.cell_chosen):
        drag(heatmap, start, start + QPointF(0, 300))
        (left, right), (top, bottom) = heatmap.box.viewRange()
        assert (left, right) == pytest.approx((3, 9))
        assert 0 < top < 4
        assert bottom - top == pytest.approx(4)
        for _ in range(3):
            drag(heatmap, start, start + QPointF(0, 300))
    assert heatmap.box.viewRange()[1] == pytest.approx([0, 4])


def test_rows_stay_under_the_pointer_while_a_drag_over_labels_marks_them(heatmap):
    heatmap.marks_chosen.connect(heatmap.mark)
    heatmap.resize(900, 500)  # wide enough for labels in any font
    heatmap.show_content(content(np.eye(17)), LIGHT)
    heights = []
    heatmap.marks_chosen.connect(lambda _: heights.append(heatmap.box.size().height()))
    before = heatmap.box.size().height()
    middle = heatmap.rows.scenePos().x() + heatmap.rows.size().width() / 2
    first, last = (heatmap.cell_rect((row, 0)).center().y() for row in (11, 14))
    drag(heatmap, QPointF(middle, first), QPointF(middle, last))
    assert set(heights) == {before}
    assert heatmap._marked_here().rows == {11, 12, 13, 14}
    assert heatmap.box.size().height() < before  # below are their sums


def test_new_numbers_of_the_same_shape_keep_the_zoom_and_others_end_it(heatmap):
    heatmap.show_content(content(np.zeros((40, 30))), LIGHT)
    heatmap.box.setRange(xRange=(3, 9), yRange=(4, 8), padding=0)
    heatmap.show_content(content(np.ones((40, 30))), LIGHT)
    assert heatmap.box.viewRange() == [[3, 9], [4, 8]]
    heatmap.show_content(content(np.ones((20, 30))), LIGHT)
    assert heatmap.box.viewRange() == [[0, 30], [0, 20]]


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((1, 1), (900, 740)),
        ((4, 4), (900, 740)),
        ((6, 64), (900, 740)),
        ((300, 2), (900, 740)),
        ((500, 500), (2560, 1600)),
        ((64, 64), (300, 200)),
        ((4, 4), (120, 80)),
    ],
)
def test_every_part_is_in_line_with_the_cells(heatmap, qtbot, shape, size):
    heatmap.resize(*size)
    heatmap.show_content(content(np.full(shape, 0.5), step="weights"), LIGHT)
    cells, bar = heatmap.box.geometry(), place_of_bar(heatmap)
    assert (bar.top(), bar.bottom()) == (cells.top(), cells.bottom())
    rows, columns = heatmap.rows.geometry(), heatmap.columns.geometry()
    assert (rows.top(), rows.bottom()) == (cells.top(), cells.bottom())
    assert (columns.left(), columns.right()) == (cells.left(), cells.right())
    assert heatmap.statistics.geometry().bottom() == cells.bottom()
    height, width = cells.height() / shape[0], cells.width() / shape[1]
    # Four tokens fill the room, fewer do not.
    largest = max(113, 0.25 * min(size))
    assert height <= largest
    assert width <= largest
    if shape[0] == shape[1]:
        assert height == pytest.approx(width)
    if min(size) > 600:
        assert bar.right() <= size[0]
        assert cells.bottom() <= size[1]
        assert max(height, width) >= 9 or max(shape) > 64


def test_the_colour_bar_names_its_limits_and_its_middle(heatmap):
    heatmap.show_content(content([[0.0, 0.2]]), LIGHT)
    assert heatmap.bar.ticks() == [(0.0, "0"), (0.5, "0.5"), (1.0, "1")]
    heatmap.show_content(content([[-8.0829, 2.0]], signed=True), LIGHT)
    assert [text for _, text in heatmap.bar.ticks()] == ["−8.083", "0", "8.083"]


def test_the_colour_bar_is_painted_with_its_high_end_on_top(heatmap):
    heatmap.show_content(content(np.zeros((4, 4))), LIGHT)
    picture, bar = heatmap.grab().toImage(), place_of_bar(heatmap)
    x = int(bar.left()) + 5
    top = picture.pixelColor(x, int(bar.top()) + 1).getRgb()[:3]
    bottom = picture.pixelColor(x, int(bar.bottom()) - 2).getRgb()[:3]
    assert np.abs(np.subtract(top, HIGHEST)).max() <= 6
    assert np.abs(np.subtract(bottom, LOWEST)).max() <= 6


def test_rows_of_weights_and_of_scores_have_statistics_of_their_own(heatmap):
    values = [[0.5, 0.5, 0, 0], [1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 0, 0]]
    heatmap.resize(960, 740)  # room for them in any font
    heatmap.show_content(content(values, step="weights"), LIGHT)
    assert heatmap.statistics.isVisible()
    facts = [heatmap.statistics.facts(row) for row in range(4)]
    assert [fact.entropy for fact in facts] == [1.0, 0.0, 2.0, 0.0]
    assert [fact.effective_keys for fact in facts] == [2.0, 1.0, 4.0, 0.0]
    assert [fact.adds_up for fact in facts] == [True, True, True, False]
    heatmap.show_content(content(values, step="scores"), LIGHT)
    assert heatmap.statistics.isVisible()
    facts = [heatmap.statistics.facts(row) for row in range(4)]
    spans = [(fact.least, fact.most, fact.mean) for fact in facts]
    assert spans == [(0, 0.5, 0.25), (0, 1, 0.25), (0.25, 0.25, 0.25), (0, 0, 0)]
    assert all(np.isnan(fact.entropy) for fact in facts)
    features = replace(content(values), axes=("tokens", "features"))
    heatmap.show_content(features, LIGHT)
    assert not heatmap.statistics.isVisible()


def test_rows_add_up_in_single_precision_as_well(heatmap):
    values = np.array([[1 / 3] * 3, [0.25, 0.25, 0.499]], np.float32)
    heatmap.show_content(content(values, step="weights"), LIGHT)
    facts = [heatmap.statistics.facts(row) for row in range(2)]
    assert [fact.adds_up for fact in facts] == [True, False]


def test_rows_too_low_for_statistics_give_their_room_to_the_cells(heatmap):
    heatmap.show_content(content(np.zeros((200, 200)), step="weights"), LIGHT)
    assert not heatmap.statistics.isVisible()
    assert place_of_bar(heatmap).right() > 800


def test_a_map_of_many_tokens_takes_the_height_of_its_page(heatmap):
    heatmap.resize(776, 419)  # the page of a window of 1366 × 768
    shares = []
    for count in (64, 512):
        values = np.full((count, count), 1 / count)
        heatmap.show_content(content(values, step="weights"), LIGHT)
        QApplication.processEvents()
        cells = heatmap.cell_rect((0, 0)).united(heatmap.cell_rect((count - 1,) * 2))
        assert cells.width() == pytest.approx(cells.height(), abs=2)
        shares.append(cells.height() / heatmap.height())
    assert shares[1] > 0.73
    assert shares[1] > shares[0]


def test_the_selected_cell_is_framed_in_light_and_dark(heatmap):
    heatmap.show_content(content(np.ones((3, 3))), LIGHT)
    before = heatmap.grab().toImage()
    heatmap.choose((1, 1))
    after = heatmap.grab().toImage()
    rect = heatmap.cell_rect((1, 1)).toRect()
    middle = rect.center()
    seen = {after.pixelColor(rect.left() + d, middle.y()).name() for d in range(8)}
    assert {LIGHT.halo, LIGHT.frame} <= seen
    assert before.pixelColor(middle) == after.pixelColor(middle)


class Neighbour(QWidget):
    """A window that tells when it is painted."""

    painted = Signal()

    def paintEvent(self, event):
        self.painted.emit()


def test_one_change_is_painted_once(heatmap, qtbot):
    neighbour = Neighbour()
    qtbot.addWidget(neighbour)
    with qtbot.waitExposed(neighbour):
        neighbour.show()
    paints = []
    heatmap.painted.connect(lambda: paints.append(1))
    for value in (0, 1):
        paints.clear()
        heatmap.show_content(content(np.full((8, 8), value)), LIGHT)
        qtbot.waitUntil(lambda: bool(paints))
        # It asks last: whoever asked before it has been painted by then.
        with qtbot.waitSignal(neighbour.painted):
            neighbour.update()
    assert len(paints) == 1


def test_a_screen_reader_is_told_step_shape_and_selected_cell(heatmap):
    tokens = ["we", "are"]
    heatmap.show_content(
        content([[0.25, 0.75], [1, 0]], step="weights", tokens=tokens), LIGHT
    )
    heatmap.choose((0, 1))
    text = heatmap.accessibleDescription()
    for part in ("Attention weights", "2 rows", "2 columns", "we, are", "0.75"):
        assert part in text


def test_focus_can_be_seen(heatmap, qtbot):
    heatmap.show_content(content(np.zeros((3, 3))), LIGHT)
    heatmap.clearFocus()
    without = heatmap.grab().toImage()
    heatmap.setFocus()
    qtbot.waitUntil(heatmap.hasFocus)
    place = heatmap.box.geometry().topLeft().toPoint() - QPoint(3, 3)
    assert without.pixelColor(place).name() == LIGHT.window
    assert heatmap.grab().toImage().pixelColor(place).name() == LIGHT.accent


def test_pyqtgraphs_menu_is_off(heatmap):
    assert not heatmap.box.menuEnabled()
    assert isinstance(heatmap.image, pg.ImageItem)
    assert heatmap.image.axisOrder == "row-major"


def test_the_effective_keys_give_way_to_labels_that_then_stand_level(heatmap):
    tokens = ("The", "cat", "slept", "because", "it", "was", "tired")
    shown = content(np.eye(7), step="weights", tokens=tokens)
    seen = []
    for width in range(700, 1000, 10):
        heatmap.resize(width, 800)
        heatmap.show_content(shown, LIGHT)
        columns = heatmap.statistics._extents()
        seen.append((heatmap.columns.turn > 0, "effective_keys" in columns))
    # Wider and wider, labels that lie stay so when the third column comes back.
    level = seen.index((False, False))
    assert not any(turned for turned, _ in seen[level:])
    assert seen[-1] == (False, True)


def test_the_effective_keys_give_way_rather_than_all_statistics(heatmap):
    shown = content(np.eye(6), step="weights", tokens="abcdef")
    for width in range(700, 1000, 10):
        heatmap.resize(width, 450)
        heatmap.show_content(shown, LIGHT)
        assert "entropy" in heatmap.statistics._extents(), width


def middle(rect):
    return rect.center().x(), rect.center().y()


@pytest.mark.parametrize("size", [(900, 740), (1500, 500), (600, 900)])
@pytest.mark.parametrize("count", [2, 5, 64])
def test_the_map_fills_its_room_and_is_in_the_middle_of_it(heatmap, size, count):
    heatmap.resize(*size)
    heatmap.show_content(content(np.zeros((count, count))), LIGHT)
    cells, bar = heatmap.box.geometry(), heatmap.bar.geometry()
    rows, columns = heatmap.rows.geometry(), heatmap.columns.geometry()
    last = heatmap.statistics if heatmap.statistics.isVisible() else heatmap.bar
    assert last.geometry().right() >= bar.right()
    left, right = rows.left(), size[0] - last.geometry().right()
    top, bottom = columns.top(), size[1] - cells.bottom()
    assert left == pytest.approx(right, abs=3)
    assert top == pytest.approx(bottom, abs=12)
    if count > 3:
        assert min(left, top) < 24


def test_labels_grow_with_a_high_heatmap_as_its_numbers_do(heatmap):
    heatmap.show_content(content(np.full((4, 4), 0.25)), LIGHT)
    sizes = {}
    for lines in (40, 70, 140):
        heatmap.resize(2400, lines * heatmap.fontMetrics().height())
        parts = heatmap.rows, heatmap.columns, heatmap.bar, heatmap.statistics
        (sizes[lines],) = {part.font().pointSizeF() for part in parts}
    assert sizes[40] == sizes[70] == heatmap.font().pointSizeF()
    assert sizes[140] == pytest.approx(2 * sizes[70])


def test_cells_beside_the_selected_row_and_column_are_dimmed_by_a_tenth(heatmap):
    heatmap.show_content(content(np.ones((3, 3))), LIGHT)
    heatmap.choose((1, 1))
    ground = QColor(LIGHT.window).getRgb()[:3]
    mixed = [
        0.9 * full + 0.1 * under for full, under in zip(HIGHEST, ground, strict=True)
    ]
    for cell in ((0, 0), (0, 2), (2, 0), (2, 2)):
        assert color_at(heatmap, cell) == pytest.approx(mixed, abs=2)
    for cell in ((0, 1), (1, 0), (1, 2), (2, 1)):
        assert color_at(heatmap, cell) == HIGHEST
    heatmap.choose(None)
    assert color_at(heatmap, (0, 0)) == HIGHEST


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_numbers_in_dimmed_cells_keep_a_contrast_of_four_and_a_half(heatmap, theme):
    values = np.linspace(0, 1, 24)
    for part in values.reshape(6, 4):
        shown = np.zeros((5, 4))
        shown[0] = part
        heatmap.show_content(content(shown, theme=theme), theme)
        heatmap.choose((4, 3))
        heatmap.grab()
        inks = heatmap.cells._layer.inks[0]
        for column, ink in enumerate(inks[:3]):
            ground = QColor(*color_at(heatmap, (0, column)))
            assert contrast(ground, "white" if ink == 1 else "black") >= 4.5


def test_pointing_at_a_cell_draws_nothing_over_the_cells(heatmap):
    heatmap.show_content(content(np.ones((3, 3))), LIGHT)
    area = heatmap.box.geometry().toRect()
    before = heatmap.grab(area).toImage()
    labels = heatmap.grab(heatmap.columns.geometry().toRect()).toImage()
    heatmap.light(Linked((0,), (2,)))
    assert heatmap.grab(area).toImage() == before
    assert heatmap.grab(heatmap.columns.geometry().toRect()).toImage() != labels


def test_colours_can_be_fitted_where_numbers_use_little_of_the_scale(heatmap, qtbot):
    flat = content(np.linspace(0.10, 0.24, 16).reshape(4, 4), step="weights")
    heatmap.show_content(flat, LIGHT)
    assert heatmap.fit_button.isVisible()
    assert not heatmap.fit_button.geometry().intersects(heatmap.bar.geometry())
    with qtbot.waitSignal(heatmap.fit_chosen):
        qtbot.mouseClick(heatmap.fit_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(heatmap.fit_chosen):
        qtbot.keyClick(heatmap.fit_button, Qt.Key.Key_Return)
    heatmap.show_content(replace(flat, look=Look(policy="extremes")), LIGHT)
    assert not heatmap.fit_button.isVisible()


@pytest.mark.parametrize(("high", "offered"), [(0.39, True), (0.41, False)])
def test_the_offer_to_fit_ends_at_two_fifths_of_the_scale(heatmap, high, offered):
    heatmap.show_content(content([[0.0, high], [high, 0.0]]), LIGHT)
    assert heatmap.fit_button.isVisible() == offered


@pytest.mark.parametrize(("sink", "offered"), [(0.45, True), (0.95, False)])
def test_where_a_few_weights_leave_most_attention_dark_a_logarithm_is_offered(
    heatmap, qtbot, sink, offered
):
    """One key of 25 takes `sink` of each row, and the others share the rest."""
    weights = np.full((25, 25), (1 - sink) / 24)
    weights[:, 0] = sink
    shown = content(weights, step="weights")
    heatmap.show_content(shown, LIGHT)
    assert heatmap.fit_button.isVisible() == offered
    if offered:
        with qtbot.waitSignal(heatmap.fit_chosen) as chosen:
            qtbot.mouseClick(heatmap.fit_button, Qt.MouseButton.LeftButton)
        assert chosen.args == ["logarithm"]


def test_equal_numbers_cannot_be_told_apart_by_other_limits(heatmap):
    heatmap.show_content(content(np.full((4, 4), 0.25)), LIGHT)
    assert not heatmap.fit_button.isVisible()


def test_masked_cells_do_not_count_for_the_offer_to_fit(heatmap):
    hidden = [[False, True], [False, False]]
    heatmap.show_content(content([[0.7, 0.0], [0.8, 0.9]], hidden=hidden), LIGHT)
    assert heatmap.fit_button.isVisible()


@pytest.mark.parametrize("size", [(700, 330), (900, 740), (1400, 700)])
def test_cells_stay_where_they_are_whatever_the_digits_of_the_limits(heatmap, size):
    heatmap.resize(*size)
    places = set()
    for highest in (8.0, 0.5, -0.0123456, 12.34567, 123456.0):
        shown = np.full((5, 5), highest / 3)
        shown[2, 3] = highest
        heatmap.show_content(content(shown, signed=True), LIGHT)
        places.add((heatmap.box.geometry().getRect(), place_of_bar(heatmap).getRect()))
        metrics = QFontMetricsF(heatmap.bar.font())
        for text, rect in heatmap.bar.placed():
            end = rect.left() + metrics.horizontalAdvance(text)
            assert end <= heatmap.bar.width(), text
    assert len(places) == 1


@pytest.mark.parametrize("size", [(700, 330), (900, 740), (1400, 700)])
@pytest.mark.parametrize("step", ["scores", "weights"])
def test_the_offer_to_fit_takes_no_room_of_cells_and_colours(heatmap, size, step):
    heatmap.resize(*size)
    places, offers = set(), set()
    for low in (0.1, 0.9):
        shown = content(np.linspace(low, 1, 16).reshape(4, 4), step=step, signed=True)
        scale = scale_for((0.0, 1.0), signed=False, theme=LIGHT)
        heatmap.show_content(replace(shown, scale=scale), LIGHT)
        places.add((heatmap.box.geometry().getRect(), place_of_bar(heatmap).getRect()))
        offers.add(heatmap.fit_button.isVisible())
        cells = heatmap.box.geometry().toRect()
        assert not heatmap.fit_button.geometry().intersects(cells)
    assert len(places) == 1
    assert offers == {False, True} or (step, size) == ("weights", (700, 330))


@pytest.mark.parametrize("size", [(700, 200), (700, 330), (900, 740)])
def test_the_offer_to_fit_covers_no_statistics(heatmap, size):
    heatmap.resize(*size)
    flat = content(np.linspace(0.10, 0.24, 16).reshape(4, 4), step="weights")
    heatmap.show_content(flat, LIGHT)
    if heatmap.statistics.isVisible() and heatmap.fit_button.isVisible():
        place = heatmap.statistics.geometry().toRect()
        assert not heatmap.fit_button.geometry().intersects(place)
    assert heatmap.fit_button.isVisible() or size != (900, 740)


def test_on_a_large_screen_numbers_are_in_proportion_to_the_cells(
    appearance, open_window
):
    window = open_window("example:four-words", (3840, 2160))
    window.step_view.set_view("heatmap")
    heatmap = window.step_view.heatmap
    heatmap.grab()
    cell, font = heatmap.cell_rect((0, 0)).height(), heatmap.cells._layer.font
    assert cell > 300
    assert font.pixelSize() >= 0.14 * cell
