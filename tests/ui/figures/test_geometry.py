"""Where everything is in a figure: nothing touches, nothing is cut off."""

import itertools
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from attnviewer import load_example
from attnviewer.io.export import Computation
from tests.ui.figures.measuring import (
    SENTENCE,
    computation,
    figure_of,
    matrices,
    outline,
    outside,
    overlapping,
    texts,
    texts_of,
)

COLUMN = 85 / 25.4 * 72
PAGE = 174 / 25.4 * 72
VIEWS = ("heatmap", "heads", "lines", "table", "how")
TOKENS = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "M", "Z"]), max_size=40
)


def cell_sizes(figure):
    return [
        (cells.width / cells.colors.shape[1], cells.height / cells.colors.shape[0])
        for cells in matrices(figure)
    ]


def test_sixteen_tokens_have_every_label_in_a_column():
    figure = figure_of(computation(16, causal=True), "85mm")
    assert figure.width == pytest.approx(COLUMN)
    found = texts(figure)
    for word in SENTENCE:
        assert found.count(word) == 2 * SENTENCE.count(word)
    assert figure.complete
    assert not overlapping(figure)
    assert not outside(figure)


def test_texts_have_at_least_six_points_and_numbers_in_cells_five():
    for n in (1, 4, 12, 16):
        figure = figure_of(computation(n), "85mm", caption=True)
        for text in texts_of(figure.elements):
            in_cell = text.anchor == "middle" and text.color
            assert text.size >= (5 if in_cell else 6), text


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_no_view_has_texts_that_touch_or_are_cut_off(view, n):
    figure = figure_of(computation(n, heads=(3,)), view=view, caption=True)
    assert not overlapping(figure)
    assert not outside(figure)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.integers(1, 64),
    columns=st.integers(1, 64),
    width=st.sampled_from([None, "60mm", "85mm", "174mm"]),
    data=st.data(),
)
def test_cells_are_square_and_labels_apart_in_every_shape(rows, columns, width, data):
    names = data.draw(st.lists(TOKENS, min_size=4, max_size=4))
    labels = tuple(
        tuple(f"{names[k % 4]}{k}" for k in range(count)) for count in (rows, columns)
    )
    figure = figure_of(computation(rows, columns, labels=labels), width)
    (cell,) = cell_sizes(figure)
    assert math.isclose(*cell, rel_tol=1e-9)
    assert cell[0] > 0
    assert not overlapping(figure)
    assert not outside(figure)


@pytest.mark.parametrize("n_heads", [2, 3, 5, 8, 12, 16])
def test_heads_have_square_cells_of_one_size_and_one_bar(n_heads):
    figure = figure_of(computation(16, heads=(n_heads,)), "85mm", view="heads")
    sizes = cell_sizes(figure)
    assert len(sizes) == n_heads
    for width, height in sizes:
        assert math.isclose(width, height, rel_tol=1e-9)
        assert math.isclose(width, sizes[0][0], rel_tol=1e-9)
    found = texts(figure)
    assert found.count("Attention weight") == 1
    assert found.count("Query") == found.count("Key") == 1
    assert all(f"Head {head}" in found for head in range(n_heads))
    assert not overlapping(figure)


def test_eight_heads_are_four_by_two():
    figure = figure_of(computation(16, heads=(8,)), "85mm", view="heads")
    places = {(round(c.x, 3), round(c.y, 3)) for c in matrices(figure)}
    assert len({x for x, _ in places}) == 4
    assert len({y for _, y in places}) == 2


def test_panels_lie_apart():
    figure = figure_of(computation(9, heads=(7,)), view="heads")
    boxes = [(c.x, c.y, c.x + c.width, c.y + c.height) for c in matrices(figure)]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            beside = one[2] < other[0] or other[2] < one[0]
            assert beside or one[3] < other[1] or other[3] < one[1]


def test_columns_are_labelled_level_then_sloping_then_upright():
    angles = []
    for n in (4, 14, 32):
        figure = figure_of(computation(n), "85mm")
        named = {t.angle for t in texts_of(figure.elements) if t.text == SENTENCE[1]}
        angles.append(max(abs(angle) for angle in named))
    assert angles == [0, 45, 90]


def test_a_figure_becomes_as_wide_as_the_page_where_labels_need_it():
    assert figure_of(computation(16)).width == pytest.approx(COLUMN)
    wide = figure_of(computation(60))
    assert wide.width == pytest.approx(PAGE)
    assert wide.complete
    assert texts(wide).count("quick") == 8
    # A width that is asked for is kept.
    asked = figure_of(computation(60), "85mm")
    assert asked.width == pytest.approx(COLUMN)
    assert not asked.complete
    assert not overlapping(asked)


def test_numbered_axes_have_round_numbers_where_not_all_fit():
    numbered = tuple(map(str, range(64)))
    figure = figure_of(computation(64, labels=(numbered, numbered)))
    assert figure.width == pytest.approx(COLUMN)
    shown = {int(text) for text in texts(figure) if text.isdecimal()}
    assert shown >= {0, 10, 20, 30, 40, 50, 60}
    assert not {5, 13, 31} & shown


def test_rows_and_columns_of_the_same_numbers_have_the_same_ticks():
    numbered = tuple(map(str, range(64)))
    figure = figure_of(computation(64, labels=(numbered, numbered)), "174mm")
    shown = [text for text in texts(figure) if text in numbered]
    assert sorted(shown) == sorted(2 * [str(n) for n in range(0, 64, 10)])


def test_numbers_of_heads_side_by_side_are_not_read_as_one():
    numbered = tuple(map(str, range(64)))
    what = computation(64, heads=(12,), labels=(numbered, numbered))
    figure = figure_of(what, "95mm", view="heads")
    below = max(text.y for text in texts_of(figure.elements) if text.text in numbered)
    line = [text for text in texts_of(figure.elements) if text.y == below]
    line = [outline(figure, text).boundingRect() for text in line]
    line.sort(key=QRectF.left)
    assert len(line) > 12
    gaps = [right.left() - left.right() for left, right in itertools.pairwise(line)]
    assert min(gaps) >= 3  # points; a space has 1.7


def test_names_that_are_left_out_take_no_room_from_the_heads():
    short = tuple(SENTENCE)
    long = (*short[:8], "internationalisation", *short[9:])
    cells, others = (
        cell_sizes(
            figure_of(
                computation(16, heads=(12,), labels=(names, names)),
                "85mm",
                view="heads",
            )
        )
        for names in (short, long)
    )
    assert "internationalisation" not in short
    assert cells[0] == pytest.approx(others[0])


@pytest.mark.parametrize("width", ["60mm", "85mm", "174mm"])
def test_a_table_with_long_names_leaves_out_columns_and_cuts_none(width):
    names = tuple(f"{word} internationalisation" for word in SENTENCE)
    figure = figure_of(computation(16, labels=(names, names)), width, view="table")
    assert not outside(figure)
    assert not overlapping(figure)
    assert "⋯" in texts(figure)


def test_a_long_name_of_one_column_takes_no_room_from_the_others():
    names = (*SENTENCE[:8], "internationalisation", *SENTENCE[9:15])
    figure = figure_of(computation(15, labels=(names, names)), "174mm", view="table")
    assert figure.complete


def test_five_hundred_tokens_are_an_image_with_some_labels():
    figure = figure_of(computation(512, causal=True), "85mm")
    (cells,) = matrices(figure)
    assert cells.colors.shape == (512, 512, 3)
    assert not overlapping(figure)


def test_a_figure_is_never_higher_than_a_page():
    for rows, columns in ((64, 1), (200, 3), (1, 64)):
        assert figure_of(computation(rows, columns)).height < 297 / 25.4 * 72


def test_long_tokens_are_cut_with_dots():
    labels = (("a" * 200, "b"), ("c", "d" * 200))
    figure = figure_of(computation(2, labels=labels), "85mm")
    assert any(t.startswith("aaa") and t.endswith("…") for t in texts(figure))
    (cell,) = cell_sizes(figure)
    assert cell[0] > 10
    assert not outside(figure)


@pytest.mark.parametrize("view", ["heatmap", "lines", "table"])
def test_long_tokens_that_differ_at_their_ends_still_differ(view):
    names = tuple(f"{'internationalization' * 4}_{end}" for end in ("one", "two"))
    figure = figure_of(computation(2, labels=(names, names)), "85mm", view=view)
    assert {t[-3:] for t in texts(figure) if t.startswith("int")} == {"one", "two"}
    assert not outside(figure)


def test_blank_tokens_can_be_seen():
    labels = (("", " "), ("a", "b"))
    assert {"∅", "␣"} <= set(texts(figure_of(computation(2, labels=labels))))


@pytest.mark.parametrize("width", ["60mm", "85mm"])
@pytest.mark.parametrize("example", ["four-words", "two-heads", "narrow-keys"])
def test_every_text_of_an_operation_is_inside_the_figure(example, width):
    what = Computation.of(load_example(example))
    for step in what.trace:
        figure = figure_of(what, width, view="how", step=step)
        assert not outside(figure), step


# Rows of Q and columns of Kᵀ; rows and columns of two matrices below each other.
@pytest.mark.parametrize(("step", "lines"), [("scores", 2), ("masked", 4)])
def test_an_operation_in_a_column_has_every_label(step, lines):
    what = Computation.of(load_example("two-heads"))
    figure = figure_of(what, "85mm", view="how", step=step, head=1)
    found = texts(figure)
    for token in what.labels.of("queries"):
        assert found.count(token) == lines, token
    assert not overlapping(figure)
    assert not outside(figure)


def test_an_operation_in_a_column_has_every_term_of_its_sums():
    what = Computation.of(load_example("two-heads"))
    figure = figure_of(what, "85mm", view="how", step="output")
    shapes = [cells.colors.shape[:2] for cells in matrices(figure)]
    assert shapes == [(7, 8), (8, 8), (7, 8)]


@pytest.mark.parametrize("width", ["70mm", "85mm"])
def test_an_operation_that_leaves_something_out_says_so(width):
    what = computation(64)
    found = texts(figure_of(what, width, view="how", step="scores"))
    told = " ".join(found).replace(",", "")
    assert "1 of 64 rows 12 of 64 columns" in told
    found = texts(figure_of(what, "85mm", view="how"))
    assert any(text.endswith(" of 64 keys") for text in found)


def test_an_operation_is_as_wide_as_the_page_where_a_column_would_leave_something_out():
    assert figure_of(computation(16), view="how", step="scores").width == COLUMN
    figure = figure_of(computation(24), view="how", step="scores")
    assert figure.width == pytest.approx(PAGE)
    assert figure.complete


def test_an_operation_names_weights_with_subscripts_and_tokens_as_they_are():
    what = Computation.of(load_example("two-heads"))
    figure = figure_of(what, "85mm", view="how", step="output")
    assert not any("_" in text for text in texts(figure))
    base, letter = (
        next(t for t in texts_of(figure.elements) if t.text == name)
        for name in ("W", "O")
    )
    assert letter.size < base.size
    assert letter.y > base.y
    right = outline(figure, base).boundingRect().right()
    assert 0 <= outline(figure, letter).boundingRect().left() - right < 1
    tokens = ("loss_fn", "x_train")
    named = figure_of(computation(2, labels=(tokens, tokens)), "85mm", view="how")
    assert "loss_fn" in texts(named)


def test_below_the_operation_of_a_head_is_no_empty_room():
    what = Computation.of(load_example("two-heads"))
    figure = figure_of(what, "85mm", view="how", step="heads", head=1)
    bottoms = [cells.y + cells.height for cells in matrices(figure)]
    assert figure.height - max(bottoms) < 20.0
