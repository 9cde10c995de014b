"""The atlas of a model's heads: by mouse and keys, and what it shows of a query."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from attnviewer import models
from attnviewer.compute import HeadLocation
from attnviewer.models.layer_documents import link_of
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.head_atlas.arrangement import Arrangement, arrange, named

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
IDS = "3 14 15 9 2 6"


@pytest.fixture
def atlas(window, open_model, gpt2, qtbot):
    """The atlas of four layers of four heads over six tokens."""
    open_model(gpt2)
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(IDS)
    window.docks.open_panel("heads")
    go_to(window, qtbot, HeadLocation(0, 0))
    window.workbench.open_step("weights", (4, 2))
    qtbot.waitUntil(lambda: window.atlas.maps.is_drawn)
    return window.atlas


@pytest.fixture
def weights(gpt2):
    """Shape (layers, heads, 6, 6)."""
    run = models.load(gpt2).run([int(number) for number in IDS.split()])
    return np.stack([run.attention(layer)["weights"] for layer in range(4)])


def present(window):
    return window.workbench.head_location(window.workbench.selection.head)


def wait(window, qtbot, layer, head):
    def there():
        known = link_of(window.document) is not None
        return known and present(window) == (layer, head)

    qtbot.waitUntil(there)
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    QApplication.processEvents()


def go_to(window, qtbot, location):
    QApplication.processEvents()
    if present(window) != location:
        QTest.mouseClick(window.atlas.maps, LEFT, pos=spot(window.atlas, *location))
        wait(window, qtbot, *location)


def spot(atlas, layer, head):
    return atlas.maps.centre_of(HeadLocation(layer, head))


def location(window):
    return window.findChild(QLabel, "atlas.location").text()


def same(atlas):
    rows = atlas.same.rows
    return [
        [rows.index(row, column).data() for column in range(2)]
        for row in range(rows.rowCount())
    ]


def test_without_a_model_the_atlas_says_what_it_needs(window) -> None:
    window.docks.open_panel("heads")
    QApplication.processEvents()
    assert "Open a model" in window.findChild(QLabel, "atlas.note").text()
    assert not window.findChild(QToolButton, "atlas.behind").isEnabled()


def test_a_map_has_the_colours_of_its_head(atlas, weights) -> None:
    window = atlas.window()
    window.workbench.selection.choose_cell("weights", None)
    QApplication.processEvents()
    picture = atlas.maps.grab().toImage()
    cells = cell_colors(
        weights[2, 1], scale_for(None, signed=False, theme=LIGHT), LIGHT
    )
    place = atlas.maps.arrangement.rect_of(HeadLocation(2, 1))
    size = place.width() // 6
    for row, column in ((0, 0), (4, 2), (5, 5), (3, 0)):
        middle = QPoint(column * size + size // 2, row * size + size // 2)
        found = QColor(picture.pixel(place.topLeft() + middle))
        expected = tuple(map(int, cells[row, column]))
        assert (found.red(), found.green(), found.blue()) == expected


def test_a_click_opens_the_head_in_its_layer(window, atlas, qtbot) -> None:
    assert location(window) == "L0 · H0"
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 0, 3))
    assert location(window) == "L0 · H3"
    assert present(window) == (0, 3)
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 2, 1))
    assert location(window) == "L2 · H1"  # at once, not only when it is computed
    wait(window, qtbot, 2, 1)
    assert location(window) == "L2 · H1"
    assert window.workbench.selection.cell == (4, 2)


def test_the_arrow_keys_go_to_neighbours(window, atlas, qtbot) -> None:
    atlas.maps.setFocus()
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Right, Key.Key_Right, Key.Key_Up):
        QTest.keyClick(atlas.maps, key)
    assert location(window) == "L2 · H1"
    wait(window, qtbot, 2, 1)
    for key in (Key.Key_Left, Key.Key_Left, Key.Key_Left):
        QTest.keyClick(atlas.maps, key)
    wait(window, qtbot, 0, 1)


def test_the_stepper_goes_from_head_to_head_and_layer_to_layer(
    window, atlas, qtbot
) -> None:
    before, behind = (
        window.findChild(QToolButton, f"atlas.{name}") for name in ("before", "behind")
    )
    assert not before.isEnabled()
    for _ in range(3):
        QTest.mouseClick(behind, LEFT)
    assert location(window) == "L0 · H3"
    QTest.mouseClick(behind, LEFT)
    wait(window, qtbot, 1, 0)
    QTest.mouseClick(before, LEFT)
    wait(window, qtbot, 0, 3)
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 3, 3))
    wait(window, qtbot, 3, 3)
    assert not behind.isEnabled()


def test_the_row_of_the_query_stands_out_in_every_map(window, atlas) -> None:
    def brightness(layer, row):
        picture = atlas.maps.grab().toImage()
        place = atlas.maps.arrangement.rect_of(HeadLocation(layer, 2))
        size = place.width() // 6
        middle = QPoint(size // 2, row * size + size // 2)
        return QColor(picture.pixel(place.topLeft() + middle)).lightness()

    window.workbench.selection.choose_cell("weights", None)
    plain = {row: brightness(3, row) for row in (1, 4)}
    chips = window.ribbon.chips
    QTest.mouseMove(chips, chips.rect_of(4).center())
    assert atlas.maps.lit == 4
    assert brightness(3, 4) == plain[4]
    assert brightness(3, 1) > plain[1]  # fades into the white panel
    QTest.mouseMove(window.step_view, QPoint(4, 4))
    assert atlas.maps.lit is None
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert brightness(3, 1) == plain[1]
    assert brightness(3, 4) > plain[4]


def test_the_heads_that_do_the_same_are_listed_strongest_first(
    window, atlas, weights, qtbot
) -> None:
    def expected(query, key):
        flat = weights[:, :, query, key].ravel()
        order = np.argsort(-flat, kind="stable")[:5]
        return [[f"L{k // 4} H{k % 4}", f"{flat[k]:.2f}"] for k in order]

    qtbot.waitUntil(lambda: same(atlas) == expected(4, 2))
    assert window.findChild(QLabel, "atlas.cell").text() == "#2 → #15"
    window.workbench.selection.choose_cell("weights", (5, 1))
    qtbot.waitUntil(lambda: same(atlas) == expected(5, 1))
    name = same(atlas)[2][0]
    index = atlas.same.rows.index(2, 0)
    view = atlas.same.viewport()
    QTest.mouseClick(view, LEFT, pos=atlas.same.visualRect(index).center())
    layer, head = (int(part[1:]) for part in name.split())
    wait(window, qtbot, layer, head)


def test_maps_get_smaller_with_more_layers_and_then_scroll() -> None:
    names = QSize(24, 16)
    sizes = {n: arrange(n, 12, 254, names).tile for n in (6, 8, 12, 24)}
    assert sizes == {6: 32, 8: 24, 12: 16, 24: 16}
    assert arrange(24, 12, 254, names).size.width() > 254


def test_the_gap_behind_a_map_belongs_to_it_and_names_to_none() -> None:
    laid_out = Arrangement(6, 12, 32, QSize(24, 16))
    place = laid_out.rect_of(HeadLocation(3, 1))
    assert laid_out.location_at(place.topLeft()) == (3, 1)
    assert laid_out.location_at(place.bottomRight() + QPoint(2, 2)) == (3, 1)
    assert laid_out.location_at(QPoint(5, 40)) is None
    assert laid_out.location_at(QPoint(2000, 40)) is None


def test_names_that_have_no_room_are_left_out_but_for_the_chosen_one() -> None:
    assert list(named(4, 2, 1)) == [0, 1, 2, 3]
    assert list(named(7, 3, 2)) == [0, 3, 6]
    assert list(named(4, None, 2)) == [0, 2]
