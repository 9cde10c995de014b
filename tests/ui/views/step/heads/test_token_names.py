from PySide6.QtGui import QFont

from attnviewer.ui.views.step.heads.token_names import token_names

LABELS = ["The", "cat"], ["The", "cat"]


def names_of(pixels, labels=LABELS, *, upright=False):
    return token_names(labels, QFont(), pixels, upright=upright)


def test_names_fit_cells_of_a_line_and_level_ones_are_as_wide_as_the_longest(qapp):
    level, turned = names_of(12), names_of(12, upright=True)
    assert turned.cell.width() == turned.cell.height() == level.cell.height() == 15
    assert level.cell.width() >= level.room.width() > 15


def test_turned_names_stand_above_the_picture_instead(qapp):
    assert names_of(12, upright=True).room.height() > names_of(12).room.height()


def test_long_names_do_not_take_the_room_of_the_picture(qapp):
    long = ["pneumonoultramicroscopicsilicovolcanoconiosis"]
    assert names_of(13, (long, long)).room.width() <= 6 * 13 + 3
