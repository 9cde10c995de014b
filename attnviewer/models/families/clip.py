"""CLIP (Radford et al. 2021): a tower that reads texts, and one that reads pictures."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import Spec
from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Index,
    Layers,
    Positive,
    divided,
    fields,
)
from attnviewer.models.families.naming import linear, norm
from attnviewer.models.families.pictures import Sides, picture_input

PARTS = ("text", "vision")
"""The towers of a checkpoint with both; it has a configuration of each."""
_LAYER = "encoder.layers.{}"
_LAST_TOKEN = 2
"""The end token of configurations that do not know it: the largest id ends a text."""


_LAYERS = {
    **norm("attention_input", f"{_LAYER}.layer_norm1"),
    **linear("Q", f"{_LAYER}.self_attn.q_proj"),
    **linear("K", f"{_LAYER}.self_attn.k_proj"),
    **linear("V", f"{_LAYER}.self_attn.v_proj"),
    **linear("O", f"{_LAYER}.self_attn.out_proj"),
    **norm("feed_input", f"{_LAYER}.layer_norm2"),
    **linear("up", f"{_LAYER}.mlp.fc1"),
    **linear("down", f"{_LAYER}.mlp.fc2"),
}
_TEXT = {
    "tokens": "embeddings.token_embedding.weight",
    "places": "embeddings.position_embedding.weight",
    **_LAYERS,
    **norm("final", "final_layer_norm"),
    "W_projection": "text_projection.weight",
    "similarity_scale": "logit_scale",
}
_VISION = {
    "places": "embeddings.position_embedding.weight",
    "class": "embeddings.class_embedding",
    "patches.weight": "embeddings.patch_embedding.weight",
    # The name in transformers is misspelt.
    **norm("embedding", "pre_layrnorm"),
    **_LAYERS,
    **norm("final", "post_layernorm"),
    "W_projection": "visual_projection.weight",
    "similarity_scale": "logit_scale",
}


class _Tower(msgspec.Struct):
    hidden_size: Count
    intermediate_size: Count
    num_attention_heads: Count
    num_hidden_layers: Layers = 12
    hidden_act: str = "quick_gelu"
    layer_norm_eps: Positive = 1e-5
    projection_dim: Count = 512


class _Text(_Tower):
    hidden_size: Count = 512
    intermediate_size: Count = 2048
    num_attention_heads: Count = 8
    vocab_size: Count = 49408
    max_position_embeddings: Count = 77
    eos_token_id: Index | None = 49407
    is_causal: bool = True


class _Vision(_Tower):
    hidden_size: Count = 768
    intermediate_size: Count = 3072
    num_attention_heads: Count = 12
    image_size: Sides = 224
    patch_size: Sides = 32
    num_channels: Count = 3


def read_clip_text(config: Mapping[str, object], location: str = "$") -> Architecture:
    """Read the configuration of the tower that reads texts."""
    parsed = fields(config, _Text, location)
    end = parsed.eos_token_id
    return replace(
        _shared(parsed, causal=parsed.is_causal),
        family="CLIP text",
        n_tokens=parsed.vocab_size,
        names=_TEXT,
        prefixes=("text_model.", ""),
        n_positions=parsed.max_position_embeddings,
        pooled="end",
        end_token=None if end == _LAST_TOKEN else end,
    )


def read_clip_vision(config: Mapping[str, object], location: str = "$") -> Architecture:
    """Read the configuration of the tower that reads pictures."""
    parsed = fields(config, _Vision, location)
    return replace(
        _shared(parsed, causal=False),
        family="CLIP vision",
        names=_VISION,
        prefixes=("vision_model.", ""),
        picture=picture_input(
            parsed.image_size,
            parsed.patch_size,
            parsed.num_channels,
            {"[CLS]": "class"},
            parsed.hidden_size,
            stacked=False,
        ),
        pooled="first",
        processor="CLIP",
    )


def read_clip(config: Mapping[str, object], part: str = PARTS[0]) -> Architecture:
    """Read the configuration of a tower of a checkpoint with both.

    Older files may have a second one of a tower, ``text_config_dict`` or
    ``vision_config_dict``; in transformers it and its class's defaults override the
    first.

    Parameters
    ----------
    config : mapping of str to object
        The configuration.
    part : str
        ``text`` or ``vision``.

    Raises
    ------
    SchemaError
        If there is no such tower.
    """
    name = f"{part}_config_dict"
    if config.get(name) is None:
        name = f"{part}_config"
    tower = config.get(name)
    if not isinstance(tower, Mapping):
        raise SchemaError(
            f"It must be the configuration of the {part} tower. "
            f"Got {'none' if tower is None else type(tower).__name__} instead.",
            f"$.{name}",
        )
    # The width that both towers project to is given outside of them.
    both = {**tower, "projection_dim": config.get("projection_dim", 512)}
    read = read_clip_text if part == PARTS[0] else read_clip_vision
    return read(both, f"$.{name}")


def _shared(parsed: _Tower, *, causal: bool) -> Architecture:
    """Return what is the same in both towers, without embeddings."""
    spec = Spec(
        n_heads=parsed.num_attention_heads,
        head_axis=True,
        biases=("b_Q", "b_K", "b_V", "b_O"),
        output_projection=True,
        causal=causal,
    )
    wide = parsed.hidden_size
    return Architecture(
        family="CLIP",
        kind="encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=wide,
        d_head=divided(
            wide, parsed.num_attention_heads, "hidden_size", "num_attention_heads"
        ),
        d_feed_forward=parsed.intermediate_size,
        n_tokens=0,
        names=_LAYERS,
        prefixes=("",),
        norm="layer",
        epsilon=parsed.layer_norm_eps,
        activation=parsed.hidden_act,
        tied=False,
        optional=("W_projection", "similarity_scale"),
        final_norm_is_apart=True,
        d_projection=parsed.projection_dim,
    )
