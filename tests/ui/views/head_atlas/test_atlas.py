"""The atlas of a model's heads: by mouse and keys, and what it shows of a query."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QToolButton,
    QToolTip,
)

from attnviewer import Pin, load_example, models
from attnviewer.compute import HeadLocation
from attnviewer.document import Labels
from attnviewer.document.pins import add_pins
from attnviewer.models.heads import ModelHeads
from attnviewer.models.layer_documents import link_of
from attnviewer.models.sentences import FIRST
from attnviewer.ui.features.head_page import HeadPageFeature
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.head_report import HeadReport
from attnviewer.ui.state.looks import Look
from attnviewer.ui.views.head_atlas import HeadAtlas
from attnviewer.ui.views.head_atlas.arrangement import (
    Arrangement,
    Lineup,
    arrange,
    line_up,
    named,
)
from attnviewer.ui.views.head_atlas.choices import AtlasChoices
from attnviewer.ui.views.head_atlas.habits import HabitsList
from attnviewer.ui.views.head_atlas.maps import HeadMaps
from attnviewer.ui.views.head_atlas.search import heads_named
from attnviewer.ui.views.head_atlas.sorting import MapSorting
from attnviewer.ui.views.spec.head_menu import HeadMenu
from attnviewer.ui.views.step.heads.layers import content_of_layers
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.tint_legend import TintLegend

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
IDS = "3 14 15 9 2 6"
LINE = 15
"""The height of a line of text of the usual size, in pixels."""


@pytest.fixture
def atlas(window, open_model, gpt2, qtbot):
    """The atlas of four layers of four heads over six tokens."""
    open_model(gpt2)
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(IDS)
    window.docks.open_panel("heads")
    go_to(window, qtbot, HeadLocation(0, 0))
    window.workbench.open_step("weights", (4, 2))
    qtbot.waitUntil(lambda: window.findChild(HeadAtlas).maps.is_drawn)
    return window.findChild(HeadAtlas)


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
        atlas = window.findChild(HeadAtlas)
        QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, *location))
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
    assert "Open a model" in window.findChild(QLabel, "atlas.none").text()
    assert not window.findChild(QToolButton, "atlas.next").isEnabled()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_maps_show_what_is_asked_for_and_open_heads_in_their_layers_and_their_page(
    window, atlas, weights, qtbot
) -> None:
    check_what_stands_out(atlas, weights, window, qtbot)
    start(window, atlas, qtbot)
    check_clicks_keys_and_stepper(window, atlas, qtbot)
    start(window, atlas, qtbot)
    check_lists(window, atlas, weights, qtbot)
    start(window, atlas, qtbot)
    check_menu(window, atlas, qtbot)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_maps_are_sorted_and_those_of_heads_with_pins_are_marked(
    window, atlas, weights, gpt2, qtbot, gate, appearance
) -> None:
    check_pins(window, qtbot, atlas, appearance)
    start(window, atlas, qtbot)
    check_sorting(window, atlas, weights)
    start(window, atlas, qtbot)
    check_effects(window, atlas, gpt2, qtbot, gate)


def start(window, atlas, qtbot) -> None:
    """Lay out the maps by layers, with a cell of the first head selected."""
    show_in_layers(atlas)
    go_to(window, qtbot, HeadLocation(0, 0))
    window.workbench.open_step("weights", (4, 2))
    qtbot.waitUntil(lambda: atlas.maps.is_drawn)


def check_what_stands_out(atlas, weights, window, qtbot) -> None:
    window.workbench.selection.choose_cell("weights", None)
    QApplication.processEvents()
    check_colors(atlas, weights)
    check_query(atlas, window)
    window.workbench.selection.choose_cell("weights", (4, 2))
    check_search(window, atlas, qtbot)


def check_colors(atlas, weights) -> None:
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


def check_query(atlas, window) -> None:
    """Its row stands out."""

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


def check_clicks_keys_and_stepper(window, atlas, qtbot) -> None:
    assert location(window) == "L0 · H0"
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 0, 3))
    assert location(window) == "L0 · H3"
    assert present(window) == (0, 3)
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 2, 1))
    assert location(window) == "L2 · H1"  # at once, not only when it is computed
    wait(window, qtbot, 2, 1)
    assert location(window) == "L2 · H1"
    assert window.workbench.selection.cell == (4, 2)
    go_to(window, qtbot, HeadLocation(0, 0))
    atlas.maps.setFocus()
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Right, Key.Key_Right, Key.Key_Up):
        QTest.keyClick(atlas.maps, key)
    assert location(window) == "L2 · H1"
    wait(window, qtbot, 2, 1)
    for key in (Key.Key_Left, Key.Key_Left, Key.Key_Left):
        QTest.keyClick(atlas.maps, key)
    wait(window, qtbot, 0, 1)
    go_to(window, qtbot, HeadLocation(0, 0))
    previous, next_ = (
        window.findChild(QToolButton, f"atlas.{name}") for name in ("previous", "next")
    )
    assert not previous.isEnabled()
    for _ in range(3):
        QTest.mouseClick(next_, LEFT)
    assert location(window) == "L0 · H3"
    QTest.mouseClick(next_, LEFT)
    wait(window, qtbot, 1, 0)
    QTest.mouseClick(previous, LEFT)
    wait(window, qtbot, 0, 3)
    QTest.mouseClick(atlas.maps, LEFT, pos=spot(atlas, 3, 3))
    wait(window, qtbot, 3, 3)
    assert not next_.isEnabled()
    go_to(window, qtbot, HeadLocation(0, 0))
    sort_by(atlas.choices, "Previous token")
    laid_out = atlas.maps.arrangement
    first, second = laid_out.order[:2]
    QTest.mouseClick(atlas.maps, LEFT, pos=atlas.maps.centre_of(first))
    wait(window, qtbot, *first)
    assert not window.findChild(QToolButton, "atlas.previous").isEnabled()
    atlas.maps.setFocus()
    QTest.keyClick(atlas.maps, Key.Key_Right)
    wait(window, qtbot, *second)
    QTest.keyClick(atlas.maps, Key.Key_Down)
    below = laid_out.order[1 + laid_out.columns]
    wait(window, qtbot, *below)
    QTest.mouseClick(window.findChild(QToolButton, "atlas.next"), LEFT)
    wait(window, qtbot, *laid_out.order[2 + laid_out.columns])


def check_lists(window, atlas, weights, qtbot) -> None:
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
    go_to(window, qtbot, HeadLocation(0, 0))
    place = np.arange(6)
    shares = {
        "First key": weights[..., 0].mean(-1),
        "Previous token": weights[:, :, place[1:], place[:-1]].mean(-1),
        "Token itself": weights[:, :, place, place].mean(-1),
    }
    listed_first = []
    for title, share in shares.items():
        layer, head = np.unravel_index(share.argmax(), share.shape)
        listed_first.append([title, f"L{layer} H{head}", f"{100 * share.max():.0f} %"])
    rows = atlas.habits.rows.rows
    found = [
        [rows.index(row, column).data() for column in range(3)]
        for row in range(rows.rowCount())
    ]
    assert found == listed_first
    listed = atlas.habits.rows
    index = listed.rows.index(1, 1)
    listed.scrollTo(index)
    QTest.mouseClick(listed.viewport(), LEFT, pos=listed.visualRect(index).center())
    layer, head = (int(part[1:]) for part in listed_first[1][1].split())
    wait(window, qtbot, layer, head)


def sort_by(choices, title):
    """Choose an order by keys, as a person does."""
    box = choices.order
    box.setFocus()
    while box.currentText() != title:
        before = box.currentIndex()
        QTest.keyClick(box, Key.Key_Down)
        box.activated.emit(box.currentIndex())
        assert box.currentIndex() > before
    QApplication.processEvents()


def texts_of(box):
    return {box.itemText(k) for k in range(box.count())}


def show_in_layers(atlas):
    """Take the order of the maps back to that of the layers."""
    box = atlas.choices.order
    box.setCurrentIndex(0)
    box.activated.emit(0)


def in_order(values):
    """Return the heads of (layers, heads) numbers, the largest first."""
    order = np.argsort(-values.ravel(), kind="stable")
    return [HeadLocation(*divmod(int(k), values.shape[1])) for k in order]


def check_sorting(window, atlas, weights) -> None:
    before = atlas.maps.arrangement
    sort_by(atlas.choices, "Entropy")
    show_in_layers(atlas)
    assert atlas.maps.arrangement == before
    show_in_layers(atlas)
    sort_by(atlas.choices, "Entropy")
    with np.errstate(all="ignore"):
        bits = np.where(weights > 0, -weights * np.log2(weights), 0).sum(-1).mean(-1)
    laid_out = atlas.maps.arrangement
    assert isinstance(laid_out, Lineup)
    assert list(laid_out.order) == in_order(bits)
    window.step_view.set_view("heads")
    choices = window.step_view.heads.heads.choices
    entropies = choices.findChild(QComboBox, "heads.statistic")
    choices.show_all_layers()
    other = {"by layer", "Statistics", ""}
    sorts = texts_of(atlas.choices.order) - other
    assert sorts == texts_of(entropies) - {"Similarity to chosen"}
    show_in_layers(atlas)
    sort_by(atlas.choices, "Selected cell")
    assert list(atlas.maps.arrangement.order) == in_order(weights[:, :, 4, 2])
    window.workbench.selection.choose_cell("weights", (5, 1))
    assert list(atlas.maps.arrangement.order) == in_order(weights[:, :, 5, 1])
    show_in_layers(atlas)
    assert not atlas.choices.direction.isVisible()
    # The last line is one to sort by; a file is asked for by a button alone.
    asked = []
    atlas.choices.survey_wanted.disconnect()
    atlas.choices.survey_wanted.connect(lambda: asked.append(1))
    atlas.choices.order.setFocus()
    QTest.keyClick(atlas.choices.order, Key.Key_End)
    assert atlas.choices.statistic == "effect"
    assert asked == []
    QTest.mouseClick(atlas.choices.survey, LEFT)
    assert asked == [1]
    show_in_layers(atlas)
    sort_by(atlas.choices, "First key (sink)")
    largest = atlas.maps.arrangement.order
    assert list(largest) == in_order(weights[..., 0].mean(-1))
    QTest.mouseClick(atlas.choices.direction, LEFT)
    assert atlas.maps.arrangement.order == largest[::-1]
    assert atlas.choices.direction.toolTip() == "smallest first"
    QTest.mouseClick(atlas.choices.direction, LEFT)
    assert atlas.maps.arrangement.order == largest


def test_the_atlas_finds_the_heads_that_look_from_a_pronoun_at_its_noun(
    qtbot, appearance, model, minilm
) -> None:
    run = models.load(minilm).run(FIRST)
    heads, report = ModelHeads(run), HeadReport(model)
    maps, choices, habits = HeadMaps(), AtlasChoices(), HabitsList()
    for widget in (maps, choices, habits):
        qtbot.addWidget(widget)
    sorting = MapSorting(report, choices, maps, habits, TintLegend(maps), maps)
    first = Computed(run.attention(0), Labels((), ()), 0, None)
    shown = DisplayedStep(first, "weights", 0, Look(), LIGHT)
    maps.show_heads(heads, content_of_layers(heads, shown), LIGHT)
    sorting.show_heads(heads)
    sorting.follow((run.tokens.index("it"), run.tokens.index("animal")))
    sort_by(choices, "Selected cell")
    # As transformers computes them with eager attention.
    assert maps.arrangement.order[:3] == ((3, 1), (5, 11), (5, 3))
    report.close()
    report.deleteLater()


def check_effects(window, atlas, gpt2, qtbot, gate) -> None:
    box, report = atlas.choices.order, window.workbench.head_report
    note = window.findChild(QLabel, "atlas.note")
    place = box.findText("Occurrence +1")
    assert not box.model().item(place).isEnabled()
    assert box.itemData(place, TOOL_TIP).endswith("\nNo token occurs twice.")
    tip = box.itemData(box.findText("Effective keys"), TOOL_TIP)
    assert tip.endswith("\n2^H\nHill 1973, Diversity and Evenness")
    repeated = [3, 14, 15, 3, 14, 9]
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(" ".join(map(str, repeated)))
    run = models.load(gpt2).run(repeated)
    weights = np.stack([run.attention(layer)["weights"] for layer in range(4)])
    sort_by(atlas.choices, "Token itself (diagonal)")
    before = atlas.maps.arrangement.order
    gate.clear()
    sort_by(atlas.choices, "Occurrence +1")
    assert note.text() == "Computing…"
    assert atlas.maps.arrangement.order == before
    assert tip_of(atlas, before[0]) == f"{before[0].name}: …"
    gate.set()
    report.worker.finish()
    assert not note.isVisible()
    after = weights[:, :, [3, 4], [1, 2]].astype(float).mean(-1)  # (layers, heads)
    order = atlas.maps.arrangement.order
    assert list(order) == in_order(after)
    tip = f"{order[0].name}: Occurrence +1 {after.max():.4f}"
    assert tip_of(atlas, order[0]) == tip

    window.step_view.set_view("heads")
    view = window.step_view.heads.heads
    view.choices.show_all_layers()
    for name, title in (
        ("statistic", "Effect of switching off"),
        ("sorting", "largest first"),
    ):
        chosen = view.choices.findChild(QComboBox, f"heads.{name}")
        chosen.setCurrentIndex(chosen.findText(title))
        chosen.activated.emit(chosen.currentIndex())
    report.worker.finish()
    falls = models.ablate(run)
    expected = in_order(falls.center - falls.values)
    assert [card.card.location for card in view.wall.cards] == expected
    most = (falls.center - falls.values).max()
    assert view.wall.cards[0].caption.short == f"{most:.4f}"
    # A sentence without repetitions: the atlas says why it is not sorted.
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(IDS)
    assert note.text() == "No token occurs twice."
    assert isinstance(atlas.maps.arrangement, Arrangement)


def tip_of(atlas, location):
    place = atlas.maps.centre_of(location)
    QApplication.sendEvent(atlas.maps, QHelpEvent(QEvent.Type.ToolTip, place, QPoint()))
    text = QToolTip.text()
    QToolTip.hideText()
    return text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("L3 H1", [(3, 1)]),
        ("l3h1", [(3, 1)]),
        ("3 1", [(3, 1)]),
        ("3.1", [(3, 1)]),
        ("L2", [(2, 0), (2, 1), (2, 2), (2, 3)]),
        ("H1", [(0, 1), (1, 1), (2, 1), (3, 1)]),
        ("L9", []),
        ("it", []),
    ],
)
def test_a_head_is_found_by_its_name(text, found) -> None:
    every = [HeadLocation(layer, head) for layer in range(4) for head in range(4)]
    assert heads_named(text, every) == frozenset(HeadLocation(*at) for at in found)
    assert heads_named("  ", every) is None


def check_menu(window, atlas, qtbot) -> None:
    """The menu of a map leads to the page of its head."""
    menu = window.findChild(HeadMenu)
    place = atlas.maps.centre_of(HeadLocation(2, 1))
    spot = atlas.maps.mapToGlobal(place)
    for reason, at in (("Mouse", place), ("Keyboard", QPoint())):
        event = QContextMenuEvent(QContextMenuEvent.Reason[reason], at, spot)
        QApplication.sendEvent(atlas.maps, event)
        qtbot.waitUntil(menu.isVisible)
        assert window.workbench.location == "L2"
        assert window.workbench.selection.head == 1
        about = next(a for a in menu.actions() if a.text() == "&About this head")
        assert about.isVisible()
        assert about.isEnabled()
        menu.close()
    about.trigger()
    title = window.findChild(QLabel, "head.title")
    assert title.isVisible()
    assert title.text() == "L2 H1"
    window.feature(HeadPageFeature).page.worker.finish()
    window.workbench.head_report.worker.finish()
    window.workbench.open(load_example("four-words"))
    menu.aboutToShow.emit()
    assert not about.isEnabled()
    assert about.toolTip() == "This is about heads of a model: open one first."


def check_search(window, atlas, qtbot) -> None:
    """It fades other heads, and Enter opens the first."""

    def color(layer, head):
        picture = atlas.maps.grab().toImage()
        return QColor(picture.pixel(atlas.maps.centre_of(HeadLocation(layer, head))))

    plain = {at: color(*at) for at in ((2, 1), (2, 3), (3, 1))}
    search = atlas.choices.search
    search.setFocus()
    QTest.keyClicks(search, "L2")
    assert color(2, 1) == plain[2, 1]
    assert color(2, 3) == plain[2, 3]
    assert color(3, 1).lightness() > plain[3, 1].lightness()
    QTest.keyClicks(search, " H3")
    assert color(2, 1).lightness() > plain[2, 1].lightness()
    QTest.keyClick(search, Key.Key_Return)
    wait(window, qtbot, 2, 3)
    QTest.keyClicks(search, "9")
    note = window.findChild(QLabel, "atlas.note")
    assert note.text() == "No head is called “L2 H39”."
    QTest.keyClick(search, Key.Key_Escape)
    assert search.text() == ""
    assert not note.isVisible()
    assert color(3, 1) == plain[3, 1]


def test_sorted_maps_have_names_and_numbers_beneath_and_lie_apart() -> None:
    order = tuple(HeadLocation(0, head) for head in range(7))
    laid_out = line_up(order, 150, QSize(40, 12), LINE)
    places = [laid_out.rect_of(at).united(laid_out.lines_of(at)[1]) for at in order]
    assert laid_out.columns == 3
    assert not any(
        a.intersects(b) for k, a in enumerate(places) for b in places[k + 1 :]
    )
    assert all(
        laid_out.location_at(line.center()) == at
        for at in order
        for line in laid_out.lines_of(at)
    )
    assert (
        laid_out.location_at(laid_out.rect_of(order[6]).center() + QPoint(45, 0))
        is None
    )
    assert laid_out.beside(order[0], 0, 1) == order[3]
    assert laid_out.beside(order[6], 1, 0) == order[6]
    right = max(place.right() for place in places)
    assert right < laid_out.size.width() <= 150
    assert max(place.bottom() for place in places) < laid_out.size.height()


def test_maps_get_smaller_with_more_layers_and_then_scroll() -> None:
    names = QSize(24, 16)
    room = QSize(254, 200)
    sizes = {n: arrange(n, 12, room, names, LINE).tile for n in (6, 8, 12, 24)}
    assert sizes == {6: 32, 8: 24, 12: 16, 24: 16}
    assert arrange(24, 12, room, names, LINE).size.width() > 254


@pytest.mark.parametrize(
    ("room", "tile"),
    [
        *(((400, 900), 48), ((400, 500), 32)),  # all heads stay in sight
        *(((260, 900), 32), ((100, 900), 16)),
    ],
)
def test_maps_grow_with_the_size_of_texts_as_long_as_all_are_in_sight(
    room, tile
) -> None:
    laid_out = arrange(6, 12, QSize(*room), QSize(36, 24), line=23)  # 150 %
    assert laid_out.tile == tile


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


def check_pins(window, qtbot, atlas, appearance) -> None:
    for step in ("Q", "weights"):
        check_mark(window, qtbot, atlas, appearance, step)
        window.workbench.edits.undo()


def check_mark(window, qtbot, atlas, appearance, step) -> None:
    maps, here, other = atlas.maps, HeadLocation(0, 0), HeadLocation(1, 1)

    def corner(location):
        # Within the triangle, which begins outside the map.
        spot = maps.arrangement.rect_of(location).topLeft() + QPoint(1, 1)
        return maps.grab().toImage().pixelColor(spot)

    document = window.document
    edit = add_pins(document, [Pin(step, 4, 2, 0.9)], "Pin")
    window.workbench.edits.submit(edit)
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.put_back(document)
    qtbot.waitUntil(lambda: maps.is_drawn)
    assert corner(here) == QColor(appearance.theme.text)
    assert corner(other) != QColor(appearance.theme.text)
    tip = QHelpEvent(QEvent.Type.ToolTip, spot(atlas, 0, 0), QPoint(0, 0))
    QApplication.sendEvent(maps, tip)
    assert QToolTip.text().endswith("It has pins.")
    QToolTip.hideText()
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.take_out()
    qtbot.waitUntil(lambda: corner(here) != QColor(appearance.theme.text))
