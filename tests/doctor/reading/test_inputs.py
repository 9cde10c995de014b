"""Inputs are understood under the names that checkpoints and modules give them."""

import numpy as np
import pytest

from attnviewer.compute import Learned
from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import RNG, inputs, one, steps

BIASES = {f"b_{letter}": RNG(3).normal(size=12) for letter in "QKV"}
BIASES["b_O"] = RNG(4).normal(size=12)
MATRICES = "X", "W_Q", "W_K", "W_V", "W_O", *BIASES


def _given(**sizes):
    return inputs(**sizes) | BIASES


def _linear(prefix: str, given, names) -> dict[str, np.ndarray]:
    """Return weights as PyTorch's Linear stores them, (out, in)."""
    found = {}
    for letter, name in zip("QKVO", names, strict=True):
        found[f"{prefix}{name}.weight"] = given[f"W_{letter}"].T
        found[f"{prefix}{name}.bias"] = given[f"b_{letter}"]
    return found


def _llama(given):
    names = [f"{letter}_proj" for letter in "qkvo"]
    return {"hidden_states": given["X"]} | _linear("self_attn.", given, names)


def _bert(given):
    names = "self.query", "self.key", "self.value", "output.dense"
    return {"hidden_states": given["X"]} | _linear("attention.", given, names)


def _torch(given):
    weights, biases = (
        np.concatenate([given[f"{kind}_{letter}"].T for letter in "QKV"])
        for kind in ("W", "b")
    )
    return {
        "x": given["X"],
        "in_proj_weight": weights,
        "in_proj_bias": biases,
        "out_proj.weight": given["W_O"].T,
        "out_proj.bias": given["b_O"],
    }


def _gpt2(given):
    weights, biases = (
        np.concatenate([given[f"{kind}_{letter}"] for letter in "QKV"], axis=-1)
        for kind in ("W", "b")
    )
    return {
        "inputs_embeds": given["X"],
        "c_attn.weight": weights,
        "c_attn.bias": biases,
        "c_proj.weight": given["W_O"],
        "c_proj.bias": given["b_O"],
    }


def _mosaic(given):
    fused = _torch(given)
    return {
        "x": given["X"],
        "attn.Wqkv.weight": fused["in_proj_weight"],
        "attn.Wqkv.bias": fused["in_proj_bias"],
        "attn.out_proj.weight": given["W_O"].T,
        "attn.out_proj.bias": given["b_O"],
    }


def _neox(given):
    """Fused head by head: the rows of a head's query, key and value."""
    rows, biases = [], []
    for head in (slice(0, 6), slice(6, 12)):
        for letter in "QKV":
            rows += [*given[f"W_{letter}"].T[head]]
            biases += [*given[f"b_{letter}"][head]]
    return {
        "hidden_states": given["X"],
        "attention.query_key_value.weight": np.array(rows),
        "attention.query_key_value.bias": np.array(biases),
        "attention.dense.weight": given["W_O"].T,
        "attention.dense.bias": given["b_O"],
    }


def _flax(given):
    names = "query", "key", "value"
    found = {"inputs": given["X"]}
    for name, letter in zip(names, "QKV", strict=True):
        found[f"{name}/kernel"] = given[f"W_{letter}"].reshape(-1, 2, 6)
        found[f"{name}/bias"] = given[f"b_{letter}"].reshape(2, 6)
    found["out/kernel"] = given["W_O"].reshape(2, 6, -1)
    found["out/bias"] = given["b_O"]
    return found


@pytest.mark.parametrize(
    "named", [dict, _llama, _bert, _torch, _gpt2, _mosaic, _neox, _flax]
)
@pytest.mark.parametrize("d_model", [12, 10], ids=["square", "wide"])
def test_weights_are_read_as_they_are_stored(named, d_model) -> None:
    given = _given(d_model=d_model)
    output = steps(given)["output"][0]
    case = read_case(named(given), {"output": output}, n_heads=2)
    for name in MATRICES:
        np.testing.assert_array_equal(case.inputs[name], given[name], err_msg=name)
    np.testing.assert_allclose(case.right["output"], output, atol=1e-12)


def test_a_square_weight_of_a_linear_layer_is_said_to_be_turned() -> None:
    given = _given()
    case = read_case(_llama(given), {"output": given["X"]}, n_heads=2)
    square = [note for note in case.notes if "its shape does not decide" in note]
    assert [note.split("'")[1] for note in square] == [
        f"self_attn.{letter}_proj.weight" for letter in "qkvo"
    ]


def test_a_weight_that_only_fits_turned_is_turned() -> None:
    given = inputs(d_model=10)
    turned = {**given, "W_Q": given["W_Q"].T}
    case = read_case(turned, {"output": steps(given)["output"]}, n_heads=2)
    np.testing.assert_array_equal(case.inputs["W_Q"], given["W_Q"])
    assert case.notes[0] == "'W_Q' is read as (out, in), as its shape shows."


def test_fused_weights_of_heads_that_share_keys_are_read_group_by_group() -> None:
    """Falcon: two queries, their key and their value, then the next two."""
    given = inputs(h=4, kv=2, d=3)
    rows = []
    for group in range(2):
        rows += [*given["W_Q"].T[6 * group : 6 * group + 6]]
        rows += [*given["W_K"].T[3 * group : 3 * group + 3]]
        rows += [*given["W_V"].T[3 * group : 3 * group + 3]]
    output = steps(given, h=4, kv=2)["output"]
    named = {"X": given["X"], "query_key_value.weight": np.array(rows)}
    named["dense.weight"] = given["W_O"].T
    case = read_case(named, {"output": output}, n_heads=4, n_kv_heads=2)
    assert "'query_key_value' is read as queries, keys and values by head." in (
        case.notes
    )
    np.testing.assert_allclose(case.right["output"], output[0], atol=1e-12)


def test_a_fused_layer_that_no_heads_fit_is_refused() -> None:
    given = {"X": np.ones((3, 4)), "query_key_value.weight": np.ones((10, 4))}
    with pytest.raises(ValueError, match="rows for 2 query heads and 2 key/value"):
        read_case(given, {"output": np.ones((3, 4))}, n_heads=2)


def test_fused_weights_of_shared_heads_are_taken_apart() -> None:
    given = inputs(h=4, kv=2, d=3)
    fused = np.concatenate([given[f"W_{letter}"] for letter in "QKV"], axis=1)
    output = steps(given, h=4, kv=2)["output"]
    case = read_case(
        {"X": given["X"], "qkv_proj.weight": fused.T, "o_proj.weight": given["W_O"].T},
        {"output": output},
        heads=4,
        kv_heads=2,
    )
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        np.testing.assert_array_equal(case.inputs[name], given[name])
    assert case.spec.kv_heads == 2


def test_the_number_of_shared_heads_follows_from_their_columns() -> None:
    given = inputs(h=4, kv=2, d=3)
    right = steps(given, h=4, kv=2)
    case = read_case(given, right, n_heads=4)
    assert case.spec.kv_heads == 2
    np.testing.assert_allclose(case.right["output"], right["output"][0], atol=1e-12)


def test_the_output_projection_is_meant_where_there_is_one_unless_told() -> None:
    given = inputs()
    right = one(steps(given))
    assert read_case(given, right, n_heads=2).spec.output_projection
    without = read_case(given, {"output": right["concatenated"]}, n_heads=2, W_O=False)
    assert not without.spec.output_projection
    np.testing.assert_allclose(
        without.right["output"], right["concatenated"], atol=1e-12
    )


def test_a_module_may_be_called_with_query_key_and_value() -> None:
    given = inputs()
    context = RNG(9).normal(size=(7, 12))
    weights = {name: given[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
    own = {"query": given["X"], "key": given["X"], "value": given["X"]}
    case = read_case(own | weights, {"output": given["X"]}, n_heads=2)
    assert case.spec.input_names == ("X", "W_Q", "W_K", "W_V", "W_O")
    across = {"query": given["X"], "key": context, "value": context}
    case = read_case(across | weights, {"output": given["X"]}, n_heads=2)
    assert case.spec.context
    assert not case.spec.values
    assert case.right["weights"].shape == (2, 5, 7)


def test_learned_positions_are_read_from_a_table() -> None:
    given = inputs() | {"positions": RNG(2).normal(size=(8, 12))}
    case = read_case(given, {"output": given["X"]}, n_heads=2)
    assert case.spec.positions == Learned()
    moved = {**given, "X": given["X"] + given["positions"][:5]}
    np.testing.assert_allclose(
        case.right["output"], steps(moved)["output"][0], atol=1e-12
    )


def test_what_has_no_use_is_told() -> None:
    given = inputs() | {"labels": np.zeros(3)}
    case = read_case(given, {"output": given["X"]}, n_heads=2)
    assert case.notes == ("Inputs not used: 'labels'.",)


# ------------------------------------------------------- queries, keys and values


def _sides(**sizes):
    right = steps(inputs(**sizes), h=sizes.get("h", 2), kv=sizes.get("kv"))
    return right, {name: right[name] for name in ("Q", "K", "V")}


@pytest.mark.parametrize(
    "turn",
    [
        lambda a: a,
        lambda a: a[0],
        lambda a: a.transpose(0, 2, 1, 3),
        lambda a: a[0].transpose(1, 0, 2),
        lambda a: a[0].transpose(1, 0, 2).reshape(5, -1),
        lambda a: a.transpose(0, 2, 1, 3).reshape(1, 5, -1),
    ],
)
def test_given_queries_keys_and_values_come_in_every_order(turn) -> None:
    right, sides = _sides(h=4, kv=2, d=3)
    case = read_case({n: turn(a) for n, a in sides.items()}, right, n_heads=4)
    assert (case.spec.n_heads, case.spec.kv_heads) == (4, 2)
    for mine, plan in (("Q", "split Q"), ("heads", "heads"), ("weights", "weights")):
        np.testing.assert_allclose(case.right[plan], right[mine][0], atol=1e-12)
        np.testing.assert_array_equal(case.mine[plan], right[mine][0])
    assert case.name_of("split Q") == "Q"


def test_heads_are_counted_where_they_have_an_axis() -> None:
    right, sides = _sides()
    case = read_case(sides, {"weights": right["weights"]})
    assert case.spec.n_heads == 2


def test_an_output_by_head_is_that_of_the_heads() -> None:
    """PyTorch's scaled_dot_product_attention returns (batch, h, n, d)."""
    right, sides = _sides()
    case = read_case(sides, {"attn_output": right["heads"]})
    np.testing.assert_array_equal(case.mine["heads"], right["heads"][0])


def test_given_batches_are_compared_as_a_whole() -> None:
    right, sides = _sides(batch=3)
    case = read_case(sides, {"weights": right["weights"], "output": right["heads"]})
    np.testing.assert_allclose(case.right["weights"], right["weights"], atol=1e-12)
    np.testing.assert_array_equal(case.mine["output"], right["heads"])
    flat = read_case(sides, {"concatenated": right["concatenated"]})
    np.testing.assert_array_equal(flat.mine["output"], right["heads"])


def test_rope_turns_given_queries_and_keys() -> None:
    _, sides = _sides()
    case = read_case(
        sides, {"Q_rotated": sides["Q"], "K_rotated": sides["K"]}, positions="rope"
    )
    assert list(case.mine) == ["rotated split Q", "rotated split K"]
    assert case.name_of("rotated split K") == "K_rotated"


def test_what_follows_given_heads_is_left_out() -> None:
    right, sides = _sides()
    given = sides | {"W_O": inputs()["W_O"]}
    mine = {"output": right["output"], "weights": right["weights"]}
    case = read_case(given, mine)
    assert list(case.mine) == ["weights"]
    assert any("'output' is left out" in note for note in case.notes)
