"""The layout of the strip, for every variant in every room."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtGui import QFont

from attnviewer.compute import Spec
from attnviewer.ui.paint.fonts import text_font
from attnviewer.ui.views.flow.fit import fit
from attnviewer.ui.views.flow.graph import flow_graph
from attnviewer.ui.views.flow.heights import LOW, LOWEST, NORMAL
from attnviewer.ui.views.flow.measures import Measures
from attnviewer.ui.views.flow.places import Letters
from attnviewer.ui.views.flow.texts import steady, wrapped

from .variants import VARIANTS, trace_of


@cache
def graph_of(variant):
    return flow_graph(trace_of(VARIANTS[variant]))


def letters_of(percent: int = 100) -> Letters:
    """Return letters as wide as those of Inter, whatever fonts a machine has."""
    em = round(12 * percent / 100)
    return Letters(
        em=em,
        title_height=round(1.25 * em),
        word_height=round(1.17 * em),
        title=lambda text: round(0.56 * em * len(text)) + 2,
        word=lambda text: round(0.49 * em * len(text)) + 2,
    )


def letters_here(percent: int) -> Letters:
    """Return the letters of the font that windows have on this machine."""
    font = text_font(QFont())
    font.setPixelSize(round(12 * percent / 100))
    # Sizes are read in points, as those of the window are.
    font.setPointSizeF(9 * percent / 100)
    return Measures(font).letters


def boxes(layout):
    """Return everything that has a place of its own."""
    found = {step: card.whole for step, card in layout.cards.items()}
    found |= {f"pill {step}": pill.rect for step, pill in layout.pills.items()}
    words = {step: words for step, words in layout.words.items() if words.lines}
    return found | {f"words {step}": place.rect for step, place in words.items()}


@settings(max_examples=120)
@example(variant="full", width=700, percent=121, height=LOW)
@example(variant="disentangled", width=700, percent=88, height=LOWEST)
@example(variant="full, learned", width=700, percent=88, height=LOW)
@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    width=st.integers(700, 3840),
    percent=st.integers(80, 200),
    height=st.sampled_from([NORMAL, LOW, LOWEST]),
)
def test_nothing_overlaps_and_all_is_in_the_room(qapp, variant, width, percent, height):
    letters = letters_here(percent)
    layout = fit(graph_of(variant), width, height, letters)
    room = QRect(0, 0, width, max(50, letters.pixels(height)))
    found = boxes(layout)
    outside = {name: box for name, box in found.items() if not room.contains(box)}
    assert outside == {}
    pairs = combinations(found.items(), 2)
    assert [(a, b) for (a, one), (b, two) in pairs if one.intersects(two)] == []
    for card in layout.cards.values():
        assert height == LOWEST or card.frame.contains(card.picture)
        assert not card.picture.isEmpty() or height == LOWEST


@settings(max_examples=20)
@given(
    width=st.integers(400, 3000),
    scale=st.sampled_from([0.5, 0.123456, 12.0, 1e-5]),
    cap=st.sampled_from([5.0, 0.25, 1234.5]),
)
def test_another_number_in_an_operation_moves_nothing(qapp, width, scale, cap):
    letters = letters_of()
    layouts = []
    for spec in (Spec(scale=2.0, softcap=3.0), Spec(scale=scale, softcap=cap)):
        layouts.append(fit(flow_graph(trace_of(spec)), width, NORMAL, letters))
    one, other = layouts
    assert one.cards == other.cards
    assert one.lines == other.lines
    assert {s: w.rect for s, w in one.words.items()} == {
        s: w.rect for s, w in other.words.items()
    }


def test_maps_shrink_together_before_words_leave_their_edges(qapp):
    graph, letters = graph_of("heads"), letters_of()
    roomy = fit(graph, 2000, NORMAL, letters)
    tight = fit(graph, 900, NORMAL, letters)
    tighter = fit(graph, 620, NORMAL, letters)

    def map_of(layout):
        return layout.cards["weights"].picture.width()

    def said(layout):
        return [step for step, place in layout.words.items() if place.lines]

    assert map_of(roomy) > map_of(tight) >= map_of(tighter)
    assert said(roomy) == said(tight) == list(roomy.words)
    assert len(said(tighter)) < len(said(tight))
    widths = {layout.cards["scores"].picture.width() for layout in (tight,)}
    assert widths == {map_of(tight)}


def test_pills_and_names_are_whole_on_a_small_screen(qapp):
    # 1366 px, less two docks, as four words and eight-column inputs leave them.
    layout = fit(graph_of("heads"), 756, NORMAL, letters_of())
    assert layout.pills["scores"].lines == ("Q Kᵀ",)
    for step, card in layout.cards.items():
        assert card.title.width() >= letters_of().title(step) * layout.names, step


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_names_stay_large_beside_large_texts(qapp, percent):
    layout = fit(graph_of("heads"), 928, NORMAL, letters_of(percent))
    assert layout.names * letters_of(percent).em >= max(11, 0.7 * 12 * percent / 100)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("width", "percent", "height"),
    # 1366 × 768 with two docks at 100 %, and with one, lower, at 150 %.
    [(776, 100, NORMAL), (928, 150, LOW)],
)
def test_weights_are_readable_on_a_small_screen(qapp, variant, width, percent, height):
    graph = flow_graph(trace_of(VARIANTS[variant], 16, 32))
    layout = fit(graph, width, height, letters_of(percent))
    for step in ("X", "context", "scores", "masked", "weights", "output"):
        if step in layout.cards:
            picture = layout.cards[step].picture
            assert max(picture.width(), picture.height()) >= 32, step


def test_what_joins_moves_below_the_card_that_it_enters(qapp):
    layout = fit(graph_of("full"), 928, LOW, letters_of(150))
    mask, masked = layout.cards["mask"].frame, layout.cards["masked"].frame
    assert masked.left() <= mask.center().x() <= masked.right()
    assert masked.bottom() < mask.top()
    ends = [line.end for line in layout.lines if line.start.x() == mask.center().x()]
    assert [end.y() for end in ends] == [masked.bottom() + 1]
    roomy = fit(graph_of("full"), 3000, NORMAL, letters_of())
    assert roomy.cards["mask"].frame.right() < roomy.cards["masked"].frame.left()


def test_two_words_beside_a_card_stand_in_two_lines_where_it_is_tight(qapp):
    graph = graph_of("full, rotary")
    tight = fit(graph, 776, NORMAL, letters_of())
    assert tight.cards["rotated Q"].name == ("rotated", "Q")
    roomy = fit(graph, 3000, NORMAL, letters_of())
    assert roomy.cards["rotated Q"].name == ("rotated Q",)


def test_values_run_beneath_all_cards(qapp):
    layout = fit(graph_of("heads"), 1000, NORMAL, letters_of())
    (line,) = [line for line in layout.lines if line.rises]
    passed = [
        card.whole
        for card in layout.cards.values()
        if line.start.x() <= card.whole.left() <= line.end.x()
    ]
    assert len(passed) >= 3
    assert all(whole.bottom() < line.level for whole in passed)
    assert line.end.y() == layout.pills["heads"].rect.bottom() + 1


@pytest.mark.parametrize(("heads", "sheets"), [(1, 0), (2, 1), (3, 2), (8, 2)])
def test_further_heads_are_sheets_behind_the_card(qapp, heads, sheets):
    trace = trace_of(Spec(n_heads=heads), d=24)
    layout = fit(flow_graph(trace), 1000, NORMAL, letters_of())
    card = layout.cards["weights"]
    assert len(card.sheets) == sheets
    if sheets:
        assert card.sheets[0] == card.frame.translated(9, -9)
    assert layout.cards["X"].sheets == ()


def test_shared_keys_have_fewer_sheets(qapp):
    layout = fit(graph_of("shared heads"), 1000, NORMAL, letters_of())
    assert len(layout.cards["Q"].sheets) == 2
    assert len(layout.cards["K"].sheets) == len(layout.cards["V"].sheets) == 1


def test_the_lowest_strip_has_names_without_maps(qapp):
    layout = fit(graph_of("full"), 900, LOWEST, letters_of())
    assert all(card.picture.isEmpty() for card in layout.cards.values())
    assert not any(place.lines for place in layout.words.values())


def test_more_columns_make_no_wider_cards_than_fit(qapp):
    graph = flow_graph(trace_of(Spec(), n=300))
    layout = fit(graph, 1400, NORMAL, letters_of())
    sides = {max(c.picture.width(), c.picture.height()) for c in layout.cards.values()}
    assert max(sides) <= 110


def test_a_long_operation_is_broken_into_lines_between_words(qapp):
    width_of = letters_of().word
    whole = "causal + window 1 left, 0 right + mask"
    lines = wrapped(whole, width_of, 92, 4)
    assert " ".join(lines) == whole
    assert len(lines) > 1
    assert wrapped("one two three four five", width_of, 1, 3) == (
        "one",
        "two",
        "three …",
    )
    assert wrapped("× W_Q + b_Q", width_of, 1, 3) == ("× W_Q", "+ b_Q")
    assert wrapped("(X + P) (X + P)ᵀ", width_of, 1, 3) == ("(X + P)", "(X + P)ᵀ")


def test_numbers_are_measured_alike_and_letters_as_they_are():
    assert steady("÷ √64") == steady("÷ √3")
    assert steady("× 0.5") == steady("× 1.25e−7")
    assert steady("softmax1") == "softmax1"
