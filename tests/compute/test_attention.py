"""attention(): shapes, masks, types and the order of its steps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer import attention


def _normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def _softmax(scores: np.ndarray) -> np.ndarray:
    """Row by row, as the formula is written; rows without a key are zero."""
    weights = np.zeros_like(scores)
    for index in np.ndindex(scores.shape[:-1]):
        row = scores[index]
        if np.isfinite(row).any():
            powers = np.array([math.exp(s - row.max()) for s in row.tolist()])
            weights[index] = powers / math.fsum(powers)
    return weights


@given(
    st.sampled_from([(), (1,), (2,), (1, 3), (2, 3), (2, 1, 3), (2, 2, 2, 1)]),
    st.tuples(*[st.integers(1, 4)] * 4),
    st.integers(0, 9),
)
def test_any_number_of_leading_axes_is_equation_one(lead, sizes, seed) -> None:
    n_q, n_k, d_k, d_v = sizes
    q, k = _normal(*lead, n_q, d_k, seed=seed), _normal(*lead, n_k, d_k, seed=seed + 1)
    v = _normal(*lead, n_k, d_v, seed=seed + 2)
    trace = attention(q, k, v)
    weights = _softmax(np.einsum("...id,...jd->...ij", q, k) / math.sqrt(d_k))
    np.testing.assert_allclose(trace["weights"], weights, rtol=1e-12, atol=1e-15)
    want = np.einsum("...ij,...jd->...id", weights, v)
    np.testing.assert_allclose(trace["output"], want, rtol=1e-11, atol=1e-14)


def test_heads_of_keys_are_repeated_one_by_one_and_not_tiled() -> None:
    q, k, v = _normal(2, 6, 3, 4), _normal(2, 3, 5, 4), _normal(2, 3, 5, 2)
    trace = attention(q, k, v)
    assert trace.shape("weights") == (2, 6, 3, 5)
    for head, shared in enumerate([0, 0, 1, 1, 2, 2]):
        own = attention(q[:, head], k[:, shared], v[:, shared])
        np.testing.assert_allclose(trace["output"][:, head], own["output"], rtol=1e-12)


def test_one_head_of_keys_may_serve_all() -> None:
    q, k, v = _normal(4, 3, 2), _normal(1, 5, 2), _normal(1, 5, 2)
    for head in range(4):
        own = attention(q[head], k[0], v[0])["output"]
        np.testing.assert_allclose(attention(q, k, v)["output"][head], own, rtol=1e-12)


def test_a_causal_mask_is_aligned_at_the_top_left_and_moved_by_the_offset() -> None:
    q, k, v = _normal(2, 3), _normal(4, 3), _normal(4, 3)
    for offset in (-1, 0, 2):
        hidden = attention(q, k, v, causal=True, query_offset=offset).hidden("weights")
        want = [[j > i + offset for j in range(4)] for i in range(2)]
        assert hidden.tolist() == want


@pytest.mark.parametrize("lead", [(2,), (2, 2)])
def test_offsets_lengths_and_windows_hold_for_each_batch_item(lead) -> None:
    x = _normal(*lead, 3, 4, 2)  # (..., h, n, d)
    offsets = np.arange(np.prod(lead)).reshape(lead)
    lengths = 4 - offsets
    options = {"causal": True, "window": (1, None)}
    together = attention(x, x, x, query_offset=offsets, key_lengths=lengths, **options)
    for item in np.ndindex(lead):
        alone = attention(
            x[item],
            x[item],
            x[item],
            query_offset=int(offsets[item]),
            key_lengths=int(lengths[item]),
            **options,
        )
        for step in ("masked", "weights", "output"):
            np.testing.assert_allclose(together[step][item], alone[step], rtol=1e-13)
        i, j = np.ogrid[:4, :4]
        place = i + offsets[item]
        seen = (j <= place) & (j >= place - 1) & (j < lengths[item])
        np.testing.assert_array_equal(together.hidden("masked", batch=item), ~seen)
        np.testing.assert_array_equal(together.blind(batch=item), ~seen.any(axis=1))


@pytest.mark.parametrize("numbers", [2, np.int64(2), np.array(2), [2], [2, 2]])
def test_one_number_may_stand_for_all_batch_items(numbers) -> None:
    x = _normal(2, 1, 4, 2)
    hidden = attention(x, x, x, key_lengths=numbers).hidden("weights", batch=1)
    assert hidden.tolist() == [[False, False, True, True]] * 4


def test_a_mask_and_a_bias_of_minus_infinity_hide_the_same_keys() -> None:
    q, k, v = _normal(2, 3, 4), _normal(2, 5, 4), _normal(2, 5, 4)
    mask = np.random.default_rng(3).random((3, 5)) < 0.5
    masked = attention(q, k, v, mask=mask)
    biased = attention(q, k, v, bias=np.where(mask, 0.0, -np.inf))
    np.testing.assert_array_equal(masked["weights"], biased["weights"])
    assert not masked["weights"][:, ~mask].any()


@pytest.mark.parametrize(
    "shape", [(), (5,), (3, 1), (2, 1, 1), (2, 3, 5), (4, 1, 1, 5), (4, 2, 3, 5)]
)
def test_bias_and_mask_are_broadcast_to_the_scores(shape) -> None:
    q, k = _normal(4, 2, 3, 2), _normal(4, 2, 5, 2)
    bias = _normal(*shape, seed=7)
    mask = np.array(_normal(*shape, seed=8) < 0.5)
    trace = attention(q, k, k, bias=bias, mask=mask, scale=1.0)
    scores = np.einsum("bhid,bhjd->bhij", q, k) + bias
    want = np.where(np.broadcast_to(mask, scores.shape), scores, -np.inf)
    np.testing.assert_allclose(trace["masked"], want, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    "normalizer",
    ["softmax", "sum", "softmax1", "sigmoid", "sparsemax", "entmax15", "hardmax"],
)
@pytest.mark.parametrize(
    "options",
    [
        {"mask": [[False] * 3, [True, False, True]]},
        {"bias": [[-np.inf] * 3, [0.0] * 3]},
        {"causal": True, "query_offset": -1},
        {"window": (0, 0), "query_offset": -1},
    ],
)
def test_a_query_that_sees_no_key_has_no_weights_and_no_output(
    normalizer, options
) -> None:
    q, k, v = np.ones((2, 2)), np.ones((3, 2)), np.ones((3, 2))
    trace = attention(q, k, v, normalizer=normalizer, **options)
    assert trace["weights"][0].tolist() == [0.0] * 3
    assert trace["output"][0].tolist() == [0.0] * 2
    assert trace["output"][1].all()
    assert trace.blind().tolist() == [True, False]


def test_no_key_at_all_leaves_zeros() -> None:
    x = _normal(3, 2)
    trace = attention(x, x, x, key_lengths=0)
    assert trace.blind().all()
    assert not trace["output"].any()


def test_a_single_key_gets_all_the_attention() -> None:
    trace = attention([[3.0]], [[5.0]], [[7.0, 8.0]])
    assert trace["weights"].tolist() == [[1.0]]
    assert trace["output"].tolist() == [[7.0, 8.0]]


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({}, "scores scaled"),
        ({"scale": 1.0}, "scores"),
        ({"scale": 0.5}, "scores scaled"),
        ({"softcap": 2.0}, "scores scaled capped"),
        ({"bias": 1.0}, "scores scaled biased"),
        ({"causal": True}, "scores scaled masked"),
        ({"mask": True}, "scores scaled masked"),
        ({"key_lengths": 1}, "scores scaled masked"),
        ({"window": (1, 1)}, "scores scaled masked"),
        ({"window": (None, None)}, "scores scaled"),
        (
            {"mask": True, "bias": 1.0, "softcap": 2.0, "causal": True},
            "scores scaled capped biased masked",
        ),
    ],
)
def test_each_option_has_its_step_and_the_order_is_fixed(options, steps) -> None:
    trace = attention(_normal(2, 2), _normal(2, 2), _normal(2, 2), **options)
    given_too = [name for name in ("bias", "mask") if name in options]
    want = ["Q", "K", "V", *given_too, *steps.split(), "weights", "output"]
    assert list(trace) == want


_SMALL = {"w_q": [[1.0], [1.0]], "w_k": [[1.0], [1.0]], "v": [1.0]}


@pytest.mark.parametrize(
    ("score", "weights", "steps"),
    [
        ("cosine", None, "Q K V|unit Q|unit K|scores"),
        ("general", {"w": np.eye(2)}, "Q K V w|Q w|scores"),
        ("additive", _SMALL, "Q K V w_q w_k v|Q w_q|K w_k|scores"),
        ("concat", _SMALL, "Q K V w_q w_k v|Q w_q|K w_k|scores"),
    ],
)
def test_each_score_has_its_own_steps_and_no_scale(score, weights, steps) -> None:
    x = _normal(2, 2)
    trace = attention(x, x, x, score=score, score_weights=weights)
    inputs, *between = steps.split("|")
    assert list(trace) == [*inputs.split(), *between, "weights", "output"]
    assert "scaled" in attention(x, x, x, score=score, score_weights=weights, scale=2.0)


def test_scores_are_as_the_papers_write_them() -> None:
    q, k = _normal(2, 3, 2), _normal(2, 4, 5, seed=1)
    w, w_q, w_k, v = _normal(2, 5), _normal(2, 6), _normal(5, 6), _normal(6)
    general = attention(q, k, k, score="general", score_weights={"w": w})
    additive = attention(
        q, k, k, score="additive", score_weights={"w_q": w_q, "w_k": w_k, "v": v}
    )
    cosine = attention(q, k[..., :2], k, score="cosine")
    for h, i, j in np.ndindex(2, 3, 4):
        query, key = q[h, i], k[h, j]
        want = sum(
            query[a] * w[a, b] * key[b] for a in range(2) for b in range(5)
        )  # q W kᵀ
        assert general["scores"][h, i, j] == pytest.approx(want, rel=1e-12)
        want = sum(v * np.tanh(query @ w_q + key @ w_k))
        assert additive["scores"][h, i, j] == pytest.approx(want, rel=1e-12)
        lengths = math.hypot(*query) * math.hypot(*key[:2])
        want = query @ key[:2] / lengths
        assert cosine["scores"][h, i, j] == pytest.approx(want, rel=1e-12)


def test_the_soft_cap_comes_before_bias_and_mask() -> None:
    q, k, v = _normal(3, 2) * 10, _normal(3, 2), _normal(3, 2)
    trace = attention(q, k, v, scale=1.0, softcap=2.0, bias=100.0, causal=True)
    capped = 2 * np.tanh(q @ k.T / 2)
    np.testing.assert_allclose(trace["capped"], capped, rtol=1e-13)
    np.testing.assert_allclose(trace["biased"], capped + 100, rtol=1e-13)
    want = np.where(np.tri(3, dtype=bool), capped + 100, -np.inf)
    np.testing.assert_allclose(trace["masked"], want, rtol=1e-13)


def test_the_temperature_divides_what_is_masked() -> None:
    q, k, v = _normal(3, 2), _normal(3, 2), _normal(3, 2)
    trace = attention(q, k, v, scale=1.0, causal=True, temperature=0.25)
    want = _softmax(np.where(np.tri(3, dtype=bool), q @ k.T / 0.25, -np.inf))
    np.testing.assert_allclose(trace["weights"], want, rtol=1e-12)


def test_normalizer_options_reach_the_normalizer() -> None:
    x = np.zeros((3, 2))
    plain = attention(x, x, x, normalizer="sigmoid")
    without = attention(
        x, x, x, normalizer="sigmoid", normalizer_options={"length_bias": False}
    )
    np.testing.assert_allclose(plain["weights"], np.full((3, 3), 0.25), rtol=1e-15)
    np.testing.assert_allclose(without["weights"], np.full((3, 3), 0.5), rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("score", ["dot", "cosine", "additive"])
@pytest.mark.parametrize("normalizer", ["softmax", "sum", "sigmoid", "entmax15"])
def test_every_step_has_the_type_of_the_queries(normalizer, score, dtype) -> None:
    x = np.ones((2, 3, 2), dtype)
    trace = attention(
        x,
        x,
        x,
        score=score,
        score_weights=_SMALL if score == "additive" else None,
        scale=np.float64(0.5),
        softcap=np.float64(2.0),
        temperature=np.float64(0.5),
        bias=np.ones((3, 3)),
        causal=True,
        normalizer=normalizer,
    )
    assert {array.dtype for array in trace.values()} == {np.dtype(dtype)}
    assert {trace.window(step).dtype for step in trace} == {np.dtype(dtype)}


def test_integers_bools_and_lists_count_as_double_precision() -> None:
    eye = [[1, 0], [0, 1]]
    for kind in (eye, np.eye(2, dtype=np.int8), np.eye(2, dtype=bool)):
        assert attention(kind, kind, kind)["output"].dtype == np.float64
    mixed = attention(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float16), eye)
    assert mixed["scores"].dtype == np.float64
    narrow = attention(eye, eye, eye, dtype=np.float16)
    assert {array.dtype.name for array in narrow.values()} == {"float16"}


def test_the_other_byte_order_keeps_its_precision() -> None:
    x = np.eye(2, dtype=">f4")
    assert attention(x, x, x)["output"].dtype == np.float32


def test_half_precision_may_be_computed_with_more_digits() -> None:
    x = _normal(4, 8).astype(np.float16)
    wide = attention(x, x, x, dtype=np.float32)
    want = attention(*[x.astype(np.float32)] * 3)
    np.testing.assert_array_equal(wide["output"], want["output"])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("options", [{"softcap": 1e6}, {"scale": 1e6}])
def test_factors_beyond_half_precision_leave_no_hole(options, dtype) -> None:
    q = np.array([[0.0], [1e-3]], dtype)
    trace = attention(q, np.ones((2, 1), dtype), np.ones((2, 1), dtype), **options)
    assert np.isfinite(trace["weights"]).all()
    assert trace[trace.stages["weights"].inputs[0]][0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("dtype", "n", "value"),
    [
        (np.float16, 2000, 100.0),  # the largest is 65,504
        (np.float16, 70_000, 1.0),
        (np.float32, 2, 3e38),
        (np.float64, 2, 1e308),
    ],
)
def test_sums_beyond_the_range_leave_their_mean_in_it(dtype, n, value) -> None:
    q, k = np.zeros((1, 4), dtype), np.zeros((n, 4), dtype)
    trace = attention(q, k, np.full((n, 1), value, dtype))
    assert (trace["weights"] == dtype(1 / n)).all()
    assert trace["output"] == dtype(value)
    assert trace["output"].dtype == dtype


@pytest.mark.parametrize("size", [1e30, 1e308])
@pytest.mark.parametrize("normalizer", ["softmax", "softmax1", "sparsemax", "hardmax"])
def test_huge_scores_neither_overflow_nor_warn(normalizer, size) -> None:
    q, k, v = [[size], [-size]], [[1.0], [-1.0]], [[1.0], [2.0]]
    trace = attention(q, k, v, normalizer=normalizer, causal=True, query_offset=1)
    assert trace["weights"].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert trace["output"].tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1.7e308])
def test_the_cosine_of_tiny_and_huge_rows_is_that_of_their_directions(size) -> None:
    q, k = np.array([[size, size]]), np.array([[1.0, 0.0], [-size, -size]])
    scores = attention(q, k, np.ones((2, 1)), score="cosine")["scores"]
    np.testing.assert_allclose(scores, [[math.sqrt(0.5), -1.0]], rtol=1e-4)


def test_the_cosine_of_a_row_of_zeros_is_zero() -> None:
    trace = attention([[0.0, 0.0]], np.eye(2), np.eye(2), score="cosine")
    assert trace["scores"].tolist() == [[0.0, 0.0]]


def test_inputs_are_neither_changed_nor_shared() -> None:
    q, k, v, bias = (_normal(3, 3, seed=seed) for seed in range(4))
    mask = np.tri(3, dtype=bool)
    before = [array.copy() for array in (q, k, v, bias, mask)]
    trace = attention(q, k, v, bias=bias, mask=mask, softcap=1.0)
    output = trace["output"].copy()
    for array, old in zip((q, k, v, bias, mask), before, strict=True):
        np.testing.assert_array_equal(array, old)
        array[...] = 0
    np.testing.assert_array_equal(trace["Q"], before[0])
    np.testing.assert_array_equal(trace["mask"], before[4])
    np.testing.assert_array_equal(trace["output"], output)
    np.testing.assert_allclose(trace["weights"] @ before[2], output, rtol=1e-13)
