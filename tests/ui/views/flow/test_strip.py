"""The flow strip, driven by real events and judged by its pixels."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontInfo,
    QFontMetrics,
    QImage,
    QPainter,
)
from PySide6.QtWidgets import QApplication, QStyle, QVBoxLayout, QWidget

from attnviewer.compute import Disentangled, Spec, run
from attnviewer.document import Document, Replace, SetCells, spec_edit
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.paint.miniature.miniature import masked_tint
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.looks import Look, Looks
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.flow import FlowStrip
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.flow.ground import Ground
from attnviewer.ui.views.flow.operation import Operation
from attnviewer.ui.views.flow.thumbnail import make_thumbnail
from attnviewer.ui.widgets.accessible import install_descriptions
from tests.documents import four_words
from tests.ui.turns import follow_picture

VIRIDIS_HIGH = (253, 231, 37)
VIRIDIS_LOW = (68, 1, 84)


def two_heads(**spec) -> Document:
    rng = np.random.default_rng(7)
    matrices = {"X": rng.normal(size=(6, 8))}
    matrices |= {name: rng.normal(size=(8, 8)) for name in ("W_Q", "W_K", "W_V", "W_O")}
    return Document("Heads", list("abcdef"), matrices, Spec(n_heads=2, **spec))


@pytest.fixture
def selection():
    return SelectionModel()


@pytest.fixture
def looks(qapp):
    return Looks()


@pytest.fixture
def open_strip(qtbot, appearance, selection, looks):
    """Show a document's strip; its engine is closed after the test."""
    engines = []
    strips = []

    def show(document: Document, width: int = 1600) -> FlowStrip:
        engine = Engine(document)
        engines.append(engine)
        strip = FlowStrip(engine, selection, looks, appearance)
        strip.engine_under_test = engine
        strips.append(strip)
        qtbot.addWidget(strip)
        strip.resize(width, strip.height())
        with qtbot.waitExposed(strip):
            strip.show()
        return strip

    yield show
    for engine in engines:
        engine.close()


def card_of(strip: FlowStrip, step: str) -> FlowCard:
    card = strip.findChild(FlowCard, f"flow.{step}")
    assert card is not None, f"no card for {step}"
    return card


def steps_of(strip: FlowStrip) -> list[str]:
    cards = strip.findChildren(FlowCard)
    return [
        card.step for card in sorted(cards, key=lambda card: (card.x() // 40, card.y()))
    ]


def center_of(card: FlowCard, cell: tuple[int, int]) -> QPoint:
    return card.corner + card.thumbnail.cell_rect(cell).center()


def cell_pixel(card: FlowCard, cell: tuple[int, int]) -> tuple[int, int, int]:
    """Return a pixel of a cell that is neither text, grid line nor outline."""
    place = card.corner + card.thumbnail.cell_rect(cell).topLeft() + QPoint(3, 2)
    return card.grab().toImage().pixelColor(place).toRgb().getRgb()[:3]


def test_the_cards_of_self_attention_stand_in_the_order_of_the_computation(open_strip):
    strip = open_strip(four_words())
    assert steps_of(strip) == [
        "X",
        "Q",
        "K",
        "V",
        "scores",
        "scaled",
        "weights",
        "output",
    ]


@pytest.mark.parametrize(
    ("spec", "shown", "missing"),
    [
        (
            {"projected": False},
            ["X", "scores", "scaled", "weights", "output"],
            ["Q", "K", "V", "masked"],
        ),
        ({"causal": True}, ["masked", "weights"], ["heads", "concatenated"]),
        ({"scale": 1.0}, ["scores", "weights"], ["scaled"]),
    ],
)
def test_steps_that_a_variant_lacks_have_no_card(open_strip, spec, shown, missing):
    steps = steps_of(open_strip(four_words(**spec)))
    assert [step for step in shown if step not in steps] == []
    assert [step for step in missing if step in steps] == []


def test_several_heads_with_w_o_show_heads_and_concatenated_but_no_weight_matrix(
    open_strip,
):
    steps = steps_of(open_strip(two_heads(output_projection=True)))
    assert steps[-3:] == ["heads", "concatenated", "output"]
    assert not any(step.startswith("W_") for step in steps)


def test_a_bias_stands_beside_the_scores_that_it_is_added_to(open_strip):
    document = four_words()
    document.apply(spec_edit(document, Spec(bias=True), "Bias"))
    assert steps_of(open_strip(document))[4:] == [
        "scores",
        "scaled",
        "bias",
        "biased",
        "weights",
        "output",
    ]


def test_a_click_on_a_title_opens_the_step_without_selecting_a_cell(
    qtbot, open_strip, selection
):
    strip = open_strip(four_words())
    card = card_of(strip, "scores")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(card.width() // 2, 14))
    assert (selection.step, selection.cell) == ("scores", None)
    assert card.isChecked()
    assert not card_of(strip, "weights").isChecked()


def test_a_click_on_a_number_selects_its_cell(qtbot, open_strip, selection):
    strip = open_strip(four_words())
    card = card_of(strip, "X")
    assert card.thumbnail.texts
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=center_of(card, (3, 1)))
    assert (selection.step, selection.cell) == ("X", (3, 1))


def test_a_click_on_a_picture_without_numbers_only_opens_the_step(
    qtbot, open_strip, selection
):
    document = Document(
        "Tall", map(str, range(30)), {"X": np.ones((30, 2))}, Spec(projected=False)
    )
    card = card_of(open_strip(document), "X")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=center_of(card, (3, 1)))
    assert (selection.step, selection.cell) == ("X", None)


def test_arrow_keys_move_between_cards_and_return_or_space_opens(
    qtbot, open_strip, selection
):
    strip = open_strip(four_words())
    strip.activateWindow()
    card_of(strip, "weights").setFocus()
    qtbot.keyClick(card_of(strip, "weights"), Qt.Key.Key_Left)
    qtbot.waitUntil(card_of(strip, "scaled").hasFocus)
    assert selection.step == "weights"
    qtbot.keyClick(card_of(strip, "scaled"), Qt.Key.Key_Return)
    assert selection.step == "scaled"
    qtbot.keyClick(card_of(strip, "scaled"), Qt.Key.Key_Right)
    qtbot.keyClick(card_of(strip, "weights"), Qt.Key.Key_Right)
    qtbot.keyClick(card_of(strip, "output"), Qt.Key.Key_Right)
    assert card_of(strip, "output").hasFocus()
    qtbot.keyClick(card_of(strip, "output"), Qt.Key.Key_Space)
    assert selection.step == "output"
    qtbot.keyClick(card_of(strip, "output"), Qt.Key.Key_Home)
    assert card_of(strip, "X").hasFocus()
    qtbot.keyClick(card_of(strip, "X"), Qt.Key.Key_End)
    assert card_of(strip, "output").hasFocus()


def ring_of(card: FlowCard) -> QColor:
    below = card.corner + QPoint(card.grid.size.width() // 2, card.grid.size.height())
    return card.grab().toImage().pixelColor(below + QPoint(0, 6))


def test_focus_from_the_keyboard_has_a_ring_and_focus_from_a_click_has_none(
    qtbot, open_strip
):
    strip = open_strip(four_words())
    strip.activateWindow()
    weights, scaled = card_of(strip, "weights"), card_of(strip, "scaled")
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.waitUntil(weights.hasFocus)
    assert ring_of(weights).saturation() < 40
    qtbot.keyClick(weights, Qt.Key.Key_Left)
    assert ring_of(scaled).saturation() > 100


def test_the_tab_key_stops_once_in_the_strip_at_the_open_card(open_strip, selection):
    strip = open_strip(four_words())
    selection.choose_step("K")
    tab = Qt.FocusPolicy.TabFocus
    stops = [c.step for c in strip.findChildren(FlowCard) if c.focusPolicy() & tab]
    assert stops == ["K"]


def test_going_on_and_back_opens_the_neighbour_and_stops_at_the_ends(
    open_strip, selection
):
    strip = open_strip(four_words())
    strip.go(1)
    assert selection.step == "output"
    strip.go(1)
    assert selection.step == "output"
    strip.go(-2)
    assert selection.step == "scaled"


def test_a_weight_of_one_has_the_highest_colour_of_viridis(open_strip):
    card = card_of(open_strip(four_words(causal=True)), "weights")
    # The first query may look at itself alone.
    assert cell_pixel(card, (0, 0)) == VIRIDIS_HIGH


def test_zero_has_the_middle_colour_in_a_signed_step(open_strip):
    card = card_of(open_strip(four_words()), "Q")
    assert len(set(cell_pixel(card, (0, 1))) - set(range(215, 256))) == 0
    assert cell_pixel(card, (0, 0)) != cell_pixel(card, (0, 1))


def test_an_undefined_number_has_the_colour_of_the_undefined(open_strip):
    document = Document(
        "Undefined",
        ["a", "b"],
        {"X": [[1.0, 0.0], [-1.0, 0.0]]},
        Spec(projected=False, normalizer="sum"),
    )
    card = card_of(open_strip(document), "weights")
    assert QColor(*cell_pixel(card, (0, 0))).name() == LIGHT.off_scale
    assert card.thumbnail.texts[0] == "NaN"


def test_an_edit_repaints_the_same_cards(open_strip):
    document = four_words(causal=True)
    strip = open_strip(document)
    cards = strip.findChildren(FlowCard)
    before = cell_pixel(card_of(strip, "weights"), (1, 0))
    document.apply(SetCells("Edit", "X", 1, 0, np.array([[40.0]])))
    strip.engine_under_test.flush()
    follow_picture()
    assert strip.findChildren(FlowCard) == cards
    assert card_of(strip, "X").thumbnail.texts[3] == "40"
    # X = [40, 1, 0]: its own key wins over that of word 1 by far.
    assert before not in (VIRIDIS_LOW, VIRIDIS_HIGH)
    assert cell_pixel(card_of(strip, "weights"), (1, 0)) == VIRIDIS_LOW
    assert cell_pixel(card_of(strip, "weights"), (1, 1)) == VIRIDIS_HIGH


def test_an_edit_of_values_leaves_the_pictures_of_queries_and_weights(open_strip):
    document = four_words()
    strip = open_strip(document)
    before = {step: card_of(strip, step).thumbnail for step in steps_of(strip)}
    document.apply(SetCells("Edit", "W_V", 1, 0, np.array([[40.0]])))
    strip.engine_under_test.flush()
    follow_picture()
    drawn = [s for s in before if card_of(strip, s).thumbnail is not before[s]]
    assert drawn == ["V", "output"]


@pytest.mark.parametrize("n", [12, 40])
def test_cells_of_a_small_picture_have_the_colours_of_their_numbers_after_an_edit(
    open_strip, monkeypatch, n
):
    pooled, overview = [], Computed.overview

    def noted(computed, step, head=0):
        pooled.append(step)
        return overview(computed, step, head)

    monkeypatch.setattr(Computed, "overview", noted)
    x = np.random.default_rng(n).normal(size=(n, 4))
    spec, tokens = Spec(projected=False, causal=True), [str(k) for k in range(n)]
    document = Document("Short", tokens, {"X": x}, spec)
    strip = open_strip(document)
    document.apply(SetCells("Edit", "X", n - 2, 1, np.array([[2.5]])))
    strip.engine_under_test.flush()
    follow_picture()
    weights = run(spec, {"X": document.matrix("X")})["weights"]  # (n, n)
    viridis = ColorScale("viridis", 0, 1).table()
    image = card_of(strip, "weights").thumbnail.image
    assert (image.height(), image.width()) == (n, n)
    for row in range(n):
        for column in range(n):
            color = image.pixelColor(column, row)
            if column > row:
                assert color.alpha() == 0
            else:
                expected = viridis[round(float(weights[row, column]) * 255)]
                assert color.getRgb()[:3] == tuple(expected.tolist())
    assert not pooled


def long_document(n: int) -> Document:
    x = np.random.default_rng(0).normal(size=(n, 4))
    tokens = [str(place) for place in range(n)]
    return Document("Long", tokens, {"X": x}, Spec(projected=False))


def test_a_picture_of_many_cells_follows_an_edit_soon_but_not_at_once(
    qtbot, open_strip
):
    document = long_document(300)
    strip = open_strip(document)
    card = card_of(strip, "weights")
    before = card.grab().toImage()
    document.apply(SetCells("Edit", "X", 0, 0, np.array([[90.0]])))
    strip.engine_under_test.flush()
    assert card.grab().toImage() == before
    qtbot.waitUntil(lambda: card.grab().toImage() != before)


def test_another_variant_brings_other_cards(open_strip, selection):
    document = four_words()
    strip = open_strip(document)
    document.apply(spec_edit(document, Spec(projected=False, causal=True), "Variant"))
    strip.engine_under_test.flush()
    assert steps_of(strip) == ["X", "scores", "scaled", "masked", "weights", "output"]
    assert card_of(strip, "weights").isChecked()


def test_keyboard_focus_survives_a_change_of_variant(open_strip):
    document = four_words()
    strip = open_strip(document)
    strip.activateWindow()
    card_of(strip, "scores").setFocus()
    document.apply(spec_edit(document, Spec(causal=True), "Mask"))
    strip.engine_under_test.flush()
    assert card_of(strip, "scores").hasFocus()


def frame_at(card: FlowCard, cell: tuple[int, int]) -> str:
    """Return the colour of the left edge of a cell."""
    rect = card.grid.cell_rect(cell).translated(card.corner)
    place = QPoint(rect.left(), rect.center().y())
    return card.grab().toImage().pixelColor(place).name()


def is_lit(card: FlowCard, cell: tuple[int, int]) -> bool:
    theme = card._shown.theme
    return frame_at(card, cell) in (theme.accent, theme.text)


def move_to(qtbot, card: FlowCard, place: QPoint) -> None:
    # A pointer that is there already would not move.
    qtbot.mouseMove(card, place - QPoint(1, 1))
    qtbot.mouseMove(card, place)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pointer_on_a_score_lights_its_query_its_key_and_their_value(
    qtbot, open_strip, selection, appearance, theme
):
    appearance.choose(theme)
    strip = open_strip(four_words())
    selection.choose_cell("weights", None)
    scores = card_of(strip, "scores")
    move_to(qtbot, scores, center_of(scores, (2, 0)))
    qtbot.waitUntil(lambda: selection.hovered == ("scores", (2, 0)))
    lit = {"X": [0, 2], "Q": [2], "K": [0], "V": [0], "output": [2]}
    for step, rows in lit.items():
        card = card_of(strip, step)
        found = [row for row in range(4) if is_lit(card, (row, 0))]
        assert found == rows, step
    for step in ("scores", "scaled", "weights"):
        assert is_lit(card_of(strip, step), (2, 0))
        assert not is_lit(card_of(strip, step), (1, 2))


def test_the_pointer_that_leaves_a_card_takes_the_light_along(
    qtbot, open_strip, selection
):
    strip = open_strip(four_words())
    selection.choose_cell("weights", None)
    card = card_of(strip, "scores")
    move_to(qtbot, card, center_of(card, (2, 0)))
    qtbot.waitUntil(lambda: selection.hovered == ("scores", (2, 0)))
    move_to(qtbot, card, QPoint(card.width() // 2, 12))
    qtbot.waitUntil(lambda: selection.hovered == ("scores", None))
    assert not is_lit(card_of(strip, "Q"), (2, 0))


def test_a_cell_too_small_for_a_number_is_pointed_at_by_its_place(
    qtbot, open_strip, selection
):
    tokens = [str(place) for place in range(30)]
    x = np.random.default_rng(0).normal(size=(30, 30))
    document = Document("Tall", tokens, {"X": x}, Spec(projected=False))
    card = card_of(open_strip(document), "weights")
    move_to(qtbot, card, center_of(card, (17, 29)))
    qtbot.waitUntil(lambda: selection.hovered == ("weights", (17, 29)))


def test_what_is_pointed_at_elsewhere_lights_the_cards_too(open_strip, selection):
    strip = open_strip(four_words())
    selection.choose_cell("weights", None)
    selection.hover("weights", (3, 1))
    assert is_lit(card_of(strip, "K"), (1, 0))
    assert not is_lit(card_of(strip, "K"), (3, 0))


def test_without_a_pointer_the_selected_cell_lights_what_belongs_to_it(
    open_strip, selection
):
    strip = open_strip(four_words())
    selection.choose_cell("scaled", (3, 1))
    assert is_lit(card_of(strip, "Q"), (3, 0))
    assert not is_lit(card_of(strip, "Q"), (1, 0))
    selection.hover("scaled", (0, 0))
    assert not is_lit(card_of(strip, "Q"), (3, 0))


def test_a_cell_that_an_edit_took_from_under_the_pointer_lights_nothing(
    open_strip, selection
):
    document = four_words()
    strip = open_strip(document)
    selection.choose_cell("weights", None)
    selection.hover("weights", (3, 3))
    document.apply(Replace("Drop", tokens=("a",), matrices={"X": np.ones((1, 3))}))
    strip.engine_under_test.flush()
    assert not is_lit(card_of(strip, "Q"), (0, 0))


def test_the_selected_cell_is_outlined_in_the_open_card_alone(open_strip, selection):
    strip = open_strip(four_words())
    selection.choose_cell("weights", (0, 2))
    card = card_of(strip, "weights")
    # What is linked alone has a frame of one pixel.
    corner = card.corner + card.thumbnail.cell_rect((0, 2)).topLeft() + QPoint(1, 1)
    assert card.grab().toImage().pixelColor(corner).name() == LIGHT.text
    selection.choose_cell("scores", (0, 2))
    assert card.grab().toImage().pixelColor(corner).name() != LIGHT.text


def test_a_selected_cell_that_an_edit_took_away_is_not_outlined(open_strip, selection):
    document = four_words()
    strip = open_strip(document)
    selection.choose_cell("weights", (3, 3))
    document.apply(Replace("Drop", tokens=("a",), matrices={"X": np.ones((1, 3))}))
    strip.engine_under_test.flush()
    assert card_of(strip, "weights").thumbnail.rows == 1
    assert not card_of(strip, "weights").grab().isNull()


def test_the_chosen_head_is_shown_and_named(open_strip, selection):
    document = two_heads()
    strip = open_strip(document, width=2400)
    card = card_of(strip, "weights")
    assert "H0 of 2" in card.accessibleName()
    first = card.thumbnail.image
    selection.choose_head(1)
    assert "H1 of 2" in card.accessibleName()
    assert card.thumbnail.image != first
    assert "of" not in card_of(strip, "X").accessibleName()


def test_a_head_that_a_step_lacks_shows_its_last(open_strip, selection):
    selection.choose_head(9)
    strip = open_strip(two_heads())
    assert "H1 of 2" in card_of(strip, "scores").accessibleName()


@pytest.fixture
def in_a_centre(qtbot, open_strip):
    """Show a strip above something that takes the rest of the room."""

    def show(strip: FlowStrip, width: int, height: int) -> QWidget:
        centre = QWidget()
        qtbot.addWidget(centre)
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(strip)
        layout.addWidget(QWidget(), 1)
        centre.resize(width, height)
        with qtbot.waitExposed(centre):
            centre.show()
        return centre

    return show


@pytest.fixture
def larger_letters(qapp, appearance):
    """Return a call that makes all letters larger; they are put back."""
    usual = qapp.font()

    def enlarge(times: float) -> None:
        font = qapp.font()
        font.setPointSizeF(usual.pointSizeF() * times)
        qapp.setFont(font)
        appearance.choose("light")  # styles are put in force anew

    yield enlarge
    qapp.setFont(usual)


def test_a_card_tells_a_screen_reader_its_step_and_shape(open_strip):
    strip = open_strip(four_words())
    assert card_of(strip, "weights").accessibleName() == "weights, 4×4"
    assert card_of(strip, "X").accessibleName() == "X, 4×3"
    assert strip.accessibleName()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_cards_are_tabs_to_a_screen_reader(open_strip, selection):
    install_descriptions()
    strip = open_strip(four_words())
    tabs = QAccessible.queryAccessibleInterface(strip)
    assert tabs.role() == QAccessible.Role.PageTabList
    cards = strip.findChildren(FlowCard)
    faces = {card.step: QAccessible.queryAccessibleInterface(card) for card in cards}
    assert {face.role() for face in faces.values()} == {QAccessible.Role.PageTab}
    assert {face.parent().object() for face in faces.values()} == {strip}

    def chosen():
        return [step for step, face in faces.items() if face.state().selected]

    assert chosen() == ["weights"]
    selection.choose_step("Q")
    assert chosen() == ["Q"]
    selection.choose_step("W_Q")  # not in the strip
    assert chosen() == []
    action = faces["scores"].actionInterface()
    action.doAction(action.actionNames()[0])
    assert selection.step == "scores"
    assert chosen() == ["scores"]


def test_a_dark_theme_repaints_the_cards(open_strip, appearance):
    strip = open_strip(four_words())
    appearance.choose("dark")
    card = card_of(strip, "X")
    inside = card.corner + QPoint(-2, 12)
    assert card.grab().toImage().pixelColor(inside).name() == DARK.surface


def square_scores(n: int) -> Document:
    """Return a document of so many tokens, whose scores are many cells."""
    matrices = {"X": np.random.default_rng(3).normal(size=(n, 2))}
    tokens = [str(place) for place in range(n)]
    return Document("Square", tokens, matrices, Spec(projected=False))


def test_marks_leave_nothing_around_the_picture_of_another_number_of_tokens(
    open_strip, selection, qtbot
):
    strip = open_strip(square_scores(300))
    card = card_of(strip, "scores")
    selection.choose_cell("scores", (299, 0))
    qtbot.waitUntil(lambda: on_screen(card) == painted_anew(card))
    size = card.thumbnail.size
    strip.engine_under_test.set_document(square_scores(600))
    qtbot.waitUntil(lambda: card.grid.rows == 600)
    # Below the picture of 300 tokens, which is shown until that of 600 is drawn.
    with qtbot.waitSignal(card.findChild(QTimer).timeout):
        selection.choose_cell("scores", (330, 0))
    qtbot.waitUntil(lambda: on_screen(card) == painted_anew(card))
    assert card.thumbnail.size == size


def on_screen(card: FlowCard) -> QImage:
    """Return what is to be seen of a card, remains of earlier pictures included."""
    corner = card.mapTo(card.window(), QPoint())
    place = corner.x(), corner.y(), card.width(), card.height()
    shot = card.screen().grabWindow(card.window().winId(), *place)
    return shot.toImage().convertToFormat(QImage.Format.Format_RGB32)


def painted_anew(card: FlowCard) -> QImage:
    window = card.window().grab(QRect(card.mapTo(card.window(), QPoint()), card.size()))
    return window.toImage().convertToFormat(QImage.Format.Format_RGB32)


def number_metrics() -> QFontMetrics:
    font = fixed_font()
    font.setPixelSize(11)
    return QFontMetrics(font)


def thumbnail_of(values, size=(70, 70), step="X", spec=None):
    matrices = {"X": np.asarray(values, float)}
    tokens = [str(place) for place in range(len(values))]
    document = Document("One", tokens, matrices, spec or Spec(projected=False))
    engine = Engine(document)
    shown = DisplayedStep(engine.current, step, 0, Look(), LIGHT)
    engine.close()
    return make_thumbnail(shown, QSize(*size), number_metrics())


def test_numbers_are_written_where_all_of_them_fit_their_cells(qapp):
    assert thumbnail_of(np.full((4, 4), 12), (72, 72)).texts == ("12",) * 16
    assert thumbnail_of(np.full((4, 4), 0.25), (72, 72)).texts == ()
    assert thumbnail_of(np.full((4, 4), 0.25), (104, 72)).texts == (".25",) * 16
    assert thumbnail_of(np.full((2, 8), -1e100), (110, 40)).texts == ()
    assert thumbnail_of(np.ones((9, 2)), (60, 70)).texts == ()


def test_a_lone_hot_cell_of_a_large_matrix_stays_visible(qapp):
    values = np.zeros((1000, 700))
    values[617, 333] = 1.0
    thumbnail = thumbnail_of(values)
    image = thumbnail.image
    assert image.height() <= thumbnail.size.height()
    colors = [
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
    ]
    assert len(set(colors)) == 2
    assert min(colors.count(color) for color in set(colors)) == 1


def test_the_last_cells_of_a_large_matrix_end_its_picture(qapp):
    values = np.zeros((2000, 2))
    values[-40:] = 1.0
    image = thumbnail_of(values)
    reach, shown = image.reach[0], image.image
    assert 1 <= reach < 1.1
    hot = [
        y
        for y in range(shown.height())
        if shown.pixelColor(0, y) != shown.pixelColor(0, 0)
    ]
    # 40 of 2,000 rows are a fiftieth of the picture.
    first = hot[0] * reach / shown.height()
    assert first == pytest.approx(1 - 1 / 50, abs=1.5 / shown.height())
    assert hot[-1] == shown.height() - 1


def test_masked_cells_have_a_flat_tint_and_bear_no_number(open_strip):
    card = card_of(open_strip(four_words(causal=True)), "masked")
    place = card.thumbnail.cell_rect((0, 1)).adjusted(3, 3, -2, -2)
    image = card.grab().toImage().copy(place.translated(card.corner))
    seen = {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
    }
    assert seen == {masked_tint(LIGHT).name()}


def test_minus_infinity_is_as_quiet_as_a_mask(open_strip):
    document = four_words()
    document.apply(spec_edit(document, Spec(bias=True), "Bias"))
    document.apply(SetCells("Hide", "bias", 0, 1, np.array([[-np.inf]])))
    card = card_of(open_strip(document), "biased")
    assert cell_pixel(card, (0, 1)) == masked_tint(LIGHT).getRgb()[:3]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_two_colours_of_a_mask_are_told_apart(open_strip, appearance, theme):
    appearance.choose(theme)
    document = four_words()
    document.apply(spec_edit(document, Spec(mask=True), "Mask"))
    document.apply(SetCells("Hide", "mask", 0, 1, np.array([[False]])))
    image = card_of(open_strip(document), "mask").thumbnail.image
    colors = {cell: image.pixelColor(*cell[::-1]).lightness() for cell in MASK_CELLS}
    assert abs(colors[0, 1] - colors[0, 0]) > 80


MASK_CELLS = ((0, 0), (0, 1))


def operation_of(strip: FlowStrip, step: str) -> Operation:
    operation = strip.findChild(Operation, f"flow.to.{step}")
    assert operation is not None, f"nothing leads to {step}"
    return operation


def test_another_factor_changes_the_words_but_moves_nothing(open_strip):
    document = four_words(scale=2.0)
    strip = open_strip(document)
    cards = strip.findChildren(FlowCard)
    before = [card.geometry() for card in cards]
    assert operation_of(strip, "scaled").lines == ("× 2",)
    document.apply(spec_edit(document, Spec(scale=0.125), "Scale"))
    strip.engine_under_test.flush()
    assert strip.findChildren(FlowCard) == cards
    assert [card.geometry() for card in cards] == before
    assert operation_of(strip, "scaled").lines == ("× 0.125",)


def test_longer_numbers_move_no_card(open_strip):
    document = four_words()
    strip = open_strip(document)
    before = [card.geometry() for card in strip.findChildren(FlowCard)]
    document.apply(SetCells("Edit", "X", 0, 0, np.array([[-1234.5678]])))
    strip.engine_under_test.flush()
    follow_picture()
    assert [card.geometry() for card in strip.findChildren(FlowCard)] == before


def test_words_that_have_no_room_are_in_a_tool_tip_where_they_would_stand(open_strip):
    strip = open_strip(two_heads(output_projection=True), width=420)
    softmax = operation_of(strip, "weights")
    assert softmax.lines == ()
    assert softmax.toolTip().splitlines()[0] == "softmax"
    scaled, weights = card_of(strip, "scaled"), card_of(strip, "weights")
    assert scaled.x() < softmax.geometry().center().x() < weights.geometry().right()


@pytest.mark.parametrize("width", [500, 776, 1600])
def test_all_cards_are_in_sight_and_nothing_scrolls(open_strip, width):
    strip = open_strip(two_heads(output_projection=True, causal=True), width=width)
    cards = strip.findChildren(FlowCard)
    assert len(cards) == 11
    assert all(strip.rect().contains(card.geometry()) for card in cards)


def test_up_and_down_on_a_card_show_another_head(qtbot, open_strip, selection):
    strip = open_strip(two_heads())
    card = card_of(strip, "weights")
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Up)
    assert selection.head == 1
    qtbot.keyClick(card, Qt.Key.Key_Up)  # there are but two
    assert selection.head == 1
    qtbot.keyClick(card, Qt.Key.Key_Down)
    assert selection.head == 0


def test_heads_of_keys_that_are_fewer_have_their_own_number(open_strip, selection):
    document = two_heads()
    shared = Spec(n_heads=4, n_kv_heads=2)
    document.apply(spec_edit(document, shared, "Share"))
    selection.choose_head(3)
    strip = open_strip(document)
    assert "H3 of 4" in card_of(strip, "Q").accessibleName()
    assert "H1 of 2" in card_of(strip, "K").accessibleName()
    assert "2 heads, shared by 4" in [note.text for note in strip._ground.notes]
    one = Spec(n_heads=4, n_kv_heads=1)
    document.apply(spec_edit(document, one, "Share"))
    strip = open_strip(document)
    assert "1 head, shared by 4" in [note.text for note in strip._ground.notes]


def test_the_sign_for_a_sum_is_no_product(open_strip):
    document = two_heads()
    positions = Disentangled(2, own_weights=True)
    document.apply(spec_edit(document, Spec(positions=positions), "Relative"))
    strip = open_strip(document, 700)
    signs = {
        operation.objectName(): operation.lines
        for operation in strip.findChildren(Operation)
        if operation._meets
    }
    assert signs["flow.to.scores"] == ("×",)
    assert signs["flow.to.summed"] == ("+",)


def test_the_strip_is_164_pixels_high_and_lower_in_a_low_window(
    open_strip, in_a_centre
):
    strip = open_strip(four_words())
    centre = in_a_centre(strip, 900, 900)
    card, line = card_of(strip, "weights"), strip.fontMetrics().height()
    assert QFontInfo(strip.font()).pixelSize() == 12
    assert strip.height() == 164
    centre.resize(900, 28 * line)
    assert strip.height() < 0.8 * 164
    assert card.has_picture
    centre.resize(900, 18 * line)
    assert strip.height() < 5 * line
    assert not card.has_picture
    centre.resize(900, 900)
    assert strip.height() == 164


def test_a_name_without_its_map_opens_the_step(
    qtbot, open_strip, in_a_centre, selection
):
    strip = open_strip(four_words())
    in_a_centre(strip, 900, 18 * strip.fontMetrics().height())
    card = card_of(strip, "scaled")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.rect().center())
    assert (selection.step, selection.cell) == ("scaled", None)


def test_larger_letters_make_a_larger_strip(open_strip, larger_letters):
    strip = open_strip(four_words(), width=2400)
    card = card_of(strip, "weights")
    before, title = card.size(), card.fontMetrics().height()
    larger_letters(2)
    QApplication.sendPostedEvents()  # layouts settle
    assert strip.height() == 328
    assert card.height() - before.height() > card.fontMetrics().height() - title


# --------------------------------------------------------------------- the lens


def lens_of(strip: FlowStrip) -> QRect:
    return strip._lens.rect


def covered(strip: FlowStrip) -> list[str]:
    lens = lens_of(strip)
    return [c.step for c in strip.findChildren(FlowCard) if lens.contains(frame(c))]


def frame(card: FlowCard) -> QRect:
    return QRect(card.corner + card.pos(), card.grid.size)


def test_the_lens_covers_the_open_step(open_strip, selection):
    strip = open_strip(four_words())
    assert covered(strip) == ["weights"]
    selection.choose_step("scores")
    assert covered(strip) == ["scores"]
    # Values are far away: a lens over them would cover everything.
    selection.choose_step("output")
    assert covered(strip) == ["output"]
    selection.choose_step("V")
    assert covered(strip) == ["V"]


def test_the_lens_covers_what_is_said_to_be_on_stage(open_strip, selection):
    strip = open_strip(four_words())
    strip.set_stage(frozenset({"Q", "K", "scores", "scaled", "weights"}))
    assert covered(strip) == ["Q", "K", "scores", "scaled", "weights"]
    strip.set_stage(frozenset())
    assert covered(strip) == ["weights"]


def test_a_click_slides_the_lens_to_its_step(qtbot, open_strip, selection):
    strip = open_strip(four_words())
    start = lens_of(strip)
    qtbot.mouseClick(card_of(strip, "scaled"), Qt.MouseButton.LeftButton)
    assert selection.step == "scaled"
    assert strip._lens.slides
    seen = {lens_of(strip).x()}
    while strip._lens.slides:
        qtbot.wait(10)
        seen.add(lens_of(strip).x())
    assert covered(strip) == ["scaled"]
    assert lens_of(strip).x() < min(seen - {lens_of(strip).x()}) <= start.x()


def test_with_reduced_motion_the_lens_jumps(qtbot, open_strip, monkeypatch):
    strip = open_strip(four_words())
    monkeypatch.setattr(strip, "style", Still)
    qtbot.mouseClick(card_of(strip, "scaled"), Qt.MouseButton.LeftButton)
    assert not strip._lens.slides
    assert covered(strip) == ["scaled"]


class Still:
    """A style that asks for reduced motion."""

    def styleHint(self, hint, _option, _widget):
        return 0 if hint == QStyle.StyleHint.SH_Widget_Animation_Duration else 1


def test_a_lens_on_its_way_leaves_nothing_behind(qtbot, open_strip):
    strip = open_strip(four_words())
    for step in ("X", "V", "output", "scores"):
        qtbot.mouseClick(card_of(strip, step), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not strip._lens.slides)
        qtbot.waitUntil(lambda: on_screen(strip) == painted_anew(strip))


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.2361, 0.0074, 0.7491, 0.0], [".24", ".01", ".75", "0"]),
        ([0.0028, 1.0, -0.5], [".00", "1", "−.50"]),
        ([0.9996, 0.25, 0.0], ["1.0", ".25", "0"]),
        ([0.97, 4.61], ["1.0", "4.6"]),
        ([4.6188, 1.1547, 10.0], ["4.6", "1.2", "10"]),
        ([123.4, -0.5], ["123", "−.5"]),
        ([2.5e12, 1e-9], ["2e12", ".00"]),
        ([-0.004, -0.5, -1e-12], [".00", "−.50", ".00"]),
        ([-0.04, -12.5, -0.06], [".0", "−12.5", "−.1"]),
        ([np.nan, np.inf, -np.inf], ["NaN", "∞", "−∞"]),
    ],
)
def test_numbers_of_small_cells_are_short_and_whole_ones_plain(values, texts):
    assert cell_texts(values) == texts


def test_a_note_that_reaches_out_of_the_strip_is_left_out(open_strip):
    strip = open_strip(two_heads())
    ground, room = strip._ground, strip.rect()
    (note,) = ground.notes
    assert note.text == "values"
    room.setBottom(note.rect.bottom() - 1)
    lower = Ground(strip._graph, ground._layout, ground._measures, room)
    assert lower.notes == ()


@pytest.mark.parametrize("width", [760, 1600])
def test_no_edge_runs_through_the_name_of_a_card(open_strip, width):
    document = two_heads()
    positions = Disentangled(2, own_weights=True)
    document.apply(spec_edit(document, Spec(positions=positions), "Relative"))
    strip = open_strip(document, width)
    image = QImage(strip.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    strip._ground.paint(painter, QRect(), LIGHT)
    painter.end()
    for step, card in strip._layout.cards.items():
        name = image.copy(card.title)
        blank = QImage(name.size(), name.format())
        blank.fill(Qt.GlobalColor.white)
        assert name == blank, step
