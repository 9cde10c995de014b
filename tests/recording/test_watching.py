"""What is read of the calls of attention functions, over arrays of NumPy."""

from types import SimpleNamespace

import numpy as np
import pytest

from attnviewer.recording.recorded_run import RecordedRun, load_recording
from attnviewer.recording.watching.functions import SoftmaxThenProduct, fused_call
from attnviewer.recording.watching.interface import interface_call
from attnviewer.recording.watching.multi_head import (
    functional_call,
    layer_of_multi_head,
)

N = 4


class _Tensor(np.ndarray):
    """An array with what a tensor tells of its memory."""

    def data_ptr(self):
        return self.__array_interface__["data"][0]

    def numel(self):
        return self.size


def _tensor(*shape):
    array = np.random.default_rng(len(shape) + shape[-1]).standard_normal(shape)
    return array.view(_Tensor)


def _softmax(scores):
    numerators = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (numerators / numerators.sum(axis=-1, keepdims=True)).view(_Tensor)


def test_the_arguments_of_the_fused_function_are_read_by_place_and_name() -> None:
    q, k, v = _tensor(2, 4, N, 3), _tensor(2, 2, N, 3), _tensor(2, 2, N, 3)
    mask = np.tri(N, dtype=bool)
    by_place = fused_call("a", (q, k, v, mask, 0.0, False), {"scale": 0.5}, q)
    by_name = fused_call("a", (q, k), {"value": v, "is_causal": True, "scale": 0.5}, q)
    for layer in (by_place, by_name):
        assert (layer.spec.n_heads, layer.spec.kv_heads) == (4, 2)
        assert layer.spec.causal
        assert not layer.spec.mask
        assert layer.spec.scale == 0.5
    np.testing.assert_array_equal(by_place.inputs["V"], v)


@pytest.mark.parametrize("lead", [(2, 1, 1), (3, 2), (3, 1), (2, 3, 2), (1, 1, 1)])
def test_a_mask_is_broadcast_to_all_axes_before_the_heads(lead) -> None:
    q = _tensor(2, 3, 2, N, 3)
    mask = np.random.default_rng(5).random((*lead, N, N)) < 0.7
    mask[..., 0] = True
    layer = fused_call("a", (q, q, q, mask), {}, q)
    assert layer.n_items == 6
    scores = np.where(mask, q @ q.swapaxes(-1, -2) / np.sqrt(3), -np.inf)
    want = np.asarray(_softmax(scores)).reshape(6, 2, N, N)
    got = [layer.trace(item)["weights"] for item in range(6)]
    np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize("lead", [(), (2,), (3, 2, 2)])
def test_what_heads_without_a_batch_or_with_more_axes_gave_is_kept(
    lead, tmp_path
) -> None:
    q = _tensor(*lead, N, 3)
    heads = _softmax(q @ q.swapaxes(-1, -2) / np.sqrt(3)) @ q
    layer = fused_call("a", (q, q, q), {}, heads)
    assert layer.diagnose().agrees
    file = tmp_path / "run.npz"
    RecordedRun([layer]).save(file)
    (read,) = load_recording(file).layers
    np.testing.assert_array_equal(read.output.ravel(), heads.ravel())


@pytest.mark.parametrize(("variant", "first"), [("LOWER_RIGHT", 3), ("UPPER_LEFT", 1)])
def test_a_causal_bias_of_pytorch_hides_from_its_own_corner(variant, first) -> None:
    q, k = _tensor(1, 2, 2, 3), _tensor(1, 2, N, 3)
    named = SimpleNamespace(name=variant)
    bias = SimpleNamespace(variant=named, seq_len_q=2, seq_len_kv=N)
    weights = fused_call("a", (q, k, k, bias), {}, q).trace()["weights"]
    for row, seen in enumerate((first, first + 1)):
        assert (weights[:, row, :seen] > 0).all()
        assert (weights[:, row, seen:] == 0).all()


def test_a_mask_for_several_items_repeats_queries_for_one() -> None:
    q, mask = _tensor(1, 2, N, 3), np.ones((3, 1, N, N), bool)
    mask[1, ..., 1:] = False
    layer = fused_call("a", (q, q, q, mask), {}, q)
    assert layer.n_items == 3
    assert (layer.trace(1)["weights"][..., 0] == 1).all()


def test_numbers_that_are_added_to_scores_hide_keys_or_are_a_bias() -> None:
    q = _tensor(1, 2, N, 3)
    added = np.zeros((1, 2, N, N))
    added[..., 0] = 1.5
    added[..., -1] = -np.inf
    layer = fused_call("a", (q, q, q, added), {}, q)
    assert layer.spec.bias
    assert layer.spec.mask
    weights = layer.trace()["weights"]
    scores = q[0] @ q[0].swapaxes(1, 2) / np.sqrt(3) + added[0]
    np.testing.assert_allclose(weights, _softmax(scores))


@pytest.mark.parametrize("hidden", [np.finfo(np.float32).min, -1e4])
def test_a_row_that_added_numbers_hide_throughout_is_spread_by_its_scores(
    hidden,
) -> None:
    q = _tensor(1, 2, N, 3).astype(np.float32)
    added = np.where(np.tri(N, dtype=bool), 0, hidden).astype(np.float32)
    added[:2] = hidden  # as transformers hides what comes before padding on the left
    added[1, 0] = -np.inf
    layer = fused_call("a", (q, q, q, added), {}, q)
    scores = (q[0] @ q[0].swapaxes(1, 2) / np.float32(np.sqrt(3))) + added
    want = _softmax(scores)
    if hidden < -1e30:
        np.testing.assert_allclose(want[:, 0], 1 / N)
    weights = layer.trace()["weights"]
    np.testing.assert_allclose(weights, want, atol=1e-3 if hidden == -1e4 else 1e-6)


@pytest.mark.parametrize("called", ["matmul", "bmm", "einsum"])
def test_a_softmax_that_is_multiplied_with_values_is_attention(called) -> None:
    scores, values = _tensor(1, 2, N, N), _tensor(1, 2, N, 3)
    scores[..., -1] = -np.inf
    weights = _softmax(scores)
    product, none = SoftmaxThenProduct(), ((), {}, None, "a", 2)
    assert product.see("linear", *none) is None
    assert product.see("softmax", (scores,), {"dim": -1}, weights, "a", 2) is None
    assert product.see("dropout", (weights,), {}, weights, "a", 2) is None
    operands = weights, values
    if called == "bmm":
        operands = weights[0].view(_Tensor), values[0]
        product.see("softmax", (scores[0], -1), {}, operands[0], "a", 2)
    if called == "einsum":
        operands = "b h i j, b j d h -> b i h d", weights, values.transpose(0, 2, 3, 1)
    layer = product.see(called, operands, {}, None, "a", 2)
    assert layer.name == "a"
    trace = layer.trace()
    np.testing.assert_allclose(trace["weights"], weights[0])
    np.testing.assert_allclose(trace["heads"], weights[0] @ values[0])
    assert product.see(called, operands, {}, None, "a", 2) is None


@pytest.mark.parametrize(
    ("equation", "lead"),
    [
        ("...ij, ...jd -> ...id", (2, 3)),
        ("bhij,bjd->bhid", (2,)),
        ("bhij,hdj->bhid", (3,)),
        ("bhij,jd->bhid", ()),
    ],
)
def test_values_of_an_equation_may_lack_axes_or_leave_them_open(equation, lead) -> None:
    scores, values = _tensor(2, 3, N, N), _tensor(*lead, N, 5)
    if "dj" in equation:
        values = values.swapaxes(-1, -2)
    weights = _softmax(scores)
    for operands in ((equation, weights, values), (equation, [weights, values])):
        product = SoftmaxThenProduct()
        product.see("softmax", (scores, -1), {}, weights, "a", 3)
        layer = product.see("einsum", operands, {}, None, "a", 3)
        want = np.einsum(equation, weights, values)
        for item in range(2):
            output = layer.trace(item)["heads"]
            np.testing.assert_allclose(output, want[item], atol=1e-12)


def test_values_may_come_before_the_weights_or_by_name() -> None:
    scores, values = _tensor(1, 2, N, N), _tensor(1, 2, N, 3)
    weights = _softmax(scores)
    calls = (
        ("einsum", ("bhjd, bhij -> bhid", values, weights), {}),
        ("matmul", (), {"input": weights, "other": values}),
    )
    for called, operands, keywords in calls:
        product = SoftmaxThenProduct()
        product.see("softmax", (scores, -1), {}, weights, "a", 2)
        layer = product.see(called, operands, keywords, None, "a", 2)
        np.testing.assert_allclose(layer.trace()["heads"], weights[0] @ values[0])


def test_a_product_of_other_numbers_is_no_attention() -> None:
    scores = _tensor(1, 2, N, N)
    weights = _softmax(scores)
    product = SoftmaxThenProduct()
    product.see("softmax", (scores, 1), {}, weights, "a", 2)
    assert (
        product.see("matmul", (weights, _tensor(1, 2, N, 3)), {}, None, "a", 2) is None
    )
    product.see("softmax", (scores, -1), {}, weights, "a", 2)
    others = _tensor(1, 2, N, N), _tensor(1, 2, N, 3)
    assert product.see("matmul", others, {}, None, "a", 2) is None


def test_a_row_hidden_by_one_finite_number_is_spread_evenly() -> None:
    scores, values = _tensor(1, 1, N, N), _tensor(1, 1, N, 3)
    scores[0, 0, 1] = np.finfo(np.float32).min
    product = SoftmaxThenProduct()
    weights = _softmax(scores)
    product.see("softmax", (scores, -1), {}, weights, "a", 1)
    layer = product.see("matmul", (weights, values), {}, None, "a", 1)
    np.testing.assert_allclose(layer.trace()["weights"][0, 1], 1 / N)


def test_the_options_of_an_attention_function_are_read() -> None:
    q = _tensor(1, 2, N, 3)
    arguments = {
        **{"query": q, "key": q, "value": q, "attention_mask": None},
        **{"scaling": 0.25, "softcap": 2.0, "position_bias": _tensor(1, 2, N, N)},
        "s_aux": _tensor(2),
    }
    chosen = SimpleNamespace(_attn_implementation="sdpa")
    layer = SimpleNamespace(config=chosen, is_causal=True)
    output = q.swapaxes(1, 2), None
    recorded = interface_call("a", layer, arguments, output)
    spec = recorded.spec
    assert (spec.scale, spec.softcap, spec.bias, spec.causal) == (0.25, 2, True, True)
    np.testing.assert_array_equal(recorded.inputs["sinks"], arguments["s_aux"])
    chosen._attn_implementation = "eager"  # which hides by masks alone
    assert not interface_call("a", layer, arguments, output).spec.causal


def _flash_layer(mask, n_queries=N, **options):
    k = _tensor(2, 2, N, 3)
    q = k[:, :, -n_queries:]
    arguments = {"query": q, "key": k, "value": k, "attention_mask": mask, **options}
    chosen = SimpleNamespace(_attn_implementation="flash_attention_2")
    layer = SimpleNamespace(config=chosen, is_causal=True)
    return interface_call("a", layer, arguments, (q.swapaxes(1, 2), None))


@pytest.mark.parametrize("dtype", [bool, np.int64])
def test_padding_of_flash_attention_hides_its_keys_beside_the_causal_rule(
    dtype,
) -> None:
    padding = np.array([[1, 1, 1, 1], [0, 1, 1, 1]], dtype)
    for options, causal in ({}, True), ({"is_causal": False}, False):
        recorded = _flash_layer(padding, **options)
        assert recorded.spec.causal == causal
        assert not recorded.spec.bias
        before = np.tri(N, dtype=bool) if causal else np.ones((N, N), bool)
        expected = before & (padding[:, None, None] != 0)
        np.testing.assert_array_equal(recorded.inputs["mask"], expected)


def test_flash_attention_without_a_mask_hides_by_rules_from_the_last_key_on() -> None:
    assert _flash_layer(None).spec.causal
    assert not _flash_layer(None, is_causal=False).spec.masked
    assert not _flash_layer(None, n_queries=1).spec.masked
    (last,) = _flash_layer(None, n_queries=2).inputs["mask"][0]
    np.testing.assert_array_equal(last, [[1, 1, 1, 0], [1, 1, 1, 1]])
    window = _flash_layer(None, sliding_window=2).inputs["mask"][0, 0]
    np.testing.assert_array_equal(window, np.tri(N) * np.tri(N, k=1).T)


def _multi_head_attention_forward(
    query,
    key,
    value,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    out_proj_weight,
    out_proj_bias,
    key_padding_mask=None,
    attn_mask=None,
    use_separate_proj_weight=False,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
):
    """Take some of the parameters of PyTorch's function of this name."""


def test_the_arguments_of_the_function_behind_multihead_attention_are_read() -> None:
    x, joined = _tensor(N, 2, 6), _tensor(18, 6)
    given = x, x, x, 2, joined, None, None, None, False, _tensor(6, 6), None
    padding = np.array([[0] * N, [0, 0, 0, 1]], bool)
    call = functional_call(
        _multi_head_attention_forward, given, {"key_padding_mask": padding}, (x, None)
    )
    layer = layer_of_multi_head("a", call)
    assert (layer.spec.n_heads, layer.n_items, layer.n_tokens) == (2, 2, (N, N))
    keys = (x[:, 1] @ joined[6:12].T).reshape(N, 2, 3).swapaxes(0, 1)
    np.testing.assert_allclose(layer.inputs["K"][1], keys)
    assert (layer.trace(1)["weights"][..., -1] == 0).all()
    with pytest.raises(ValueError, match="'static_v' must be None"):
        functional_call(
            _multi_head_attention_forward, given, {"static_v": x}, (x, None)
        )
