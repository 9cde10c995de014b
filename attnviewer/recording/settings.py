"""The settings of a layer, from its attributes and configuration."""

from collections.abc import Mapping
from typing import Any

from attnviewer.recording.call import Call
from attnviewer.recording.masks import is_causal
from attnviewer.recording.rotation import read_rotation
from attnviewer.recording.tensors import copied

_Names = tuple[str, ...]
_COUNTS: dict[str, _Names] = {
    "n_heads": (
        *("num_attention_heads", "num_heads", "n_heads", "n_head", "num_q_heads"),
        *("nheads", "nhead", "heads", "h"),
    ),
    "n_kv_heads": (
        *("num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_kv_head"),
        *("kv_heads", "num_query_groups"),
    ),
}
"""Attributes of layers and configurations by the options that they tell."""
_SCORES = {"softcap": "attn_logit_softcapping", "scale": "scaling"}
_UNREAD = {
    "sinks": "The layer has learned sinks in its softmax, which no option says.",
    "relative_attention_bias": "The layer adds relative positions to the scores, "
    "which cannot be read. Give bias: the numbers that it adds.",
}


def read_settings(layer: Any, arguments: Mapping[str, Any], call: Call) -> None:
    """Add to a call what its layer is meant to compute.

    A scale is believed only of a layer of Hugging Face: in one's own it may be the
    mistake.

    Parameters
    ----------
    layer : torch.nn.Module
        The layer.
    arguments : mapping of str to Any
        The arguments of the call.
    call : Call
        What was recorded of it.
    """
    for option, names in _COUNTS.items():
        count = _number(layer, names)
        if count is not None:
            call.options[option] = int(count)
    if is_of_hugging_face(layer):
        for option, name in _SCORES.items():
            number = _number(layer, (name,))
            if number is not None:
                call.options[option] = float(number)
        read_rotation(layer, arguments, call)
    for name, sentence in _UNREAD.items():
        if getattr(layer, name, None) is not None:
            call.notes.append(sentence)
    if meant_causal(layer):
        call.options["causal"] = True


def is_of_hugging_face(layer: Any) -> bool:
    """Return whether a layer is one of the package transformers."""
    return type(layer).__module__.partition(".")[0] == "transformers"


def meant_causal(layer: Any) -> bool:
    """Return whether a layer says that it is causal, or keeps a causal mask."""
    for name in ("is_causal", "causal"):
        if isinstance(getattr(layer, name, None), bool):
            return bool(getattr(layer, name))
    return any(_is_causal_table(name, table) for name, table in layer.named_buffers())


def _is_causal_table(name: str, table: Any) -> bool:
    """Return whether a table is a causal mask, whichever of its sides it marks."""
    shape = tuple(table.shape)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        return False
    marked = copied(name, table) != 0
    return is_causal(marked) or is_causal(~marked)


def n_heads_of(layer: Any) -> int | None:
    """Return how many heads a layer says it has; None if it does not."""
    count = _number(layer, _COUNTS["n_heads"])
    return None if count is None else int(count)


def _number(layer: Any, names: _Names) -> float | None:
    """Return the first number of these names of a layer or its configuration."""
    for holder in (layer, getattr(layer, "config", None)):
        for name in names:
            value = getattr(holder, name, None)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return value
    return None
