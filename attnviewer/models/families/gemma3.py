"""Gemma 3 (Gemma Team 2025): five local layers to each global one.

References
----------
Gemma Team 2025, "Gemma 3 Technical Report", arXiv:2503.19786, section 2.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import QKNorm
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    HeadWidth,
    Layers,
    Positive,
    fields,
    refuse,
)
from attnviewer.models.families.gemma import OWN_NORMS, TANH, as_gemma
from attnviewer.models.families.llama import (
    Layer,
    Llama,
    biases_of,
    decoder,
    with_windows,
)
from attnviewer.models.families.rotary_by_layer import (
    check_by_layer,
    refuse_old_name,
    without_flat,
)

_BASES: Mapping[Layer, tuple[str, float]] = {
    "full_attention": ("rope_theta", 1000000.0),
    "sliding_attention": ("rope_local_base_freq", 10000.0),
}
"""The field of older files with the base of a type of layers, and its default."""
_FOREIGN = {
    "vision_tower.": "a vision tower",
    "multi_modal_projector.": "a projector of images",
}


class _Shared(Llama):
    """The fields of Llama, with the values of files that leave them out."""

    hidden_size: Count = 2304
    intermediate_size: Count = 9216
    num_hidden_layers: Layers = 26
    num_attention_heads: Count = 8
    num_key_value_heads: Count | None = 4
    vocab_size: Count = 262208
    head_dim: HeadWidth | None = 256
    tie_word_embeddings: bool = True
    pad_token_id: int | None = 0


class _Gemma3(msgspec.Struct):
    hidden_activation: str = TANH
    query_pre_attn_scalar: Positive = 256
    final_logit_softcapping: Positive | None = None
    sliding_window: Count | None = 4096
    sliding_window_pattern: Count = 6
    use_bidirectional_attention: bool | None = False


def read_gemma3(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of a Gemma 3 for texts and images: its text part."""
    text = config.get("text_config")
    if not isinstance(text, Mapping):
        raise SchemaError(
            f"Expected an object, got {shortened(repr(text))}.", "$.text_config"
        )
    # The class for both applies no cap to logits, and is never bidirectional.
    config = {
        **text,
        "tie_word_embeddings": config.get("tie_word_embeddings", True),
        "final_logit_softcapping": None,
    }
    try:
        refuse(text, use_bidirectional_attention=False)
        gemma = read_gemma3_text(config)
    except SchemaError as error:
        location = (error.location or "").removeprefix("$")
        raise SchemaError(str(error), f"$.text_config{location}") from None
    prefixes = ("model.language_model.", "language_model.model.", *gemma.prefixes)
    return replace(gemma, prefixes=prefixes, foreign=_FOREIGN)


def read_gemma3_text(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Gemma 3 for texts alone."""
    # A cap of the scores is read by no layer, as in transformers.
    parsed, own = fields(config, _Shared), fields(config, _Gemma3)
    scale = 1 / math.sqrt(own.query_pre_attn_scalar)
    norm = QKNorm(gain_offset=1.0, epsilon=parsed.rms_norm_eps)

    def turned_by(kind: Layer) -> Architecture:
        rotated, location = _rotation(config, kind)
        biases = biases_of(parsed)
        try:
            return decoder(
                *(rotated, parsed, "Gemma 3", biases),
                scale=scale,
                qk_norm=norm,
                grows=False,
            )
        except SchemaError as error:
            where = (error.location or "$").replace("$.rope_parameters", location)
            raise SchemaError(str(error), where) from None

    whole, local = turned_by("full_attention"), turned_by("sliding_attention")
    layers = tuple(parsed.layer_types or _pattern(own, whole.n_layers))
    gemma = with_windows(whole, own.sliding_window, layers)
    attention = tuple(
        spec
        if layer == "full_attention"
        else replace(spec, positions=turned.positions, scale=turned.scale)
        for spec, turned, layer in zip(
            gemma.attention, local.attention, layers, strict=True
        )
    )
    gemma = replace(
        as_gemma(gemma, own.hidden_activation),
        attention=attention,
        names={**gemma.names, **OWN_NORMS},
        logit_cap=own.final_logit_softcapping,
    )
    if own.use_bidirectional_attention:
        return _bidirectional(gemma, own.sliding_window, layers)
    return gemma


def _bidirectional(
    gemma: Architecture, width: int | None, layers: tuple[Layer, ...]
) -> Architecture:
    """Return an encoder (EmbeddingGemma), whose windows have a half on each side.

    References
    ----------
    Schechter Vera et al. 2025, "EmbeddingGemma", arXiv:2509.20354, section 2.
    """
    half = None if width is None else (width // 2, width // 2)
    attention = tuple(
        replace(
            spec, causal=False, window=half if layer == "sliding_attention" else None
        )
        for spec, layer in zip(gemma.attention, layers, strict=True)
    )
    return replace(gemma, kind="encoder", attention=attention)


def _pattern(own: _Gemma3, count: int) -> tuple[Layer, ...]:
    """Return the type of each layer: every sixth, or so, sees all tokens."""
    return tuple(
        "sliding_attention"
        if (i + 1) % own.sliding_window_pattern
        else "full_attention"
        for i in range(count)
    )


def _rotation(
    config: Mapping[str, object], kind: Layer
) -> tuple[dict[str, object], str]:
    """Return the configuration with the rotation of a type of layers alone.

    Older files name the bases side by side; their scaling is that of global layers.
    YaRN's truncate has no effect in models with several types, as in transformers.

    Returns
    -------
    config : dict
        With its `rope_parameters`.
    location : str
        The JSON path where the file has these.
    """
    nested = _object(config, "rope_parameters")
    check_by_layer(nested)
    base, default = _BASES[kind]
    above, own = config.get(base), _object(nested, kind, "$.rope_parameters")
    rotary = {"rope_theta": default if above is None else above, **own}
    location = f"$.rope_parameters.{kind}" if own else "$"
    if kind == "full_attention" and config.get("rope_scaling") is not None:
        scaling = _object(config, "rope_scaling")
        refuse_old_name(scaling)
        rotary |= scaling
        location = "$.rope_scaling"
    rotary["truncate"] = True
    return {**without_flat(config), "rope_parameters": rotary}, location


def _object(
    parent: Mapping[str, object], name: str, location: str = "$"
) -> Mapping[str, object]:
    """Return a part of a configuration that is an object; {} where there is none."""
    part = parent.get(name)
    if part is not None and not isinstance(part, Mapping):
        raise SchemaError(
            f"Expected an object, got {shortened(repr(part))}.", f"{location}.{name}"
        )
    return part or {}
