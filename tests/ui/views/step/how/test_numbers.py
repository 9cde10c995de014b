"""Numbers in the cells of pictures."""

import numpy as np
from PySide6.QtGui import QFont, QGuiApplication

from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.numbers import fitted_numbers

SCORES = np.array([[-2.25, 11.25], [6.75, 0.0]])


def fitted(pixels, cell, values=SCORES):
    font = QFont(QGuiApplication.font())
    font.setPixelSize(pixels)
    return fitted_numbers(values, None, cell, Measures(font))


def test_numbers_of_large_texts_get_smaller_before_they_are_left_out(qapp):
    usual, large = fitted(13, 38), fitted(20, 38)
    assert large.texts == (("−2.2", "11.2"), ("6.8", "0"))
    # Three quarters of 11 pixels at the size 20 instead of 13.
    assert 12.6 < large.size < 16
    # The same digits in letters of the usual size, which never get smaller.
    assert 11 <= usual.size < large.size + 1
    # Tens are written without decimals before they are left out.
    assert fitted(13, 26).texts == fitted(20, 26).texts == (("−2", "11"), ("7", "0"))
    assert fitted(13, 14).texts == ()
    assert fitted(20, 14).texts == ()
    assert fitted(20, 28, SCORES / 2).texts == (("−1", "6"), ("3", "0"))
    assert fitted(13, 26, SCORES / 10).texts == ()
    # Nothing but “·” tells nothing.
    assert fitted(13, 16, np.full((2, 2), 0.03)).texts == ()


def test_numbers_in_small_cells_are_clear_of_a_frame_around_them(qapp):
    shares = np.array([[0.957, 0.011], [0.002, 0.95]])
    measures = Measures(QGuiApplication.font())
    for cell in range(34, 60):
        numbers = fitted_numbers(shares, None, cell, measures)
        widest = max(
            measures.width(text, numbers.size, "number")
            for row in numbers.texts
            for text in row
        )
        # The frame and its halo reach 3.5 pixels into the cell on either side.
        assert widest <= cell - 7
