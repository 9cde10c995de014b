"""OPT (Zhang et al. 2022)."""

from collections.abc import Mapping

import msgspec

from attnviewer.compute import Spec
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Count, Layers, divided, fields
from attnviewer.models.families.naming import norm
from attnviewer.models.families.output_heads import CAUSAL, EACH_TOKEN, padded

_NAMES = {
    "tokens": "embed_tokens.weight",
    "places": "embed_positions.weight",
    "W_Q": "layers.{}.self_attn.q_proj.weight",
    "W_K": "layers.{}.self_attn.k_proj.weight",
    "W_V": "layers.{}.self_attn.v_proj.weight",
    "W_O": "layers.{}.self_attn.out_proj.weight",
    "W_up": "layers.{}.fc1.weight",
    "W_down": "layers.{}.fc2.weight",
    "unembedding": "lm_head.weight",
}
_BIASES = ("b_Q", "b_K", "b_V", "b_O")
_PROJECTIONS = {
    "W_tokens": "project_in.weight",
    "W_unembedding": "project_out.weight",
}
_NORMS = {
    "attention": "layers.{}.self_attn_layer_norm",
    "feed": "layers.{}.final_layer_norm",
}
_FIRST_POSITION = 2
_PADDING = 1
"""The id where a configuration says none."""


class _OPT(msgspec.Struct):
    vocab_size: Count = 50272
    hidden_size: Count = 768
    num_hidden_layers: Layers = 12
    ffn_dim: Count = 3072
    max_position_embeddings: Count = 2048
    do_layer_norm_before: bool = True
    remove_final_layer_norm: bool = msgspec.field(
        name="_remove_final_layer_norm", default=False
    )
    word_embed_proj_dim: Count | None = None
    num_attention_heads: Count = 12
    activation_function: str = "relu"
    enable_bias: bool = True
    layer_norm_elementwise_affine: bool = True
    tie_word_embeddings: bool = True
    is_causal: bool = True


def read_opt(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of OPT."""
    parsed = fields(config, _OPT)
    heads, wide = parsed.num_attention_heads, parsed.hidden_size
    token_width = parsed.word_embed_proj_dim or wide
    spec = Spec(
        n_heads=heads,
        head_axis=True,
        biases=_BIASES if parsed.enable_bias else (),
        output_projection=True,
        causal=parsed.is_causal,
    )
    return Architecture(
        family="OPT",
        kind="decoder" if parsed.is_causal else "encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=wide,
        d_head=divided(wide, heads, "hidden_size", "num_attention_heads"),
        d_feed_forward=parsed.ffn_dim,
        n_tokens=parsed.vocab_size,
        names=_names(parsed, projected=token_width != wide),
        prefixes=("model.decoder.", "decoder.", ""),
        norm="layer",
        epsilon=1e-5,
        activation=parsed.activation_function,
        n_positions=parsed.max_position_embeddings,
        first_position=_FIRST_POSITION,
        token_width=token_width,
        tied=parsed.tie_word_embeddings,
        plain_norms=()
        if parsed.layer_norm_elementwise_affine
        else tuple(_norms(parsed)),
        heads=padded({**CAUSAL, **EACH_TOKEN}, _PADDING),
    )


def _norms(parsed: _OPT) -> dict[str, str]:
    """Return the tensors of the norms, without ``.weight`` and ``.bias``."""
    place = "input" if parsed.do_layer_norm_before else "sum"
    norms = {f"{of}_{place}": norm for of, norm in _NORMS.items()}
    if parsed.do_layer_norm_before and not parsed.remove_final_layer_norm:
        norms["final"] = "final_layer_norm"
    return norms


def _names(parsed: _OPT, *, projected: bool) -> dict[str, str]:
    names = dict(_NAMES)
    if parsed.enable_bias:
        for bias in (*_BIASES, "b_up", "b_down"):
            names[bias] = _NAMES[f"W_{bias[2:]}"].removesuffix("weight") + "bias"
    if parsed.layer_norm_elementwise_affine:
        for part, name in _norms(parsed).items():
            names |= norm(part, name)
    return names | _PROJECTIONS if projected else names
