"""Attention of modules of PyTorch and transformers, seen while they run."""

import functools
from collections import OrderedDict

import numpy as np
import pytest

import attnviewer
from tests.recording.watched import (
    PADDED,
    check_nothing_is_left,
    check_outputs,
    recorded_in,
)

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
IDS = torch.arange(1, 13).reshape(2, 6)
VISIBLE = torch.tensor([[1] * 6, [1] * 4 + [0] * 2])
SIZES = {
    "hidden_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "intermediate_size": 32,
    "vocab_size": 100,
    "pad_token_id": 0,
    "eos_token_id": 2,
}
SHARED = {**SIZES, "num_key_value_heads": 2, "head_dim": 12}
GPT = {"n_embd": 24, "n_head": 4, "n_layer": 2, "vocab_size": 100}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


@pytest.mark.parametrize("way", ["eager", "sdpa"])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("Bert", SIZES),
        ("GPT2", GPT),
        ("Llama", SHARED),
        ("Mistral", {**SHARED, "sliding_window": 3}),
        ("Gemma2", {**SHARED, "sliding_window": 3}),
        ("Qwen3", SHARED),
        ("Albert", {**SIZES, "embedding_size": 16}),
        ("GPTNeoX", SIZES),
        ("ModernBert", SIZES),
        ("MPNet", SIZES),
        ("DebertaV2", {**SIZES, "relative_attention": True, "pos_att_type": ["c2p"]}),
        ("Bloom", {"hidden_size": 24, "n_head": 4, "n_layer": 2, "vocab_size": 100}),
        ("Falcon", SIZES),
        ("GPTJ", {**GPT, "rotary_dim": 4}),
        ("GptOss", {**SHARED, "num_local_experts": 4, "num_experts_per_tok": 2}),
    ],
)
def test_models_of_hugging_face_are_recorded(kind, options, way) -> None:
    transformers = pytest.importorskip("transformers")
    config = getattr(transformers, f"{kind}Config")(**options, attn_implementation=way)
    try:
        model = getattr(transformers, f"{kind}Model")(config).eval()
    except ValueError:
        pytest.skip(f"{kind} has no {way}.")
    recorded = recorded_in(model, IDS, attention_mask=VISIBLE)
    assert len(recorded.layers) == 2
    if way == "sdpa":
        check_outputs(recorded)
        return
    with torch.no_grad():
        weights = model(IDS, attention_mask=VISIBLE, output_attentions=True).attentions
    for layer, item in np.ndindex(2, 2):
        found = recorded.attention(layer, item)["weights"]
        np.testing.assert_allclose(found, weights[layer][item], atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("GPT2", GPT),
        ("Llama", SHARED),
        ("Gemma2", {**SHARED, "sliding_window": 3}),
        ("GptOss", {**SHARED, "num_local_experts": 4, "num_experts_per_tok": 2}),
    ],
)
def test_rows_of_padding_on_the_left_are_recorded_as_they_were_spread(
    kind, options
) -> None:
    transformers = pytest.importorskip("transformers")
    config = getattr(transformers, f"{kind}Config")
    given = config(**options, attn_implementation="eager")
    model = getattr(transformers, f"{kind}Model")(given)
    visible = VISIBLE.flip(1)
    recorded = recorded_in(model, IDS, attention_mask=visible)
    check_outputs(recorded)
    with torch.no_grad():
        weights = model(IDS, attention_mask=visible, output_attentions=True).attentions
    for layer, item in np.ndindex(2, 2):
        found = recorded.attention(layer, item)["weights"]
        np.testing.assert_allclose(found, weights[layer][item], atol=1e-5)


def test_encoder_decoders_have_their_layers_in_order() -> None:
    transformers = pytest.importorskip("transformers")
    sizes = {"d_model": 24, "num_layers": 1, "num_heads": 4, "vocab_size": 100}
    model = transformers.T5Model(transformers.T5Config(**sizes, d_kv=6, d_ff=32))
    recorded = recorded_in(model, IDS, decoder_input_ids=IDS[:, :4])
    check_outputs(recorded)
    crossed = recorded.layers[2].inputs
    assert crossed["Q"].shape[2:], crossed["K"].shape[2:] == ((4, 6), (6, 6))


def test_the_last_step_of_a_generation_counts() -> None:
    transformers = pytest.importorskip("transformers")
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SHARED)).eval()
    with torch.no_grad(), attnviewer.record(model) as recorded:
        model.generate(IDS, max_new_tokens=3, min_new_tokens=3, do_sample=False)
    assert [layer.inputs["Q"].shape[2] for layer in recorded.layers] == [1, 1]
    assert recorded.layers[0].inputs["K"].shape == (2, 2, 8, 12)


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("extra", [{}, {"add_bias_kv": True, "add_zero_attn": True}])
@pytest.mark.parametrize(
    "masks",
    [
        {},
        {"attn_mask": torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)},
        {"key_padding_mask": PADDED},
    ],
)
def test_multihead_attention_is_recorded(batch_first, extra, masks) -> None:
    layer = nn.MultiheadAttention(12, 2, batch_first=batch_first, **extra)
    x = torch.randn(2, 5, 12) if batch_first else torch.randn(5, 2, 12)
    options = {**masks, "average_attn_weights": False}
    recorded = recorded_in(layer, x, x, x, **options)
    with torch.no_grad():
        _, weights = layer(x, x, x, **options)
    for item in range(2):
        found = recorded.attention(0, item)["weights"]
        np.testing.assert_allclose(found, weights[item], atol=1e-6)
    assert recorded.diagnose().agrees


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors:UserWarning")
@pytest.mark.parametrize("nested", [True, False])
def test_an_encoder_takes_its_fast_path_and_is_recorded(nested) -> None:
    layer = nn.TransformerEncoderLayer(12, 2, 20, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=nested)
    x = torch.randn(2, 5, 12)
    recorded = recorded_in(encoder, x, src_key_padding_mask=PADDED)
    names = [layer.name for layer in recorded.layers]
    assert names == ["layers.0.self_attn", "layers.1.self_attn"]
    weights = recorded.attention(0, 1)["weights"]
    own = encoder.layers[0].self_attn
    with torch.no_grad():
        expected = own(*(x, x, x), key_padding_mask=PADDED, average_attn_weights=False)[
            1
        ]
    np.testing.assert_allclose(weights[:, :3], expected[1, :, :3], atol=1e-6)
    diagnosis = recorded.diagnose(layer=1)
    assert diagnosis.agrees
    assert "output" in diagnosis.compared


def test_a_call_that_fails_before_any_attention_is_told() -> None:
    layer = nn.TransformerEncoderLayer(12, 2, 20, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, norm=None)
    with attnviewer.record(encoder) as recorded, pytest.raises(AssertionError):
        encoder(torch.randn(2, 5, 11))
    with pytest.raises(ValueError, match="must compute attention in one of its layers"):
        recorded.attention(0)


class _Grouped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.kv = nn.Linear(12, 12), nn.Linear(12, 12)

    def forward(self, x):
        q = self.q(x).view(2, 5, 4, 3).transpose(1, 2)
        k, v = self.kv(x).view(2, 5, 2, 2, 3).permute(2, 0, 3, 1, 4)
        options = {"is_causal": True, "enable_gqa": True, "scale": 0.3}
        return F.scaled_dot_product_attention(q, k, v, **options)


def test_the_fused_function_is_seen_in_any_module() -> None:
    recorded = recorded_in(_Grouped(), torch.randn(2, 5, 12))
    spec = recorded.layers[0].spec
    assert (spec.n_heads, spec.kv_heads, spec.causal) == (4, 2, True)
    check_outputs(recorded)


class _ByHand(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.c_attn = nn.Linear(12, 36)

    def forward(self, x):
        q, k, v = (
            part.view(2, 5, 4, 3).transpose(1, 2)
            for part in self.c_attn(x).split(12, 2)
        )
        scores = (q @ k.transpose(-2, -1)) / 3**0.5
        scores = scores.masked_fill(~torch.ones(5, 5).tril().bool(), -torch.inf)
        self.weights = F.softmax(scores, dim=-1)
        return self.weights @ v


def test_a_part_is_recorded_alone_while_the_whole_is_called() -> None:
    part, x = _Grouped(), torch.randn(2, 5, 12)
    joined = nn.Flatten(0), nn.Unflatten(0, (2, 5, 12))
    whole = nn.Sequential(_Grouped(), *joined, part)
    with attnviewer.record(part) as recorded:
        for _ in range(2):
            result = whole(x)
    assert repr(recorded) == "<Recording of 1 layer: the module>"
    np.testing.assert_array_equal(recorded.layers[0].output, result.detach())


def test_attention_that_cannot_be_seen_is_not_told_as_a_missing_call() -> None:
    layer = nn.Linear(12, 36)  # its name is that of joined projections
    module = nn.Sequential(OrderedDict(qkv=layer))
    with attnviewer.record(module) as recorded:
        module(torch.randn(5, 12))
    with pytest.raises(ValueError, match="in a way that can be seen: by an attention"):
        _ = recorded.layers


def test_a_softmax_and_a_product_are_seen_in_any_module() -> None:
    module = _ByHand()
    recorded = recorded_in(module, torch.randn(2, 5, 12))
    for item in range(2):
        found = recorded.attention(0, item)["weights"]
        np.testing.assert_allclose(found, module.weights[item], atol=1e-6)


def test_nothing_is_left_of_a_recording() -> None:
    layer = nn.TransformerEncoderLayer(12, 2, 20, batch_first=True)
    with pytest.raises(AssertionError), attnviewer.record(layer):
        layer(torch.randn(2, 5, 13))
    check_nothing_is_left()
    assert "forward" not in vars(layer) | vars(layer.self_attn)


def test_a_forward_that_an_instance_had_of_its_own_is_left_to_it() -> None:
    layer, x = nn.MultiheadAttention(12, 2), torch.randn(5, 2, 12)
    plain = layer.forward

    @functools.wraps(plain)  # as accelerate does
    def own(*positional, **keywords):
        return plain(*positional, **keywords)

    layer.forward = own
    recorded = recorded_in(layer, x, x, x)
    assert len(recorded.layers) == 1
    assert vars(layer)["forward"] is own


def test_a_module_can_be_recorded_twice_at_once() -> None:
    layer, x = nn.MultiheadAttention(12, 2), torch.randn(5, 2, 12)
    with attnviewer.record(layer) as outer:
        with attnviewer.record(layer) as inner:
            layer(x, x, x)
        layer(x[:3], x[:3], x[:3])
    assert inner.layers[0].inputs["Q"].shape[2] == 5
    assert outer.layers[0].inputs["Q"].shape[2] == 3
    check_nothing_is_left()
    assert "forward" not in vars(layer)


def test_the_end_of_an_inner_recording_leaves_the_outer_one_watching() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(**SHARED, attn_implementation="eager")
    model = transformers.LlamaModel(config).eval()
    with attnviewer.record(model) as outer, torch.no_grad():
        with attnviewer.record(model):
            model(IDS)
        model(IDS, attention_mask=VISIBLE)
        weights = model(IDS, output_attentions=True).attentions
    assert [layer.spec.score for layer in outer.layers] == ["dot", "dot"]
    assert outer.layers[0].output is not None
    found = outer.attention(0, 1)["weights"]
    np.testing.assert_allclose(found, weights[0][1], atol=1e-5)
    table = transformers.modeling_utils.ALL_ATTENTION_FUNCTIONS
    assert "get_interface" not in vars(table)


class _Renamed(nn.TransformerEncoderLayer):
    def forward(self, x):
        return super().forward(x)


def test_an_encoder_layer_that_cannot_be_read_goes_on() -> None:
    layer, x = _Renamed(12, 2, 20, batch_first=True).eval(), torch.randn(2, 5, 12)
    with torch.no_grad(), attnviewer.record(layer) as recorded:
        seen = layer(x)
        assert torch.equal(seen, layer(x))
    (reason,) = recorded.unread
    assert "must take src, src_mask, src_key_padding_mask. Got x instead" in reason


class _Dropping(nn.Module):
    """An encoder layer of one's own, which calls no nn.MultiheadAttention."""

    def __init__(self) -> None:
        super().__init__()
        self.self_attn = nn.MultiheadAttention(12, 2, dropout=0.5, batch_first=True)
        self.norm_first = False

    def forward(self, src, src_mask=None, src_key_padding_mask=None):
        q = src.view(2, 5, 2, 6).transpose(1, 2)
        return F.scaled_dot_product_attention(q, q, q, dropout_p=0.5)


@pytest.mark.parametrize("in_training", ["", "self_attn"])
def test_recording_a_layer_in_training_draws_no_random_number(in_training) -> None:
    layer, x = _Dropping().eval(), torch.randn(2, 5, 12)
    layer.get_submodule(in_training).train()
    torch.manual_seed(1)
    plain, following = layer(x), torch.randn(3)
    torch.manual_seed(1)
    with attnviewer.record(layer) as recorded:
        assert torch.equal(layer(x), plain)
        assert torch.equal(torch.randn(3), following)
    if in_training:
        assert "must be in eval mode" in recorded.unread[0]
    else:
        (seen,) = recorded.layers
        np.testing.assert_array_equal(seen.inputs["Q"][1, 0], x[1, :, :6])


@pytest.mark.parametrize("kind", ["of PyTorch", "of Hugging Face"])
def test_recordings_may_end_in_any_order(kind) -> None:
    if kind == "of PyTorch":
        layer = nn.MultiheadAttention(8, 2, batch_first=True).eval()
        call = functools.partial(lambda x: layer(x, x, x), torch.rand(1, 4, 8))
    else:
        transformers = pytest.importorskip("transformers")
        options = {**SHARED, "num_hidden_layers": 1, "attn_implementation": "sdpa"}
        layer = transformers.LlamaModel(transformers.LlamaConfig(**options)).eval()
        call = functools.partial(layer, IDS)
    with torch.no_grad():
        bare = call()[0]
        first, second = attnviewer.record(layer), attnviewer.record(layer)
        with second:
            third = attnviewer.record(layer)
            first.__enter__()
            third.__enter__()
            call()
            first.__exit__(None, None, None)
            before = first.layers
            assert torch.equal(call()[0], bare)
            assert first.layers == before
            third.__exit__(None, None, None)
        for recorded in (first, second, third):
            assert len(recorded.layers) == 1
        assert torch.equal(call()[0], bare)
    check_nothing_is_left()
    assert "forward" not in vars(layer)


class _Changing(nn.Module):
    """Attention whose weights go through a function before the product."""

    def __init__(self, change) -> None:
        super().__init__()
        self.change = change

    def forward(self, q, scores):
        return self.change(scores.softmax(-1)) @ q


_SEEN = torch.ones(5, 5).tril()


def _set_to_zero(weights):
    weights[..., 0] = 0
    return weights


@pytest.mark.parametrize(
    ("change", "by"),
    [
        (lambda w: w * _SEEN, " by 'mul'"),
        (lambda w: 0.5 * w, " by 'mul'"),
        (lambda w: w.mul_(_SEEN), " by 'mul_'"),
        (lambda w: w.masked_fill(_SEEN == 0, 0), " by 'masked_fill'"),
        (lambda w: torch.where(_SEEN == 0, 0.0, w), " by 'where'"),
        (lambda w: (w * _SEEN) / (w * _SEEN).sum(-1, keepdim=True), " by 'div'"),
        (lambda w: (w * _SEEN).half().float(), " by 'mul'"),
        (_set_to_zero, ""),
    ],
)
def test_weights_that_are_changed_after_the_softmax_are_told(change, by) -> None:
    module, q, scores = (
        _Changing(change),
        torch.rand(1, 2, 5, 3),
        torch.rand(1, 2, 5, 5),
    )
    with torch.inference_mode(), attnviewer.record(module) as recorded:
        found = module(q, scores)
    assert torch.equal(found, change(scores.softmax(-1)) @ q)
    with pytest.raises(ValueError, match=f"weights are changed{by} after the softmax"):
        _ = recorded.layers


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.masked_fill(_SEEN == 0, 0),
        lambda w: w * _SEEN,
        lambda w: w.half().float(),
        lambda w: w.bfloat16().clone().float(),
        lambda w: F.dropout(w, 0.5, training=True),
        lambda w: w.view(w.size()),
    ],
)
def test_weights_that_stay_the_same_or_are_dropped_are_recorded(change) -> None:
    module, q, scores = (
        _Changing(change),
        torch.rand(1, 2, 5, 3),
        torch.rand(1, 2, 5, 5),
    )
    scores = scores.masked_fill(_SEEN == 0, -torch.inf)
    with attnviewer.record(module) as recorded:
        module(q, scores)
    weights = recorded.attention(0)["weights"]
    np.testing.assert_allclose(weights, scores.softmax(-1)[0], atol=1e-6)
    assert not recorded.unread


class _Checkpointed(nn.Module):
    """A layer whose steps are computed again for its gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(12, 2)

    def forward(self, x):
        given = (self.attention, x, x, x)
        return torch.utils.checkpoint.checkpoint(*given, use_reentrant=False)[0]


def test_a_layer_that_is_computed_again_for_its_gradients_is_recorded_once() -> None:
    module, x = _Checkpointed(), torch.randn(5, 2, 12, requires_grad=True)
    with attnviewer.record(module) as recorded:
        module(x).sum().backward()
    assert x.grad is not None
    assert [layer.name for layer in recorded.layers] == ["attention"]


def test_attention_inside_a_transform_is_told_in_words() -> None:
    layer, x = nn.MultiheadAttention(12, 2), torch.randn(3, 5, 12)
    with attnviewer.record(layer) as recorded:
        torch.vmap(lambda item: layer(item, item, item)[0])(x)
    assert recorded.unread == (
        "The attention of the module cannot be read. Tensors inside torch.vmap and the "
        "transforms of torch.func hold no numbers. Call the module outside of them.",
    )


def test_a_compiled_module_is_recorded_as_it_was_written() -> None:
    pytest.importorskip("torch._dynamo")
    layer, x = nn.MultiheadAttention(12, 2), torch.randn(5, 2, 12)
    plain, _ = layer(x, x, x)
    layer.compile(backend=lambda *_: pytest.fail("It is compiled."))
    with attnviewer.record(layer) as recorded:
        seen, _ = layer(x, x, x)
    assert torch.equal(seen, plain)
    assert len(recorded.layers) == 1
