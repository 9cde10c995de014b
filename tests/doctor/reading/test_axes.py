"""The order of axes is recognised by shapes, and by numbers where these do not tell."""

import numpy as np
import pytest

from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import inputs, one, steps

PER_HEAD = "Q", "K", "V", "heads"
BY_KEY = "scores", "scaled", "weights"
ORDERS = {
    "(heads, tokens, columns)": lambda a: a[0],
    "(batch, heads, tokens, columns)": lambda a: a,
    "(tokens, heads, columns)": lambda a: a[0].transpose(1, 0, 2),
    "(batch, tokens, heads, columns)": lambda a: a.transpose(0, 2, 1, 3),
    "(tokens, heads·columns)": lambda a: a[0].transpose(1, 0, 2).reshape(5, 12),
    "(batch, tokens, heads·columns)": lambda a: a.transpose(0, 2, 1, 3).reshape(
        1, 5, 12
    ),
    "(tokens, batch, heads·columns)": lambda a: a.transpose(2, 0, 1, 3).reshape(
        5, 1, 12
    ),
    "(heads, batch, tokens, columns)": lambda a: a.transpose(1, 0, 2, 3),
}


def _same(case, expected):
    for name, array in case.mine.items():
        np.testing.assert_array_equal(array, expected[name], err_msg=name)


@pytest.mark.parametrize("words", ORDERS)
@pytest.mark.parametrize("step", PER_HEAD)
def test_a_step_with_heads_is_read_in_every_order(step: str, words: str) -> None:
    given = inputs()
    right = steps(given)
    case = read_case(given, {step: ORDERS[words](right[step])}, n_heads=2)
    _same(case, one(right))
    told = [note for note in case.notes if f"'{step}'" in note]
    usual = words == "(heads, tokens, columns)"
    assert told == ([] if usual else [f"'{step}' is read with the axes {words}."])


@pytest.mark.parametrize("step", BY_KEY)
@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (lambda a: a, "(batch, heads, queries, keys)"),
        (lambda a: a[0], ""),
        (lambda a: a.transpose(0, 2, 3, 1), "(batch, queries, keys, heads)"),
        (lambda a: a.transpose(0, 2, 1, 3), "(batch, queries, heads, keys)"),
    ],
)
def test_scores_and_weights_are_read_in_every_order(step: str, turn, words) -> None:
    given = inputs()
    right = steps(given)
    case = read_case(given, {step: turn(right[step])}, n_heads=2)
    _same(case, one(right))
    assert [words in note for note in case.notes] == ([True] if words else [])


@pytest.mark.parametrize("turn", [lambda a: a, lambda a: a.transpose(0, 1, 3, 2)])
def test_keys_that_are_transposed_beforehand_are_keys(turn) -> None:
    given = inputs()
    right = steps(given)
    case = read_case(given, {"K": turn(right["K"])}, n_heads=2)
    _same(case, one(right))


def test_a_single_head_needs_no_axis() -> None:
    given = inputs(h=1, d=12)
    right = steps(given, h=1)
    mine = {name: array[0, 0] for name, array in right.items() if array.ndim == 4}
    case = read_case(given, mine)
    _same(case, one(right))
    assert set(case.mine) == set(mine)


def test_every_batch_item_is_compared() -> None:
    given = inputs(batch=3)
    right = steps(given)
    by_token = {n: a.transpose(0, 2, 1, 3) for n, a in right.items() if n in PER_HEAD}
    case = read_case(given, right | by_token, n_heads=2)
    _same(case, right)
    assert case.mine["weights"].shape == (3, 2, 5, 5)


def test_batch_and_heads_in_one_axis_are_taken_apart() -> None:
    given = inputs(batch=3)
    right = steps(given)
    mine = {"weights": right["weights"].reshape(6, 5, 5)}
    case = read_case(given, mine, n_heads=2)
    _same(case, right)
    words = "'weights' is read with the axes (batch·heads, queries, keys)."
    assert case.notes == (words,)


def test_rows_may_come_before_batch_items() -> None:
    given = inputs(batch=3)
    right = steps(given)
    turned = {**given, "X": given["X"].swapaxes(0, 1)}
    mine = {"weights": right["weights"], "output": right["output"].swapaxes(0, 1)}
    case = read_case(turned, mine, n_heads=2, batch_first=False)
    _same(case, right)


def test_a_batch_of_one_item_is_none() -> None:
    given = inputs(batch=1)
    right = steps(given)
    case = read_case(given, right, n_heads=2)
    assert case.inputs["X"].shape == (5, 12)
    _same(case, one(right))


def test_as_many_heads_as_tokens_are_told_apart_where_all_is_right_then() -> None:
    given = inputs(n=4, h=4, d=3)
    right = steps(given, h=4)
    mine = {n: right[n].transpose(0, 2, 1, 3) for n in PER_HEAD}
    mine["weights"] = right["weights"]
    case = read_case(given, mine, n_heads=4)
    _same(case, one(right))
    assert sum("(batch, tokens, heads, columns)" in note for note in case.notes) == 4


def test_as_many_heads_as_tokens_are_told_apart_before_a_mistake() -> None:
    given = inputs(n=4, h=4, d=3)
    right = steps(given, h=4)
    mine = {n: right[n].transpose(0, 2, 1, 3) for n in ("Q", "K", "V")}
    mine |= {"scores": right["scores"], "weights": right["weights"].swapaxes(2, 3)}
    case = read_case(given, mine, n_heads=4)
    for name in ("Q", "K", "V"):
        np.testing.assert_array_equal(case.mine[name], right[name][0])
    np.testing.assert_array_equal(case.mine["weights"], mine["weights"][0])


def test_a_split_without_a_transpose_is_no_other_order_of_axes() -> None:
    """With as many heads as tokens its Q, K and V look like one."""
    given = inputs(n=4, h=4, d=3)
    right = steps(given, h=4)
    x = given["X"]
    q, k, v = (
        (x @ given[f"W_{letter}"]).reshape(4, 4, 3) for letter in "QKV"
    )  # by view
    scores = q @ k.swapaxes(1, 2)
    case = read_case(given, {"Q": q, "K": k, "V": v, "scores": scores}, n_heads=4)
    np.testing.assert_array_equal(case.mine["Q"], q)
    np.testing.assert_array_equal(case.mine["V"], v)
    assert not np.array_equal(case.mine["Q"], right["Q"][0])
    assert any("could be read as (tokens, heads, columns)" in n for n in case.notes)


@pytest.mark.parametrize("again", [np.repeat, None])
def test_shared_keys_may_be_there_for_every_head_of_queries(again) -> None:
    given = inputs(h=4, kv=2, d=3)
    right = steps(given, h=4, kv=2)
    keys = right["K"][0]  # (2, 5, 3)
    if again is None:
        mine, words = np.concatenate([keys, keys]), "(tiled)"
    else:
        mine, words = again(keys, 2, axis=0), "each head repeated"
    case = read_case(given, {"K": mine}, n_heads=4, n_kv_heads=2)
    np.testing.assert_array_equal(case.mine["K"], keys)
    assert [words in note for note in case.notes] == [True]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_numbers_keep_their_type(dtype: str) -> None:
    given = inputs()
    right = steps(given)
    mine = {
        n: a.transpose(0, 2, 1, 3).astype(dtype) for n, a in right.items() if n == "Q"
    }
    case = read_case(given, mine, n_heads=2)
    assert case.mine["Q"].dtype == dtype
    assert all(array.dtype == np.float64 for array in case.inputs.values())


def test_columns_that_a_mistake_left_out_are_kept() -> None:
    given = {n: a for n, a in inputs().items() if n != "W_O"}
    mean = steps(inputs())["heads"][0].mean(axis=0)  # (5, 6) in place of (5, 12)
    case = read_case(given, {"output": mean}, n_heads=2)
    np.testing.assert_array_equal(case.mine["output"], mean)
