"""Panels of a figure: side by side where their labels fit, else below each other."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from attnviewer import figure, load_example, models
from attnviewer.io.export import Computation
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.elements import Cells, Stroke
from attnviewer.ui.figures.finding import finding_of
from attnviewer.ui.figures.heads import heads as all_heads
from attnviewer.ui.figures.heatmap import heatmap
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import PAPER, FigureStyle
from attnviewer.ui.figures.typeface import typeface
from tests.ui.figures.measuring import (
    SENTENCE,
    computation,
    matrices,
    outside,
    overlapping,
    texts,
    texts_of,
)

COLUMN = 85 / 25.4 * 72
ANIMAL = "The animal didn't cross the street because it was too tired."


def drawn(panels, width=85.0, caption=False):
    return compose(panels, FigureStyle(width, caption=caption))


def head_and_heads(whole, head=1):
    return [Panel(whole, head=head), Panel(whole, view="heads")]


def bars(figure):
    return [
        element
        for element in figure.elements
        if isinstance(element, Cells) and 256 in element.colors.shape[:2]
    ]


def baselines(figure, names):
    found = {t.text: t for t in texts_of(figure.elements) if t.bold}
    return [(found[name].x, found[name].y) for name in names]


def ticks_below(figure, cells):
    """Return the columns of a matrix that have a tick below."""
    step = cells.width / cells.colors.shape[1]
    bottom = cells.y + cells.height
    ticks = []
    for stroke in figure.elements:
        if isinstance(stroke, Stroke) and len(stroke.points) == 2:
            (x0, y0), (x1, y1) = stroke.points
            inside = cells.x < x0 < cells.x + cells.width
            if x0 == x1 and abs(y0 - bottom) < 0.01 and y1 > y0 and inside:
                ticks.append(round((x0 - cells.x) / step - 0.5, 6))
    return ticks


def test_a_head_stands_beside_all_heads_of_its_layer_in_a_column():
    figure = drawn(head_and_heads(computation(16, heads=(12,))), caption=True)
    head, *heads = matrices(figure)
    assert figure.width == pytest.approx(COLUMN)
    assert figure.height < figure.width
    assert len(heads) == 12
    assert all(one.x > head.x + head.width for one in heads)
    (left, top), (right, level) = baselines(figure, ["(a)", "(b)"])
    assert top == level < min(one.y for one in (head, *heads))
    # The head, with its labels, gets about two thirds of the width.
    assert 0.6 < (right - left) / figure.width < 0.72
    assert figure.complete
    assert not overlapping(figure)
    assert not outside(figure)
    found = texts(figure)
    assert all(found.count(word) == 2 * SENTENCE.count(word) for word in SENTENCE)


def test_the_one_bar_is_beneath_the_grid_of_heads():
    whole = computation(16, heads=(12,))
    for panels in (head_and_heads(whole), head_and_heads(whole)[::-1]):
        figure = drawn(panels)
        heads = sorted(matrices(figure), key=lambda cells: cells.width)[:12]
        (bar,) = bars(figure)
        assert bar.y > max(one.y + one.height for one in heads)
        assert bar.x >= min(one.x for one in heads) - 0.01
        assert bar.x + bar.width <= max(one.x + one.width for one in heads) + 0.01


@pytest.mark.parametrize(
    ("n", "width", "views"),
    [
        (16, 85.0, ("heatmap", "heads")),
        (9, 174.0, ("heatmap", "heads")),
        (4, 85.0, ("heads", "heatmap")),
        (16, 120.0, ("heads", "heatmap")),
        (9, 85.0, ("heatmap", "lines")),
        (16, 174.0, ("heatmap", "lines")),
        (4, 120.0, ("heatmap", "heatmap", "heads")),
        (16, 174.0, ("heatmap", "heatmap", "heads")),
        (9, 120.0, ("lines", "heads", "table")),
        (16, 174.0, ("lines", "heads", "table")),
        (4, 174.0, ("heatmap",) * 4),
        (16, 85.0, ("heatmap",) * 4),
    ],
)
def test_no_text_of_panels_touches_another_or_is_too_small(n, width, views):
    whole = computation(n, heads=(8,))
    figure = drawn([Panel(whole, view=view) for view in views], width, caption=True)
    assert not overlapping(figure)
    assert not outside(figure)
    # Below each other, where they do not fit in a row, panels are as they are alone.
    levels = {
        text.y for text in texts_of(figure.elements) if text.size == 8 and text.bold
    }
    label = 6 if len(levels) == 1 else 5
    for text in texts_of(figure.elements):
        in_cell = text.anchor == "middle" and text.color
        assert text.size >= (5 if in_cell else label), text


@pytest.mark.parametrize(("n", "width"), [(4, 174.0), (9, 120.0)])
def test_lines_go_along_the_rows_of_the_heatmap_beside_them(n, width):
    for views in (("heatmap", "lines"), ("lines", "heatmap")):
        figure = drawn([Panel(computation(n), view=view) for view in views], width)
        (cells,) = matrices(figure)
        high = cells.height / n
        for row, word in enumerate(SENTENCE[:n]):
            middle = cells.y + (row + 0.5) * high
            level = [
                text
                for text in texts_of(figure.elements)
                if text.text == word and abs(text.y - text.size / 3 - middle) < 1
            ]
            assert len(level) == 3  # of the heatmap, and at both ends of the lines


@pytest.mark.parametrize("count", [2, 3, 4])
def test_panels_that_are_alike_have_cells_of_one_size(count):
    whole = computation(12, heads=(4,))
    figure = drawn([Panel(whole, head=head) for head in range(count)], 174.0)
    sizes = {round(cells.width, 6) for cells in matrices(figure)}
    assert len(matrices(figure)) == count
    assert len(sizes) == 1


def test_four_large_panels_stand_two_by_two():
    whole = computation(16, heads=(4,))
    figure = drawn([Panel(whole, head=head) for head in range(4)], 174.0)
    places = {(round(c.x, 3), round(c.y, 3)) for c in matrices(figure)}
    assert len({x for x, _ in places}) == len({y for _, y in places}) == 2


def test_longer_labels_get_a_wider_panel():
    words = tuple(f"{word}-{place:02}" for place, word in enumerate(SENTENCE))
    starts = []
    for labels in (None, (words, words)):
        whole = computation(16, heads=(12,), labels=labels)
        figure = drawn(head_and_heads(whole))
        ((start, _),) = baselines(figure, ["(b)"])
        starts.append(start)
    assert starts[1] > starts[0] > COLUMN * 0.6
    # None of them is cut.
    assert all(texts(figure).count(word) == 2 for word in words)


def test_panels_stand_below_each_other_where_a_row_has_not_room_for_labels():
    whole = computation(32, heads=(12,))
    figure = drawn(head_and_heads(whole))
    head, *heads = matrices(figure)
    assert all(one.y > head.y + head.height for one in heads)
    # Every label of the head is there all the same.
    assert texts(figure).count("quick") >= 2 * 2
    assert not overlapping(figure)
    assert not outside(figure)


def test_no_other_widths_have_larger_cells_for_the_area():
    panels = head_and_heads(computation(16, heads=(12,)))
    figure, face = drawn(panels), typeface("sans")
    head, *heads = matrices(figure)
    ((start, _),) = baselines(figure, ["(b)"])
    whole = COLUMN - 2
    room = Room(whole, face, PAPER, figure=whole, bar=False, beyond=10.0)
    tried = {}
    for first in (start - 11, *range(90, 190, 2)):
        left = heatmap(panels[0], replace(room, width=first))
        second = whole - 10 - first
        rest = replace(room, width=second, bar=True, beyond=0.0, named=False)
        right = all_heads(panels[1], rest)
        if left.complete and left.smallest >= 6 and second >= 60:
            sizes = [
                next(e.width for e in block.elements if isinstance(e, Cells))
                for block in (left, right)
            ]
            height = max(left.height, right.height)
            tried[first] = sizes[0] * sizes[1] / height
    assert len(tried) > 10
    assert tried[start - 11] >= 0.98 * max(tried.values())
    assert head.width > 3 * heads[0].width


def test_small_cells_have_ticks_at_the_first_the_found_and_the_last_token():
    document = load_example("two-heads")
    whole = Computation.of(document)
    figure = drawn(head_and_heads(whole), caption=True)
    _, *heads = matrices(figure)
    last = heads[-1]
    # “tired” attends to “cat”.
    tokens = document.labels.keys
    assert {tokens[place] for place in (0, 1, 6)} == {"The", "cat", "tired"}
    assert ticks_below(figure, last) == [0, 1, 6]
    caption = " ".join(t.text for t in texts_of(figure.elements) if t.serif)
    assert "Ticks: “The”, “cat”, “tired”." in caption


def test_heads_alone_name_the_tokens_at_their_ticks():
    whole = computation(40, heads=(8,))
    figure = drawn([Panel(whole, view="heads")])
    named = [t for t in texts_of(figure.elements) if t.text in SENTENCE]
    assert named
    assert not overlapping(figure)


def test_a_grid_of_heads_alone_fills_its_width_and_names_the_key_that_is_found():
    panel = Panel(computation(15, heads=(12,)), view="heads")
    figure = drawn([panel])
    heads = matrices(figure)
    assert max(one.x + one.width for one in heads) > 0.97 * figure.width
    assert min(one.x for one in heads) < 0.2 * figure.width
    assert finding_of(panel).cell.key in ticks_below(figure, heads[-1])
    assert not overlapping(figure)


def test_texts_of_panels_stay_texts():
    document = load_example("two-heads")
    content = figure(document, view=["heatmap", "heads"], width="85mm", caption=True)
    root = ET.fromstring(content)
    found = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"(a)", "(b)", "Head 0", "because", "Key"} <= set(found)


def test_a_head_of_a_model_links_the_pronoun_to_its_noun(minilm):
    run = models.load(minilm).run(ANIMAL)
    trace = run.attention(3)
    # Wide enough for “Head 10” above a picture in any font.
    panels = {"view": ["heatmap", "heads"], "layer": 3, "head": 1, "width": "110mm"}
    alone = ET.fromstring(figure(run, **panels))
    _left, _top, width, height = map(float, alone.get("viewBox").split())
    assert height < width * 0.8
    root = ET.fromstring(figure(run, **panels, caption=True))
    space = "{http://www.w3.org/2000/svg}"
    found = [t.text for t in root.iter(f"{space}text")]
    assert "Layer 3, head 1" in found
    assert [f"Head {head}" in found for head in range(12)] == [True] * 12
    weights = trace.window("weights", head=1)
    tokens = run.model.readable(run.tokens)
    it, animal = tokens.index("it"), tokens.index("animal")
    assert f"{weights[it, animal]:.2f}" == "0.68"
    caption = " ".join(found)
    assert "The query “it” gives 0.68 of its attention to “animal”." in caption
    assert caption.count("gives") == 1
    assert "(b) All 12 heads of the layer, on the axes of (a)." in caption
    assert "Ticks: “[CLS]”, “animal”, “it”, “[SEP]”." in caption
    assert set(tokens) <= set(found)
