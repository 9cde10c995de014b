"""Pictures of numbers at the ends of the range of floating-point numbers."""

import numpy as np
import pytest

from attnviewer.document import Replace, SetCells
from attnviewer.io import load
from attnviewer.ui.views.step.how.drawing import Panel, Text

from .conftest import bars_of

LETTERS = 20
"""Characters of a line of a sum, as wide as the rectangle of its product."""


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


def test_only_what_a_mask_hides_is_called_masked(drawn):
    document = load("example:four-words")
    document.apply(SetCells("", "X", 0, 0, np.eye(4, 3)))
    document.apply(SetCells("", "W_Q", 0, 0, np.full((1, 3), 1.7e308)))
    document.apply(SetCells("", "W_K", 0, 0, np.array([[2.0, 2, 2], [-2, -2, -2]])))
    drawing, trace = drawn(document, "weights", (0, 0))
    assert trace["scores"][0, :2].tolist() == [np.inf, -np.inf]
    labels = [bar.label for bar in bars_of(drawing)]
    assert "−∞" in labels
    assert "masked" not in labels
    drawing, _ = drawn(load("example:two-heads"), "weights", (0, 0), room=(2400, 1200))
    assert "masked" in [bar.label for bar in bars_of(drawing)]


def test_a_long_label_of_the_selected_key_stays_in_its_panel(drawn):
    document = load("example:four-words")
    long = "x" * 60
    document.apply(Replace("", tokens=["a", "b", long, "d"]))
    drawing, _ = drawn(document, "weights", (0, 2), room=(700, 500))
    (panel,) = (shape for shape in drawing.shapes if isinstance(shape, Panel))
    (label,) = (
        shape
        for shape in drawing.shapes
        if isinstance(shape, Text)
        and shape.text == long
        and shape.rect.top() > panel.rect.center().y()
        and shape.rect.right() > panel.rect.left()
    )
    assert panel.rect.contains(label.rect)


def test_long_labels_below_bars_stay_in_their_panel_and_each_is_told(drawn):
    document = load("example:four-words")
    long = [letter * 60 for letter in "abcd"]
    document.apply(Replace("", tokens=long))
    drawing, _ = drawn(document, "weights", (0, 1), room=(700, 500))
    (panel,) = (shape for shape in drawing.shapes if isinstance(shape, Panel))
    below = [
        shape
        for shape in drawing.shapes
        if isinstance(shape, Text)
        and shape.text in long
        and shape.rect.top() > panel.rect.center().y()
        and shape.rect.right() > panel.rect.left()
    ]
    assert [label.text for label in below] == long
    assert all(panel.rect.contains(label.rect) for label in below)
    lines = {label.rect.top() for label in below}
    for top in lines:
        ends = [
            x for s in below if s.rect.top() == top for x in s.rect.getCoords()[::2]
        ]
        assert ends == sorted(ends)


def test_a_product_with_a_large_exponent_stays_off_the_sign_before_it(drawn):
    document = load("example:four-words")
    for value in (-9e199, 3.0, -4e-199):
        document.apply(SetCells("", "X", 0, 0, np.array([[value, 1.0, 1.0]])))
        drawing, _ = drawn(document, "Q", (0, 0))
        texts = [
            s for s in drawing.shapes if isinstance(s, Text) and s.face == "number"
        ]
        for sign in (text for text in texts if text.text == "="):
            (product,) = (
                text
                for text in texts
                if text.rect.top() == sign.rect.top()
                and text.align == "right"
                and text.rect.right() > sign.rect.right()
            )
            long = product.rect.width() * len(product.text) / LETTERS
            assert product.rect.right() - long >= sign.rect.right() - 0.5
