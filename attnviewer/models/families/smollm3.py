"""SmolLM3 (Hugging Face 2025): Llama, some layers of which have no positions.

References
----------
Yang et al. 2025, "Rope to Nope and Back Again", arXiv:2501.18795.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Count, fields
from attnviewer.models.families.llama import (
    BiasedLlama,
    Layer,
    biases_of,
    decoder,
    with_windows,
)

_THETA = 2000000.0


class _SmolLM3(BiasedLlama):
    tie_word_embeddings: bool = True
    pad_token_id: int | None = 128004


class _Positions(msgspec.Struct):
    no_rope_layers: tuple[Literal[0, 1], ...] | None = None
    no_rope_layer_interval: Count = 4
    use_sliding_window: bool = False
    sliding_window: Count | None = None


def read_smollm3(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of SmolLM3."""
    parsed, own = fields(config, _SmolLM3), fields(config, _Positions)
    if config.get("rope_theta") is None:
        config = {**config, "rope_theta": _THETA}
    biases, feed_biases = biases_of(parsed), parsed.mlp_bias
    smol = decoder(config, parsed, "SmolLM3", biases, feed_biases=feed_biases)
    turned = _turned(own, smol.n_layers)
    attention = tuple(
        # Scaled rotations stretch queries and keys: without one nothing does.
        spec if turns else replace(spec, positions=None, scale=None)
        for spec, turns in zip(smol.attention, turned, strict=True)
    )
    smol = replace(smol, attention=attention)
    layers = parsed.layer_types or _layers(own, turned)
    return with_windows(smol, own.sliding_window, layers)


def _turned(own: _Positions, n_layers: int) -> Sequence[int]:
    """Return which layers have positions: 0, despite the name, for those without."""
    if own.no_rope_layers is None:
        return [int((i + 1) % own.no_rope_layer_interval != 0) for i in range(n_layers)]
    if len(own.no_rope_layers) < n_layers:
        raise SchemaError(
            f"There must be one for each of the {n_layers} layers. "
            f"Got {len(own.no_rope_layers)} instead.",
            "$.no_rope_layers",
        )
    return own.no_rope_layers[:n_layers]


def _layers(own: _Positions, turned: Sequence[int]) -> tuple[Layer, ...]:
    """Return the type of each layer; those without positions may slide."""
    slide = own.use_sliding_window and own.sliding_window is not None
    return tuple(
        "sliding_attention" if slide and not turns else "full_attention"
        for turns in turned
    )
