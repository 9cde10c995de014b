"""The work of a computation, counted by hand."""

import pytest

from attnviewer.compute import Spec, cost, edit_cost

SHAPES = {"Q": (5, 2), "K": (3, 2), "V": (3, 4)}
GIVEN = Spec(projected=False, given=True, context=True)


def test_a_given_query_is_compared_with_every_key() -> None:
    # 5 · 3 scores, each 2 products before and 4 after it, besides its normalising.
    assert cost(GIVEN, SHAPES) == 15 * (2 + 4 + 250)


def test_keys_of_their_own_cost_as_many_scores_as_there_are() -> None:
    spec = Spec(context=True)
    square = {"X": (100, 2), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 2)}
    few, many = (cost(spec, {**square, "context": (n, 2)}) for n in (1, 100))
    assert many - few == 99 * 100 * (2 + 2 + 250)


@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_a_row_of_what_is_given_costs_at_most_everything(name) -> None:
    whole = cost(GIVEN, SHAPES)
    assert 0 < edit_cost(GIVEN, SHAPES, name, 1, 1) <= whole
    assert edit_cost(GIVEN, SHAPES, "Q", 1, 1) < whole


def test_a_weight_of_a_gate_costs_its_column_and_the_output() -> None:
    weights = dict.fromkeys(("W_Q", "W_K", "W_V", "W_G", "W_O"), (2, 2))
    spec = Spec(n_heads=2, output_projection=True, output_gate="elementwise")
    # The column of 100 tokens, and what W_O makes of them.
    found = edit_cost(spec, {"X": (100, 2), **weights}, "W_G", 1, 1)
    assert found == 100 * 2 + 100 * 4


def test_a_column_of_queries_or_keys_that_is_followed_costs_its_heads_scores() -> None:
    shapes = {"X": (100, 8), "W_Q": (8, 8), "W_K": (8, 4), "W_V": (8, 4)}
    spec = Spec(n_heads=4, n_kv_heads=2)
    whole = cost(spec, shapes)
    scores, output = 100 * 100 * 200, 100
    followed = {
        name: edit_cost(spec, shapes, name, 3, 1, low_rank=True)
        for name in ("W_Q", "W_K")
    }
    assert followed == {
        "W_Q": 100 * 8 + scores + output,
        "W_K": 100 * 8 + 2 * scores + output,
    }
    assert edit_cost(spec, shapes, "W_Q", 3, 1) == whole
    assert edit_cost(spec, shapes, "W_Q", 3, 2, low_rank=True) == whole
