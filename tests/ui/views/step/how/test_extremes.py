"""Pictures of numbers at the ends of the range of floating-point numbers."""

import numpy as np
import pytest

from attnviewer.document import SetCells
from attnviewer.io import load

from .conftest import bars_of


@pytest.mark.parametrize("value", [1e200, 1e300, -1e308, 1e-310, 0.0])
@pytest.mark.parametrize("example", ["four-words", "two-heads"])
def test_sums_that_overflow_have_a_picture_of_every_step(drawn, value, example):
    document = load(f"example:{example}")
    for name in document.matrices:
        document.apply(SetCells("", name, 0, 0, np.array([[value]])))
        document.apply(SetCells("", name, 1, 1, np.array([[-value]])))
    for step in drawn(document, "weights")[1]:
        for cell in ((0, 0), (1, 1)):
            drawing, _ = drawn(document, step, cell)
            assert step in drawing.covers


@pytest.mark.parametrize("value", [1.7e308, 5e-324])
def test_bars_of_numbers_at_the_limits_stay_in_the_picture(drawn, value):
    document = load("example:four-words")
    numbers = {"X": np.eye(4, 3), "W_Q": np.zeros((3, 3)), "W_K": np.zeros((3, 3))}
    numbers["W_Q"][0, 0] = value
    numbers["W_K"][:2, 0] = 1, -1
    for name, matrix in numbers.items():
        document.apply(SetCells("", name, 0, 0, matrix))
    drawing, trace = drawn(document, "weights", (0, 0))
    assert trace["scores"][0, :2].tolist() == [value, -value]
    bars = [bar.rect for bar in bars_of(drawing)]
    assert bars
    assert all(0 <= bar.top() <= bar.bottom() <= 660 for bar in bars)
