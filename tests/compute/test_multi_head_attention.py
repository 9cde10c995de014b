"""multi_head_attention() against a loop over batch items and heads."""

import math
from typing import Any

import numpy as np
import pytest

from attnviewer import (
    Alibi,
    Rotary,
    Sinusoidal,
    alibi_bias,
    attention,
    multi_head_attention,
    rotary_embedding,
    sinusoidal_encoding,
)

_random = np.random.default_rng(11)


def _normal(*shape: int) -> np.ndarray:
    return _random.normal(size=shape)


def _layer(n_heads: int, n_kv_heads: int, d_model: int = 6) -> dict[str, np.ndarray]:
    return {
        "w_q": _normal(d_model, n_heads * 4),
        "w_k": _normal(d_model, n_kv_heads * 4),
        "w_v": _normal(d_model, n_kv_heads * 3),
        "w_o": _normal(n_heads * 3, 5),
        "b_q": _normal(n_heads * 4),
        "b_k": _normal(n_kv_heads * 4),
        "b_v": _normal(n_kv_heads * 3),
        "b_o": _normal(5),
    }


def _one_head(q, k, v, allowed=True, bias=0.0) -> np.ndarray:
    scores = np.einsum("id,jd->ij", q, k) / math.sqrt(q.shape[1]) + bias
    scores = np.where(allowed, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("ij,jd->id", powers / powers.sum(axis=1, keepdims=True), v)


def _loop(
    x: np.ndarray,
    layer: dict[str, np.ndarray],
    n_heads: int,
    n_kv_heads: int,
    *,
    context: np.ndarray | None = None,
    values: np.ndarray | None = None,
    allowed: Any = True,
    bias: Any = 0.0,
    turned: Any = None,
    extra: Any = None,
) -> np.ndarray:
    """One item (n, d_model), head by head."""
    keys = x if context is None else context
    sources = {"q": x, "k": keys, "v": keys if values is None else values}
    wide = {
        name: np.einsum("nd,dc->nc", source, layer[f"w_{name}"]) + layer[f"b_{name}"]
        for name, source in sources.items()
    }
    heads = []
    for h in range(n_heads):
        shared = h // (n_heads // n_kv_heads)
        q = wide["q"][:, 4 * h : 4 * h + 4]
        k = wide["k"][:, 4 * shared : 4 * shared + 4]
        v = wide["v"][:, 3 * shared : 3 * shared + 3]
        if turned is not None:
            q, k = turned(q, 0), turned(k, 1)
        if extra is not None:
            k = np.vstack([k, extra[0][:, 4 * shared : 4 * shared + 4]])
            v = np.vstack([v, extra[1][:, 3 * shared : 3 * shared + 3]])
        own = bias[h] if np.ndim(bias) == 3 else bias
        heads.append(_one_head(q, k, v, allowed, own))
    return np.einsum("nc,co->no", np.hstack(heads), layer["w_o"]) + layer["b_o"]


def _same(trace, want) -> None:
    np.testing.assert_allclose(trace["output"], want, rtol=1e-11, atol=1e-12)


_HEADS = pytest.mark.parametrize(
    ("n_heads", "n_kv_heads"), [(1, 1), (2, 2), (4, 2), (3, 1)]
)


@_HEADS
def test_self_attention_is_the_loop_over_heads(n_heads, n_kv_heads) -> None:
    x, layer = _normal(5, 6), _layer(n_heads, n_kv_heads)
    trace = multi_head_attention(x, **layer, n_heads=n_heads, n_kv_heads=n_kv_heads)
    _same(trace, _loop(x, layer, n_heads, n_kv_heads))


@_HEADS
def test_a_batch_is_its_items_one_by_one(n_heads, n_kv_heads) -> None:
    x, layer = _normal(3, 5, 6), _layer(n_heads, n_kv_heads)
    trace = multi_head_attention(x, **layer, n_heads=n_heads, n_kv_heads=n_kv_heads)
    _same(trace, [_loop(item, layer, n_heads, n_kv_heads) for item in x])


def test_cross_attention_takes_keys_from_the_context_and_values_from_their_own() -> (
    None
):
    x, context, values = _normal(2, 3, 6), _normal(2, 4, 7), _normal(2, 4, 2)
    layer = _layer(2, 2) | {"w_k": _normal(7, 8), "w_v": _normal(2, 6)}
    both = multi_head_attention(x, **layer, n_heads=2, context=context, values=values)
    pairs = zip(x, context, values, strict=True)
    _same(both, [_loop(i, layer, 2, 2, context=c, values=v) for i, c, v in pairs])
    layer["w_v"] = _normal(7, 6)
    one = multi_head_attention(x, **layer, n_heads=2, context=context)
    pairs = zip(x, context, strict=True)
    _same(one, [_loop(i, layer, 2, 2, context=c) for i, c in pairs])
    assert both.shape("weights") == (2, 2, 3, 4)
    assert both.spec.variant == one.spec.variant == "cross"


def test_values_alone_may_come_from_a_sequence_of_their_own() -> None:
    x, values, layer = _normal(4, 6), _normal(4, 2), _layer(2, 2)
    layer["w_v"] = _normal(2, 6)
    trace = multi_head_attention(x, **layer, n_heads=2, values=values)
    _same(trace, _loop(x, layer, 2, 2, values=values))


def test_one_head_has_its_axis_too() -> None:
    x, layer = _normal(4, 6), _layer(1, 1)
    trace = multi_head_attention(x, **layer)
    assert list(trace) == [
        "X",
        "W_Q",
        "b_Q",
        "W_K",
        "b_K",
        "W_V",
        "b_V",
        "W_O",
        "b_O",
        "Q",
        "K",
        "V",
        "scores",
        "scaled",
        "weights",
        "heads",
        "concatenated",
        "output",
    ]
    assert trace.shape("Q") == (1, 4, 4)
    assert trace.shape("weights") == (1, 4, 4)
    assert trace.shape("heads") == (1, 4, 3)
    assert trace.shape("concatenated") == (4, 3)


def test_without_w_o_the_heads_stand_side_by_side() -> None:
    x, layer = _normal(4, 6), _layer(2, 2)
    del layer["w_o"], layer["b_o"]
    trace = multi_head_attention(x, **layer, n_heads=2)
    assert "concatenated" not in trace
    np.testing.assert_array_equal(trace["output"], np.hstack(list(trace["heads"])))


def test_a_bias_may_be_a_matrix_of_one_row() -> None:
    x, layer = _normal(4, 6), _layer(2, 2)
    rows = {n: a[np.newaxis] if n.startswith("b_") else a for n, a in layer.items()}
    _same(multi_head_attention(x, **rows, n_heads=2), _loop(x, layer, 2, 2))


def test_each_bias_may_be_left_out() -> None:
    x, layer = _normal(4, 6), _layer(2, 2)
    for name in ("b_q", "b_k", "b_v", "b_o"):
        without = {n: a for n, a in layer.items() if n != name}
        trace = multi_head_attention(x, **without, n_heads=2)
        nothing = layer | {name: np.zeros_like(layer[name])}
        _same(trace, _loop(x, nothing, 2, 2))


@pytest.mark.parametrize("offset", [0, 3])
def test_sinusoidal_positions_are_added_to_x_alone(offset) -> None:
    x, context, layer = _normal(3, 6), _normal(4, 6), _layer(2, 2)
    scheme = Sinusoidal(offset=offset) if offset else "sinusoidal"
    placed = x + sinusoidal_encoding(3, 6, offset=offset)
    own = multi_head_attention(x, **layer, n_heads=2, positions=scheme)
    _same(own, _loop(placed, layer, 2, 2))
    cross = multi_head_attention(
        x, **layer, n_heads=2, positions=scheme, context=context
    )
    _same(cross, _loop(placed, layer, 2, 2, context=context))


def test_a_learned_table_gives_its_first_rows_to_every_item() -> None:
    x, table, layer = _normal(2, 3, 6), _normal(5, 6), _layer(2, 2)
    trace = multi_head_attention(x, **layer, n_heads=2, positions=table)
    _same(trace, [_loop(item + table[:3], layer, 2, 2) for item in x])
    listed = multi_head_attention(x, **layer, n_heads=2, positions=table.tolist())
    _same(listed, trace["output"])


@pytest.mark.parametrize(
    "scheme",
    [
        "rope",
        Rotary(base=100.0),
        Rotary(rotary_dim=2),
        Rotary(interleaved=True),
        Rotary(rotary_dim=2, interleaved=True, offset=4),
    ],
)
@pytest.mark.parametrize("offset", [0, 2])
def test_rotary_positions_turn_queries_and_keys(offset, scheme) -> None:
    x, context, layer = _normal(3, 6), _normal(4, 6), _layer(4, 2)
    plain = Rotary() if scheme == "rope" else scheme

    def turned(rows: np.ndarray, is_key: int) -> np.ndarray:
        first = plain.offset + (0 if is_key else offset)
        return rotary_embedding(
            rows,
            first + np.arange(len(rows)),
            base=plain.base,
            rotary_dim=plain.rotary_dim,
            interleaved=plain.interleaved,
        )

    trace = multi_head_attention(
        x,
        **layer,
        n_heads=4,
        n_kv_heads=2,
        positions=scheme,
        context=context,
        query_offset=offset,
    )
    _same(trace, _loop(x, layer, 4, 2, context=context, turned=turned))


def test_rotary_offsets_hold_for_each_batch_item() -> None:
    x, context, layer = _normal(2, 3, 6), _normal(2, 5, 6), _layer(2, 2)
    options = {"n_heads": 2, "positions": "rope", "causal": True}
    both = multi_head_attention(
        x, **layer, context=context, query_offset=[2, 1], **options
    )
    for item, offset in enumerate([2, 1]):
        one = multi_head_attention(
            x[item], **layer, context=context[item], query_offset=offset, **options
        )
        np.testing.assert_allclose(both["output"][item], one["output"], rtol=1e-12)
        np.testing.assert_allclose(
            both["rotated Q"][item], one["rotated Q"], rtol=1e-12
        )


@pytest.mark.parametrize("scheme", ["alibi", Alibi()])
@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("n_heads", [1, 3, 4])
def test_alibi_lowers_the_scores_with_the_distance(n_heads, offset, scheme) -> None:
    x, layer = _normal(4, 6), _layer(n_heads, n_heads)
    trace = multi_head_attention(
        x, **layer, n_heads=n_heads, positions=scheme, query_offset=offset, causal=True
    )
    bias = alibi_bias(n_heads, 4, 4, query_offset=offset)
    allowed = np.tri(4, 4, offset, dtype=bool)
    _same(trace, _loop(x, layer, n_heads, n_heads, bias=bias, allowed=allowed))


def test_alibi_and_a_bias_add_up_for_each_batch_item() -> None:
    x, layer, bias = _normal(2, 3, 6), _layer(2, 2), _normal(2, 1, 3, 3)
    trace = multi_head_attention(
        x, **layer, n_heads=2, positions="alibi", bias=bias, query_offset=[0, 5]
    )
    want = [
        _loop(x[b], layer, 2, 2, bias=bias[b] + alibi_bias(2, 3, 3, query_offset=5 * b))
        for b in range(2)
    ]
    _same(trace, want)


@pytest.mark.parametrize("positions", [None, "rope", "alibi"])
@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("given_width", ["none", "real", "all"])
def test_extra_keys_have_no_place_and_are_seen_by_all(
    n, given_width, positions
) -> None:
    x, layer = _normal(n, 6), _layer(4, 2)
    extra = _normal(2, 8), _normal(2, 6)
    mask = np.tri(n, dtype=bool)
    bias = _normal(4, n, n)
    wide_mask = np.pad(mask, [(0, 0), (0, 2)], constant_values=True)
    wide_bias = np.pad(bias, [(0, 0), (0, 0), (0, 2)])
    options: dict[str, Any] = {"causal": True}
    allowed, added = wide_mask, np.zeros((4, n, n + 2))
    if given_width == "real":
        options, added = {"mask": mask, "bias": bias}, wide_bias
    if given_width == "all":
        wide_mask[0, -1] = False
        options, added = {"mask": wide_mask, "bias": wide_bias + 1}, wide_bias + 1
    if positions == "alibi":
        added = added + np.pad(alibi_bias(4, n, n), [(0, 0), (0, 0), (0, 2)])
    trace = multi_head_attention(
        x,
        **layer,
        n_heads=4,
        n_kv_heads=2,
        positions=positions,
        extra_keys=extra[0],
        extra_values=extra[1],
        **options,
    )
    turned = (lambda rows, _: rotary_embedding(rows)) if positions == "rope" else None
    want = _loop(
        x, layer, 4, 2, allowed=allowed, bias=added, turned=turned, extra=extra
    )
    _same(trace, want)


def test_each_item_may_have_extra_rows_of_its_own() -> None:
    x, layer = _normal(2, 3, 6), _layer(2, 2)
    extra = _normal(2, 1, 8), _normal(2, 1, 6)
    trace = multi_head_attention(
        x, **layer, n_heads=2, extra_keys=extra[0], extra_values=extra[1]
    )
    items = zip(x, *extra, strict=True)
    _same(trace, [_loop(i, layer, 2, 2, extra=(k, v)) for i, k, v in items])


def test_padding_does_not_reach_the_extra_keys() -> None:
    x, layer = _normal(2, 3, 6), _layer(2, 2)
    extra = {"extra_keys": _normal(1, 8), "extra_values": _normal(1, 6)}
    trace = multi_head_attention(x, **layer, n_heads=2, key_lengths=[0, 2], **extra)
    assert trace.hidden("weights").tolist() == [[True, True, True, False]] * 3
    hidden = trace.hidden("weights", batch=1)
    assert hidden.tolist() == [[False, False, True, False]] * 3
    np.testing.assert_array_equal(trace["weights"][0][..., 3], np.ones((2, 3)))
    assert not trace.blind().any()


def test_the_options_are_those_of_attention() -> None:
    x, layer = _normal(2, 3, 6), _layer(2, 1)
    options: dict[str, Any] = {
        "scale": 0.3,
        "mask": np.tri(3, dtype=bool),
        "bias": _normal(3, 3),
        "window": (1, None),
        "softcap": 2.0,
        "normalizer": "sigmoid",
        "temperature": 0.5,
        "normalizer_options": {"length_bias": False},
        "score": "general",
        "score_weights": {"w": _normal(4, 4)},
    }
    trace = multi_head_attention(x, **layer, n_heads=2, n_kv_heads=1, **options)
    inner = attention(trace["Q"], trace["K"], trace["V"], **options)
    for step in ("scores", "scaled", "capped", "biased", "masked", "weights"):
        np.testing.assert_array_equal(trace[step], inner[step])
    np.testing.assert_array_equal(trace["heads"], inner["output"])


def test_queries_and_keys_need_not_be_equally_wide_with_other_scores() -> None:
    x, layer = _normal(3, 6), _layer(2, 2) | {"w_q": _normal(6, 10), "b_q": _normal(10)}
    w = _normal(5, 4)
    trace = multi_head_attention(
        x, **layer, n_heads=2, score="general", score_weights={"w": w}
    )
    want = np.einsum("hia,ab,hjb->hij", trace["Q"], w, trace["K"])
    np.testing.assert_allclose(trace["scores"], want, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("positions", ["sinusoidal", "rope", "alibi"])
def test_every_step_has_the_type_of_the_embeddings(positions, dtype) -> None:
    x, w, b = np.ones((2, 3, 4), dtype), np.ones((4, 4), dtype), np.ones(4, dtype)
    trace = multi_head_attention(
        x,
        *[w] * 4,
        b_q=b,
        b_o=b,
        n_heads=2,
        positions=positions,
        extra_keys=w[:1],
        extra_values=w[:1],
        causal=True,
    )
    assert {array.dtype for array in trace.values()} == {np.dtype(dtype)}


def test_sums_beyond_half_precision_leave_their_mean_in_it() -> None:
    # 300 keys of equal weight, whose values add up to 90,000: more than 65,504.
    eye = np.eye(4, dtype=np.float16)
    x = np.ones((300, 4), np.float16)
    trace = multi_head_attention(x, eye, eye, np.float16(300) * eye, eye)
    assert (trace["output"] == 300).all()


def test_inputs_are_neither_changed_nor_shared() -> None:
    x, layer = _normal(3, 6), _layer(2, 2)
    given_arrays = {"x": x, **layer}
    before = {name: array.copy() for name, array in given_arrays.items()}
    trace = multi_head_attention(**given_arrays, n_heads=2)
    for name, array in given_arrays.items():
        np.testing.assert_array_equal(array, before[name])
        array[...] = 0
    _same(trace, _loop(before["x"], before, 2, 2))
    np.testing.assert_array_equal(trace["X"], before["x"])
