"""Heads side by side: colours, order, combination and wall, by mouse and keys."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from attnviewer.compute import HeadLocation, InMemory, Overview
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.views.step.heads import view as view_module
from attnviewer.ui.views.step.heads.arrangement import largest_cells
from attnviewer.ui.views.step.heads.card_head import NUMBER
from attnviewer.ui.views.step.heads.picture import Drawing

from .made import content_of, flat, layered

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
LOWEST, HIGHEST = (68, 1, 84), (253, 231, 37)
"""The ends of viridis, as its authors published them."""

SHARP = np.eye(4)
EVEN = np.full((4, 4), 0.25)
PAIRS = np.array([[0.5, 0.5, 0, 0]] * 4)
MARKED = (1, 2), (3, 0)


def color_at(widget, cell):
    """Return the colour near a corner of a cell, away from its number and marks."""
    rect = widget.grid.cell_rect(cell).translated(widget.corner)
    corner = rect.topLeft() + QPoint(rect.width() // 6, rect.height() // 6)
    return widget.grab().toImage().pixelColor(corner).getRgb()[:3]


def names(view):
    return [widget.card.title for widget in view.wall.cards]


def card_of(view, head, layer=None):
    return view.wall.card_of(HeadLocation(layer, head))


def pick(qtbot, view, box, title):
    """Choose a line of a box with the keys."""
    combo = view.findChild(QComboBox, f"heads.{box}")
    line = combo.findText(title)
    assert line >= 0
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(line):
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentText() == title


def test_every_head_has_a_card_on_one_scale(open_heads):
    view = open_heads(flat(SHARP, EVEN))
    assert names(view) == ["H0", "H1"]
    assert color_at(card_of(view, 0), (0, 0)) == HIGHEST
    assert color_at(card_of(view, 0), (0, 3)) == LOWEST
    # A quarter lies at 0.25 of the same scale in the other head.
    ends = np.array([LOWEST, HIGHEST])
    quarter = np.array(color_at(card_of(view, 1), (2, 2)))
    assert not (quarter == ends).all(axis=1).any()
    # The published colour of viridis at 64 of 255.
    assert np.abs(quarter - (59, 82, 139)).max() <= 1


def test_a_hot_cell_is_painted_in_its_row_and_column(open_heads):
    hot = np.zeros((4, 4))
    hot[0, 3] = 1.0
    view = open_heads(flat(hot, hot.T))
    for head, cell in ((0, (0, 3)), (1, (3, 0))):
        assert color_at(card_of(view, head), cell) == HIGHEST
        assert color_at(card_of(view, head), cell[::-1]) == LOWEST


def test_numbers_stand_in_cells_that_have_room(open_heads):
    view = open_heads(flat(SHARP, EVEN))
    card = card_of(view, 1)
    card.grab()
    assert set(card.texts()) == {"0.25"}
    view = open_heads(flat(*[np.full((12, 12), 1 / 12)] * 9), size=(600, 500))
    card_of(view, 1).grab()
    assert card_of(view, 1).texts() == ()


def test_numbers_grow_with_large_cells(open_heads):
    view = open_heads(flat(SHARP, EVEN), size=(2400, 1400))
    card = card_of(view, 1)
    image = card.grab().toImage()
    cell = card.grid.cell_rect((0, 3)).translated(card.corner).adjusted(3, 3, -3, -3)
    ground = image.pixelColor(cell.topLeft())
    inked = [
        y
        for y in range(cell.top(), cell.bottom())
        if any(
            image.pixelColor(x, y) != ground
            for x in range(cell.left(), cell.right(), 2)
        )
    ]
    assert 0.1 * cell.height() < len(inked) < 0.2 * cell.height()


def test_names_of_tokens_are_as_large_as_cells_allow_or_left_out(open_heads):
    view = open_heads(flat(*[np.eye(7)] * 2), size=(900, 500))
    font = QFont(view.wall.font())
    font.setPixelSize(usual := 24)  # as at 200 %
    view.wall.setFont(font)
    sizes = set()
    for height in range(150, 500, 10):
        view.wall.resize(900, height)
        card = card_of(view, 0)
        if card.names is None:
            continue
        pixels = card.names.font.pixelSize()
        sizes.add(pixels)
        cell = card.grid.cell_rect((0, 0)).height()
        assert 1.25 * pixels <= cell + 0.5
        # Had they been larger by two pixels, cells would not have been that large.
        assert pixels == usual or 1.25 * (pixels + 2) > cell
    assert max(sizes) == usual
    assert min(sizes) == usual * 2 // 3


def test_cards_say_their_entropy(open_heads):
    view = open_heads(flat(SHARP, EVEN, PAIRS))
    assert [card_of(view, k).caption.long for k in range(3)] == [
        "entropy 0.00 bit",
        "entropy 2.00 bit",
        "entropy 1.00 bit",
    ]
    assert card_of(view, 2).accessibleName() == "H2, entropy 1.00 bit"


def test_cards_say_another_number_that_was_chosen(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN, PAIRS))
    pick(qtbot, view, "statistic", "First key (sink)")
    shorts = [card_of(view, k).caption.short for k in range(3)]
    assert shorts == ["25 %", "25 %", "50 %"]


def test_many_effective_keys_have_room_on_a_small_card(open_heads, qtbot):
    view = open_heads(flat(np.full((16, 16), 1 / 16), np.eye(16)))
    pick(qtbot, view, "statistic", "Effective keys")
    caption = card_of(view, 0).caption
    assert caption.long == "spreads over 16.00 keys"
    metrics = card_of(view, 0).fontMetrics()
    width, least = map(metrics.horizontalAdvance, (caption.short, NUMBER))
    assert width <= least


def test_cards_are_sorted_by_the_number_they_say(open_heads, qtbot):
    view = open_heads(flat(PAIRS, SHARP, EVEN, SHARP))
    pick(qtbot, view, "sorting", "largest first")
    assert names(view) == ["H2", "H0", "H1", "H3"]
    pick(qtbot, view, "sorting", "smallest first")
    assert names(view) == ["H1", "H3", "H0", "H2"]
    pick(qtbot, view, "sorting", "by number")
    assert names(view) == ["H0", "H1", "H2", "H3"]


def test_heads_that_are_alike_stand_side_by_side(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN, SHARP, EVEN))
    pick(qtbot, view, "sorting", "similar heads together")
    order = names(view)
    assert abs(order.index("H0") - order.index("H2")) == 1
    assert abs(order.index("H1") - order.index("H3")) == 1


def test_heads_are_compared_with_the_one_that_is_chosen(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN, SHARP))
    view.choose_head(HeadLocation(None, 2))
    pick(qtbot, view, "statistic", "Similarity to chosen")
    # √(1 · 0.25) in every row.
    captions = [card_of(view, k).caption.long for k in range(3)]
    assert captions == ["1.00 like H2", "0.50 like H2", "1.00 like H2"]
    # Choosing another one changes no number; the next comparison does.
    view.choose_head(HeadLocation(None, 1))
    assert card_of(view, 0).caption.long == "1.00 like H2"
    pick(qtbot, view, "statistic", "Entropy")
    pick(qtbot, view, "statistic", "Similarity to chosen")
    assert card_of(view, 0).caption.long == "0.50 like H1"


def test_other_steps_say_the_range_of_their_numbers(open_heads):
    source = flat([[-1.0, 2.0]], [[0.0, 0.5]])
    view = open_heads(source, step="scores", signed=True, limits=(-1.0, 2.0))
    captions = [card_of(view, k).caption.long for k in range(2)]
    assert captions == ["−1 to 2", "0 to 0.5"]


def test_a_click_chooses_a_head_and_a_double_click_opens_it(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN))
    card = card_of(view, 1)
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    assert chosen.args == [HeadLocation(None, 1)]
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.mouseDClick(card, LEFT, pos=card.rect().center())
    assert opened.args == [HeadLocation(None, 1)]


def test_the_chosen_head_has_a_frame(open_heads):
    view = open_heads(flat(SHARP, EVEN))
    view.choose_head(HeadLocation(None, 1))

    def edge(head):
        card = card_of(view, head)
        return card.grab().toImage().pixelColor(0, card.height() // 2).name()

    assert edge(1) == LIGHT.accent
    assert edge(0) == LIGHT.border
    assert card_of(view, 1).accessibleName() == "H1, entropy 2.00 bit, chosen"


def test_arrow_keys_walk_the_cards_as_they_lie(open_heads, qtbot):
    view = open_heads(flat(*[SHARP] * 6), size=(900, 640))
    across = view.wall.columns
    assert across == 3
    view.wall.chosen.connect(view.choose_head)
    focused = card_of(view, 0)
    focused.setFocus(Qt.FocusReason.TabFocusReason)
    for key, head in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Down, 4),
        (Qt.Key.Key_Down, 4),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_End, 5),
        (Qt.Key.Key_Home, 0),
    ):
        qtbot.keyClick(QApplication.focusWidget(), key)
        assert card_of(view, head).hasFocus()
        assert card_of(view, head).isChecked()


def test_the_tab_key_stops_at_one_card_alone(open_heads):
    view = open_heads(flat(SHARP, EVEN, PAIRS))
    view.choose_head(HeadLocation(None, 1))
    tab = Qt.FocusPolicy.TabFocus
    stops = [w.card.title for w in view.wall.cards if w.focusPolicy() & tab]
    assert stops == ["H1"]


def test_heads_are_sorted_by_what_they_have_in_the_selected_cell(open_heads, qtbot):
    tenth = np.full((4, 4), 0.1) + 0.6 * np.eye(4)
    view = open_heads(flat(EVEN, SHARP, tenth))
    pick(qtbot, view, "statistic", "Selected cell")
    assert [card_of(view, k).caption.short for k in range(3)] == ["—"] * 3
    pick(qtbot, view, "sorting", "largest first")
    view.mark((1, 1), None)
    assert names(view) == ["H1", "H2", "H0"]
    captions = [card_of(view, k).caption.long for k in range(3)]
    assert captions == [f"selected cell {n}" for n in ("0.2500", "1.0000", "0.7000")]
    # Other numbers about the head are told with it, once they are known.
    view.finish()
    assert "entropy 2.00 bit" in card_of(view, 0).caption.lines
    view.mark((1, 2), (0, 0))
    assert names(view) == ["H0", "H2", "H1"]
    # Of a longer sentence that was there before.
    view.mark((9, 9), None)
    assert names(view) == ["H0", "H1", "H2"]
    assert card_of(view, 1).caption.short == "—"


def test_a_selected_cell_stays_visible_however_small_it_is(open_heads):
    n = 64
    view = open_heads(flat(np.eye(n), np.eye(n)[::-1]), size=(600, 400))
    card = card_of(view, 0)
    rect = card.grid.cell_rect((9, 9)).translated(card.corner)
    assert rect.width() <= 5
    before = card.grab().toImage()
    view.mark((9, 9), None)
    after = card.grab().toImage()
    assert after.copy(rect) == before.copy(rect)
    around = rect.adjusted(-2, -2, 2, 2)
    assert after.copy(around) != before.copy(around)


def test_the_same_cells_are_marked_in_all_cards(open_heads):
    view = open_heads(flat(np.zeros((4, 4)), np.zeros((4, 4))))
    pictures = [card_of(view, k).grab().toImage() for k in range(2)]
    view.mark(*MARKED)
    for head in range(2):
        card = card_of(view, head)
        marked = card.grab().toImage()

        def same(rect, before=pictures[head], after=marked):
            return after.copy(rect) == before.copy(rect)

        for cell in np.ndindex(4, 4):
            rect = card.grid.cell_rect(cell).translated(card.corner)
            # The frame lies around its cell, over the edges of those beside it.
            assert same(rect.adjusted(3, 3, -3, -3)), cell
            if cell in MARKED:
                assert same(rect)
                assert not same(rect.adjusted(-1, -1, 1, 1))
            elif all(max(abs(cell[0] - r), abs(cell[1] - c)) > 1 for r, c in MARKED):
                assert same(rect), cell


def test_the_pointer_tells_which_cell_it_is_over(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN))
    card = card_of(view, 1)
    rect = card.grid.cell_rect((2, 1)).translated(card.corner)
    with qtbot.waitSignal(view.hovered) as hovered:
        qtbot.mouseMove(card, rect.center())
    assert hovered.args == [(2, 1), (HeadLocation(None, 1),)]
    with qtbot.waitSignal(view.hovered) as hovered:
        qtbot.mouseMove(card, QPoint(card.width() // 2, 3))
    assert hovered.args[0] is None


def test_the_mean_of_all_heads_is_a_card_before_the_others(open_heads, qtbot):
    view = open_heads(flat(np.zeros((4, 4)), np.ones((4, 4))))
    pick(qtbot, view, "combination", "maximum")
    assert names(view) == ["maximum of all 2 heads", "H0", "H1"]
    assert color_at(view.wall.cards[0], (1, 1)) == HIGHEST
    pick(qtbot, view, "combination", "mean")
    assert names(view)[0] == "mean of all 2 heads"
    # The published colour of viridis in the middle.
    middle = np.array(color_at(view.wall.cards[0], (1, 1)))
    assert np.abs(middle - (33, 145, 140)).max() <= 1


def test_a_click_with_ctrl_combines_some_heads(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN, PAIRS, EVEN))
    for head in (2, 0):
        card = card_of(view, head)
        qtbot.mouseClick(card, LEFT, CTRL, card.rect().center())
    assert names(view)[0] == "mean of H0, H2"
    assert card_of(view, 2).accessibleName() == "H2, entropy 1.00 bit, combined"
    combined = view.wall.cards[0].card.content
    np.testing.assert_array_equal(combined.matrix.window(), (SHARP + PAIRS) / 2)
    qtbot.mouseClick(card_of(view, 0), LEFT, CTRL, QPoint(40, 60))
    assert names(view)[0] == "mean of H2"


def test_check_boxes_and_the_space_key_combine_as_well(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN, PAIRS))
    card_of(view, 1).setFocus()
    qtbot.keyClick(card_of(view, 1), Qt.Key.Key_Space)
    assert names(view)[0] == "mean of H1"
    card = card_of(view, 2)
    qtbot.mouseClick(card, LEFT, pos=card.box_rect().center())
    assert names(view)[0] == "mean of H1, H2"


def test_what_is_combined_can_be_seen_large_and_says_what_it_is(open_heads, qtbot):
    view = open_heads(flat(SHARP, EVEN))
    large = view.choices.large_button
    assert not large.isEnabled()
    pick(qtbot, view, "combination", "mean")
    qtbot.mouseClick(large, LEFT)
    assert view.large.isVisible()
    assert not view.wall.isVisible()
    assert view.choices.status == "mean of all 2 heads"
    view.large.grab()
    assert "0.625" in view.large.cells.texts()
    qtbot.mouseClick(large, LEFT)
    assert view.wall.isVisible()
    card = view.wall.cards[0]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert view.large.isVisible()
    qtbot.keyClick(view.large, Qt.Key.Key_Escape)
    assert view.wall.isVisible()


def test_layers_and_heads_are_a_wall_with_headings(open_heads):
    view = open_heads(layered())
    assert len(view.wall.cards) == 144
    assert view.wall.columns == 12
    assert view.wall.headings.rows == tuple(f"L{k}" for k in range(12))
    assert view.wall.headings.columns == tuple(f"H{k}" for k in range(12))
    assert card_of(view, 5, layer=7).geometry().left() == (
        card_of(view, 5, layer=0).geometry().left()
    )
    # All of them in sight, and the most even of them the last.
    canvas = view.wall.widget()
    assert canvas.height() <= view.wall.viewport().height()
    diagonal = [color_at(card_of(view, k, layer=k), (1, 1)) for k in (0, 11)]
    # 1 − 5/864 is nearly 1; the last head gives each key one sixth: 42 of 255.
    assert np.abs(np.array(diagonal[0]) - HIGHEST).max() <= 3
    assert np.abs(np.array(diagonal[1]) - (69, 55, 129)).max() <= 4


def test_a_wall_that_is_sorted_names_layer_and_head_on_each_card(open_heads, qtbot):
    view = open_heads(layered(layers=3, heads=4))
    pick(qtbot, view, "sorting", "largest first")
    assert view.wall.headings is None
    assert names(view)[:2] == ["L2 H3", "L2 H2"]
    assert names(view)[-1] == "L0 H0"


def test_a_click_on_the_wall_tells_layer_and_head(open_heads, qtbot):
    view = open_heads(layered())
    card = card_of(view, 1, layer=3)
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    assert chosen.args == [HeadLocation(3, 1)]
    assert card.accessibleName().startswith("L3 H1, entropy")


def test_only_cards_in_sight_are_painted(open_heads, qtbot):
    view = open_heads(flat(*[SHARP] * 60), size=(500, 400))
    painted = []

    def note(widget):
        painted.append(widget)

    for widget in view.wall.cards:
        widget.painted.connect(note)
    with qtbot.waitSignal(view.painted):
        view.wall.viewport().update()
        source = flat(*[EVEN] * 60)
        view.show_heads(source, content_of(source), DARK)
    assert 0 < len(set(painted)) < 30
    top = view.wall.viewport().height()
    assert all(widget.geometry().top() < top for widget in painted)


def test_many_heads_are_drawn_up_bit_by_bit(open_heads, qtbot):
    source = layered(11, 11, n=100)
    view = open_heads(flat(SHARP))
    with qtbot.waitSignal(view.painted):
        view.show_heads(source, content_of(source), LIGHT)
        card = card_of(view, 10, layer=10)
        middle = card.corner + QPoint(1, card.grid.size.height() - 2)
        waiting = card.grab().toImage().pixelColor(middle)
    # All weights of the last head are 0.01, close to the lowest colour.
    drawn = card.grab().toImage().pixelColor(middle)
    assert drawn != waiting
    assert np.abs(np.subtract(drawn.getRgb()[:3], LOWEST)).max() <= 5


def test_a_turn_of_drawing_reads_few_cells_however_many_a_pixel_has(qapp):
    read = []

    class Large:
        shape = (500, 8192)

        def window(self, rows=slice(None), columns=slice(None)):
            window = np.broadcast_to(0.5, self.shape)[rows, columns]
            read.append(window.size)
            return window

        def hidden(self, rows=slice(None), columns=slice(None)):
            return None

    content = replace(content_of(flat(EVEN)), matrix=Large())
    grid = largest_cells(Large.shape, QSize(64, 4))
    drawing, turns = Drawing(), 0
    while not drawing.go_on(content, LIGHT, grid, QFont(), 1.0):
        turns += 1
        assert sum(read) <= turns * 2**19
    assert sum(read) == 500 * 8192
    assert drawing.picture is not None


def test_large_heads_are_drawn_up_bit_by_bit_and_read_by_rows(open_heads, qtbot):
    read = []

    class Watched:
        shape = (1500, 1500)
        values = np.zeros(shape)
        values[700, 1234] = 1.0

        def window(self, rows=slice(None), columns=slice(None)):
            window = self.values[rows, columns]
            read.append(window.size)
            return window

        def hidden(self, rows=slice(None), columns=slice(None)):
            return None

    source = flat(EVEN, EVEN)
    source.matrix = lambda rect: Watched()
    view = open_heads(source)
    assert card_of(view, 0).caption.long == "…"
    with qtbot.waitSignal(view.painted):
        view.show_heads(source, content_of(flat(EVEN)), LIGHT)
    qtbot.waitUntil(lambda: card_of(view, 1).caption.long != "…")
    # A lone hot cell is seen at full colour at its place.
    card = card_of(view, 1)
    rect = card.grid.cell_rect((700, 1234)).translated(card.corner).topLeft()
    image = card.grab().toImage()
    near = {
        image.pixelColor(rect + QPoint(x, y)).getRgb()[:3]
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
    }
    assert HIGHEST in near
    assert max(read) <= 2**18


def test_many_numbers_that_are_combined_are_a_lone_card_when_large(
    open_heads, qtbot, monkeypatch
):
    monkeypatch.setattr(view_module, "READ_AT_ONCE", 2 * 16 - 1)
    view = open_heads(flat(SHARP, EVEN))
    pick(qtbot, view, "combination", "mean")
    qtbot.mouseClick(view.choices.large_button, LEFT)
    assert names(view) == ["mean of all 2 heads"]
    assert view.choices.status == "too many numbers to zoom in"
    qtbot.mouseClick(view.choices.large_button, LEFT)
    assert names(view) == ["mean of all 2 heads", "H0", "H1"]
    assert view.choices.status == ""


def test_larger_texts_leave_no_text_of_a_card_cut(open_heads, appearance):
    view = open_heads(flat(*[SHARP] * 6), size=(700, 500))
    card = card_of(view, 0)
    top, line = card.corner.y(), card.fontMetrics().height()
    appearance.set_text_size(200)
    QApplication.processEvents()
    assert card.fontMetrics().height() >= 1.8 * line
    assert card.corner.y() >= top + 0.8 * line
    assert card.width() >= card.fontMetrics().horizontalAdvance("H0 0.00 bit")
    assert card.corner.y() + card.grid.size.height() <= card.height()


def test_a_large_picture_that_is_taken_away_is_drawn_up_no_further(open_heads, qtbot):
    many = np.full((300, 300), 1 / 300)
    view = open_heads(flat(many, many))
    pick(qtbot, view, "combination", "mean")
    view.wall.cards[0].grab()  # wants its picture
    pick(qtbot, view, "combination", "none")
    assert names(view) == ["H0", "H1"]
    with qtbot.waitSignal(view.painted):
        view.show_heads(flat(many, many), content_of(flat(many)), LIGHT)


def test_what_is_combined_is_not_painted_from_the_overview_of_one_head(
    open_heads, qtbot
):
    low, high = np.zeros((1200, 1200)), np.ones((1200, 1200))
    source = flat(low, low)
    view = open_heads(source)
    other = replace(content_of(source), overview=Overview(InMemory(high)))
    view.show_heads(source, other, LIGHT)
    pick(qtbot, view, "combination", "mean")
    qtbot.mouseClick(view.choices.large_button, LEFT)
    assert view.large.isVisible()
    rect = view.large.cell_rect((600, 600)).center().toPoint()
    image = view.large.grab().toImage()
    assert image.pixelColor(rect).getRgb()[:3] == LOWEST


def edges(view):
    """Return at which ends the cards are told to go on."""
    names = ("above", "below")
    return [n for n in names if view.findChild(QWidget, f"heads.more.{n}").isVisible()]


def test_twelve_heads_are_all_in_sight_on_a_small_laptop_screen(open_heads):
    # 1366 × 768 less docks, strip, header and choices.
    view = open_heads(flat(*[np.eye(16)] * 12), size=(776, 470))
    assert view.wall.verticalScrollBar().maximum() == 0
    assert edges(view) == []


def test_ends_fade_where_cards_go_on(open_heads):
    view = open_heads(flat(*[np.eye(16)] * 24), size=(500, 400))
    bar = view.wall.verticalScrollBar()
    assert edges(view) == ["below"]
    bar.setValue(bar.maximum() // 2)
    assert edges(view) == ["above", "below"]
    bar.setValue(bar.maximum())
    assert edges(view) == ["above"]
    below = view.findChild(QWidget, "heads.more.below")
    assert below.geometry().bottom() == view.wall.viewport().geometry().bottom()


def test_cards_lie_the_same_from_whatever_size_the_window_comes(open_heads):
    view = open_heads(flat(*[np.eye(16)] * 12), size=(500, 400))
    sizes = [(width, height) for width in range(420, 900, 24) for height in (300, 380)]
    seen = {}
    for size in sizes + sizes[::-1]:
        view.resize(*size)
        QApplication.processEvents()
        layout = [widget.geometry() for widget in view.wall.cards]
        assert seen.setdefault(size, layout) == layout


def test_cards_name_the_tokens_where_there_is_room(open_heads):
    view = open_heads(flat(SHARP, EVEN))
    card = card_of(view, 0)
    assert card.names is not None
    # What they take is to the left of the picture and above it.
    assert card.corner.x() >= card.names.room.width()
    assert card.grid.size.width() + card.corner.x() <= card.width()
    many = open_heads(flat(np.eye(200), np.eye(200)))
    assert card_of(many, 0).names is None
