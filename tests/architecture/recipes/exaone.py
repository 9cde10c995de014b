"""EXAONE 3 (LG AI Research 2024): Llama under other names."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Layers, Positive, fields
from attnviewer.models.families.llama import Llama, decoder

_NAMES = {
    "tokens": "wte.weight",
    "attention_input.weight": "h.{}.ln_1.weight",
    "W_Q": "h.{}.attn.attention.q_proj.weight",
    "W_K": "h.{}.attn.attention.k_proj.weight",
    "W_V": "h.{}.attn.attention.v_proj.weight",
    "W_O": "h.{}.attn.attention.out_proj.weight",
    "feed_input.weight": "h.{}.ln_2.weight",
    "W_gate": "h.{}.mlp.c_fc_0.weight",
    "W_up": "h.{}.mlp.c_fc_1.weight",
    "W_down": "h.{}.mlp.c_proj.weight",
    "final.weight": "ln_f.weight",
    "unembedding": "lm_head.weight",
}


class _Exaone(msgspec.Struct):
    num_layers: Layers
    layer_norm_epsilon: Positive = 1e-5
    activation_function: str = "silu"


def read_exaone(config: Mapping[str, object]) -> Architecture:
    """Return what EXAONE's description says."""
    own = fields(config, _Exaone)
    renamed = {
        "num_hidden_layers": own.num_layers,
        "rms_norm_eps": own.layer_norm_epsilon,
        "hidden_act": own.activation_function,
    }
    told = fields({**config, **renamed}, Llama)
    return replace(
        decoder(config, told, "EXAONE"), names=_NAMES, prefixes=("transformer.", "")
    )
