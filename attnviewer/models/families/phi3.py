"""Phi-3 (Abdin et al. 2024) and Phi-4 (Abdin et al. 2024)."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Count, Positive, Share, fields
from attnviewer.models.families.llama import NAMES, Llama, decoder, with_windows

_FUSED = {
    "W_QKV": "layers.{}.self_attn.qkv_proj.weight",
    "W_gate_up": "layers.{}.mlp.gate_up_proj.weight",
}
_APART = ("W_Q", "W_K", "W_V", "W_gate", "W_up")
_OLD_TYPES = ("su", "yarn")
"""Names that LongRoPE had in the first configurations."""
_TYPES = ("default", "longrope", *_OLD_TYPES)


class _Phi3(Llama):
    rms_norm_eps: Positive = 1e-5
    pad_token_id: int | None = 32000


class _Own(msgspec.Struct):
    sliding_window: Count | None = None
    partial_rotary_factor: Share = 1.0


def read_phi3(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Phi-3 and Phi-4: Llama with fused projections."""
    parsed, own = fields(config, _Phi3), fields(config, _Own)
    config = _with_longrope({"original_max_position_embeddings": 4096, **config})
    phi = decoder(config, parsed, "Phi-3", rotary_share=own.partial_rotary_factor)
    phi = with_windows(phi, own.sliding_window, None)
    names = {part: name for part, name in NAMES.items() if part not in _APART}
    return replace(phi, names={**names, **_FUSED})


def _with_longrope(config: Mapping[str, object]) -> dict[str, object]:
    """Return a configuration in which LongRoPE has its own name."""
    found = dict(config)
    for name in ("rope_scaling", "rope_parameters"):
        given = config.get(name)
        if not isinstance(given, Mapping):
            continue
        kind = given.get("rope_type", given.get("type", "default"))
        if kind not in _TYPES:
            raise SchemaError(
                f"It must be default or longrope in Phi-3. "
                f"Got {shortened(repr(kind))} instead.",
                f"$.{name}.rope_type",
            )
        if kind in _OLD_TYPES:
            found[name] = {**given, "rope_type": "longrope"}
    return found
