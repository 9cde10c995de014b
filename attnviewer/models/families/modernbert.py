"""ModernBERT (Warner et al. 2024)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import msgspec

from attnviewer.compute import Spec
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Index,
    Layers,
    Positive,
    divided,
    fields,
    refuse,
)
from attnviewer.models.families.llama import Layer
from attnviewer.models.families.naming import decoder, linear, norm
from attnviewer.models.families.rotary import read_rotary, stretched_scale
from attnviewer.models.families.rotary_by_layer import (
    check_by_layer,
    refuse_old_name,
    without_flat,
)
from attnviewer.models.output_head import OutputHead

_BASES: Mapping[Layer, tuple[str, float]] = {
    "full_attention": ("global_rope_theta", 160000.0),
    "sliding_attention": ("local_rope_theta", 10000.0),
}
"""The field of older configurations that gives the base, and its default."""

_NAMES = {
    "tokens": "embeddings.tok_embeddings.weight",
    "embedding.weight": "embeddings.norm.weight",
    "attention_input.weight": "layers.{}.attn_norm.weight",
    "W_QKV": "layers.{}.attn.Wqkv.weight",
    "W_O": "layers.{}.attn.Wo.weight",
    "feed_input.weight": "layers.{}.mlp_norm.weight",
    "W_gate_up": "layers.{}.mlp.Wi.weight",
    "W_down": "layers.{}.mlp.Wo.weight",
    "final.weight": "final_norm.weight",
}


class _ModernBert(msgspec.Struct):
    hidden_size: Count
    intermediate_size: Count
    num_hidden_layers: Layers
    num_attention_heads: Count
    vocab_size: Count
    hidden_activation: str = "gelu"
    norm_eps: Positive = 1e-5
    norm_bias: bool = False
    attention_bias: bool = False
    mlp_bias: bool = False
    classifier_bias: bool = False
    decoder_bias: bool = True
    classifier_activation: str = "gelu"
    classifier_pooling: Literal["cls", "mean"] = "cls"
    layer_types: tuple[Layer, ...] | None = None
    global_attn_every_n_layers: Count = 3
    local_attention: Count = 128
    sliding_window: Index | None = None
    tie_word_embeddings: bool = True


def read_modernbert(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ModernBERT."""
    parsed = fields(config, _ModernBert)
    heads = parsed.num_attention_heads
    d_head = divided(parsed.hidden_size, heads, "hidden_size", "num_attention_heads")
    layers = _layers(parsed)
    # The other name of half a window counts even beside it, as in transformers.
    half = parsed.sliding_window
    half = parsed.local_attention // 2 if half is None else half
    biases = ("b_Q", "b_K", "b_V", "b_O") if parsed.attention_bias else ()
    specs = {
        layer: _spec(config, layer, d_head, heads, biases, half)
        for layer in dict.fromkeys(layers)
    }
    return Architecture(
        family="ModernBERT",
        kind="encoder",
        attention=tuple(specs[layer] for layer in layers),
        d_model=parsed.hidden_size,
        d_head=d_head,
        d_feed_forward=parsed.intermediate_size,
        n_tokens=parsed.vocab_size,
        names=_names(parsed),
        prefixes=("", "model."),
        # The first layer reads the normed embeddings.
        absent=frozenset({("attention_input.weight", 0), ("attention_input.bias", 0)}),
        norm="layer",
        epsilon=parsed.norm_eps,
        activation=parsed.hidden_activation,
        tied=parsed.tie_word_embeddings,
        heads=_heads(parsed),
    )


def _spec(
    config: Mapping[str, object],
    layer: Layer,
    d_head: int,
    n_heads: int,
    biases: tuple[str, ...],
    half: int,
) -> Spec:
    """Return the attention of one type of layers."""
    rotary, stretch = read_rotary(_rope_of(config, layer), d_head)
    return Spec(
        n_heads=n_heads,
        head_axis=True,
        biases=biases,
        output_projection=True,
        positions=rotary,
        scale=stretched_scale(stretch, d_head),
        window=(half, half) if layer == "sliding_attention" else None,
    )


def _rope_of(config: Mapping[str, object], layer: Layer) -> dict[str, object]:
    """Return a configuration with the rotary parameters of one type of layers.

    YaRN's truncate has no effect in models with several types, as in transformers.
    """
    field, default = _BASES[layer]
    base = default if config.get(field) is None else config[field]
    own = without_flat(config)
    given = config.get("rope_parameters")
    if given is None:
        scaling = config.get("rope_scaling")
        if isinstance(scaling, Mapping):
            refuse_old_name(scaling)
            scaling = {**scaling, "truncate": True}
        return {**own, "rope_theta": base, "rope_scaling": scaling}
    refuse(config, rope_scaling=None)
    if not isinstance(given, Mapping) or not isinstance(
        mine := given.get(layer) or {}, Mapping
    ):
        raise SchemaError(
            f"Expected an object for each type of layers, got "
            f"{shortened(repr(given))}.",
            "$.rope_parameters",
        )
    check_by_layer(given)
    rotary = {"rope_theta": base, **mine, "truncate": True}
    return {**own, "rope_parameters": rotary}


def _layers(parsed: _ModernBert) -> tuple[Layer, ...]:
    count, every = parsed.num_hidden_layers, parsed.global_attn_every_n_layers
    if parsed.layer_types is None:
        return tuple(
            "sliding_attention" if layer % every else "full_attention"
            for layer in range(count)
        )
    if len(parsed.layer_types) != count:
        raise SchemaError(
            f"There must be one for each of the {count} layers. "
            f"Got {len(parsed.layer_types)} instead.",
            "$.layer_types",
        )
    return parsed.layer_types


def _names(parsed: _ModernBert) -> dict[str, str]:
    """Return the names of the tensors with the biases that there are."""
    norms = [name for name in _NAMES if not name.startswith("W_") and "." in name]
    with_bias = {
        **dict.fromkeys(norms, parsed.norm_bias),
        "W_QKV": parsed.attention_bias,
        "W_O": parsed.attention_bias,
        "W_gate_up": parsed.mlp_bias,
        "W_down": parsed.mlp_bias,
    }
    names = dict(_NAMES)
    for part, has in with_bias.items():
        if has:
            names[_bias_of(part)] = _NAMES[part].removesuffix("weight") + "bias"
    return names


def _bias_of(part: str) -> str:
    if part.startswith("W_"):
        return f"b_{part[2:]}"
    return part.replace("weight", "bias")


def _heads(parsed: _ModernBert) -> dict[str, OutputHead]:
    """Return the heads, which begin with the same layers."""
    shared = {**linear("head", "head.dense"), **norm("head", "head.norm")}
    has = {"b_head": parsed.classifier_bias, "head.bias": parsed.norm_bias}
    shared = {part: name for part, name in shared.items() if has.get(part, True)}
    last = decoder("decoder")
    if not parsed.decoder_bias:
        del last["b_decoder"]
    tokens = OutputHead(
        {**shared, **last}, predicts="tokens", activation=parsed.classifier_activation
    )
    labels = replace(
        tokens, names={**shared, **decoder("classifier")}, predicts="labels"
    )
    return {
        "ForMaskedLM": tokens,
        "ForSequenceClassification": replace(
            labels, reads="first" if parsed.classifier_pooling == "cls" else "mean"
        ),
        "ForTokenClassification": labels,
        "ForQuestionAnswering": replace(labels, predicts="span"),
    }
