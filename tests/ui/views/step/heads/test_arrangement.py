"""Where cards go: as large as can be, and all in sight if that can be."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.views.step.heads.arrangement import (
    aspect_of,
    grid,
    largest_cells,
    wall,
)

AROUND = QSize(16, 36)
NO_FOOT = QSize(0, 0)


def test_twelve_cards_are_four_by_three_in_a_wide_room() -> None:
    layout = grid(12, QSize(1150, 740), 1.0, AROUND, 128)
    assert layout.columns == 4
    last = layout.card_rect(11)
    assert last.right() <= 1150
    assert last.bottom() <= 740


def test_two_cards_stand_side_by_side_and_fill_the_width() -> None:
    layout = grid(2, QSize(800, 600), 1.0, AROUND, 128)
    assert layout.columns == 2
    assert layout.card_rect(0).left() == 12
    assert layout.card_rect(1).right() == 800 - 12 - 1
    # As high as wide, with the title above.
    assert layout.card.height() == layout.card.width() - 16 + 36


def test_cards_scroll_rather_than_be_too_small() -> None:
    room = QSize(600, 300)
    layout = grid(40, room, 1.0, AROUND, 128)
    assert layout.columns == (600 - 12) // (128 + 16 + 12)
    assert layout.card.width() - AROUND.width() >= 128
    assert layout.extent(40).height() > room.height()
    assert layout.extent(40).width() <= room.width()


@given(
    st.integers(1, 160),
    st.integers(1, 3000),
    st.integers(1, 2000),
    st.floats(0.5, 1.5),
)
def test_no_card_lies_on_another_or_beside_the_room(
    count: int, width: int, height: int, aspect: float
) -> None:
    layout = grid(count, QSize(width, height), aspect, AROUND, 100)
    rects = [layout.card_rect(number) for number in range(count)]
    for before, after in itertools.pairwise(rects):
        assert not before.intersects(after)
    if width > 100 + 16 + 2 * 12:
        assert max(rect.right() for rect in rects) < width


def test_a_wall_has_a_row_for_each_layer() -> None:
    layout = wall((12, 12), QSize(760, 760), 1.0, QSize(40, 20), NO_FOOT, 30)
    assert layout.columns == 12
    assert layout.card_rect(12).left() == layout.card_rect(0).left() == 12 + 40
    assert layout.card_rect(12).top() > layout.card_rect(0).bottom()
    assert layout.card_rect(143).bottom() <= 760
    assert layout.card.width() >= 50


def test_a_wall_without_room_scrolls() -> None:
    layout = wall((32, 32), QSize(400, 400), 1.0, QSize(40, 20), QSize(50, 16), 30)
    assert layout.card == QSize(30, 30)


def test_a_number_stands_below_the_pictures_of_a_wall_that_has_room() -> None:
    roomy = wall((6, 12), QSize(900, 700), 1.0, QSize(40, 20), QSize(50, 16), 30)
    bare = wall((6, 12), QSize(900, 700), 1.0, QSize(40, 20), NO_FOOT, 30)
    assert roomy.card == bare.card + QSize(0, 16)
    # Where heights are short, pictures are smaller for it, but not too small.
    low = wall((12, 12), QSize(1000, 1000), 1.0, QSize(40, 20), QSize(50, 16), 30)
    assert low.card == QSize(60, 60 + 16)
    assert low.card_rect(143).bottom() <= 1000
    flat = wall((12, 12), QSize(760, 760), 1.0, QSize(40, 20), QSize(50, 16), 30)
    assert flat.card.width() == flat.card.height()


@pytest.mark.parametrize(
    ("shape", "aspect"), [((4, 4), 1.0), ((2, 100), 0.5), ((100, 2), 1.5)]
)
def test_pictures_are_never_too_flat_nor_too_high(shape, aspect: float) -> None:
    assert aspect_of(shape) == aspect


def test_cells_that_can_be_seen_are_all_of_one_size() -> None:
    cells = largest_cells((16, 16), QSize(250, 300))
    assert cells.size == QSize(240, 240)
    assert largest_cells((200, 200), QSize(250, 300)).size == QSize(250, 250)


@given(st.integers(1, 90), st.integers(1, 300), st.data())
def test_each_point_of_a_cell_leads_back_to_it(
    count: int, side: int, data: st.DataObject
) -> None:
    cells = Grid(count, count, QSize(side, side))
    cell = data.draw(st.tuples(*[st.integers(0, count - 1)] * 2))
    rect = cells.cell_rect(cell)
    for corner in (rect.topLeft(), rect.bottomRight()):
        if not rect.isEmpty():
            assert cells.cell_at(corner) == cell
    assert cells.cell_at(QPoint(side, 0)) is None
    assert QRect(QPoint(), cells.size).contains(rect) or rect.isEmpty()
