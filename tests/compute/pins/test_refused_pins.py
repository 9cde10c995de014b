"""Pins that are refused, with the reason."""

import numpy as np
import pytest

from attnviewer import Pin, attention

Q, K, V = np.random.default_rng(3).normal(size=(3, 2, 5, 4))  # (h, n, d)

NO_PINS = {
    "how": lambda: Pin("scores", 0, 0, 1.0, how="replace"),
    "rest": lambda: Pin("weights", 0, 0, 0.5, rest="split"),
    "NaN": lambda: Pin("scores", 0, 0, np.nan),
    "infinite": lambda: Pin("scores", 0, 0, np.inf),
    "minus infinity added": lambda: Pin("scores", 0, 0, -np.inf, how="add"),
    "negative row": lambda: Pin("scores", -1, 0, 1.0),
    "row twice": lambda: Pin("scores", [1, 1], 0, 1.0),
    "no columns": lambda: Pin("scores", 0, [], 1.0),
    "vector": lambda: Pin("scores", 0, [0, 1], [1.0, 2.0]),
}

UNFIT = {
    "input": (Pin("Q", 0, 0, 1.0), "The 'step of a pin' must be one of scores"),
    "step of another variant": (Pin("masked", 0, 0, 1.0), "Got 'masked' instead"),
    "row": (Pin("scores", 5, 0, 1.0), "'rows' of a pin of scores must be below 5"),
    "column": (Pin("output", 0, [0, 4], 1.0), "must be below 4. Got 4 instead"),
    "end": (Pin("scores", slice(0, 6), 0, 1.0), "must be below 5. Got 5 instead"),
    "head": (Pin("scores", 0, 0, 1.0, head=2), "'head' of a pin of scores"),
    "block": (Pin("scores", 0, [0, 1], [[1.0]] * 2), r"shape \(1, 2\)"),
    "infinite weight": (Pin("weights", 0, 0, -np.inf), "must be finite"),
    "shared scores": (Pin("scores", 0, 0, 1.0, rest="share"), "'rest' of a pin"),
    "above 1": (Pin("weights", 0, [0, 1], 0.6, rest="share"), "Got 1.2 instead"),
    "added above 1": (
        Pin("weights", 0, 0, 1.0, how="add", rest="share"),
        "must sum to at most 1",
    ),
}


@pytest.mark.parametrize("name", NO_PINS)
def test_what_is_no_pin_is_refused_by_name(name) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^The '.*Got .* instead"):
        NO_PINS[name]()


@pytest.mark.parametrize("name", UNFIT)
def test_a_pin_that_does_not_fit_is_refused_with_the_reason(name) -> None:
    pin, reason = UNFIT[name]
    with pytest.raises(ValueError, match=reason):
        attention(Q, K, V, pins=[pin])


def test_weights_that_are_all_zero_have_nothing_to_share() -> None:
    pin = Pin("weights", 0, 0, 0.5, rest="share")
    with pytest.raises(ValueError, match=r"must not all be zero .* In row 0"):
        attention(Q, K, V, causal=True, pins=[pin])


def test_other_things_than_pins_are_refused() -> None:
    with pytest.raises(TypeError, match="'pins' parameter must be a sequence of Pin"):
        attention(Q, K, V, pins=[("scores", 0, 0, 1.0)])
