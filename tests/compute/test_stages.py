"""Each step against numbers worked by hand, and against loops in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec, run

Matrix = list[list[float]]


def _dot(left: list[float], right: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def _multiply(left: Matrix, right: Matrix) -> Matrix:
    columns = [list(column) for column in zip(*right, strict=True)]
    return [[_dot(row, column) for column in columns] for row in left]


def _attend(queries: Matrix, keys: Matrix, values: Matrix, *, causal: bool) -> Matrix:
    """One head, query by query, as the paper's sentence has it."""
    result = []
    for i, query in enumerate(queries):
        seen = [j for j in range(len(keys)) if j <= i or not causal]
        scores = [_dot(query, keys[j]) / math.sqrt(len(query)) for j in seen]
        exponentials = [math.exp(score) for score in scores]
        total = math.fsum(exponentials)
        weights = [e / total for e in exponentials]
        result.append(
            [
                math.fsum(w * values[j][c] for w, j in zip(weights, seen, strict=True))
                for c in range(len(values[0]))
            ]
        )
    return result


def _columns(matrix: Matrix, start: int, stop: int) -> Matrix:
    return [row[start:stop] for row in matrix]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("output_projection", [False, True])
@pytest.mark.parametrize("n_heads", [1, 2, 3])
@given(seed=st.integers(0, 2**32 - 1))
def test_heads_agree_with_a_loop_over_heads_and_queries(
    n_heads, output_projection, causal, seed
) -> None:
    random = np.random.default_rng(seed)
    n, d_model, d_k, d_v, width = (int(x) for x in random.integers(1, 5, size=5))
    shapes = {
        "X": (n, d_model),
        "W_Q": (d_model, n_heads * d_k),
        "W_K": (d_model, n_heads * d_k),
        "W_V": (d_model, n_heads * d_v),
        "W_O": (n_heads * d_v, width),
    }
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    if not output_projection:
        del inputs["W_O"]
    spec = Spec(
        n_heads=n_heads,
        output_projection=output_projection,
        causal=causal,
    )
    lists = {name: array.tolist() for name, array in inputs.items()}
    q, k, v = (_multiply(lists["X"], lists[f"W_{name}"]) for name in "QKV")
    heads = [
        _attend(
            _columns(q, h * d_k, (h + 1) * d_k),
            _columns(k, h * d_k, (h + 1) * d_k),
            _columns(v, h * d_v, (h + 1) * d_v),
            causal=causal,
        )
        for h in range(n_heads)
    ]
    joined = [[number for head in heads for number in head[i]] for i in range(n)]
    want = _multiply(joined, lists["W_O"]) if output_projection else joined
    got = run(spec, inputs)["output"]
    np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11)


_SMALL = {
    "X": np.array([[1.0, 2.0], [3.0, 4.0]]),
    "W_Q": np.array([[1.0, 0.0], [0.0, 2.0]]),
    "W_K": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "W_V": np.array([[1.0, 1.0], [0.0, 1.0]]),
    "W_O": np.array([[0.0], [10.0]]),
}


def test_projections_multiply_from_the_right() -> None:
    trace = run(Spec(), _SMALL)
    assert trace["Q"].tolist() == [[1.0, 4.0], [3.0, 8.0]]
    assert trace["K"].tolist() == [[2.0, 1.0], [4.0, 3.0]]
    assert trace["V"].tolist() == [[1.0, 3.0], [3.0, 7.0]]


def test_scores_have_queries_down_and_keys_across() -> None:
    # Q0·K1 = 1·4 + 4·3, Q1·K0 = 3·2 + 8·1.
    assert run(Spec(), _SMALL)["scores"].tolist() == [[6.0, 16.0], [14.0, 36.0]]


def test_scores_are_divided_by_the_root_of_the_width_of_one_head() -> None:
    one = run(Spec(), _SMALL)
    two = run(Spec(n_heads=2), _SMALL)
    root = 2**0.5
    assert one["scaled"].tolist() == [[6 / root, 16 / root], [14 / root, 36 / root]]
    assert two["scaled"].tolist() == two["scores"].tolist()  # d_k = 1


def test_a_scale_of_ones_own_multiplies() -> None:
    scaled = run(Spec(scale=-0.5), _SMALL)["scaled"]
    assert scaled.tolist() == [[-3.0, -8.0], [-7.0, -18.0]]


def test_each_head_owns_its_block_of_columns() -> None:
    trace = run(Spec(n_heads=2), _SMALL)
    assert trace["Q"].tolist() == [[[1.0], [3.0]], [[4.0], [8.0]]]
    assert trace["scores"].tolist() == [
        [[2.0, 4.0], [6.0, 12.0]],
        [[4.0, 12.0], [8.0, 24.0]],
    ]


def test_heads_stand_side_by_side_in_their_order() -> None:
    trace = run(Spec(n_heads=2, output_projection=True), _SMALL)
    heads, joined = trace["heads"], trace["concatenated"]
    assert joined[:, 0].tolist() == heads[0, :, 0].tolist()
    assert joined[:, 1].tolist() == heads[1, :, 0].tolist()
    assert trace["output"].tolist() == (joined[:, 1:] * 10).tolist()
    assert np.shares_memory(heads, joined)  # they are not copied for it


def test_the_causal_mask_hides_later_keys_behind_minus_infinity() -> None:
    trace = run(Spec(causal=True, scale=1.0), _SMALL)
    assert trace["masked"].tolist() == [[6.0, -math.inf], [14.0, 36.0]]
    assert trace["weights"][0].tolist() == [1.0, 0.0]
    assert trace["output"][0].tolist() == trace["V"][0].tolist()


def test_without_projections_the_embeddings_are_queries_keys_and_values() -> None:
    trace = run(Spec(projected=False, scale=1.0, normalizer="sum"), _SMALL)
    assert trace["scores"].tolist() == [[5.0, 11.0], [11.0, 25.0]]
    assert trace["weights"].tolist() == [[5 / 16, 11 / 16], [11 / 36, 25 / 36]]
    np.testing.assert_allclose(trace["output"][0], [38 / 16, 54 / 16], rtol=1e-15)


def test_a_single_token_gets_its_own_value_back() -> None:
    assert run(Spec(), _SMALL | {"X": _SMALL["X"][:1]})["output"].tolist() == [
        [1.0, 3.0]
    ]


def test_huge_inputs_give_infinite_scores_but_no_warning_and_even_weights() -> None:
    trace = run(Spec(projected=False), {"X": np.array([[1e200], [1e200]])})
    assert trace["scores"].tolist() == [[math.inf] * 2] * 2
    assert trace["weights"].tolist() == [[0.5, 0.5]] * 2


def test_single_precision_stays_single_through_every_step() -> None:
    inputs = {name: matrix.astype(np.float32) for name, matrix in _SMALL.items()}
    for normalizer in ("softmax", "sum"):
        spec = Spec(
            n_heads=2, output_projection=True, causal=True, normalizer=normalizer
        )
        assert {a.dtype.name for a in run(spec, inputs).values()} == {"float32"}
