"""Balloons are placed beside their targets, inside the window."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize, Qt

from attnviewer.ui.tour.placing import place_beside

ROOM = QRect(0, 0, 1000, 600)
SIZE = QSize(200, 100)


def test_a_balloon_goes_right_of_its_target_if_there_is_room():
    corner, edge = place_beside(SIZE, QRect(0, 100, 300, 200), ROOM)
    assert (corner, edge) == (QPoint(300, 149), Qt.Edge.LeftEdge)


def test_else_it_goes_to_the_left_then_below_then_above():
    assert place_beside(SIZE, QRect(700, 0, 300, 600), ROOM)[1] == Qt.Edge.RightEdge
    assert place_beside(SIZE, QRect(0, 0, 1000, 200), ROOM)[1] == Qt.Edge.TopEdge
    assert place_beside(SIZE, QRect(0, 300, 1000, 300), ROOM)[1] == Qt.Edge.BottomEdge


def test_without_room_beside_it_or_without_a_target_it_points_to_nothing():
    for target in (ROOM, QRect()):
        corner, edge = place_beside(SIZE, target, ROOM)
        assert edge is None
        middle = QRect(corner, SIZE).center() - ROOM.center()
        assert abs(middle.x()) <= 1
        assert abs(middle.y()) <= 1


numbers = st.integers(-200, 1400)


@given(numbers, numbers, st.integers(1, 1500), st.integers(1, 900))
def test_it_is_inside_the_window_and_never_hides_what_it_points_to(x, y, width, height):
    target = QRect(x, y, width, height)
    corner, edge = place_beside(SIZE, target, ROOM)
    assert ROOM.contains(QRect(corner, SIZE))
    if edge is not None:
        assert not QRect(corner, SIZE).intersects(target)
