"""Layers of attention of the package transformers."""

import numpy
import pytest

import attnviewer

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
IDS = torch.arange(1, 13).reshape(2, 6)
SIZES = {
    "hidden_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
    "intermediate_size": 32,
    "vocab_size": 100,
    "pad_token_id": 0,
    "eos_token_id": 2,
}
SHARED = {**SIZES, "num_key_value_heads": 2, "head_dim": 12}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 5e5,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}


def _model(kind, **options):
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**options)
    return getattr(transformers, f"{kind}Model")(config).eval()


def _recorded(model, **keywords):
    with attnviewer.record(model) as recorded, torch.no_grad():
        model(IDS, **keywords)
    return recorded


@pytest.mark.usefixtures("few_mistakes")
@pytest.mark.parametrize("way", ["eager", "sdpa"])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("Bert", SIZES),
        ("DistilBert", {"dim": 24, "n_heads": 4, "n_layers": 1, "hidden_dim": 32}),
        ("GPT2", {"n_embd": 24, "n_head": 3, "n_layer": 1}),
        ("OPT", {**SIZES, "ffn_dim": 32, "word_embed_proj_dim": 24}),
        ("Llama", SHARED),
        ("Llama", {**SHARED, "rope_parameters": LLAMA3}),
        ("Mistral", {**SHARED, "sliding_window": 3}),
        ("Qwen2", SHARED),
        ("Cohere", SHARED),
        ("Glm", SHARED),
    ],
)
def test_layers_agree(kind, options, way) -> None:
    diagnosis = _recorded(_model(kind, **options, attn_implementation=way)).diagnose()
    assert diagnosis.agrees, diagnosis
    assert diagnosis.compared[-1] == "output"
    assert ("weights" in diagnosis.compared) == (way == "eager")


@pytest.mark.usefixtures("few_mistakes")
@pytest.mark.parametrize("kind", ["Qwen3", "Olmo2", "Gemma3Text"])
def test_layers_with_norms_of_queries_agree_behind_them(kind) -> None:
    name = {"Gemma3Text": "Gemma3TextModel"}.get(kind, f"{kind}Model")
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(
        **SHARED, attn_implementation="eager"
    )
    recorded = _recorded(getattr(transformers, name)(config).eval())
    diagnosis = recorded.diagnose()
    assert diagnosis.agrees, diagnosis
    assert diagnosis.compared == ("weights", "concatenated")
    assert "after the norm of their own" in recorded.unread[0]


def test_padding_is_read() -> None:
    model = _model("Bert", **SIZES, attn_implementation="eager")
    mask = torch.tensor([[1] * 6, [1, 1, 1, 1, 0, 0]])
    recorded = _recorded(model, attention_mask=mask)
    assert recorded.inputs["mask"].shape[-1] == 6
    assert recorded.diagnose().agrees


def test_a_soft_cap_and_a_scale_are_read() -> None:
    model = _model("Gemma2", **SHARED, attn_implementation="eager")
    recorded = _recorded(model)
    assert recorded.options["softcap"] == 50
    assert recorded.options["scale"] == 256**-0.5
    assert recorded.diagnose().agrees


def test_another_pairing_than_was_meant_is_named() -> None:
    recorded = _recorded(_model("Llama", **SHARED, attn_implementation="eager"))
    diagnosis = recorded.diagnose(rope_interleaved=True)
    assert "rope-pairing" in diagnosis.findings[0].ids


@pytest.mark.filterwarnings("ignore:.past_key_values. is deprecated:FutureWarning")
@pytest.mark.parametrize("name", ["past_key_values", "cache"])
def test_keys_of_a_cache_are_told(name) -> None:
    model = _model("Llama", **SHARED)
    first = model(IDS, use_cache=True)
    if not hasattr(first, name):
        pytest.skip(f"This version of transformers has no {name}.")
    with attnviewer.record(model) as recorded:
        model(IDS[:, :1], **{name: getattr(first, name)})
    assert recorded.mine == {}
    with pytest.raises(ValueError, match="keys of earlier calls in a cache"):
        recorded.diagnose()


def test_a_first_call_that_fills_a_cache_agrees() -> None:
    assert _recorded(_model("Llama", **SHARED), use_cache=True).diagnose().agrees


def test_padding_and_what_follows_are_hidden_together() -> None:
    model = _model("Llama", **SHARED, attn_implementation="eager")
    mask = torch.tensor([[1] * 6, [1, 1, 1, 1, 0, 0]])
    recorded = _recorded(model, attention_mask=mask)
    assert recorded.options["causal"] is True
    assert "mask" in recorded.inputs
    assert recorded.diagnose().agrees


def test_a_scaling_that_is_not_known_is_told() -> None:
    model = _model(
        "Llama",
        **SHARED,
        rope_parameters={"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0},
    )
    assert "Give rope_frequencies" in _recorded(model).unread[0]


def test_a_model_of_several_layers_is_not_one() -> None:
    model = _model("Bert", **{**SIZES, "num_hidden_layers": 2})
    with pytest.raises(ValueError, match=r"with 2 instead: 'encoder\.layer\.0"):
        _recorded(model).diagnose()


@pytest.mark.parametrize("kind", ["Llama", "GPT2"])
def test_rows_of_float16_that_are_hidden_throughout_are_even(kind) -> None:
    options = SHARED if kind == "Llama" else {"n_embd": 24, "n_head": 3, "n_layer": 1}
    model = _model(kind, **options, attn_implementation="eager").half()
    padding = torch.ones_like(IDS)
    padding[0, :3] = 0
    recorded = _recorded(model, attention_mask=padding)
    # In float16, -65504 and a score below 16 are -65504.
    numpy.testing.assert_allclose(
        recorded.attention(layer=0)["weights"][:, :3], 1 / 6, rtol=1e-6
    )
    assert recorded.diagnose(0).agrees
