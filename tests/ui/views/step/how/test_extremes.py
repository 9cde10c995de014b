"""Pictures of numbers at the ends of the range of floating-point numbers."""

import numpy as np
import pytest

from attnviewer.document import SetCells
from attnviewer.io import load


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
