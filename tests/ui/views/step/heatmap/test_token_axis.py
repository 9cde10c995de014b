import sys
from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from attnviewer.ui.paint.elision import elided
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.step.heatmap.placed_label import SPACE
from attnviewer.ui.views.step.heatmap.token_axis import TokenAxis

LENGTH = 600.0


def axis_of(edge, labels, *, along=LENGTH, most=300.0, pixels=13):
    axis = TokenAxis(edge)
    font = QFont()
    font.setPixelSize(pixels)
    axis.set_labels(labels, "keys", font)
    extent = axis.extent(along / len(labels), most)
    if edge == "top":
        axis.setGeometry(QRectF(0, 0, along, extent))
    else:
        axis.setGeometry(QRectF(0, 0, extent, along))
    axis.set_range(0, len(labels))
    return axis


def tokens(kind, count):
    words = {
        "short": ["a", "of", "it"],
        "long": ["internationalization", "deoxyribonucleic acid", "attention"],
        "mixed": ["", "a", "counterrevolutionaries", "\n", "語彙", "the"],
    }[kind]
    return [words[index % len(words)] for index in range(count)]


def overlap(one, other, font):
    """Return whether the letters of two labels overlap, turned back to be level."""
    level = QTransform().rotate(one.turn)
    shapes = []
    for label in (one, other):
        rect = level.map(label.outline).boundingRect()
        font = QFont(font)
        while QFontMetricsF(font).height() > label.size.height() + 1e-6:
            font.setPixelSize(font.pixelSize() - 1)
        metrics = QFontMetricsF(font)
        ink = metrics.tightBoundingRect(label.text)
        above = rect.top() + metrics.ascent() + ink.top()
        shapes.append(QRectF(rect.left(), above, rect.width(), ink.height()))
    return shapes[0].intersects(shapes[1])


COUNTS, ROOM, FONTS = [1, 4, 40, 400], [60.0, 233.0, LENGTH, 1900.0], [10, 13, 20, 26]


@pytest.mark.parametrize(
    ("count", "along", "pixels"),
    # each size of the font with each number of labels, and in each room
    [
        (count, along, FONTS[(i + j) % 4])
        for i, count in enumerate(COUNTS)
        for j, along in enumerate(ROOM)
    ],
)
@pytest.mark.parametrize("kind", ["short", "long", "mixed"])
@pytest.mark.parametrize("edge", ["left", "top"])
def test_labels_never_overlap(qapp, edge, kind, count, along, pixels):
    axis = axis_of(edge, tokens(kind, count), along=along, pixels=pixels)
    placed = axis.placed()
    assert placed
    for one, other in pairwise(placed):
        assert not overlap(one, other, axis.font())
    room = QRectF(axis.rect())
    for label in placed:
        across = label.rect if edge == "left" else label.rect.transposed()
        limit = room if edge == "left" else room.transposed()
        assert across.left() >= limit.left() - 0.5 or label.rect.top() >= -0.5
        if edge == "left":
            assert label.rect.left() >= -0.5
        else:
            assert label.rect.top() >= -0.5


@pytest.mark.parametrize("count", [4, 40, 400])
@pytest.mark.parametrize("edge", ["left", "top"])
def test_labels_are_centred_on_their_cells(qapp, edge, count):
    for label in axis_of(edge, tokens("long", count)).placed():
        centre = label.rect.center() if label.turn != 45 else label.start
        along = centre.y() if edge == "left" else centre.x()
        assert along == pytest.approx((label.index + 0.5) * LENGTH / count, abs=0.6)


@pytest.mark.parametrize("edge", ["left", "top"])
def test_where_there_is_room_every_label_is_there_in_full(qapp, edge):
    labels = [f"word {number}" for number in range(4)]
    assert [label.text for label in axis_of(edge, labels).placed()] == labels


def test_where_it_is_tight_every_kth_label_is_drawn(qapp):
    placed = axis_of("left", tokens("short", 400)).placed()
    strides = {other.index - one.index for one, other in pairwise(placed)}
    assert len(strides) == 1
    assert strides.pop() in {10, 20}


def test_long_labels_are_shortened_to_the_room_there_is(qapp):
    label = "pneumonoultramicroscopicsilicovolcanoconiosis"
    (placed,) = axis_of("left", [label], along=100).placed()
    assert placed.text.endswith("…")
    assert placed.rect.width() <= 150


def test_labels_that_differ_at_their_ends_do_when_they_are_shortened(qapp):
    labels = [f"representation {number}" for number in range(5)]
    texts = [label.text for label in axis_of("left", labels, most=60.0).placed()]
    assert all("…" in text for text in texts)
    assert len(set(texts)) == len(labels)


def test_where_a_letter_alone_has_room_it_is_one_that_tells_labels_apart(qapp):
    labels = ["#60", "#86", "#81"]
    metrics = QFontMetricsF(QFont())
    room = max(metrics.horizontalAdvance(f"…{number}") for number in range(10)) + 1
    texts = elided(labels, metrics, room)
    assert all(metrics.horizontalAdvance(text) <= room for text in texts)
    assert len(set(texts)) == len(labels)
    same = elided(["same one", "same one"], metrics, room)
    assert same[0] == same[1]


def test_labels_that_fit_their_columns_in_small_letters_are_whole(qapp):
    labels = [f"token {number}" for number in range(5)]
    for along in range(150, 450):
        axis = axis_of("top", labels, along=along, most=40.0)
        if axis.turn == 0 and len(axis.placed()) == len(labels):
            assert [label.text for label in axis.placed()] == labels


def test_numbers_of_features_stay_upright_where_words_would_turn(qapp):
    axis = axis_of("top", [str(number) for number in range(64)])
    assert axis.size().height() < 50
    for label in axis.placed():
        assert label.rect.width() > label.rect.height() or len(label.text) < 3


def test_zoomed_in_only_labels_in_sight_are_placed(qapp):
    axis = axis_of("left", tokens("short", 400))
    axis.set_range(100, 110)
    assert [label.index for label in axis.placed()] == list(range(100, 110))


def test_no_room_at_all_is_no_error(qapp):
    axis = axis_of("left", tokens("long", 40), along=0.0, most=0.0)
    assert axis.placed() == []


@pytest.mark.parametrize(
    ("columns", "turn"),
    # Each is a share of the text's width, or of the height of its line.
    [
        ((2.2, 0), 0),
        ((1.2, 0), 0),
        ((0.95, 0), 45),
        ((0, 1.4), 45),
        ((0, 1.15), 90),
        ((0, 0.5), 90),
    ],
)
def test_labels_of_narrower_columns_are_first_slanted_then_upright(qapp, columns, turn):
    labels, font = ["because"] * 8, QFont()
    font.setPixelSize(13)
    metrics = QFontMetricsF(font)
    wide, high = columns
    column = wide * metrics.horizontalAdvance(labels[0]) + high * metrics.height()
    axis = axis_of("top", labels, along=column * len(labels))
    assert axis.turn == turn


def test_labels_get_smaller_before_any_is_left_out(qapp):
    font = QFont()
    font.setPixelSize(16)
    line = QFontMetricsF(font).height()
    labels = ["because"] * 20
    seen = []
    for column in range(30, 4, -1):
        axis = axis_of("top", labels, along=20.0 * column, pixels=16)
        placed = axis.placed()
        seen.append((placed[0].size.height() / line, len(placed) == len(labels)))
    assert seen[0] == (1.0, True)
    assert min(size for size, whole in seen if whole) < 0.85
    # What is left out is left out at the smallest size only.
    assert {size for size, whole in seen if not whole} == {min(seen)[0]}
    assert min(seen)[0] >= 0.7


@pytest.mark.parametrize("edge", ["left", "top"])
def test_letters_may_be_as_close_as_lines_of_them_have_empty_space(qapp, edge):
    font = QFont()
    font.setPixelSize(20)
    line = QFontMetricsF(font).height()
    smallest = 0.75 * line  # the least size at which labels are drawn
    lower, higher = ["nose"] * 12, ["Ångström(g)|"] * 12
    for labels, fitting in ((lower, True), (higher, False)):
        along = 12 * 0.8 * smallest
        placed = axis_of(edge, labels, along=along, pixels=20).placed()
        assert (len(placed) == 12) == fitting, labels[0]


def test_columns_keep_as_many_labels_as_rows_of_their_size(qapp):
    labels = ["because"] * 24
    for cell in range(8, 20):
        columns = axis_of("top", labels, along=24.0 * cell).placed()
        rows = axis_of("left", labels, along=24.0 * cell).placed()
        assert len(columns) == len(rows), cell


def test_the_label_of_the_selected_column_is_there_where_others_are_left_out(qapp):
    axis = axis_of("top", tokens("short", 400))
    assert 7 not in [label.index for label in axis.placed()]
    axis.set_chosen(7)
    placed = axis.placed()
    assert 7 in [label.index for label in placed]
    for one, other in pairwise(placed):
        assert not overlap(one, other, axis.font())


AROUND = 200
"""Pixels around an axis that is painted alone."""


def inked(axis):
    """Return the pixels that an axis paints, in its coordinates."""
    axis.set_theme(LIGHT)
    size = axis.size().toSize()
    size += QSize(2 * AROUND, 2 * AROUND)
    image = QImage(size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.translate(AROUND, AROUND)
    axis.paint(painter, QStyleOptionGraphicsItem())
    painter.end()
    return [
        (x - AROUND, y - AROUND)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y).alpha() > 40
    ]


@pytest.mark.parametrize("word", ["because", "السجادة", "שלום"])
def test_the_bold_label_of_the_chosen_row_stays_off_the_cells(qapp, word):
    axis = axis_of("left", [word, "a"], along=80)
    axis.set_chosen(0)
    right = max(x for x, _ in inked(axis))
    assert right <= axis.size().width() - SPACE + 1


def test_the_bold_label_of_the_chosen_row_is_shortened_as_bold_letters_need(qapp):
    axis = axis_of("left", ["il" * 90, "a"], along=80)
    axis.set_labels(["il" * 90, "a"], "", axis.font())
    axis.set_chosen(0)
    assert min(x for x, _ in inked(axis)) >= 0


def test_a_column_name_that_just_fits_is_not_shortened_once_it_is_chosen(qapp):
    names = [f"word {number}" for number in range(4)]
    font = axis_of("top", names).font()
    widest = max(map(QFontMetricsF(font).horizontalAdvance, names))
    axis = axis_of("top", names, along=4 * (widest + SPACE))
    axis.set_chosen(3)
    assert [label.text for label in axis.placed()] == names


def test_the_title_in_the_corner_stays_above_the_label_of_a_low_first_row(
    qapp, monkeypatch
):
    monkeypatch.setattr(sys.modules[__name__], "AROUND", 40)
    words = [f"t{k}" for k in range(500)]
    axis = axis_of("left", words, along=20)
    axis.set_name_in_corner(True)
    axis.set_head_room(40)
    axis.set_chosen(0)
    axis.set_labels(words, "", axis.font())
    labels = set(inked(axis))
    axis.set_labels(words, "q", axis.font())
    title = set(inked(axis)) - labels
    assert title
    assert max(y for _, y in title) < min(y for _, y in labels)


def test_titles_in_the_corner_take_no_height_and_stay_out_of_the_labels(qapp):
    words = tokens("mixed", 6)
    above, corner = TokenAxis("top"), TokenAxis("top")
    corner.set_name_in_corner(True)
    font = QFont()
    extents = []
    for axis in (above, corner):
        axis.set_labels(words, "keys", font)
        extents.append(axis.extent(40.0, 120.0))
    line = QFontMetricsF(font).height()
    assert extents[1] <= extents[0] - line
    corner.set_range(0, 6)
    corner.setGeometry(QRectF(0, 0, 240, extents[1]))
    title = [x for x, _ in inked(corner) if x < -SPACE]
    assert title
    corner.set_labels(words, "", font)
    assert not [x for x, _ in inked(corner) if x < -SPACE]


def test_labels_of_magnified_columns_are_level_once_they_fit(qapp):
    names = [f"tok{100_000 + index}" for index in range(2000)]
    axis = axis_of("top", names, most=60.0)
    axis.placed()
    assert axis.turn == 90
    axis.set_range(500, 506)
    assert [(label.text, label.turn) for label in axis.placed()] == [
        (name, 0) for name in names[500:506]
    ]
    axis.set_range(0, len(names))
    axis.placed()
    assert axis.turn == 90


def test_slanted_labels_of_magnified_columns_are_whole_where_small_letters_fit(qapp):
    labels = [f"token {index}" for index in range(20_000)]
    axis = axis_of("top", labels, pixels=20)
    axis.set_range(5193, 5202)
    placed = axis.placed()
    assert [label.turn for label in placed] == [45] * 9
    assert [label.text for label in placed] == labels[5193:5202]


@pytest.mark.parametrize("row", [20.0, 0.2])
def test_titles_in_the_corner_stay_apart_above_level_labels(qapp, monkeypatch, row):
    monkeypatch.setattr(sys.modules[__name__], "AROUND", 50)
    font, height = QFont(), 20
    font.setPixelSize(20)
    words = ["d"] * round(height / row)
    rows, columns = TokenAxis("left"), TokenAxis("top")
    for axis, labels, name in ((rows, words, "queries"), (columns, ["a"], "keys")):
        axis.set_name_in_corner(True)
        axis.set_labels(labels, name, font)
        axis.set_range(0, len(labels))
    above = columns.extent(20, 200, rows.overhang(row))
    beside = rows.extent(row, 200)
    columns.setGeometry(QRectF(0, 0, 20, above))
    rows.setGeometry(QRectF(0, 0, beside, height))
    rows.set_head_room(above)
    titles = []
    for axis, labels, top in ((columns, ["a"], -above), (rows, words, 0.0)):
        with_title = set(inked(axis))
        axis.set_labels(labels, "", font)
        titles.append({y + top for _, y in with_title - set(inked(axis))})
    upper, lower = titles
    assert max(upper) < min(lower)
    assert max(lower) < min(y for _, y in inked(rows))
