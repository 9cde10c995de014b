"""The page on which attention lies over a picture."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.token_grid import TokenGrid
from attnviewer.ui.figures.caption import caption_of
from attnviewer.ui.figures.elements import Cells
from attnviewer.ui.figures.files import encoded
from attnviewer.ui.figures.on_picture import on_picture
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import PAPER, FigureStyle
from attnviewer.ui.figures.typeface import typeface
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.grid_image import grid_colors
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.pictures.shown_panel import shown_panel
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.views.step.on_picture.page import OnPicturePage
from attnviewer.ui.widgets.token_grid_dialog import TokenGridDialog
from attnviewer.views import VIEWS

LEFT = Qt.MouseButton.LeftButton
_SCALE = ColorScale("viridis", 0.0, 1.0)


def seven(grid=None):
    """Return a special token and two rows of three patches, with two heads."""
    draw = np.random.default_rng(3)
    shapes = {"X": (7, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4)}
    matrices = {name: draw.normal(size=shape) for name, shape in shapes.items()}
    tokens = ("[CLS]", *(f"{r},{c}" for r in range(2) for c in range(3)))
    return Document("Seven", tokens, matrices, Spec(n_heads=2), grid=grid)


@pytest.fixture
def open_page(qtbot, appearance):
    workbenches, views = [], []  # views live as long as they are named

    def open_on(document):
        workbench = Workbench(document)
        workbenches.append(workbench)
        view = StepView(workbench, appearance)
        qtbot.addWidget(view, before_close_func=lambda widget: widget.hide())
        views.append(view)
        view.resize(900, 700)
        workbench.selection.choose_cell("weights", (0, 5))
        view.set_view("on_picture")
        with qtbot.waitExposed(view):
            view.show()
        page = view.page_of("on_picture")
        assert isinstance(page, OnPicturePage)
        return page, workbench

    yield open_on
    for workbench in workbenches:
        workbench.close()


def point_of(page, token) -> QPoint:
    return page.grid._layout.rect(token).center().toPoint()


def test_a_document_without_a_grid_opens_as_a_heatmap(open_page):
    page, workbench = open_page(seven(TokenGrid(2, 3, 1)))
    view = page.parent().parent()
    workbench.open(seven(TokenGrid(3, 2, 1)))
    assert view.view == "on_picture"
    workbench.open(seven())
    assert view.view == "heatmap"


def test_a_click_and_the_arrow_keys_ask_from_another_patch(open_page, qtbot):
    page, workbench = open_page(seven(TokenGrid(2, 3, 1)))
    weights = workbench.engine.current.trace["weights"]  # (h, n, n)
    np.testing.assert_array_equal(page.grid.content.values, weights[0, 0])
    qtbot.mouseClick(page.grid, LEFT, pos=point_of(page, 5))
    assert workbench.selection.cell == (5, 5)
    np.testing.assert_array_equal(page.grid.content.values, weights[0, 5])
    for key, query in (
        (Qt.Key.Key_Left, 4),
        (Qt.Key.Key_Up, 1),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_End, 3),
        (Qt.Key.Key_Right, 3),
    ):
        qtbot.keyClick(page.grid, key)
        assert workbench.selection.cell == (query, 5)
    qtbot.mouseClick(page.grid, LEFT, pos=point_of(page, 0))
    assert workbench.selection.cell == (0, 5)


def test_the_number_under_the_pointer_is_said_and_shared(open_page, qtbot):
    page, workbench = open_page(seven(TokenGrid(2, 3, 1)))
    weights = workbench.engine.current.trace["weights"]
    qtbot.mouseMove(page.grid, point_of(page, 6))
    assert workbench.selection.hovered == ("weights", (0, 6))
    assert page.reading.text() == f"[CLS] → 1,2: {page.grid.reading(6).split(': ')[1]}"
    assert float(page.reading.text().split(": ")[1]) == pytest.approx(weights[0, 0, 6])
    # A click asks from there: the pointer is at the number of another query then.
    qtbot.mouseClick(page.grid, LEFT, pos=point_of(page, 6))
    assert workbench.selection.hovered == ("weights", (6, 6))
    assert float(page.reading.text().split(": ")[1]) == pytest.approx(weights[0, 6, 6])
    qtbot.mouseClick(page.grid, LEFT, pos=point_of(page, 0))
    page.heads.setCurrentIndex(1)
    np.testing.assert_allclose(page.grid.content.values, weights[:, 0].mean(axis=0))
    page.heads.setCurrentIndex(2)
    np.testing.assert_array_equal(page.grid.content.values, weights[:, 0].max(axis=0))
    qtbot.mouseMove(page.grid, point_of(page, 5))
    assert workbench.selection.hovered[1] != (0, 5)
    assert page.grid.content.scale.high == pytest.approx(weights[:, 0, 1:].max())
    page.fit.setChecked(False)
    assert page.grid.content.scale.high == 1.0


def test_without_a_grid_the_page_offers_to_declare_one(open_page, qtbot):
    page, workbench = open_page(seven())
    assert page.currentWidget() is page.none
    page.none.button.click()
    dialog = QApplication.activeModalWidget() or page.window().findChild(
        TokenGridDialog
    )
    assert (dialog.rows.value(), dialog.columns.value()) == (1, 7)
    dialog.rows.setValue(2)
    assert not dialog.declare.isEnabled()
    dialog.columns.setValue(3)
    dialog.special.setValue(1)
    assert dialog.note.text() == "1 + 2 × 3 = 7 of 7 tokens"
    dialog.declare.click()
    qtbot.waitUntil(lambda: page.currentWidget() is not page.none)
    assert workbench.document.grid.n_special == 1
    workbench.edits.undo()
    qtbot.waitUntil(lambda: page.currentWidget() is page.none)
    workbench.edits.redo()
    qtbot.waitUntil(lambda: page.currentWidget() is not page.none)
    workbench.selection.choose_step("Q")
    page.none.button.click()
    assert workbench.selection.step == "weights"
    # Its tab stands while there is a grid, or while it is chosen.
    view = page.window()
    number = list(VIEWS).index("on_picture")
    view.set_view("table")
    assert view.header.tabs.isTabVisible(number)
    workbench.edits.undo()
    qtbot.waitUntil(lambda: not view.header.tabs.isTabVisible(number))
    view.set_view("on_picture")
    assert view.view == "on_picture"
    assert view.header.tabs.isTabVisible(number)


def test_the_picture_is_beneath_the_colours_or_not(open_page):
    red = np.zeros((4, 6, 3), np.uint8)
    red[..., 0] = 255
    page, _ = open_page(seven(TokenGrid(2, 3, 1, red)))
    mixed = page.grid.image.pixelColor(3, 3).red()
    page.beneath.setChecked(False)
    plain = page.grid.image
    assert (plain.width(), plain.height()) == (3, 2)
    assert mixed == pytest.approx(0.6 * plain.pixelColor(0, 0).red() + 0.4 * 255, abs=1)
    page.smooth.setChecked(True)
    assert page.grid.image.width() > 3
    assert not QImage(page.grab().toImage()).isNull()


def test_smoothed_numbers_are_their_own_in_the_middle_of_a_patch():
    values = np.array([[0.0, 1.0], [0.5, 0.25]])
    colors = grid_colors(values, None, _SCALE, LIGHT, smooth=True)
    plain = grid_colors(values, None, _SCALE, LIGHT)
    side = len(colors) // 2
    middle = colors[side // 2 :: side, side // 2 :: side].astype(int)
    assert np.abs(middle - plain).max() <= 3
    along = colors[0, :, 0].astype(int)
    assert len(np.unique(along)) > 20
    broken = np.array([[np.nan, 1.0]])
    assert grid_colors(broken, None, _SCALE, LIGHT, smooth=True).shape == (1, 2, 3)


def test_a_figure_shows_the_query_of_its_cell(qapp):
    from attnviewer.io.export import Computation

    document = seven(TokenGrid(2, 3, 1, np.zeros((2, 3, 3), np.uint8)))
    panel = Panel(Computation.of(document), view="on_picture", cell=(4, 2))
    data = encoded([panel], FigureStyle(caption=True), "svg")
    assert b"[CLS]" in data
    assert "“1,0”".encode() in data
    plain = Panel(Computation.of(seven()), view="on_picture")
    with pytest.raises(ValueError, match="no grid"):
        encoded([plain], FigureStyle(), "svg")


@pytest.mark.parametrize(("how", "words"), [("mean", "mean"), ("max", "maximum")])
def test_a_figure_combines_heads_as_the_page_does(open_page, how, words):
    page, workbench = open_page(seven(TokenGrid(2, 3, 1)))
    key = {"mean": Qt.Key.Key_Down, "max": Qt.Key.Key_End}[how]
    QTest.keyClick(page.heads, key)
    panel = shown_panel(page.window(), workbench, PAPER)
    assert panel.combination == how
    weights = workbench.engine.current.trace["weights"]
    row = getattr(np, how)(weights[:, 0], axis=0)  # (n_k,)
    patches = row[1:].reshape(2, 3)
    scale = ColorScale("viridis", 0.0, float(patches.max()))
    drawn = on_picture(panel, Room(300.0, typeface("sans"), PAPER))
    cells = [part for part in drawn.elements if isinstance(part, Cells)]
    largest = max(cells, key=lambda part: part.width)
    np.testing.assert_array_equal(
        largest.colors, grid_colors(patches, None, scale, PAPER)
    )
    assert f"Attention weights, {words} over both heads" in caption_of([panel])
