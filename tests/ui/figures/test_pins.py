"""Figures mark pinned cells, and say so; figures without pins stay as they are."""

import numpy as np
import pytest

from attnviewer import Pin, attention, multi_head_attention
from attnviewer.document import Labels
from attnviewer.io.export import Computation
from attnviewer.ui.figures.caption import caption_of
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.elements import Cells, Stroke
from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.painting import image_of
from attnviewer.ui.figures.panel import Compared, Panel
from attnviewer.ui.figures.style import POINTS_PER_INCH, FigureStyle
from attnviewer.ui.figures.svg import svg_of

X = np.random.default_rng(3).normal(size=(4, 4))
PINS = [Pin("weights", 1, 2, 0.75), Pin("weights", 3, range(2), 0.5)]
MARKED = [(1, 2), (3, 0), (3, 1)]
VIEWS = ["heatmap", "table", "lines", "heads", "difference"]


def computation(pins=()):
    return Computation("Pinned", Labels((), ()), attention(X, X, X, pins=pins))


def panel(view, pins=PINS):
    compared = Compared.of(computation()) if view == "difference" else None
    return Panel(computation(pins), view=view, compared=compared)


def marks(figure):
    return [e for e in figure.elements if isinstance(e, Stroke) and e.filled]


def figure_of(view, pins=PINS):
    return compose([panel(view, pins)], FigureStyle())


@pytest.mark.parametrize("view", VIEWS)
def test_a_figure_has_a_mark_for_each_pinned_cell_and_none_without_pins(view):
    # B and B − A are marked, A is not.
    times = 2 if view == "difference" else 1
    assert len(marks(figure_of(view))) == times * len(MARKED)
    assert marks(figure_of(view, ())) == []
    off = [Pin("weights", 1, 2, 0.75, enabled=False)]
    assert marks(figure_of(view, off)) == []


def test_marks_lie_in_the_upper_left_corners_of_their_cells():
    figure = figure_of("heatmap")
    cells = next(e for e in figure.elements if isinstance(e, Cells))
    side = cells.width / 4
    for (row, column), mark in zip(MARKED, marks(figure), strict=True):
        (x, y), *others = mark.points
        assert 0 <= x - cells.x - column * side < side / 4
        assert 0 <= y - cells.y - row * side < side / 4
        assert all(x <= a < x + side / 2 and y <= b < y + side / 2 for a, b in others)


def test_a_mark_is_painted_in_images_and_drawn_in_svg():
    figure = figure_of("heatmap")
    image = image_of(figure, 4 * POINTS_PER_INCH)
    for mark in marks(figure):
        (x, y), *_ = mark.points
        there = image.pixelColor(round(4 * (x + 1.5)), round(4 * (y + 1.5)))
        assert there.name() == mark.color
    shown = panel("heatmap")
    drawn = svg_of(figure, Notes.of(shown.computation, "weights", None, "heatmap"))
    plain = svg_of(
        figure_of("heatmap", ()),
        Notes.of(computation(), "weights", None, "heatmap"),
    )
    assert drawn.count(b'<path fill="#') == len(MARKED)
    assert b'<path fill="#' not in plain


@pytest.mark.parametrize(
    ("view", "remark"),
    [
        ("heatmap", "Cells with a triangle in their corner are pinned."),
        ("heads", "Cells with a triangle in their corner are pinned."),
        ("table", "Numbers with a triangle are pinned."),
        ("lines", "Lines with a diamond are pinned weights."),
    ],
)
def test_the_caption_says_what_a_mark_means_where_there_is_one(view, remark):
    assert remark in caption_of([panel(view)])
    assert "pinned" not in caption_of([panel(view, ())])


def test_the_caption_of_a_head_tells_of_its_own_pins_alone():
    trace = multi_head_attention(
        X, *(np.eye(4) for _ in range(4)), n_heads=2, pins=[Pin("Q", 0, 0, 1.0, head=1)]
    )
    shown = Computation("Two", Labels((), ()), trace)
    captions = [caption_of([Panel(shown, "Q", head=head)]) for head in range(2)]
    assert ["pinned" in caption for caption in captions] == [False, True]
    assert "pinned" in caption_of([Panel(shown, "Q", view="heads")])
    assert "pinned" not in caption_of([Panel(shown, "weights", view="heads")])
