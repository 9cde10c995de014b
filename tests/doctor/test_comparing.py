"""How each step of an implementation compares, and the document of a case."""

import numpy as np
import pytest

from attnviewer.doctor.as_document import case_document
from attnviewer.doctor.comparing import compared_steps
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.reading import read_case

N, D, H = 5, 6, 2


def layer(dtype=np.float64, shift=0.0):
    """Return inputs, and the steps of attention with two heads as NumPy has them."""
    generator = np.random.default_rng(3)
    given = {"X": generator.normal(size=(N, D))}
    given |= {f"W_{w}": generator.normal(size=(D, D)) for w in "QKVO"}
    x = given["X"].astype(dtype)
    q, k, v = (
        (x @ given[f"W_{w}"].astype(dtype)).reshape(N, H, 3).transpose(1, 0, 2)
        for w in "QKV"
    )
    scaled = q @ k.transpose(0, 2, 1) / np.sqrt(dtype(3))
    scaled = scaled + dtype(shift) * np.eye(N, dtype=dtype)
    shares = np.exp(scaled)
    weights = shares / shares.sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(1, 0, 2).reshape(N, D) @ given["W_O"].astype(dtype)
    return given, {"Q": q, "scaled": scaled, "weights": weights, "output": out}


def compared(given, mine, **options):
    """Return how the steps of an implementation compare, by their names."""
    case = read_case(given, mine, n_heads=H, **options)
    return {one.step: one for one in compared_steps(case, diagnose_case(case))}


def standings(given, mine):
    return {step: one.standing for step, one in compared(given, mine).items()}


def test_right_steps_agree():
    assert set(standings(*layer()).values()) == {"exact"}


def test_steps_of_a_coarser_computation_are_told_from_those_that_were_cut_off():
    given, mine = layer(np.float32)
    mine["Q"] = layer()[1]["Q"].astype(np.float32)
    assert standings(given, mine) == {
        "Q": "exact",
        "scaled": "rounded",
        "weights": "rounded",
        "output": "rounded",
    }


@pytest.mark.usefixtures("few_mistakes")
def test_a_mistake_is_told_from_what_follows_from_it():
    given, mine = layer(shift=1.0)
    found = compared(given, mine)
    assert found["Q"].standing == "exact"
    wrong = {step: one.follows for step, one in found.items() if step != "Q"}
    assert wrong == {"scaled": False, "weights": True, "output": True}
    assert all(found[step].standing == "differs" for step in wrong)


@pytest.mark.usefixtures("few_mistakes")
def test_the_largest_difference_is_found():
    given, mine = layer()
    mine["scaled"][1, 3, 2] += 7.0
    scaled = compared(given, mine)["scaled"]
    assert scaled.worst == (1, 3, 2)
    assert scaled.largest == pytest.approx(7.0)


@pytest.mark.usefixtures("few_mistakes")
def test_what_is_not_a_number_is_the_largest_difference():
    given, mine = layer()
    mine["weights"][0, 4, 4] = np.nan
    weights = compared(given, mine)["weights"]
    assert (weights.worst, weights.largest) == ((0, 4, 4), np.inf)


def document_of_case(given, mine, **options):
    case = read_case(given, mine, **options)
    return case_document(case, compared_steps(case, diagnose_case(case)), "mine")


@pytest.mark.usefixtures("few_mistakes")
def test_the_document_computes_the_right_steps():
    given, mine = layer(shift=1.0)
    made = document_of_case(given, mine, n_heads=H)
    right = layer()[1]
    trace = made.document.compute()
    np.testing.assert_allclose(trace["weights"], right["weights"], rtol=1e-12)
    np.testing.assert_array_equal(made.theirs["weights"], mine["weights"])
    cell = made.cells["scaled"]
    assert cell.theirs - cell.right == pytest.approx(1.0)
    assert cell.row == cell.column


def test_hidden_scores_are_no_difference():
    given, mine = layer()
    mine = {"scaled": np.where(np.tri(N, dtype=bool), mine["scaled"], -np.inf)}
    made = document_of_case(given, mine, n_heads=H, causal=True)
    cell = made.cells.get("scaled")
    assert cell is None or cell.column <= cell.row


@pytest.mark.usefixtures("few_mistakes")
def test_an_array_of_another_shape_is_left_out():
    given, mine = layer()
    mine["output"] = mine["output"][:, :3]
    made = document_of_case(given, mine, n_heads=H)
    assert "output" not in made.theirs
    assert "output" not in made.cells


@pytest.mark.usefixtures("few_mistakes")
def test_heads_of_a_single_head_are_the_output_of_its_document():
    given, _ = layer()
    del given["W_O"]
    made = document_of_case(given, {"heads": np.ones((1, N, D))}, n_heads=1)
    assert made.steps == {"heads": "output"}
    np.testing.assert_array_equal(made.theirs["output"], 1)


def test_given_queries_keys_and_values_make_a_document():
    generator = np.random.default_rng(0)
    q, k, v = generator.normal(size=(3, 2, 4, 3))
    mine = {"weights": np.full((2, 4, 4), 0.25)}
    made = document_of_case({"Q": q, "K": k, "V": v}, mine)
    right = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(3))
    right /= right.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(made.document.compute()["weights"], right)
    np.testing.assert_array_equal(made.theirs["weights"], 0.25)


def test_a_mask_for_each_head_fits_no_document():
    given, mine = layer()
    given["mask"] = np.stack([np.tri(N), np.ones((N, N))])
    with pytest.raises(ValueError, match="the same for all heads"):
        document_of_case(given, mine, n_heads=H)


def test_keys_without_their_bias_differ_in_the_scores_and_not_in_the_weights():
    given, mine = layer()
    given["b_K"] = np.arange(6.0)
    found = standings(given, mine)
    assert found["scaled"] == "differs"
    assert (found["weights"], found["output"]) == ("exact", "exact")
