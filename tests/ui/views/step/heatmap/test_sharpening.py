"""Large steps are drawn from their overview until the cells in sight have been read."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import InMemory, Overview
from attnviewer.ui.paint.paper import painting_for_paper
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.looks import Look
from attnviewer.ui.views.step.heatmap import window_reader
from attnviewer.ui.views.step.heatmap.heatmap import Heatmap

N, HOT = 600, (250, 310)
LOWEST, HIGHEST = (68, 1, 84), (253, 231, 37)


@pytest.fixture
def heatmap(qtbot):
    heatmap = Heatmap()
    qtbot.addWidget(heatmap, before_close_func=lambda widget: widget.hide())
    heatmap.resize(500, 420)
    with qtbot.waitExposed(heatmap):
        heatmap.show()
    return heatmap


@pytest.fixture
def slowly(monkeypatch):
    """Have no window read at once, as if each cell took long."""
    monkeypatch.setattr(window_reader, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(window_reader, "FIRST_CELLS", N)
    monkeypatch.setattr(window_reader, "QUICK", 0.0)


def content(pooling="extreme"):
    values = np.zeros((N, N))
    values[HOT] = 1.0
    matrix = InMemory(values)
    labels = tuple(f"t{index}" for index in range(N))
    look = Look(pooling=pooling)
    scale = scale_for((0.0, 1.0), signed=False, theme=LIGHT, look=look)
    axes = "queries", "keys"
    overview = Overview(matrix, N // 20)
    return StepContent("other", matrix, scale, axes, labels, labels, look, overview)


def look_at(heatmap, side):
    """Show a square around the hot cell."""
    row, column = HOT
    rows = row - side // 2, row - side // 2 + side
    columns = column - side // 2, column - side // 2 + side
    heatmap.box.setRange(xRange=columns, yRange=rows, padding=0)


def color_of(heatmap, cell):
    place = heatmap.cell_rect(cell).center()
    return heatmap.grab().toImage().pixelColor(place.toPoint()).getRgb()[:3]


def beside(by):
    return HOT[0] + by, HOT[1] + by


def test_the_overview_is_drawn_at_once_and_the_cells_when_the_view_stands_still(
    heatmap, slowly, qtbot
):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    assert not heatmap.image.is_sharp
    # Its block, rows 240 to 259, is as hot as its hottest cell.
    assert color_of(heatmap, beside(-8)) == HIGHEST
    assert color_of(heatmap, beside(-12)) == LOWEST
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    assert color_of(heatmap, HOT) == HIGHEST
    assert color_of(heatmap, beside(-8)) == LOWEST


def test_what_was_read_stays_while_the_view_moves_on(heatmap, slowly, qtbot):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    heatmap.box.translateBy(x=5, y=5)
    assert not heatmap.image.is_sharp
    assert color_of(heatmap, beside(-8)) == LOWEST
    heatmap.box.scaleBy((0.5, 0.5))  # larger cells lose nothing
    assert color_of(heatmap, beside(-4)) == LOWEST


def test_smaller_pixels_than_were_read_are_those_of_the_overview(
    heatmap, slowly, qtbot
):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 200)
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    assert heatmap.image.sharp.isVisible()
    assert color_of(heatmap, HOT) == HIGHEST
    look_at(heatmap, 500)  # more than one cell shares a pixel
    assert not heatmap.image.sharp.isVisible()
    assert color_of(heatmap, HOT) == HIGHEST


def test_other_numbers_drop_what_was_read(heatmap, slowly, qtbot):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    heatmap.show_content(content(), LIGHT)
    assert not heatmap.image.sharp.isVisible()
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    assert heatmap.image.sharp.isVisible()


def test_windows_that_are_read_quickly_are_exact_at_once(heatmap):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    assert heatmap.image.is_sharp
    assert color_of(heatmap, HOT) == HIGHEST
    assert color_of(heatmap, beside(-8)) == LOWEST


def test_numbers_are_written_once_they_have_been_read(heatmap, slowly, qtbot):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 6)
    heatmap.grab()
    assert not heatmap.cells.texts()
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    heatmap.grab()
    assert set(heatmap.cells.texts()) == {"0", "1"}


def test_a_picture_for_paper_is_read_to_the_end(heatmap, slowly):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    with painting_for_paper(1.0):
        heatmap.grab()
    assert heatmap.image.is_sharp
    assert color_of(heatmap, beside(-8)) == LOWEST


def test_means_are_those_of_the_cells_that_share_a_pixel(heatmap, slowly, qtbot):
    heatmap.show_content(content("mean"), LIGHT)
    look_at(heatmap, 560)
    qtbot.waitUntil(lambda: heatmap.image.is_sharp)
    height, width = heatmap.image.sharp.image.shape[:2]
    rows, columns = -(-560 // height), -(-560 // width)
    assert max(rows, columns) > 1
    mean = heatmap._content.scale.table()[round(255 / (rows * columns))]
    x, y = heatmap.cell_rect(HOT).center().toPoint().toTuple()
    picture = heatmap.grab().toImage()
    # The cell is smaller than a pixel, so that its pixel may lie beside its middle.
    near = itertools.product((x - 1, x, x + 1), (y - 1, y, y + 1))
    found = {picture.pixelColor(*place).getRgb()[:3] for place in near} - {LOWEST}
    assert len(found) == 1
    assert np.abs(np.subtract(found.pop(), mean)).max() <= 3


def test_forgotten_numbers_are_not_read_any_more(heatmap, slowly):
    heatmap.show_content(content(), LIGHT)
    look_at(heatmap, 40)
    heatmap.forget()
    assert heatmap.image.is_sharp  # nothing is waited for


def test_what_was_read_stays_while_the_overview_is_completed(heatmap, slowly, qtbot):
    first = content()
    heatmap.show_content(first, LIGHT)
    look_at(heatmap, 40)
    for wait in (True, False):  # while they are being read, and afterwards
        assert heatmap.image.is_sharp is not wait
        fuller = replace(first)
        heatmap.image.follow_overview(fuller)
        heatmap.show_content(fuller, LIGHT)
        assert heatmap.image.is_sharp is not wait
        qtbot.waitUntil(lambda: heatmap.image.is_sharp)
        assert heatmap.image.sharp.isVisible()
        assert color_of(heatmap, beside(-8)) == LOWEST
