"""Gemma (Gemma Team 2024) and Gemma 2 (Gemma Team 2024)."""

import math
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Count, HeadWidth, Positive, fields, refuse
from attnviewer.models.families.llama import (
    Llama,
    alternating,
    biases_of,
    decoder,
    with_windows,
)

OWN_NORMS = {
    "attention_output.weight": "layers.{}.post_attention_layernorm.weight",
    "feed_input.weight": "layers.{}.pre_feedforward_layernorm.weight",
    "feed_output.weight": "layers.{}.post_feedforward_layernorm.weight",
}
TANH = "gelu_pytorch_tanh"


class _Gemma(Llama):
    head_dim: HeadWidth | None = 256
    tie_word_embeddings: bool = True
    hidden_act: str = TANH
    pad_token_id: int | None = 0


class _Gemma2(msgspec.Struct):
    hidden_activation: str = TANH
    query_pre_attn_scalar: Positive = 256
    attn_logit_softcapping: Positive | None = 50.0
    final_logit_softcapping: Positive | None = 30.0
    sliding_window: Count | None = 4096


def read_gemma(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Gemma: Llama with scaled embeddings."""
    refuse(config, use_bidirectional_attention=False)
    parsed = fields(config, _Gemma)
    # The first configurations say "gelu" though the model was trained with tanh.
    activation = TANH if parsed.hidden_act == "gelu" else parsed.hidden_act
    return as_gemma(decoder(config, parsed, "Gemma", biases_of(parsed)), activation)


def read_gemma2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Gemma 2: with soft caps, windows and more norms."""
    refuse(config, use_bidirectional_attention=False)
    parsed, own = fields(config, _Gemma), fields(config, _Gemma2)
    gemma = decoder(
        config,
        parsed,
        "Gemma 2",
        biases_of(parsed),
        scale=1 / math.sqrt(own.query_pre_attn_scalar),
        softcap=own.attn_logit_softcapping,
    )
    layers = parsed.layer_types or alternating(gemma.n_layers)
    gemma = with_windows(
        as_gemma(gemma, own.hidden_activation), own.sliding_window, layers
    )
    return replace(
        gemma,
        names={**gemma.names, **OWN_NORMS},
        logit_cap=own.final_logit_softcapping,
    )


def as_gemma(architecture: Architecture, activation: str) -> Architecture:
    """Return a Llama architecture with the changes that all Gemmas share."""
    return replace(
        architecture,
        weight_offset=1.0,
        activation=activation,
        embedding_scale=math.sqrt(architecture.d_model),
    )
