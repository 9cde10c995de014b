"""gpt-oss (OpenAI 2025)."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture, Experts
from attnviewer.models.families.fields import (
    Count,
    HeadWidth,
    Layers,
    Positive,
    fields,
    renamed,
)
from attnviewer.models.families.llama import (
    Llama,
    alternating,
    decoder,
    with_windows,
)

_OWN = {
    "sinks": "layers.{}.self_attn.sinks",
    "W_router": "layers.{}.mlp.router.weight",
    "b_router": "layers.{}.mlp.router.bias",
    "expert_W_gate_up": "layers.{}.mlp.experts.gate_up_proj",
    "expert_b_gate_up": "layers.{}.mlp.experts.gate_up_proj_bias",
    "expert_W_down": "layers.{}.mlp.experts.down_proj",
    "expert_b_down": "layers.{}.mlp.experts.down_proj_bias",
}
_SINGLE = ("W_gate", "W_up", "W_down")
_ROPE = {
    "rope_type": "yarn",
    "factor": 32.0,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "truncate": False,
    "original_max_position_embeddings": 4096,
}
"""The rotary parameters of a configuration that has none."""


class _GptOss(Llama):
    hidden_size: Count = 2880
    intermediate_size: Count = 2880
    num_hidden_layers: Layers = 36
    num_attention_heads: Count = 64
    vocab_size: Count = 201088
    num_key_value_heads: Count | None = 8
    head_dim: HeadWidth | None = 64
    rms_norm_eps: Positive = 1e-5
    attention_bias: bool = True


class _Own(msgspec.Struct):
    sliding_window: Count | None = 128
    num_local_experts: Count = 128
    num_experts_per_tok: Count = 4
    swiglu_alpha: Positive = 1.702
    swiglu_limit: Positive = 7.0


def read_gpt_oss(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of gpt-oss: Llama with sinks, windows and experts."""
    config = renamed(config, num_experts="num_local_experts")
    parsed, own = fields(config, _GptOss), fields(config, _Own)
    if own.num_experts_per_tok > own.num_local_experts:
        raise SchemaError(
            f"It must be at most num_local_experts = {own.num_local_experts}. "
            f"Got {own.num_experts_per_tok} instead.",
            "$.num_experts_per_tok",
        )
    biases = ("b_Q", "b_K", "b_V", "b_O") if parsed.attention_bias else ()
    scaled = any(config.get(n) is not None for n in ("rope_scaling", "rope_parameters"))
    rope = {} if scaled else {"rope_parameters": _ROPE}
    with_rope = {"rope_theta": 150000.0, **config, **rope}
    oss = decoder(with_rope, parsed, "gpt-oss", biases)
    layers = parsed.layer_types or alternating(oss.n_layers)
    oss = with_windows(oss, own.sliding_window, layers)
    names = {p: n for p, n in oss.names.items() if p not in _SINGLE}
    return replace(
        oss,
        attention=tuple(replace(spec, sinks=True) for spec in oss.attention),
        names={**names, **_OWN},
        experts=Experts(
            own.num_local_experts,
            own.num_experts_per_tok,
            own.swiglu_alpha,
            own.swiglu_limit,
        ),
        # The experts have a gate of their own, whatever hidden_act says.
        activation="silu",
        dequantized="mxfp4",
    )
