"""RoPE of layers of Hugging Face, from their configuration."""

import sys
from collections.abc import Mapping
from typing import Any

from attnviewer.compute.positions import linear_frequencies, llama3_frequencies
from attnviewer.recording.call import Call
from attnviewer.recording.tensors import copied

_KIND = "layer_type", "attention_type"
"""Attributes that say which of several rotations a layer has."""


def read_rotation(layer: Any, arguments: Mapping[str, Any], call: Call) -> None:
    """Add the rotation of a layer to what was recorded of a call.

    Parameters
    ----------
    layer : torch.nn.Module
        The layer.
    arguments : mapping of str to Any
        The arguments of the call; a layer that rotates is given the tables.
    call : Call
        What was recorded.
    """
    if arguments.get("position_embeddings") is None:
        return
    call.options["positions"] = "rope"
    config = getattr(layer, "config", None)
    given = _parameters(layer, config)
    kind = given.get("rope_type") or given.get("type") or "default"
    base = given.get("rope_theta") or getattr(config, "rope_theta", None)
    if base is None:
        call.notes.append("The base of the rotation cannot be read. Give rope_base.")
        return
    width = _width(layer, config)
    turned = int(width * (given.get("partial_rotary_factor") or 1.0))
    if turned != width:
        call.options["rope_dim"] = turned
    if _is_interleaved(layer):
        call.options["rope_interleaved"] = True
    if given.get("mrope_section"):
        call.notes.append(
            "The layer rotates along several axes, which are taken to have equal "
            "positions, as in a text."
        )
    if kind == "default":
        call.options["rope_base"] = float(base)
    elif kind == "linear":
        call.options["rope_frequencies"] = linear_frequencies(
            turned, base, factor=given["factor"]
        )
    elif kind == "llama3":
        call.options["rope_frequencies"] = llama3_frequencies(
            turned,
            base,
            factor=given["factor"],
            low_frequency_factor=given["low_freq_factor"],
            high_frequency_factor=given["high_freq_factor"],
            trained_length=given["original_max_position_embeddings"],
        )
    else:
        call.notes.append(
            f"The rotation is scaled by the method '{kind}', which cannot be read. "
            "Give rope_frequencies: by how much each pair rotates per position."
        )


def _parameters(layer: Any, config: Any) -> Mapping[str, Any]:
    """Return the parameters of the rotation of a layer."""
    found = getattr(config, "rope_parameters", None)
    found = found or getattr(config, "rope_scaling", None) or {}
    for name in _KIND:
        own = found.get(getattr(layer, name, None))
        if isinstance(own, Mapping):
            return own
    return dict(found)


def _width(layer: Any, config: Any) -> int:
    for holder in (layer, config):
        width = getattr(holder, "head_dim", None)
        if width:
            return int(width)
    return int(config.hidden_size // config.num_attention_heads)


def _is_interleaved(layer: Any) -> bool:
    """Return whether neighbouring columns are a pair, which a file's function shows."""
    code = sys.modules.get(type(layer).__module__)
    rotate = getattr(code, "rotate_half", None)
    if rotate is None:
        return False
    weight = next(iter(layer.parameters()))
    turned = rotate(weight.new_tensor([0.0, 1.0, 2.0, 3.0]))
    return bool(copied("rotated", turned)[0] == -1)
