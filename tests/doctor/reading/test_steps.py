"""Steps are understood under the names that people and libraries give them."""

import numpy as np
import pytest

from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import inputs, one, steps

NAMES = {
    "Q": ["Q", "q", "query", "query_layer", "mixed_query_layer", "query_states"],
    "K": ["mine_K", "keys", "key_layer", "k_proj", "mine_key_states"],
    "V": ["v", "value_layer", "values", "value_states"],
    "scores": ["scores", "attn_scores", "attention_scores", "qk", "raw_scores"],
    "scaled": ["scaled", "scaled_scores", "mine_scores_scaled"],
    "masked": ["masked", "masked_scores", "attention_scores_masked"],
    "weights": [
        *("weights", "attn_weights", "attention_probs", "attn", "attention_weights"),
        *("mine_attn_weights", "probs", "A"),
    ],
    "heads": ["heads", "per_head", "head_outputs"],
    "concatenated": ["concatenated", "context_layer", "merged_heads", "concat"],
    "output": ["output", "attn_output", "out", "y", "attention_output"],
}


@pytest.mark.parametrize(
    ("step", "name"), [(step, name) for step, names in NAMES.items() for name in names]
)
def test_a_step_goes_by_many_names(step: str, name: str) -> None:
    given = inputs()
    right = one(steps(given, causal=True))
    case = read_case(given, {name: right[step]}, n_heads=2, causal=True)
    assert list(case.mine) == [step]
    np.testing.assert_array_equal(case.mine[step], right[step])
    bare = name.removeprefix("mine_")
    told = [] if bare.lower() == step.lower() else [f"'{name}' is read as {step}."]
    assert list(case.notes) == told


@pytest.mark.parametrize("step", ["scores", "scaled", "masked"])
def test_a_name_of_several_steps_is_told_by_its_numbers(step: str) -> None:
    """BERT calls its scores attention_scores before and after scale and mask."""
    given = inputs()
    right = one(steps(given, causal=True))
    mine = right[step].copy()
    mine[mine == -np.inf] = np.finfo(np.float32).min  # as libraries mask
    case = read_case(given, {"attention_scores": mine}, n_heads=2, causal=True)
    assert list(case.mine) == [step]


def test_context_is_by_head_or_joined() -> None:
    given = inputs()
    right = one(steps(given))
    by_head = read_case(given, {"context_layer": right["heads"]}, n_heads=2)
    assert list(by_head.mine) == ["heads"]
    joined = read_case(given, {"context_layer": right["concatenated"]}, n_heads=2)
    assert list(joined.mine) == ["concatenated"]


def test_query_states_are_those_after_rope_where_these_fit() -> None:
    given = inputs()
    first = read_case(given, {"Q": steps(given)["Q"]}, n_heads=2, positions="rope")
    turned = first.right["rotated Q"]
    case = read_case(given, {"query_states": turned}, n_heads=2, positions="rope")
    assert list(case.mine) == ["rotated Q"]
    assert case.name_of("rotated Q") == "Q_rotated"


@pytest.mark.parametrize("base", [10_000, 500], ids=["right", "wrong"])
def test_queries_and_keys_may_have_been_overwritten_by_rotated_ones(base) -> None:
    given = inputs()
    other = read_case(given, {"V": steps(given)["V"]}, positions="rope", n_heads=2)
    mine = {side: other.right[f"rotated {side}"] for side in "QK"}
    case = read_case(given, mine, n_heads=2, positions="rope", rope_base=base)
    assert list(case.mine) == ["rotated Q", "rotated K"]
    assert case.name_of("rotated Q") == "Q_rotated"
    exchanged = {side: other.right[side][..., ::-1] for side in "QK"}
    case = read_case(given, exchanged, n_heads=2, positions="rope")
    assert list(case.mine) == ["Q", "K"]
    mine["Q"] = mine["Q"] + 1
    case = read_case(given, mine, n_heads=2, positions="rope")
    assert list(case.mine) == ["rotated Q", "rotated K"]


@pytest.mark.parametrize("factor", [1, 2], ids=["right", "wrong"])
def test_scores_may_have_been_overwritten_by_masked_ones(factor) -> None:
    given = inputs()
    masked = one(steps(given, causal=True))["masked"] * factor
    case = read_case(given, {"scores": masked}, n_heads=2, causal=True)
    assert list(case.mine) == ["masked"]
    assert case.notes == ("'scores' is read as masked.",)
    case = read_case(
        given, {"scores": masked / factor, "masked": masked}, n_heads=2, causal=True
    )
    assert list(case.mine) == (["masked"] if factor == 1 else ["scores", "masked"])


def test_without_w_o_the_joined_heads_are_the_output() -> None:
    given = {n: a for n, a in inputs().items() if n != "W_O"}
    joined = one(steps(inputs()))["concatenated"]
    mine = {"concatenated": joined, "output": joined}
    case = read_case(given, mine, n_heads=2)
    assert list(case.mine) == ["output"]
    assert case.name_of("output") == "concatenated"
    assert case.notes == ()


def test_of_two_arrays_of_one_step_the_wrong_one_is_compared() -> None:
    given = {n: a for n, a in inputs().items() if n != "W_O"}
    joined = one(steps(inputs()))["concatenated"]
    mine = {"concatenated": joined, "output": joined + given["X"]}
    case = read_case(given, mine, n_heads=2)
    np.testing.assert_array_equal(case.mine["output"], mine["output"])
    assert case.name_of("output") == "output"
    assert case.notes == (
        "'concatenated' is left out: 'output' is the same step here.",
    )


def test_a_step_that_the_variant_lacks_is_left_out() -> None:
    given = inputs()
    right = one(steps(given))
    case = read_case(given, right | {"masked": right["scaled"]}, n_heads=2)
    assert "masked" not in case.mine
    assert case.notes == (
        "'masked' is left out: the variant has no step masked to compare it with.",
    )


def test_a_scale_that_is_part_of_the_queries_is_no_mistake() -> None:
    given = inputs()
    right = one(steps(given))
    q = right["Q"] / np.sqrt(6)
    mine = {"Q": q, "K": right["K"], "scores": q @ right["K"].swapaxes(1, 2)}
    case = read_case(given, mine, n_heads=2)
    assert list(case.mine) == ["K", "scaled"]
    assert any("the scale is part of the queries" in note for note in case.notes)
    assert any(note.startswith("Q is the right one times") for note in case.notes)


@pytest.mark.parametrize("powers", [(1, 0), (0, 1), (0.5, 0.5)])
def test_queries_and_keys_may_share_the_scale_after_they_were_rotated(powers) -> None:
    given = inputs()
    case = read_case(given, {"V": steps(given)["V"]}, n_heads=2, positions="rope")
    sides = zip("QK", powers, strict=True)
    mine = {s: case.right[f"rotated {s}"] * 6 ** (-power / 2) for s, power in sides}
    mine["weights"] = case.right["weights"]
    case = read_case(given, mine, n_heads=2, positions="rope")
    held = [f"rotated {s}" for s, power in zip("QK", powers, strict=True) if not power]
    assert list(case.mine) == [*held, "weights"]
    mine["K"] = mine["K"] / 6**0.5  # once more than is right
    case = read_case(given, mine, n_heads=2, positions="rope")
    assert "rotated K" in case.mine or "K" in case.mine


def test_scores_that_are_scaled_twice_are_not_taken_for_others() -> None:
    given = inputs()
    right = one(steps(given))
    mine = {"scores": right["scaled"], "scaled": right["scaled"] / np.sqrt(6)}
    mine["Q"] = right["Q"] / np.sqrt(6)
    case = read_case(given, mine, n_heads=2)
    assert list(case.mine) == ["Q", "scores", "scaled"]
    np.testing.assert_array_equal(case.mine["scores"], right["scaled"])


def test_weights_that_are_a_mean_over_the_heads_are_left_out() -> None:
    given = inputs()
    right = one(steps(given))
    mine = {"attn_weights": right["weights"].mean(axis=0), "output": right["output"]}
    case = read_case(given, mine, n_heads=2)
    assert list(case.mine) == ["output"]
    assert "average_attn_weights=False" in case.notes[0]
