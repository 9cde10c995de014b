import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont

from attnviewer.ui.views.step.heads.token_names import token_names

LABELS = ["The", "cat"], ["The", "cat"]


def names_in(side, labels=LABELS, pixels=13):
    font = QFont()
    font.setPixelSize(pixels)
    return token_names(labels, QSize(side, side), font)


@pytest.mark.parametrize(("side", "pixels"), [(60, 13), (14, 11), (12, 9)])
def test_names_are_as_large_as_the_cells_allow_but_no_larger_than_usual(
    qapp, side, pixels
):
    assert names_in(side).font.pixelSize() == pixels


def test_names_below_nine_pixels_are_left_out(qapp):
    assert names_in(11) is None


def test_names_of_columns_are_turned_where_they_do_not_fit(qapp):
    assert not names_in(60).upright
    assert names_in(16).upright
    assert names_in(16).room.height() > names_in(60).room.height()


def test_long_names_do_not_take_the_room_of_the_picture(qapp):
    long = ["pneumonoultramicroscopicsilicovolcanoconiosis"]
    assert names_in(30, (long, long)).room.width() <= 6 * 13 + 3
