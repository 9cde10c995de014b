"""What belongs to a cell in the other steps, against what the formulas say."""

import numpy as np
import pytest

from attnviewer.compute import Alibi, Learned, Spec, Trace, run
from attnviewer.ui.state.links import Linked, linked

NOTHING = Linked()


def trace_of(n_keys: int = 4, **spec) -> Trace:
    chosen = Spec(**spec)
    shapes = {
        "X": (4, 6),
        "context": (n_keys, 6),
        "P": (4, 6),
        "mask": (4, n_keys),
        "bias": (4, n_keys),
    }
    rng = np.random.default_rng(3)
    inputs = {n: rng.normal(size=shapes.get(n, (6, 6))) for n in chosen.input_names}
    if "mask" in inputs:
        inputs["mask"] = inputs["mask"] < 1
    return run(chosen, inputs)


def places_of(trace: Trace, step: str, cell: tuple[int, int]) -> dict[str, tuple]:
    """Return rows and columns of every step that has some."""
    found = {other: linked(trace, step, cell, other) for other in trace}
    return {
        other: (place.rows, place.columns) for other, place in found.items() if place
    }


QUERY, KEY, CELL = ((1,), ()), ((3,), ()), ((1,), (3,))


@pytest.mark.parametrize("step", ["scores", "scaled", "masked", "weights"])
def test_a_cell_between_a_query_and_a_key_lights_them_and_what_becomes_of_them(step):
    assert places_of(trace_of(causal=True), step, (1, 3)) == {
        "X": ((1, 3), ()),
        "Q": QUERY,
        "K": KEY,
        "V": KEY,
        "scores": CELL,
        "scaled": CELL,
        "masked": CELL,
        "weights": CELL,
        "output": QUERY,
    }


def test_a_query_lights_its_row_of_every_step_but_no_key():
    row = ((1,), ())
    assert places_of(trace_of(), "Q", (1, 5)) == {
        "X": row,
        "Q": ((1,), (5,)),
        "scores": row,
        "scaled": row,
        "weights": row,
        "output": row,
    }


@pytest.mark.parametrize(("step", "other"), [("K", "V"), ("V", "K")])
def test_a_key_lights_its_value_and_its_column_and_no_query(step, other):
    column = ((), (2,))
    assert places_of(trace_of(), step, (2, 0)) == {
        "X": ((2,), ()),
        step: ((2,), (0,)),
        other: ((2,), ()),
        "scores": column,
        "scaled": column,
        "weights": column,
    }


def test_a_token_is_a_query_and_a_key():
    places = places_of(trace_of(), "X", (2, 0))
    assert places["Q"] == places["K"] == places["V"] == places["output"] == ((2,), ())
    assert places["weights"] == ((2,), (2,))
    assert places["X"] == ((2,), (0,))


def test_a_token_that_looks_at_itself_is_lit_once():
    assert linked(trace_of(), "weights", (2, 2), "X") == Linked((2,))


def test_in_cross_attention_keys_are_tokens_of_the_second_sequence_alone():
    trace = trace_of(n_keys=5, context=True)
    places = places_of(trace, "weights", (1, 4))
    assert places["X"] == places["Q"] == places["output"] == ((1,), ())
    assert places["context"] == places["K"] == places["V"] == ((4,), ())


def test_in_cross_attention_a_token_asks_and_one_of_the_second_sequence_answers():
    trace = trace_of(n_keys=5, context=True)
    asking = places_of(trace, "X", (2, 0))
    assert asking["weights"] == ((2,), ())
    assert "context" not in asking
    assert "K" not in asking
    answering = places_of(trace, "context", (2, 0))
    assert answering["weights"] == ((), (2,))
    assert "X" not in answering
    assert "Q" not in answering


def test_heads_share_their_places_with_what_they_are_joined_to():
    trace = trace_of(n_heads=2, output_projection=True)
    places = places_of(trace, "weights", (1, 3))
    for step in ("heads", "concatenated", "output"):
        assert places[step] == QUERY
    assert places["X"] == ((1, 3), ())
    # The columns of the head outputs have no place among the weights.
    assert linked(trace, "concatenated", (1, 3), "weights") == Linked((1,))


def test_masks_biases_and_positions_have_the_places_of_their_axes():
    trace = trace_of(bias=True, mask=True, positions=Learned())
    places = places_of(trace, "weights", (1, 3))
    for step in ("bias", "biased", "mask", "masked"):
        assert places[step] == CELL
    assert places["P"] == places["X + P"] == ((1, 3), ())
    assert places_of(trace_of(positions=Alibi()), "biased", (0, 2))["V"] == ((2,), ())


def test_without_projections_the_embeddings_are_queries_keys_and_values():
    places = places_of(trace_of(projected=False), "output", (1, 0))
    assert places["X"] == places["weights"] == ((1,), ())


def test_weight_matrices_belong_to_no_cell_of_a_step():
    trace = trace_of(n_heads=2, output_projection=True)
    for matrix in ("W_Q", "W_K", "W_V", "W_O"):
        assert linked(trace, "weights", (0, 0), matrix) == NOTHING
        assert linked(trace, matrix, (0, 0), "weights") == NOTHING
