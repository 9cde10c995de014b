"""Llama (Touvron et al. 2023), Mistral (Jiang et al. 2023) and Qwen2."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from attnviewer.compute import QKNorm, Spec
from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    HeadWidth,
    Layers,
    Positive,
    divided,
    fields,
)
from attnviewer.models.families.output_heads import CAUSAL, padded
from attnviewer.models.families.rotary import (
    read_extended,
    read_rotary,
    stretched_scale,
)

NAMES = {
    "tokens": "embed_tokens.weight",
    "attention_input.weight": "layers.{}.input_layernorm.weight",
    "W_Q": "layers.{}.self_attn.q_proj.weight",
    "W_K": "layers.{}.self_attn.k_proj.weight",
    "W_V": "layers.{}.self_attn.v_proj.weight",
    "W_O": "layers.{}.self_attn.o_proj.weight",
    "feed_input.weight": "layers.{}.post_attention_layernorm.weight",
    "W_gate": "layers.{}.mlp.gate_proj.weight",
    "W_up": "layers.{}.mlp.up_proj.weight",
    "W_down": "layers.{}.mlp.down_proj.weight",
    "final.weight": "norm.weight",
    "unembedding": "lm_head.weight",
}
"""The names of Llama's tensors."""
GAINS = {
    "gain_Q": "layers.{}.self_attn.q_norm.weight",
    "gain_K": "layers.{}.self_attn.k_norm.weight",
}
"""The names of the gains of families that normalise queries and keys."""

Layer = Literal["full_attention", "sliding_attention"]


class Llama(msgspec.Struct):
    """The fields that configurations of Llama-like models share."""

    hidden_size: Count
    intermediate_size: Count
    num_hidden_layers: Layers
    num_attention_heads: Count
    vocab_size: Count
    num_key_value_heads: Count | None = None
    head_dim: HeadWidth | None = None
    hidden_act: str = "silu"
    rms_norm_eps: Positive = 1e-6
    attention_bias: bool = False
    tie_word_embeddings: bool = False
    layer_types: tuple[Layer, ...] | None = None
    pad_token_id: int | None = None
    is_causal: bool = True


class BiasedLlama(Llama):
    """Those of families whose feed-forward layers may have biases."""

    mlp_bias: bool = False


class _Mistral(msgspec.Struct):
    sliding_window: Count | None = 4096


class _Qwen2(msgspec.Struct):
    use_sliding_window: bool = False
    sliding_window: Count | None = 4096
    max_window_layers: int = 28


def read_llama(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Llama."""
    parsed = fields(config, BiasedLlama)
    biases, feed_biases = biases_of(parsed), parsed.mlp_bias
    return decoder(config, parsed, "Llama", biases, feed_biases=feed_biases)


def biases_of(parsed: Llama) -> tuple[str, ...]:
    """Return the biases of the projections: of all, or of none."""
    return ("b_Q", "b_K", "b_V", "b_O") if parsed.attention_bias else ()


def read_mistral(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Mistral: Llama with a sliding window.

    ``layer_types`` may spare layers the window: transformers' AutoModel takes such a
    model for a Ministral, though its Mistral classes ignore them.
    """
    parsed = fields(config, Llama)
    window = fields(config, _Mistral).sliding_window
    return with_windows(decoder(config, parsed, "Mistral"), window, parsed.layer_types)


def read_qwen2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Qwen2: Llama with biases on Q, K and V."""
    parsed = fields(config, Llama)
    qwen = decoder(config, parsed, "Qwen2", ("b_Q", "b_K", "b_V"))
    return with_last_windows(qwen, config, parsed)


def with_last_windows(
    qwen: Architecture, config: Mapping[str, object], parsed: Llama
) -> Architecture:
    """Return a Qwen whose last layers have windows, if it uses them."""
    own = fields(config, _Qwen2)
    if not own.use_sliding_window:
        return qwen
    layers: tuple[Layer, ...] = parsed.layer_types or tuple(
        "sliding_attention" if layer >= own.max_window_layers else "full_attention"
        for layer in range(parsed.num_hidden_layers)
    )
    return with_windows(qwen, own.sliding_window, layers)


def decoder(
    config: Mapping[str, object],
    parsed: Llama,
    family: str,
    biases: Sequence[str] = (),
    *,
    feed_biases: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    qk_norm: QKNorm | None = None,
    rotary_share: float | None = None,
    grows: bool = True,
) -> Architecture:
    """Return the architecture of a Llama-like decoder.

    Parameters
    ----------
    config : mapping of str to object
        The configuration.
    parsed : Llama
        Its fields.
    family : str
        The family's name.
    biases : sequence of str
        The biases of the projections.
    feed_biases : bool
        Whether the feed-forward layers have biases.
    scale : float, optional
        Factor on the scores; 1/√d_head by default.
    softcap : float, optional
        Bound on the scores.
    qk_norm : QKNorm, optional
        The norm of queries and keys, with gains named ``q_norm`` and ``k_norm``.
    rotary_share, grows : optional
        See `read_rotary`.
    """
    heads, d_head = parsed.num_attention_heads, parsed.head_dim
    if d_head is None:
        d_head = divided(
            parsed.hidden_size, heads, "hidden_size", "num_attention_heads"
        )
    kv_heads = parsed.num_key_value_heads or heads
    divided(heads, kv_heads, "num_attention_heads", "num_key_value_heads")
    rotary, stretch = read_rotary(config, d_head, rotary_share, grows=grows)
    spec = Spec(
        n_heads=heads,
        n_kv_heads=kv_heads,
        head_axis=True,
        biases=tuple(biases),
        output_projection=True,
        positions=rotary,
        scale=stretched_scale(stretch, d_head, scale),
        softcap=softcap,
        qk_norm=qk_norm,
        causal=parsed.is_causal,
    )
    names = dict(NAMES)
    feed = ("b_gate", "b_up", "b_down") if feed_biases else ()
    for bias in (*biases, *feed):
        names[bias] = NAMES[f"W_{bias[2:]}"].removesuffix("weight") + "bias"
    if qk_norm is not None:
        names |= GAINS
    return Architecture(
        family=family,
        kind="decoder" if parsed.is_causal else "encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=parsed.hidden_size,
        d_head=d_head,
        d_feed_forward=parsed.intermediate_size,
        n_tokens=parsed.vocab_size,
        names=names,
        prefixes=("model.", "", "transformer."),
        # Older files hold the frequencies, which follow from the configuration.
        unused=("rotary_emb.inv_freq",),
        norm="rms",
        epsilon=parsed.rms_norm_eps,
        activation=parsed.hidden_act,
        tied=parsed.tie_word_embeddings,
        heads=padded(CAUSAL, parsed.pad_token_id),
        extended=read_extended(config, d_head, rotary_share),
    )


def with_windows(
    architecture: Architecture, width: int | None, layers: Sequence[Layer] | None
) -> Architecture:
    """Return an architecture whose sliding layers see only the last tokens.

    Parameters
    ----------
    architecture : Architecture
        The same without windows.
    width : int or None
        How many tokens a query sees, itself included, or to each side where it sees
        those after it, too; None for all.
    layers : sequence of str or None
        The type of each layer; None if all slide.
    """
    count = architecture.n_layers
    sliding: Layer = "sliding_attention"
    kinds = (sliding,) * count if layers is None else layers
    if len(kinds) != count:
        raise SchemaError(
            f"There must be one for each of the {count} layers. "
            f"Got {len(kinds)} instead.",
            "$.layer_types",
        )
    window = None
    if width is not None:
        window = (width - 1, 0) if architecture.kind == "decoder" else (width, width)
    attention = tuple(
        replace(spec, window=window if layer == "sliding_attention" else None)
        for spec, layer in zip(architecture.attention, kinds, strict=True)
    )
    return replace(architecture, attention=attention)


def alternating(count: int) -> tuple[Layer, ...]:
    """Return the types of layers of which every second one has no window."""
    return tuple(
        "full_attention" if layer % 2 else "sliding_attention" for layer in range(count)
    )
