"""How much of its room a picture of an operation fills."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Pin, Spec
from attnviewer.document import Document, Replace, spec_edit
from attnviewer.io import load
from attnviewer.ui.state.live import Veil
from attnviewer.ui.views.step.how.drawing import Text

LEAST_SHARE = 0.7
"""Of the room, for the picture."""


def test_titles_stand_beside_labels_where_height_limits_the_matrices(drawn):
    width, height = room = 620, 250
    drawing, _ = drawn(load("example:look-back"), "scaled", (4, 3), room=room)
    before, after = drawing.sheets
    bounds = drawing.bounds
    assert bounds.width() * bounds.height() >= LEAST_SHARE * width * height
    texts = {shape.text: shape for shape in drawing.shapes if isinstance(shape, Text)}
    for sheet in (before, after):
        title = texts[sheet.step].rect
        assert title.right() < sheet.rect.left()
        assert title.bottom() <= sheet.rect.top()
        assert title.intersects(title.united(texts["learn"].rect))
    assert texts["scaled"].rect.left() > before.rect.right()


@pytest.mark.parametrize("pins", [(), (Pin("biased", 2, 1, 9.0),)])
def test_below_matrices_that_are_added_stands_the_sum_of_the_selected_cell(drawn, pins):
    document = load("example:four-words")
    spec = replace(document.spec, bias=True, pins=pins)
    document.apply(spec_edit(document, spec, "Change"))
    bias = np.arange(16.0).reshape(4, 4) / 8
    document.apply(Replace("", matrices={"bias": bias}))
    drawing, trace = drawn(document, "biased", (2, 1), room=(560, 320))
    lowest = max(sheet.rect.bottom() for sheet in drawing.sheets)
    texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    below = [text for text in texts if text.rect.bottom() > lowest + 10]
    if pins:  # which is no sum
        assert not below
        return
    below.sort(key=lambda text: text.rect.center().x())
    one, plus, other, equals, total = (text.text for text in below)
    assert (plus, equals) == ("+", "=")
    scaled = float(trace["scaled"][2, 1])
    assert float(one) == pytest.approx(scaled, abs=5e-5)
    assert float(other) == 9 / 8
    assert float(total) == pytest.approx(scaled + 9 / 8, abs=5e-5)
    drawing, _ = drawn(document, "biased", (2, 1), room=(620, 382))
    assert share_of(drawing, 620, 382) >= LEAST_SHARE


@pytest.mark.parametrize("room", [(753, 382), (1000, 600), (2600, 1600)])
def test_an_input_fills_its_room_with_what_is_computed_from_it(drawn, room):
    document = load("example:four-words")
    drawing, trace = drawn(document, "X", (2, 1), room=room)
    assert share_of(drawing, *room) >= LEAST_SHARE
    assert drawing.covers == {"X", "W_Q", "Q", "W_K", "K", "W_V", "V"}
    for sheet in drawing.sheets:
        np.testing.assert_array_equal(sheet.values, trace[sheet.step])
    (largest, *others) = (sheet.cell for sheet in drawing.sheets)
    assert max(others) < largest
    # While a task asks for Q and K, they are not there to be read.
    withheld = Veil(frozenset({"Q", "K"}))
    drawing, _ = drawn(document, "X", (2, 1), room=room, veil=withheld)
    assert drawing.covers - {"W_V"} == {"X", "V"}


def share_of(drawing, width, height):
    return drawing.bounds.width() * drawing.bounds.height() / (width * height)


def test_additive_scores_of_five_tokens_have_their_numbers_in_a_small_window(drawn):
    names = ("W_Q", "W_K", "W_V", "w_q", "w_k")
    matrices = dict.fromkeys(names, 1.5 * np.eye(4))
    matrices |= {"X": np.cos(np.arange(20.0)).reshape(5, 4), "v": np.ones((1, 4))}
    document = Document("Additive", list("abcde"), matrices, Spec(score="additive"))
    drawing, _ = drawn(document, "scores", (1, 2), room=(750, 378))
    by_step = {sheet.step: sheet for sheet in drawing.sheets}
    assert by_step["scores"].values.shape == (5, 5)
    assert {"Q w_q", "K w_k", "v", "scores", "weights"} <= {*by_step}
    for sheet in drawing.sheets:
        assert sheet.size  # 0 without numbers
