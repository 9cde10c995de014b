"""GPT-NeoX (Black et al. 2022) and Pythia (Biderman et al. 2023)."""

from collections.abc import Mapping

import msgspec

from attnviewer.compute import Spec
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Layers,
    Positive,
    Share,
    divided,
    fields,
    refuse,
)
from attnviewer.models.families.output_heads import CAUSAL, EACH_TOKEN
from attnviewer.models.families.rotary import (
    BASE,
    read_extended,
    read_rotary,
    stretched_scale,
)

_NAMES = {
    "tokens": "embed_in.weight",
    "attention_input.weight": "layers.{}.input_layernorm.weight",
    "attention_input.bias": "layers.{}.input_layernorm.bias",
    "W_QKV": "layers.{}.attention.query_key_value.weight",
    "W_O": "layers.{}.attention.dense.weight",
    "feed_input.weight": "layers.{}.post_attention_layernorm.weight",
    "feed_input.bias": "layers.{}.post_attention_layernorm.bias",
    "W_up": "layers.{}.mlp.dense_h_to_4h.weight",
    "b_up": "layers.{}.mlp.dense_h_to_4h.bias",
    "W_down": "layers.{}.mlp.dense_4h_to_h.weight",
    "b_down": "layers.{}.mlp.dense_4h_to_h.bias",
    "final.weight": "final_layer_norm.weight",
    "final.bias": "final_layer_norm.bias",
    "unembedding": "embed_out.weight",
}
_BIASES = {
    "b_QKV": "layers.{}.attention.query_key_value.bias",
    "b_O": "layers.{}.attention.dense.bias",
}


class _GPTNeoX(msgspec.Struct):
    vocab_size: Count = 50432
    hidden_size: Count = 6144
    num_hidden_layers: Layers = 44
    num_attention_heads: Count = 64
    intermediate_size: Count = 24576
    hidden_act: str = "gelu"
    layer_norm_eps: Positive = 1e-5
    tie_word_embeddings: bool = False
    use_parallel_residual: bool = True
    attention_bias: bool = True
    rotary_pct: Share = 0.25
    rotary_emb_base: Positive = BASE
    is_causal: bool = True


def read_gpt_neox(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of GPT-NeoX and Pythia."""
    parsed = fields(config, _GPTNeoX)
    heads = parsed.num_attention_heads
    d_head = divided(parsed.hidden_size, heads, "hidden_size", "num_attention_heads")
    refuse(config, head_dim=d_head)
    config = {**config, "rope_theta": parsed.rotary_emb_base}
    share = parsed.rotary_pct
    rotary, stretch = read_rotary(config, d_head, share, grows=True)
    spec = Spec(
        n_heads=heads,
        head_axis=True,
        biases=("b_Q", "b_K", "b_V", "b_O") if parsed.attention_bias else (),
        output_projection=True,
        positions=rotary,
        scale=stretched_scale(stretch, d_head),
        causal=parsed.is_causal,
    )
    return Architecture(
        family="GPT-NeoX",
        kind="decoder" if parsed.is_causal else "encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=parsed.hidden_size,
        d_head=d_head,
        d_feed_forward=parsed.intermediate_size,
        n_tokens=parsed.vocab_size,
        names={**_NAMES, **_BIASES} if parsed.attention_bias else _NAMES,
        prefixes=("gpt_neox.", ""),
        other_names=(("embed_out.weight", "lm_head.weight"),),
        # Older files hold the causal mask and the frequencies.
        unused=(
            *("attention.bias", "attention.masked_bias"),
            "attention.rotary_emb.inv_freq",
        ),
        fused_by_head=True,
        norm="layer",
        epsilon=parsed.layer_norm_eps,
        activation=parsed.hidden_act,
        parallel=parsed.use_parallel_residual,
        tied=parsed.tie_word_embeddings,
        heads={**CAUSAL, **EACH_TOKEN},
        extended=read_extended(config, d_head, share),
    )
