"""What is said below the cells: column sums, marked cells, filters and odd cells."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QGraphicsSceneHoverEvent

from attnviewer.compute import InMemory, Overview, finite_limits
from attnviewer.compute.windowed.blocks import Means
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.looks import AtLeast, Largest, Look
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.state.selection import Marked


def show(
    heatmap,
    values,
    *,
    look=AUTOMATIC,
    hidden=None,
    step="weights",
    signed=False,
    overview=None,
):
    values = np.asarray(values)
    rows, columns = (tuple(f"t{i}" for i in range(n)) for n in values.shape)
    scale = scale_for(finite_limits(values), signed=signed, theme=LIGHT, look=look)
    content = StepContent(
        *(step, InMemory(values, hidden), scale, ("queries", "keys"), rows, columns),
        look,
        overview,
        signed=signed,
    )
    heatmap.show_content(content, LIGHT)


def said(heatmap):
    return [entry.text for entry in heatmap.footer.caption.entries]


def test_each_key_is_told_how_much_attention_it_receives(heatmap):
    show(heatmap, [[0.5, 0.5], [0.25, 0.75]])
    assert heatmap.footer.sums.isVisible()
    assert heatmap.footer.sums.texts() == ["0.750", "1.250"]
    assert heatmap.footer.sums.geometry().left() == heatmap.box.geometry().left()
    assert heatmap.footer.sums.geometry().right() == heatmap.box.geometry().right()
    show(heatmap, [[1.0, 3.9e-5, 0.0]])
    assert heatmap.footer.sums.texts() == ["1.000", "·", "0.000"]
    show(heatmap, [[0.5, 0.5], [0.25, 0.75]], step="scores")
    assert not heatmap.footer.sums.isVisible()


def test_the_power_of_ten_is_that_of_all_numbers_even_masked_ones(heatmap):
    factors = {2e-7: ["numbers × 10⁻⁹"], 5.0: [], -4e7: ["numbers × 10⁶"]}
    for number, factor in factors.items():
        values = np.array([[number, 1e-9], [np.nan, 1e-9]])
        show(heatmap, values, step="scores", signed=True, hidden=values == number)
        assert [text for text in said(heatmap) if "numbers" in text] == factor


def test_a_row_with_nan_or_infinity_counts_in_no_sum_and_is_told(heatmap):
    sums = heatmap.footer.sums
    show(heatmap, [[0.5, 0.5], [0.25, 0.75], [np.nan, 0.5], [np.inf, 0.0]])
    assert sums.texts() == ["0.750", "1.250"]
    event = QGraphicsSceneHoverEvent()
    event.setPos(QPointF(2, 2))
    sums.hoverMoveEvent(event)
    assert sums.toolTip() == (
        "The weights of this key add up to 0.75 over all queries.\n"
        "2 rows hold NaN or infinite numbers, and are left out."
    )
    show(heatmap, [[0.5, 0.5], [0.25, 0.75]])
    sums.hoverMoveEvent(event)
    assert sums.toolTip().endswith("over all queries.")


def bar_lengths(heatmap):
    """Return the height of the bar below each pixel of the cells, in pixels."""
    picture = heatmap.grab().toImage()
    sums = heatmap.footer.sums.geometry().toRect()
    ground = picture.pixel(sums.left(), sums.top())  # between cells and bars
    return [
        sum(picture.pixel(x, sums.top() + y) != ground for y in range(4, 18))
        for x in range(sums.left(), sums.right() + 1)
    ]


def test_a_bar_is_as_long_as_its_share_of_the_largest_sum(heatmap):
    show(heatmap, [[0.0, 0.25, 0.75], [0.0, 0.25, 0.75]])
    lengths = bar_lengths(heatmap)
    third = len(lengths) // 3
    nothing, short, long = (
        lengths[i * third + 5 : (i + 1) * third - 5] for i in range(3)
    )
    assert set(nothing) == {0}
    assert set(long) == {max(lengths)}
    assert len(set(short)) == 1
    assert short[0] / long[0] == pytest.approx(1 / 3, abs=0.08)


@pytest.mark.parametrize("column", [0, 1234, 2999, 3000])
def test_a_lone_column_that_shares_its_pixel_keeps_its_bar(heatmap, column):
    values = np.zeros((2, 3001))
    values[:, column] = 1.0
    show(heatmap, values)
    lengths = bar_lengths(heatmap)
    assert len([long for long in lengths if long]) == 1
    place = next(x for x, long in enumerate(lengths) if long)
    assert place == pytest.approx((column + 0.5) / 3001 * len(lengths), abs=1)


@pytest.mark.parametrize("values", [[[1.0]], [[0.5, 0.5]]])
def test_the_first_and_the_last_bar_reach_to_the_edges_of_the_cells(heatmap, values):
    show(heatmap, values)
    lengths = bar_lengths(heatmap)
    assert lengths[0] == lengths[-1] == max(lengths) > 0


def test_a_bar_that_begins_out_of_sight_has_no_gap_within_its_column(heatmap):
    show(heatmap, np.full((4, 4), 0.25))
    heatmap.box.setRange(xRange=(0.5, 3.0), padding=0)
    lengths = bar_lengths(heatmap)
    column = len(lengths) / 2.5
    assert set(lengths[: round(column / 2) - 3]) == {max(lengths)}


def test_a_plain_heatmap_says_nothing(heatmap):
    show(heatmap, [[0.5, 0.5], [1.0, 0.0]])
    assert said(heatmap) == []


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (Marked(frozenset({0, 2})), "2 rows: 4 cells · sum 12 · mean 3"),
        (Marked(frozenset(), frozenset({1})), "1 column: 3 cells · sum 12 · mean 4"),
        (
            Marked(frozenset({1}), frozenset({0, 1})),
            "1 row × 2 columns: 2 cells · sum 9 · mean 4.5",
        ),
    ],
)
def test_marked_cells_are_counted_and_added_up(heatmap, marked, text):
    show(heatmap, [[1.0, 2], [3, 6], [5, 4]], step="scores", signed=True)
    heatmap.mark(marked)
    assert said(heatmap) == [text]
    heatmap.mark(Marked())
    assert said(heatmap) == []


def test_masked_cells_are_not_among_those_added_up(heatmap):
    hidden = np.array([[False, True], [False, False]])
    show(heatmap, [[1.0, -np.inf], [2, 3]], hidden=hidden, step="masked", signed=True)
    heatmap.mark(Marked(frozenset({0, 1})))
    assert said(heatmap) == ["2 rows: 3 cells · sum 6 · mean 2"]


@pytest.mark.parametrize(
    ("filter_", "text", "dimmed"),
    [
        (AtLeast(0.1), "3 of 6 cells shown: ≥ 0.1", [(0, 1), (0, 2), (1, 2)]),
        (
            Largest(1),
            "2 of 6 cells shown: the largest of each row",
            [(0, 1), (0, 2), (1, 1), (1, 2)],
        ),
    ],
)
def test_a_filter_dims_the_rest_and_says_so(heatmap, filter_, text, dimmed):
    values = [[0.9, 0.07, 0.03], [0.6, 0.35, 0.05]]
    show(heatmap, values, look=Look(filter=filter_))
    assert text in said(heatmap)
    picture = heatmap.grab().toImage()
    for row in range(2):
        for column in range(3):
            corner = heatmap.cell_rect((row, column)).topLeft().toPoint()
            color = picture.pixelColor(corner.x() + 9, corner.y() + 9)
            assert (color.lightness() > 200) == ((row, column) in dimmed)
    assert len(heatmap.cells.texts()) == 6 - len(dimmed)


def test_odd_cells_have_a_legend_only_where_there_are_some(heatmap):
    values = np.array([[np.nan, np.inf, -np.inf], [2.0, -1.0, 0.5]])
    hidden = np.zeros((2, 3), bool)
    hidden[1, 2] = True
    show(heatmap, values, look=Look(policy="unit"), hidden=hidden, step="scores")
    expected = ["NaN, ∞, −∞", "above 1", "below 0", "masked"]
    assert said(heatmap) == expected
    show(heatmap, [[0.0, 1.0]], look=Look(policy="unit"), step="scores")
    assert said(heatmap) == []


def test_odd_cells_are_told_apart_even_where_a_cell_is_a_pixel(heatmap):
    values = np.full((600, 600), 0.5)
    odd = {
        (100, 100): (np.nan, LIGHT.off_scale),
        (200, 200): (np.inf, LIGHT.off_scale),
        (300, 300): (-np.inf, LIGHT.off_scale),
        (400, 400): (7.0, "#00e5ff"),
        (500, 500): (-7.0, "#8a5a00"),
    }
    for cell, (value, _) in odd.items():
        values[cell] = value
    # A lone −∞ loses against its neighbours in a block; a block of them does not.
    values[296:304, 296:304] = -np.inf
    heatmap.resize(800, 700)
    show(heatmap, values, look=Look(policy="unit"), step="scores")
    picture = heatmap.grab().toImage()
    for cell, (_, color) in odd.items():
        place = heatmap.cell_rect(cell).center().toPoint()
        around = {
            picture.pixelColor(place.x() + dx, place.y() + dy).name()
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        }
        assert color in around


@pytest.mark.parametrize(
    ("look", "signed", "text"),
    [
        (Look(), False, "maximum of 2×2 cells"),
        (Look(pooling="mean"), False, "mean of 2×2 cells"),
        (Look(), True, "largest magnitude of 2×2 cells"),
    ],
)
def test_cells_that_share_a_pixel_are_said_to(heatmap, look, signed, text):
    heatmap.resize(700, 700)
    show(heatmap, np.zeros((900, 900)), look=look, signed=signed, step="other")
    assert said(heatmap) == [text]
    heatmap.box.setRange(xRange=(0, 50), yRange=(0, 50), padding=0)
    assert said(heatmap) == []


def test_a_large_step_is_gone_over_bit_by_bit_and_only_while_it_is_seen(heatmap, qtbot):
    values = np.zeros((1100, 1000))
    values[:, 7] = 1.0
    show(heatmap, values)
    assert heatmap.footer.reader.facts is None
    heatmap.hide()
    with qtbot.assertNotEmitted(heatmap.footer.reader.found, wait=200):
        pass
    with qtbot.waitSignal(heatmap.footer.reader.found):
        heatmap.show()
    sums = heatmap.footer.reader.column_sums
    assert sums[7] == 1100
    assert sums.sum() == 1100

    the_sums_stay_while_other_marks_and_colours_have_it_read_again(heatmap)


def the_sums_stay_while_other_marks_and_colours_have_it_read_again(heatmap):
    reader, content = heatmap.footer.reader, heatmap.content
    sums = reader.column_sums
    heatmap.mark(Marked(columns=frozenset({7})))
    assert reader.facts is None
    assert reader.column_sums is sums
    heatmap.show_content(replace(content, look=Look(filter=Largest(3))), LIGHT)
    assert reader.facts is None
    assert reader.column_sums is sums
    show(heatmap, content.matrix.window())
    assert reader.column_sums is None


def test_everything_said_has_room(heatmap):
    values = np.array([[np.nan, np.inf, -np.inf], [2.0, -1.0, 0.5]])
    for width in (300, 500, 900):
        heatmap.resize(width, 600)
        look = Look(policy="unit", filter=AtLeast(0.1))
        show(heatmap, values, look=look, step="scores")
        room = heatmap.footer.caption.geometry()
        assert room.bottom() <= 600
        places = [place for _, place in heatmap.footer.caption.placed(room.width())]
        assert all(place.right() <= room.width() + 1 for place in places)
        assert places[-1].bottom() <= room.height() + 0.01
        for k, place in enumerate(places):
            assert not any(place.intersects(other) for other in places[:k])


@pytest.mark.parametrize(
    ("pooling", "color"),
    # The ends of viridis, and a quarter of the way from one to the other.
    [("extreme", (253, 231, 37)), ("mean", (58, 82, 139))],
)
def test_a_block_has_the_colour_of_its_largest_cell_or_of_its_mean(
    heatmap, pooling, color
):
    heatmap.resize(700, 700)
    values = np.zeros((900, 900))
    values[::2, ::2] = 1.0
    show(heatmap, values, look=Look(pooling=pooling), step="other")
    place = heatmap.box.geometry().center().toPoint()
    seen = heatmap.grab().toImage().pixelColor(place).getRgb()[:3]
    assert np.abs(np.subtract(seen, color)).max() <= 2


def test_the_means_of_a_large_step_are_read_in_later_turns(heatmap, qtbot, monkeypatch):
    read, of = [], Means.of

    def count(*arguments):
        read.append(arguments)
        return of(*arguments)

    monkeypatch.setattr(Means, "of", count)
    heatmap.resize(700, 700)
    values = np.zeros((1200, 1200))
    values[::2, ::2] = 1.0
    overview = Overview(InMemory(values), 600)
    look = Look(pooling="mean")
    show(heatmap, values, look=look, step="other", overview=overview)
    assert read == []
    place = heatmap.box.geometry().center().toPoint()

    def seen():
        return heatmap.grab().toImage().pixelColor(place).getRgb()[:3]

    assert np.abs(np.subtract(seen(), (253, 231, 37))).max() <= 2
    # A quarter of the way from one end of viridis to the other.
    qtbot.waitUntil(lambda: np.abs(np.subtract(seen(), (58, 82, 139))).max() <= 2)
    assert len(read) > 1
    # From then on they are at hand.
    show(heatmap, values, look=look, step="other", overview=overview)
    assert np.abs(np.subtract(seen(), (58, 82, 139))).max() <= 2


def test_means_that_nobody_looks_at_any_more_are_not_read(heatmap, qtbot):
    values = np.zeros((1200, 1200))
    overview = Overview(InMemory(values), 600)
    look = Look(pooling="mean")
    show(heatmap, values, look=look, step="other", overview=overview)
    heatmap.forget()
    QApplication.processEvents()
    assert not overview.has_means


def test_masked_cells_do_not_count_in_a_mean(heatmap):
    heatmap.resize(700, 700)
    values = np.zeros((900, 900))
    values[::2, ::2] = 1.0
    look = Look(pooling="mean")
    show(heatmap, values, look=look, hidden=values == 0, step="other")
    place = heatmap.box.geometry().center().toPoint()
    seen = heatmap.grab().toImage().pixelColor(place).getRgb()[:3]
    assert seen == (253, 231, 37)
