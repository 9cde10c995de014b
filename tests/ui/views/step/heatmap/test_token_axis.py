from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

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


@pytest.mark.parametrize("pixels", [10, 13, 20, 26])
@pytest.mark.parametrize("along", [60.0, 233.0, LENGTH, 1900.0])
@pytest.mark.parametrize("count", [1, 4, 40, 400])
@pytest.mark.parametrize("kind", ["short", "long", "mixed"])
@pytest.mark.parametrize("edge", ["left", "top"])
def test_labels_never_overlap(qapp, edge, kind, count, along, pixels):
    axis = axis_of(edge, tokens(kind, count), along=along, pixels=pixels)
    placed = axis.placed()
    assert placed
    for one, other in pairwise(placed):
        assert not one.rect.intersects(other.rect)
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
        centre = label.rect.center()
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
