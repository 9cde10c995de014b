"""What figures show: numbers, colours, titles and marks."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from attnviewer import Pin, attention, load_example
from attnviewer.compute import StepHead
from attnviewer.document import Labels
from attnviewer.io.export import Computation
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.elements import Stroke
from attnviewer.ui.figures.heatmap import matrix_block
from attnviewer.ui.figures.matrix import matrix_of
from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.panel import Compared, Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import PAPER, FigureStyle, millimetres_of
from attnviewer.ui.figures.svg import svg_of
from attnviewer.ui.figures.typeface import typeface
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colors import rgb
from tests.ui.figures.measuring import computation, figure_of, matrices, texts, texts_of

# Of notebook 000, the source of the first example, rounded by hand.
WEIGHTS = (
    *("0.24", "0.01", "0.75", "0.01"),
    *("0.45", "0.05", "0.45", "0.05"),
    *("0.24", "0.00", "0.76", "0.00"),
    *("0.09", "0.00", "0.91", "0.00"),
)
VIRIDIS_OF_1 = (253, 231, 37)
SIGNED = [[0.5, -1.0], [0.5, 0.25]]
INTERFACE = ("…", "▾", "×", "shown", "Show", "Sort", "Undo", "sum", "entropy")


def example(id):
    return Computation.of(load_example(id))


def in_cells(figure):
    """Return the numbers in cells, which alone have an ink of their own."""
    return [text.text for text in texts_of(figure.elements) if text.color]


def test_numbers_in_cells_are_the_rounded_weights():
    assert tuple(in_cells(figure_of(example("four-words")))) == WEIGHTS


@pytest.mark.parametrize(
    ("how", "heads", "of_all"),
    [("mean", (), np.mean), ("max", (), np.max), ("mean", (0, 2), np.mean)],
)
def test_combined_heads_show_the_numbers_of_all_of_them(how, heads, of_all):
    what = computation(4, heads=(3,))
    weights = what.trace["weights"]
    combined = of_all(weights[list(heads)] if heads else weights, axis=0)
    figure = figure_of(what, combination=how, heads=heads)
    assert in_cells(figure) == [f"{number:.2f}" for number in combined.ravel()]


def test_masked_cells_are_flat_and_have_no_number():
    figure = figure_of(example("two-heads"))
    assert len(in_cells(figure)) == 7 * 8 / 2
    (cells,) = matrices(figure)
    above = cells.colors[np.triu_indices(7, 1)]
    assert (above == above[0]).all()
    below = {tuple(color) for color in cells.colors[np.tril_indices(7)].tolist()}
    assert tuple(above[0].tolist()) not in below


def test_a_weight_of_one_has_the_last_colour_of_the_map():
    (cells,) = matrices(figure_of(example("two-heads")))
    assert tuple(cells.colors[0, 0].tolist()) == VIRIDIS_OF_1


@pytest.mark.parametrize(
    ("step", "title"),
    [
        ("weights", "Attention weight"),
        ("scores", "Score"),
        ("masked", "Masked score"),
        ("output", "Output"),
    ],
)
def test_the_colour_bar_says_what_the_numbers_are(step, title):
    assert title in texts(figure_of(example("two-heads"), step=step))


@pytest.mark.parametrize("view", ["heatmap", "heads", "lines", "table", "how"])
def test_no_word_of_the_interface_is_in_a_figure(view):
    found = " ".join(texts(figure_of(example("two-heads"), view=view, caption=True)))
    for word in INTERFACE:
        assert word not in found


def test_the_selection_is_framed_only_where_it_is_wanted():
    def frames(**panel):
        figure = figure_of(example("four-words"), **panel)
        return sum(
            isinstance(element, Stroke) and element.closed and element.width > 1
            for element in figure.elements
        )

    assert frames() == 0
    assert frames(cell=(1, 2)) == 2


def odd(values):
    """Return the figure of a matrix of any numbers."""
    room = Room(240.0, typeface("sans"), PAPER)
    n = len(values)
    matrix = matrix_of(Panel(computation(n), "scores"), PAPER)
    return matrix_block(replace(matrix, values=values), room)


def test_numbers_that_are_none_are_written_on_dark_tiles():
    block = odd(np.array([[1.0, np.inf], [np.nan, -np.inf]]))
    assert in_cells(block) == ["1", "∞", "NaN", "−∞"]
    (cells,) = matrices(block)
    dark = [[False, True], [True, True]]
    assert ((cells.colors == 0).all(axis=2) == dark).all()


def test_numbers_that_are_none_are_crossed_out_where_nothing_can_be_written():
    many = np.zeros((40, 40))
    many[3, 5] = np.nan
    block = odd(many)
    (cells,) = matrices(block)
    side = cells.width / 40
    crosses = [
        element
        for element in block.elements
        if isinstance(element, Stroke) and element.color == "#ffffff"
    ]
    assert len(crosses) == 2
    for cross in crosses:
        (x0, y0), (x1, y1) = cross.points
        assert (x0 + x1) / 2 == pytest.approx(cells.x + 5.5 * side)
        assert (y0 + y1) / 2 == pytest.approx(cells.y + 3.5 * side)


STYLE = FigureStyle(85.0)


@pytest.mark.parametrize(
    ("size", "digit", "factor"), [(3e-9, "3", "×10⁻⁹"), (4e12, "4", "×10¹²")]
)
def test_tiny_and_huge_numbers_share_a_factor_that_is_stated_once(size, digit, factor):
    trace = attention(size * np.eye(2), np.eye(2), np.eye(2))
    panel = Panel(Computation("Sized", Labels((), ()), trace), "Q")
    figure = compose([panel], STYLE)
    assert in_cells(figure) == [digit, "0", "0", digit]
    assert [t for t in texts(figure) if factor in t] == [f"Queries Q ({factor})"]


def test_many_keys_get_a_logarithmic_bar_that_says_so():
    ticks = texts(figure_of(computation(200, causal=True), "85mm"))
    assert {"10⁰", "10⁻²"} <= set(ticks) or {"10⁰", "10⁻¹"} <= set(ticks)
    assert "10⁰" not in texts(figure_of(computation(16, causal=True), "85mm"))


def test_a_difference_has_both_sides_and_a_symmetric_bar():
    before = Compared.of(example("four-words"))
    after = example("four-words-rerun")
    # Wide enough for numbers in cells, however wide the digits of the font are.
    figure = figure_of(after, "240mm", view="difference", compared=before)
    found = texts(figure)
    assert [t for t in found if t in ("A", "B", "B − A")] == ["A", "B", "B − A"]
    numbers = in_cells(figure)
    assert tuple(numbers[:16]) == WEIGHTS
    change = after.trace["weights"] - before.side.trace["weights"]
    written = [float(text.replace("−", "-")) for text in numbers[32:]]
    np.testing.assert_allclose(written, change.ravel(), atol=0.00501)
    ticks = [t for t in found if t in ("−0.5", "0.0", "0.5")]
    assert {"−0.5", "0.0", "0.5"} <= set(ticks)


def test_a_difference_needs_something_comparable():
    with pytest.raises(ValueError, match="something to compare with"):
        figure_of(example("four-words"), view="difference")
    other = Compared.of(example("two-heads"))
    with pytest.raises(ValueError, match="must be comparable"):
        figure_of(example("four-words"), view="difference", compared=other)


def test_lines_are_as_wide_as_their_weights_and_the_threshold_is_stated():
    what = example("four-words")
    figure = figure_of(what, view="lines", threshold=0.4)
    curves = [e for e in figure.elements if isinstance(e, Stroke) and e.curved]
    weights = np.sort(what.trace["weights"][what.trace["weights"] >= 0.4])
    assert len(curves) == len(weights) == 5
    widths = [curve.width for curve in curves]
    np.testing.assert_allclose(widths, 3.0 * weights)
    assert "Weights ≥ 0.4" in texts(figure)


def test_lines_of_negative_weights_are_dashed_and_said_to_be():
    what = computation(2, pins=[Pin("weights", slice(0, 2), slice(0, 2), SIGNED)])
    figure = figure_of(what, view="lines", threshold=0.3, caption=True)
    curves = [e for e in figure.elements if isinstance(e, Stroke) and e.curved]
    drawn = [(curve.dashed, curve.width) for curve in curves]
    assert drawn == [(False, 1.5), (False, 1.5), (True, 3.0)]
    assert "Sizes of weights ≥ 0.3, negative ones dashed" in texts(figure)
    assert "negative weights are dashed" in " ".join(texts(figure))
    assert svg_of(figure, Notes("", "", {})).count(b'stroke-dasharray="3 2"') == 1


def test_lines_of_several_heads_have_the_colour_of_their_head_in_the_legend():
    what = computation(6, heads=(3,))
    heads = (0, 2)
    figure = figure_of(what, view="lines", threshold=0.2, heads=heads)
    strokes = [e for e in figure.elements if isinstance(e, Stroke)]
    found = list(figure.elements)
    names = [getattr(element, "text", "") for element in found]
    for head in heads:
        swatch = found[names.index(f"Head {head}") - 1]
        full = np.array(rgb(swatch.color), float)
        weights = np.sort(what.trace["weights"][head].ravel())
        weights = weights[weights >= 0.2]
        ours = [
            e.width
            for e in strokes
            if e.curved and is_mixed_with_white(np.array(rgb(e.color), float), full)
        ]
        np.testing.assert_allclose(ours, 3.0 * weights)
    assert "Head 1" not in texts(figure)


def is_mixed_with_white(color, full):
    """Return whether a colour lies between white and another."""
    beside, along = 255 - color, 255 - full
    across = np.linalg.norm(np.cross(beside, along))
    return across < 0.02 * np.linalg.norm(beside) * np.linalg.norm(along)


def test_heads_in_one_colour_need_no_legend():
    what = computation(6, heads=(3,))
    figure = figure_of(what, view="lines", heads=(0, 1, 2), hues=False)
    assert not [text for text in texts(figure) if text.startswith("Head")]
    alone = figure_of(what, view="lines", head=1)
    assert figure.height == alone.height


def test_lines_of_a_token_lie_side_by_side():
    figure = figure_of(example("four-words"), view="lines", threshold=0.01)
    curves = [e for e in figure.elements if isinstance(e, Stroke) and e.curved]
    starts = sorted((e.points[0][1] - e.width / 2, e.width) for e in curves)
    for (one, width), (other, _) in itertools.pairwise(starts):
        assert other >= one + width - 0.5


def test_so_many_lines_are_drawn_as_the_stated_threshold_says():
    what = computation(120)
    figure = figure_of(what, view="lines", threshold=0.0)
    curves = [e for e in figure.elements if isinstance(e, Stroke) and e.curved]
    (stated,) = [t for t in texts(figure) if t.startswith("Weights ≥ ")]
    least = float(stated.removeprefix("Weights ≥ "))
    assert 0 < len(curves) <= 2000
    assert len(curves) == (what.trace["weights"] >= least).sum()


def test_a_table_leaves_out_its_middle_where_it_is_too_wide():
    figure = figure_of(computation(30), "85mm", view="table")
    found = texts(figure)
    assert "⋯" in found
    assert found.count("the") >= 2
    assert "⋮" not in found


def test_a_table_has_four_decimals_and_a_dash_where_masked():
    found = texts(figure_of(example("two-heads"), "174mm", view="table", head=1))
    assert "0.2500" in found
    assert found.count("–") == 7 * 6 / 2


def test_an_operation_shows_its_operands_and_what_is_done():
    found = texts(figure_of(example("two-heads"), view="how", step="scores"))
    assert {"Q", "Kᵀ", "scores"} <= set(found)


def test_the_largest_share_has_its_number_in_a_narrow_column():
    # One of eleven keys has all of the attention, as e³⁰ is 10¹³ times e⁰.
    keys = np.zeros((11, 1))
    keys[3] = 30.0
    trace = attention(np.ones((1, 1)), keys, keys)
    what = Computation("One", Labels(("q",), tuple("abcdefghijk")), trace)
    found = texts(figure_of(what, "85mm", view="how"))
    assert "100%" in [text.replace("\N{NARROW NO-BREAK SPACE}", "") for text in found]


def test_matrices_beyond_what_can_be_listed_are_refused_without_being_read(
    monkeypatch,
):
    what = computation(1100, 2)
    monkeypatch.delattr(StepHead, "window")
    for view in ("table", "lines"):
        with pytest.raises(ValueError, match="at most 1024 rows and columns"):
            figure_of(what, view=view)


@pytest.mark.parametrize(
    ("panel", "reason"),
    [
        ({"step": "no"}, "The 'step' must be one of Q, K, V, "),
        ({"step": "weight"}, ".* Did you mean 'weights'"),
        ({"head": 2}, "The 'head' must be from 0 to 1. Got 2 instead."),
        ({"cell": (0, 9)}, "The 'cell' must lie in 3 rows and 3 columns."),
        ({"view": "no"}, "The 'view' must be one of heatmap, "),
    ],
)
def test_what_there_is_not_is_refused(panel, reason):
    with pytest.raises(ValueError, match="^" + reason):
        figure_of(computation(3, heads=(2,)), **panel)


def test_a_bar_says_if_numbers_reach_beyond_its_ends():
    scale = ColorScale("viridis", 0.0, 0.5)
    for view in ("heatmap", "heads"):
        what = example("two-heads")
        found = texts(figure_of(what, view=view, scale=scale))
        assert "Attention weight, clipped" in found
        assert "Attention weight" in texts(figure_of(what, view=view))
    # All below the low end of a logarithmic bar have its colour.
    many = texts(figure_of(computation(200, causal=True), "85mm"))
    assert "Attention weight" in many


@pytest.mark.parametrize("width", ["85mm", "174mm"])
def test_panels_with_the_same_colours_share_one_bar(width):
    whole = computation(6, heads=(3,))
    style = FigureStyle(millimetres_of(width))
    panels = [Panel(whole, view="heatmap", head=1), Panel(whole, view="heads")]
    found = [text for text in texts(compose(panels, style)) if "weight" in text]
    assert found.count("Attention weight") == 1
    # Scores have colours of their own.
    panels = [Panel(whole), Panel(whole, "scores")]
    found = texts(compose(panels, style))
    assert found.count("Attention weight") == found.count("Score") == 1


def test_a_shared_bar_has_the_colours_of_every_panel():
    whole = computation(6, heads=(2,))
    panels = [Panel(whole, head=head) for head in (0, 1)]
    figure = compose(panels, FigureStyle(millimetres_of("174mm")))
    first, second = matrices(figure)
    for head, cells in enumerate((first, second)):
        own = matrices(figure_of(whole, "174mm", head=head))[0]
        np.testing.assert_array_equal(cells.colors, own.colors)


def test_titles_of_panels_from_a_model_name_the_layer():
    panels = [Panel(computation(4, heads=(2,)), head=n, layer=3) for n in (0, 1)]
    found = texts(compose(panels, FigureStyle(millimetres_of("174mm"))))
    assert "Attention weights, layer 3, head 1" in found


def test_above_the_bars_of_a_figure_is_no_room_for_a_control():
    figure = figure_of(example("two-heads"), view="how", step="weights", width=174)
    tops = {text.text: text.y for text in texts_of(figure.elements)}
    (title,) = (top for text, top in tops.items() if text.startswith("softmax of"))
    first = tops["Masked scores"]
    assert 0 < first - title < 20.0
