"""What is said of a pinned number."""

import numpy as np
import pytest

from attnviewer import Pin, attention

Q, K, V = np.random.default_rng(5).normal(size=(3, 4, 3)).round(1)  # (n, d)


@pytest.mark.parametrize(
    ("pin", "note"),
    [
        (Pin("scores", 0, 1, 5.0), "Pinned to 5 (computed "),
        (Pin("scores", 0, 1, 5.0, how="add"), "A pin adds 5 (computed "),
        (Pin("scores", 0, 1, 5.0, how="scale"), "A pin scales it by 5 (computed "),
    ],
)
def test_the_note_tells_the_pin_and_the_computed_number(pin, note) -> None:
    formula = attention(Q, K, V, pins=[pin]).explain("scores", (0, 1))
    free = attention(Q, K, V).explain("scores", (0, 1))
    assert formula.note.startswith(note)
    assert formula.computed == free
    assert formula.steps[-1].evaluate() == pytest.approx(formula.value, rel=1e-14)
    assert set(free.cells) <= set(formula.cells)


def test_a_weight_that_shares_says_so() -> None:
    pin = Pin("weights", 2, 1, 0.6, rest="share")
    formula = attention(Q, K, V, pins=[pin]).explain("weights", (2, 0))
    assert formula.note.startswith("Shares what the pins of its row leave (computed ")
    assert formula.steps[-1].evaluate() == pytest.approx(formula.value, rel=1e-14)


def test_a_number_without_a_pin_is_explained_as_before() -> None:
    pinned = attention(Q, K, V, pins=[Pin("weights", 2, 1, 0.6)])
    assert pinned.explain("weights", (1, 1)) == attention(Q, K, V).explain(
        "weights", (1, 1)
    )


def test_the_computed_number_under_a_mask_is_told() -> None:
    pin = Pin("masked", 0, 3, 1.0)
    formula = attention(Q, K, V, causal=True, pins=[pin]).explain("masked", (0, 3))
    assert formula.value == 1.0
    assert formula.computed is not None
    assert formula.computed.value == -np.inf
    assert "Masked" in formula.computed.note
