"""Which cells of a step are pinned, read by window, and what they were before."""

import numpy as np

from attnviewer import Pin, attention
from attnviewer.compute import InMemory, StepHead, Subtraction

X = np.arange(6.0).reshape(3, 2)


def trace(*pins):
    return attention(X, X, X, scale=1.0, pins=pins)


def test_a_pinned_cell_tells_what_was_computed_and_others_nothing():
    scores = StepHead(trace(Pin("scores", 1, 2, 7.0)), "scores")
    assert scores.window()[1, 2] == 7
    assert scores.computed_value(1, 2) == 2 * 4 + 3 * 5
    assert scores.computed_value(2, 1) is None
    assert StepHead(trace(), "scores").computed_value(1, 2) is None


def test_what_was_computed_is_from_the_pins_of_earlier_steps():
    pinned = trace(Pin("scores", 0, range(3), 2.0), Pin("weights", 0, 0, 0.5))
    weights = StepHead(pinned, "weights")
    assert weights.computed_value(0, 0) == np.float64(1) / 3
    assert weights.computed_value(0, 1) is None


def test_a_difference_has_the_pins_of_its_second_side():
    before, after = (
        StepHead(t, "scores") for t in (trace(Pin("scores", 0, 0, 1.0)), trace())
    )
    assert Subtraction(after, before).pinned() is None
    both = Subtraction(before, after)
    assert np.argwhere(both.pinned()).tolist() == [[0, 0]]
    assert both.pinned(slice(1, 3), slice(0, 2)).tolist() == [[False] * 2] * 2
    given = InMemory(np.zeros((3, 3)))
    assert Subtraction(given, given).pinned() is None
