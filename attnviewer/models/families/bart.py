"""BART (Lewis et al. 2020)."""

import math
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import Spec
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import BIASES
from attnviewer.models.families.fields import (
    Count,
    Index,
    Layers,
    divided,
    fields,
    refuse,
    renamed,
)
from attnviewer.models.families.naming import linear, norm, other_tables
from attnviewer.models.families.output_heads import SEQUENCE_TO_SEQUENCE, ended
from attnviewer.models.parts import with_cross_attention

_EPSILON = 1e-5
_OFFSET = 2


class _Bart(msgspec.Struct):
    d_model: Count = 1024
    encoder_layers: Layers = 12
    decoder_layers: Layers = 12
    encoder_attention_heads: Count = 16
    decoder_attention_heads: Count = 16
    encoder_ffn_dim: Count = 4096
    decoder_ffn_dim: Count = 4096
    vocab_size: Count = 50265
    max_position_embeddings: Count = 1024
    activation_function: str = "gelu"
    scale_embedding: bool = False
    tie_word_embeddings: bool = True
    decoder_start_token_id: Index | None = 2
    eos_token_id: Index | None = 2


def read_bart(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of BART."""
    # Its first files had options of other models, which are off in BART.
    refuse(
        config,
        is_decoder=False,
        is_causal=True,
        is_encoder_decoder=True,
        normalize_before=False,
        normalize_embedding=True,
        add_final_layer_norm=False,
        static_position_embeddings=False,
        add_bias_logits=False,
    )
    config = renamed(
        config,
        hidden_size="d_model",
        num_hidden_layers="encoder_layers",
        num_attention_heads="encoder_attention_heads",
    )
    parsed = fields(config, _Bart)
    encoder = _stack(
        parsed,
        "encoder",
        parsed.encoder_layers,
        parsed.encoder_attention_heads,
        parsed.encoder_ffn_dim,
    )
    decoder = _stack(
        parsed,
        "decoder",
        parsed.decoder_layers,
        parsed.decoder_attention_heads,
        parsed.decoder_ffn_dim,
    )
    heads = {"unembedding": "lm_head.weight", "logit_bias": "final_logits_bias"}
    decoder = replace(
        decoder,
        names={**decoder.names, **heads},
        start=parsed.decoder_start_token_id,
        end=parsed.eos_token_id,
        tied=parsed.tie_word_embeddings,
        optional=("logit_bias",),
        heads=ended(SEQUENCE_TO_SEQUENCE, parsed.eos_token_id),
    )
    cross = replace(decoder.attention[0], causal=False, context=True)
    return with_cross_attention(
        decoder, encoder, _attention_names("decoder", "encoder_attn"), cross
    )


def _stack(
    parsed: _Bart, kind: str, layers: int, heads: int, d_feed: int
) -> Architecture:
    """Return one of the two stacks."""
    is_decoder = kind == "decoder"
    spec = Spec(
        n_heads=heads,
        head_axis=True,
        biases=BIASES,
        output_projection=True,
        causal=is_decoder,
    )
    layer = f"{kind}.layers.{{}}"
    own, tied = f"{kind}.embed_tokens.weight", parsed.tie_word_embeddings
    return Architecture(
        family="BART",
        kind="decoder" if is_decoder else "encoder",
        attention=(spec,) * layers,
        d_model=parsed.d_model,
        d_head=divided(parsed.d_model, heads, "d_model", f"{kind}_attention_heads"),
        d_feed_forward=d_feed,
        n_tokens=parsed.vocab_size,
        names={
            "tokens": own,
            "places": f"{kind}.embed_positions.weight",
            **norm("embedding", f"{kind}.layernorm_embedding"),
            **_attention_names(kind, "self_attn"),
            **linear("up", f"{layer}.fc1"),
            **linear("down", f"{layer}.fc2"),
            **norm("feed_sum", f"{layer}.final_layer_norm"),
        },
        prefixes=("", "model."),
        other_names=other_tables(own) if tied else (),
        norm="layer",
        epsilon=_EPSILON,
        activation=parsed.activation_function,
        n_positions=parsed.max_position_embeddings,
        first_position=_OFFSET,
        embedding_scale=math.sqrt(parsed.d_model) if parsed.scale_embedding else 1.0,
    )


def _attention_names(kind: str, attention: str) -> dict[str, str]:
    layer = f"{kind}.layers.{{}}"
    own = {"Q": "q_proj", "K": "k_proj", "V": "v_proj", "O": "out_proj"}
    names = norm("attention_sum", f"{layer}.{attention}_layer_norm")
    for part, name in own.items():
        names |= linear(part, f"{layer}.{attention}.{name}")
    return names
