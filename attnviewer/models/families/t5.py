"""T5 (Raffel et al. 2020) with its successors T5 v1.1, FLAN-T5 and mT5."""

import math
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import RelativeBias, Spec
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    HeadWidth,
    Index,
    Layers,
    Positive,
    fields,
    located,
    refuse,
    renamed,
)
from attnviewer.models.families.naming import other_tables
from attnviewer.models.families.output_heads import (
    EACH_TOKEN,
    SEQUENCE_TO_SEQUENCE,
    ended,
)
from attnviewer.models.parts import with_cross_attention

_ENCODER_ONLY = (
    *("T5EncoderModel", "MT5EncoderModel"),
    *("T5ForTokenClassification", "MT5ForTokenClassification"),
)
_LABELS = "ForTokenClassification"
_TOKEN_CLASSIFIER = {_LABELS: EACH_TOKEN[_LABELS]}
_UNUSED = ("EncDecAttention.relative_attention_bias.weight",)
"""Older files hold a bias for the cross-attention, which has none."""


class _T5(msgspec.Struct):
    d_model: Count = 512
    d_kv: HeadWidth = 64
    d_ff: Count = 2048
    num_layers: Layers = 6
    num_decoder_layers: Layers | None = None
    num_heads: Count = 8
    vocab_size: Count = 32128
    relative_attention_num_buckets: Count = 32
    relative_attention_max_distance: Count = 128
    layer_norm_epsilon: Positive = 1e-6
    feed_forward_proj: str = "relu"
    dense_act_fn: str | None = None
    is_gated_act: bool | None = None
    is_encoder_decoder: bool = True
    tie_word_embeddings: bool = True
    scale_decoder_outputs: bool | None = None
    architectures: tuple[str, ...] | None = None
    pad_token_id: Index | None = 0
    decoder_start_token_id: Index | None = None
    eos_token_id: Index | None = 1


class _MT5(_T5):
    d_ff: Count = 1024
    num_layers: Layers = 8
    num_heads: Count = 6
    vocab_size: Count = 250112
    feed_forward_proj: str = "gated-gelu"


def read_t5(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of T5 or mT5: the encoder alone, or with its decoder."""
    refuse(config, is_decoder=False, is_causal=True)
    config = renamed(
        config,
        hidden_size="d_model",
        num_hidden_layers="num_layers",
        num_attention_heads="num_heads",
        head_dim="d_kv",
    )
    many = config.get("model_type") == "mt5"
    parsed = fields(config, _MT5 if many else _T5)
    family = "mT5" if many else "T5"
    encoder = _stack(parsed, family, "encoder", parsed.num_layers)
    named = parsed.architectures or ()
    alone = bool(named) and all(name in _ENCODER_ONLY for name in named)
    if alone or not parsed.is_encoder_decoder:
        return replace(encoder, heads=_TOKEN_CLASSIFIER)
    layers = parsed.num_decoder_layers or parsed.num_layers
    scales = parsed.scale_decoder_outputs
    if scales is None:
        scales = parsed.tie_word_embeddings
    scales = scales and not many  # whatever the file of an mT5 says
    start = parsed.decoder_start_token_id
    decoder = replace(
        _stack(parsed, family, "decoder", layers),
        logit_scale=1 / math.sqrt(parsed.d_model) if scales else 1.0,
        start=parsed.pad_token_id if start is None else start,
        end=parsed.eos_token_id,
        heads=ended(SEQUENCE_TO_SEQUENCE, parsed.eos_token_id),
    )
    names = _attention_names("decoder.block.{}.layer.1", "EncDecAttention")
    return with_cross_attention(
        decoder, encoder, names, replace(_spec(parsed), context=True)
    )


def _stack(parsed: _T5, family: str, kind: str, layers: int) -> Architecture:
    """Return one of the two stacks."""
    is_decoder = kind == "decoder"
    gated, activation = _feed_forward(parsed)
    own = f"{kind}.embed_tokens.weight"
    feed = f"{kind}.block.{{}}.layer.{2 if is_decoder else 1}"
    dense = f"{feed}.DenseReluDense"
    names = {
        "tokens": own,
        **_attention_names(f"{kind}.block.{{}}.layer.0", "SelfAttention"),
        "relative_bias": f"{kind}.block.0.layer.0.SelfAttention."
        "relative_attention_bias.weight",
        "feed_input.weight": f"{feed}.layer_norm.weight",
        "W_up": f"{dense}.wi_1.weight" if gated else f"{dense}.wi.weight",
        "W_down": f"{dense}.wo.weight",
        "final.weight": f"{kind}.final_layer_norm.weight",
    }
    if gated:
        names["W_gate"] = f"{dense}.wi_0.weight"
    if is_decoder:
        names["unembedding"] = "lm_head.weight"
    with located("$.relative_attention_num_buckets"):
        scheme = RelativeBias(
            parsed.relative_attention_num_buckets,
            parsed.relative_attention_max_distance,
            bidirectional=not is_decoder,
        )
    spec = replace(_spec(parsed), positions=scheme, causal=is_decoder)
    return Architecture(
        family=family,
        kind="decoder" if is_decoder else "encoder",
        attention=(spec,) * layers,
        d_model=parsed.d_model,
        d_head=parsed.d_kv,
        d_feed_forward=parsed.d_ff,
        n_tokens=parsed.vocab_size,
        names=names,
        prefixes=("", "transformer."),
        other_names=other_tables(own),
        unused=_UNUSED,
        norm="rms",
        epsilon=parsed.layer_norm_epsilon,
        activation=activation,
    )


def _spec(parsed: _T5) -> Spec:
    return Spec(
        n_heads=parsed.num_heads,
        head_axis=True,
        output_projection=True,
        scale=1.0,
    )


def _attention_names(layer: str, attention: str) -> dict[str, str]:
    own = {f"W_{part}": f"{layer}.{attention}.{part.lower()}.weight" for part in "QKVO"}
    return {"attention_input.weight": f"{layer}.layer_norm.weight", **own}


def _feed_forward(parsed: _T5) -> tuple[bool, str]:
    """Return whether the feed-forward layer is gated, and its activation."""
    *before, activation = parsed.feed_forward_proj.split("-")
    if before not in ([], ["gated"]):
        raise SchemaError(
            "It must be the name of an activation, with 'gated-' before it or not. "
            f"Got '{shortened(parsed.feed_forward_proj)}' instead.",
            "$.feed_forward_proj",
        )
    if parsed.feed_forward_proj == "gated-gelu":
        activation = "gelu_new"
    gated = bool(before) if parsed.is_gated_act is None else parsed.is_gated_act
    return gated, parsed.dense_act_fn or activation
