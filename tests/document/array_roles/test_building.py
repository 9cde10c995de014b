"""Documents of arrays: expected numbers are computed here, with NumPy alone."""

import numpy as np
import pytest

from attnviewer.compute import Learned
from attnviewer.document import EditError
from attnviewer.document.array_roles.assignment import Assignment, excess
from attnviewer.document.array_roles.building import build
from attnviewer.document.array_roles.pick import HEADS, Pick
from attnviewer.document.array_roles.problems import N_HEADS, problems

GENERATOR = np.random.default_rng(7)
X = GENERATOR.normal(size=(5, 8))
SQUARE = {name: GENERATOR.normal(size=(8, 8)) for name in ("W_Q", "W_K", "W_V", "W_O")}
BIASES = {name: GENERATOR.normal(size=8) for name in ("b_Q", "b_K", "b_V", "b_O")}


def softmax(scores):
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def attention(x, w, b, n_heads):
    """Return output and weights of several heads, as papers write them."""
    q, k, v = (x @ w[f"W_{c}"] + b[f"b_{c}"] for c in "QKV")
    width = q.shape[1] // n_heads
    outputs, weights = [], []
    for head in range(n_heads):
        part = slice(head * width, (head + 1) * width)
        weights.append(softmax(q[:, part] @ k[:, part].T / np.sqrt(width)))
        outputs.append(weights[-1] @ v[:, part])
    return np.hstack(outputs) @ w["W_O"] + b["b_O"], np.array(weights)


def same(*names):
    return {name: Pick(name) for name in names}


def shapes(arrays):
    return {name: array.shape for name, array in arrays.items()}


def reasons(picks, arrays, **more):
    return problems(Assignment(picks, **more), shapes(arrays))


def test_weights_and_biases_compute_what_numpy_does():
    arrays = {"X": X, **SQUARE, **BIASES}
    trace = build(Assignment(same(*arrays), n_heads=2), arrays).compute()
    output, weights = attention(X, SQUARE, BIASES, 2)
    np.testing.assert_allclose(trace["output"], output, atol=1e-12)
    np.testing.assert_allclose(trace["weights"], weights, atol=1e-12)


def test_heads_in_an_axis_of_their_own_are_the_same_heads():
    split = {
        n: SQUARE[n].reshape(8, 2, 4).swapaxes(0, 1) for n in ("W_Q", "W_K", "W_V")
    }
    split["W_O"] = SQUARE["W_O"].reshape(2, 4, 8)
    biases = {n: BIASES[n].reshape(2, 4) for n in ("b_Q", "b_K", "b_V")}
    arrays = {"X": X, **split, **biases, "b_O": BIASES["b_O"]}
    picks = same("X", "b_O")
    picks |= {n: Pick(n, (HEADS, None, None)) for n in split}
    picks |= {n: Pick(n, (HEADS, None)) for n in biases}
    trace = build(Assignment(picks, n_heads=2), arrays).compute()
    output, _ = attention(X, SQUARE, BIASES, 2)
    np.testing.assert_allclose(trace["output"], output, atol=1e-12)


def test_embeddings_alone_are_simplified_self_attention():
    document = build(Assignment(same("X"), title="Mine"), {"X": X})
    assert document.spec.variant == "simplified"
    assert document.title == "Mine"
    weights = softmax(X @ X.T / np.sqrt(8))
    np.testing.assert_allclose(document.compute()["weights"], weights, atol=1e-12)


def test_queries_keys_and_values_are_used_as_they_are():
    q, k, v = X[:3, :4], X[:, 4:], X[:, :5]
    arrays = {"Q": q, "K": k, "V": v}
    document = build(Assignment(same("Q", "K", "V")), arrays, {"Q": ("a", "b", "c")})
    assert document.spec.given
    assert document.spec.context
    assert document.tokens == ("a", "b", "c")
    assert len(document.context_tokens) == 5
    output = softmax(q @ k.T / 2) @ v
    np.testing.assert_allclose(document.compute()["output"], output, atol=1e-12)


def test_a_second_sequence_makes_cross_attention():
    context = GENERATOR.normal(size=(3, 6))
    arrays = {"X": X, "context": context, "W_Q": SQUARE["W_Q"]}
    arrays |= {"W_K": SQUARE["W_K"][:6], "W_V": SQUARE["W_V"][:6]}
    document = build(Assignment(same(*arrays)), arrays)
    assert document.spec.variant == "cross"
    q, k = X @ arrays["W_Q"], context @ arrays["W_K"]
    weights = softmax(q @ k.T / np.sqrt(8))
    np.testing.assert_allclose(document.compute()["weights"], weights, atol=1e-12)


def test_heads_of_keys_are_shared_where_there_are_fewer():
    arrays = {"X": X, "W_Q": SQUARE["W_Q"], "W_V": SQUARE["W_V"][:, :2]}
    arrays["W_K"] = SQUARE["W_K"][:, :2]
    spec = build(Assignment(same(*arrays), n_heads=4), arrays).spec
    assert (spec.n_heads, spec.kv_heads) == (4, 1)


def test_mask_bias_positions_and_causality_are_used():
    arrays = {"X": X, "P": np.ones((9, 8)), "mask": np.eye(5), "bias": np.ones((5, 5))}
    document = build(Assignment(same(*arrays), causal=True), arrays)
    assert document.spec.causal
    assert document.spec.positions == Learned()
    assert document.matrix("mask").dtype == bool
    np.testing.assert_array_equal(document.compute()["weights"], np.eye(5))


def test_embeddings_are_made_where_there_are_none():
    picks = same("W_Q", "W_K", "W_V")
    document = build(Assignment(picks, n_tokens=3, embedding="one-hot"), SQUARE)
    np.testing.assert_array_equal(document.matrix("X"), np.eye(3, 8))
    drawn = build(Assignment(picks, n_tokens=3), SQUARE)
    np.random.seed(0)  # noqa: NPY002 (the stream that recipes name)
    np.testing.assert_array_equal(drawn.matrix("X"), np.random.rand(3, 8))  # noqa: NPY002
    assert drawn.recipes[0].seed == 0


def test_a_mask_of_other_numbers_is_refused_with_the_way():
    arrays = {"X": X, "mask": np.full((5, 5), -1e9)}
    with pytest.raises(EditError, match="It must hold 1 where a query may look"):
        build(Assignment(same("X", "mask")), arrays)


def test_rows_are_numbered_where_the_file_names_others():
    document = build(Assignment(same("X")), {"X": X}, {"X": ("one",)})
    assert document.tokens == ("token 0", "token 1", "token 2", "token 3", "token 4")


# ----------------------------------------------------------------------- problems


def test_what_fits_has_no_problems():
    arrays = {"X": X, **SQUARE, **BIASES}
    assert reasons(same(*arrays), arrays, n_heads=4) == {}


def test_a_weight_that_fits_the_other_way_is_told_so():
    arrays = {"X": X, "W_Q": np.ones((4, 8)), "W_K": np.ones((8, 4))}
    arrays["W_V"] = np.ones((8, 4))
    assert reasons(same(*arrays), arrays) == {
        "W_Q": "It has 4 rows; X has 8 columns. Transposed it fits."
    }
    turned = same("X", "W_V", "W_Q") | {"W_K": Pick("W_K", transposed=True)}
    turned["W_Q"] = Pick("W_Q", transposed=True)
    assert reasons(turned, arrays) == {
        "W_K": "It has 4 rows; X has 8 columns. Not transposed it fits."
    }


@pytest.mark.parametrize(
    ("roles", "missing"),
    [
        (("X", "W_Q"), {"W_K", "W_V"}),
        (("X", "W_Q", "W_V"), {"W_K"}),
        (("mask",), {"X"}),
        ((), {"X"}),
    ],
)
def test_what_is_missing_is_named(roles, missing):
    arrays = {"X": X, **SQUARE, "mask": np.ones((5, 5))}
    found = reasons(same(*roles), arrays)
    assert found.keys() == missing
    assert all("is missing" in reason for reason in found.values())


@pytest.mark.parametrize(
    ("changed", "role", "reason"),
    [
        ({"W_K": np.ones((8, 4))}, "W_K", "It has 4 columns; W_Q has 8 columns."),
        ({"W_O": np.ones((4, 8))}, "W_O", "It has 4 rows; all heads have 8 columns."),
        ({"b_Q": np.ones(4)}, "b_Q", "It must be a row of 8 numbers"),
        ({"b_O": np.ones((8, 1))}, "b_O", "It has 8×1. Transposed it fits."),
        ({"mask": np.ones((5, 4))}, "mask", "a column for each key, 5×5. It has 5×4."),
        ({"P": np.ones((4, 8))}, "P", "It has 4 rows; there are 5 tokens."),
        ({"P": np.ones((8, 5))}, "P", "It has 5 columns; X has 8 columns."),
        ({"X": np.ones((2, 5, 8))}, "X", "Two of its axes must be kept"),
    ],
)
def test_what_does_not_fit_is_told_at_its_role(changed, role, reason):
    arrays = {"X": X, **SQUARE, **BIASES} | changed
    found = reasons(same(*arrays), arrays)
    assert found.keys() == {role}
    assert reason in found[role]
    with pytest.raises(EditError, match=f"^{role}: "):
        build(Assignment(same(*arrays)), arrays)


@pytest.mark.parametrize("scored", ["weights", "scores"])
def test_a_mask_beside_given_weights_or_scores_has_their_shape(scored):
    arrays = {scored: np.full((3, 5), 0.2), "V": X, "mask": np.ones((3, 5))}
    assert reasons(same(*arrays), arrays) == {}
    found = reasons(same(*arrays), arrays | {"mask": np.ones((5, 5))})
    assert list(found) == ["mask"]
    assert "a column for each key, 3×5. It has 5×5." in found["mask"]


def test_columns_that_heads_cannot_share_are_told_of_at_their_number():
    arrays = {"X": X, **SQUARE}
    assert reasons(same(*arrays), arrays, n_heads=3) == {
        N_HEADS: "The 8 columns of W_Q cannot be divided among 3 heads."
    }


def test_one_hot_rows_need_columns():
    found = reasons(same("W_Q", "W_K", "W_V"), SQUARE, n_tokens=9, embedding="one-hot")
    assert found == {"X": "9 one-hot rows need as many columns. W_Q has room for 8."}


def test_weights_have_no_place_beside_given_queries():
    arrays = {"Q": X, "K": X, "V": X, "W_O": SQUARE["W_O"]}
    assert reasons(same(*arrays), arrays).keys() == {"W_O"}


def test_an_array_that_has_gone_is_told_of():
    assert reasons(same("X"), {}) == {"X": "There is no array 'X'."}


def test_much_is_not_taken_without_asking():
    def asked(shape):
        return excess(Assignment(same("X")), {"X": shape})

    assert asked((2**17, 1024)) == ""  # 2¹⁷ · 2¹⁰ · 8 bytes are 1,024 MiB
    assert asked((2**17, 1025)).startswith("The matrices take 1,025 MiB")
    assert asked((2**17 + 1, 1)).startswith("There are 131,073 tokens")
