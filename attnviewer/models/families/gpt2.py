"""GPT-2 (Radford et al. 2019)."""

import math
from collections.abc import Mapping

import msgspec

from attnviewer.compute import Spec
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Layers,
    Positive,
    divided,
    fields,
    refuse,
    renamed,
)
from attnviewer.models.families.output_heads import CAUSAL, EACH_TOKEN

_NAMES = {
    "tokens": "wte.weight",
    "places": "wpe.weight",
    "attention_input.weight": "h.{}.ln_1.weight",
    "attention_input.bias": "h.{}.ln_1.bias",
    "W_QKV": "h.{}.attn.c_attn.weight",
    "b_QKV": "h.{}.attn.c_attn.bias",
    "W_O": "h.{}.attn.c_proj.weight",
    "b_O": "h.{}.attn.c_proj.bias",
    "feed_input.weight": "h.{}.ln_2.weight",
    "feed_input.bias": "h.{}.ln_2.bias",
    "W_up": "h.{}.mlp.c_fc.weight",
    "b_up": "h.{}.mlp.c_fc.bias",
    "W_down": "h.{}.mlp.c_proj.weight",
    "b_down": "h.{}.mlp.c_proj.bias",
    "final.weight": "ln_f.weight",
    "final.bias": "ln_f.bias",
    "unembedding": "lm_head.weight",
}


class _GPT2(msgspec.Struct):
    n_embd: Count = 768
    n_layer: Layers = 12
    n_head: Count = 12
    n_positions: Count = 1024
    vocab_size: Count = 50257
    n_inner: Count | None = None
    activation_function: str = "gelu_new"
    layer_norm_epsilon: Positive = 1e-5
    scale_attn_weights: bool = True
    scale_attn_by_inverse_layer_idx: bool = False
    tie_word_embeddings: bool = True
    is_causal: bool = True


def read_gpt2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of GPT-2."""
    refuse(config, add_cross_attention=False)
    config = renamed(
        config,
        hidden_size="n_embd",
        num_hidden_layers="n_layer",
        num_attention_heads="n_head",
        max_position_embeddings="n_positions",
    )
    parsed = fields(config, _GPT2)
    d_head = divided(parsed.n_embd, parsed.n_head, "n_embd", "n_head")
    scale = 1 / math.sqrt(d_head) if parsed.scale_attn_weights else 1.0
    if parsed.scale_attn_by_inverse_layer_idx:
        scales: list[float | None] = [
            scale / (layer + 1) for layer in range(parsed.n_layer)
        ]
    else:
        scales = [None if parsed.scale_attn_weights else 1.0] * parsed.n_layer
    attention = tuple(
        Spec(
            n_heads=parsed.n_head,
            head_axis=True,
            biases=("b_Q", "b_K", "b_V", "b_O"),
            output_projection=True,
            causal=parsed.is_causal,
            scale=factor,
        )
        for factor in scales
    )
    return Architecture(
        family="GPT-2",
        kind="decoder" if parsed.is_causal else "encoder",
        attention=attention,
        d_model=parsed.n_embd,
        d_head=d_head,
        d_feed_forward=parsed.n_inner or 4 * parsed.n_embd,
        n_tokens=parsed.vocab_size,
        names=_NAMES,
        prefixes=("", "transformer."),
        # Older files hold the causal mask, which is not a weight.
        unused=("attn.bias", "attn.masked_bias"),
        inputs_first=True,
        norm="layer",
        epsilon=parsed.layer_norm_epsilon,
        activation=parsed.activation_function,
        n_positions=parsed.n_positions,
        tied=parsed.tie_word_embeddings,
        heads={**CAUSAL, **EACH_TOKEN},
    )
