"""StableLM (Bellagente et al. 2024, arXiv:2402.17834): Llama with layer norms.

Only the first columns of each head turn.
"""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import QKNorm
from attnviewer.models.architecture import HEAD, Architecture
from attnviewer.models.families.fields import Positive, Share, fields
from attnviewer.models.families.llama import Llama, decoder

_NORMS = {
    "attention_input": "layers.{}.input_layernorm",
    "feed_input": "layers.{}.post_attention_layernorm",
    "final": "norm",
}


_GAINS = {
    f"gain_{letter}": (
        f"layers.{{}}.self_attn.{letter.lower()}_layernorm.norms.{HEAD}.weight"
    )
    for letter in "QK"
}
"""Each head has its own."""


class _StableLM(msgspec.Struct):
    layer_norm_eps: Positive = 1e-5
    partial_rotary_factor: Share = 0.25
    use_qkv_bias: bool = False
    use_parallel_residual: bool = False
    qk_layernorm: bool = False


def read_stablelm(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of StableLM."""
    own = fields(config, _StableLM)
    # Of Llama's fields, the one that StableLM does not read.
    llama_config = fields({**config, "head_dim": None}, Llama)
    llama = decoder(
        config,
        llama_config,
        "StableLM",
        ("b_Q", "b_K", "b_V") if own.use_qkv_bias else (),
        qk_norm=QKNorm(kind="layer", epsilon=own.layer_norm_eps)
        if own.qk_layernorm
        else None,
        rotary_share=own.partial_rotary_factor,
    )
    norms = dict(_NORMS)
    if own.use_parallel_residual:  # both read the rows after one norm
        norms["feed_input"] = norms["attention_input"]
    parts = {
        f"{norm}.{part}": f"{name}.{part}"
        for norm, name in norms.items()
        for part in ("weight", "bias")
    }
    gains = _GAINS if own.qk_layernorm else {}
    return replace(
        llama,
        names={**llama.names, **parts, **gains},
        norm="layer",
        epsilon=own.layer_norm_eps,
        parallel=own.use_parallel_residual,
    )
