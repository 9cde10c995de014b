"""Layers of PyTorch's own: nn.MultiheadAttention, and encoder layers around it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.stages.project import split_heads
from attnviewer.recording.call import Call, arguments_of
from attnviewer.recording.masks import Masks
from attnviewer.recording.multi_head import is_multi_head, multi_head_call
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.recording.watching.layer_of_call import layer_of_heads

FUNCTION = "multi_head_attention_forward"
"""The function behind nn.MultiheadAttention, which modules of one's own call, too."""
_SEQUENCES = {"Q": "query", "K": "key", "V": "value"}
_OF_ENCODERS = "src", "src_mask", "src_key_padding_mask"


def is_encoder_layer(module: object) -> bool:
    """Return whether a module is an nn.TransformerEncoderLayer, by what it has."""
    own = getattr(module, "self_attn", None)
    return hasattr(module, "norm_first") and is_multi_head(own)


def is_encoder(module: Any) -> bool:
    """Return whether a module is an nn.TransformerEncoder of such layers."""
    return hasattr(module, "enable_nested_tensor") and all(
        map(is_encoder_layer, module.layers)
    )


def functional_call(
    function: Callable[..., object],
    positional: tuple[Any, ...],
    keywords: Mapping[str, Any],
    result: object,
) -> Call:
    """Return what a call of `multi_head_attention_forward` shows.

    Parameters
    ----------
    function : callable
        The function.
    positional, keywords
        How it was called.
    result : object
        What it returned: the output, and the weights or None.

    Raises
    ------
    ValueError
        If it was given keys or values that are projected already.
    """
    given = arguments_of(SimpleNamespace(forward=function), positional, keywords)
    for name in ("static_k", "static_v"):
        if given[name] is not None:
            raise ValueError(
                f"The '{name}' must be None to be read, as keys and values are "
                "projected. Got a tensor instead."
            )
    out = SimpleNamespace(weight=given["out_proj_weight"], bias=given["out_proj_bias"])
    joined = None if given["use_separate_proj_weight"] else given["in_proj_weight"]
    own = {"batch_first": False, "embed_dim": given["query"].shape[-1]}
    module = {**given, **own, "in_proj_weight": joined, "out_proj": out}
    return multi_head_call(SimpleNamespace(**module), given, result)


def layer_of_multi_head(name: str, call: Call) -> RecordedLayer:
    """Return the attention of a call of nn.MultiheadAttention.

    Parameters
    ----------
    name : str
        The layer's name.
    call : Call
        What was recorded of it: sequences and weights, which are multiplied here.
    """
    queries, keys, values = (
        _projected(call, letter, sequence) for letter, sequence in _SEQUENCES.items()
    )
    n_extra = len(call.inputs.get("extra_keys", ()))
    masks = Masks()
    if "mask" in call.inputs:
        masks.visible.append(_widened(call.inputs["mask"], n_extra, True))
    elif call.options.get("causal"):
        n = queries.shape[-2]
        masks.visible.append(_widened(np.tri(n, dtype=bool), n_extra, True))
    if "bias" in call.inputs:
        masks.biases.append(_widened(call.inputs["bias"], n_extra, 0))
    return replace(layer_of_heads(name, queries, keys, values, masks), call=call)


def _widened(array: Numbers, count: int, value: float) -> Numbers:
    """Return a mask or bias with columns for keys that follow those of the sequence."""
    widths = [(0, 0)] * (array.ndim - 1) + [(0, count)]
    return np.pad(array, widths, constant_values=value)


def _projected(call: Call, letter: str, sequence: str) -> Numbers:
    """Return queries, keys or values as (batch, h, n, d)."""
    rows = call.inputs[sequence] @ call.inputs[f"W_{letter}"]  # (batch, n, h·d)
    if f"b_{letter}" in call.inputs:
        rows = rows + call.inputs[f"b_{letter}"]
    rows = rows.reshape(-1, *rows.shape[-2:])
    extra = call.inputs.get({"K": "extra_keys", "V": "extra_values"}.get(letter, ""))
    if extra is not None:
        last = np.broadcast_to(extra, (len(rows), *extra.shape))
        rows = np.concatenate([rows, last.astype(rows.dtype)], axis=1)
    return split_heads(rows, call.options["n_heads"])


def call_attention(layer: Any, arguments: dict[str, Any]) -> None:
    """Call the attention of an encoder layer as the layer does.

    Parameters
    ----------
    layer : torch.nn.TransformerEncoderLayer
        The layer.
    arguments : dict of str to Any
        Its own arguments.

    Raises
    ------
    ValueError
        If they have other names than those of PyTorch, or the attention is in training:
        its dropout would draw numbers that the module would draw without a recording.
    """
    if layer.self_attn.training:
        raise ValueError(
            "The 'self_attn' must be in eval mode, as its layer is. "
            "Got training mode instead."
        )
    if not arguments.keys() >= set(_OF_ENCODERS):
        raise ValueError(
            f"The layer must take {', '.join(_OF_ENCODERS)}. "
            f"Got {', '.join(arguments)} instead."
        )
    x, mask, padding = (arguments[name] for name in _OF_ENCODERS)
    x = x.detach()
    if x.is_nested:  # sequences of different lengths, without their padding
        lengths = [len(sequence) for sequence in x.unbind()]
        x = x.to_padded_tensor(0.0)
        padding = x.new_ones(x.shape[:2], dtype=bool)
        for hidden, length in zip(padding, lengths, strict=True):
            hidden[:length] = False
    if layer.norm_first:
        x = layer.norm1(x)
    layer.self_attn(
        *(x, x, x),
        attn_mask=mask,
        key_padding_mask=padding,
        need_weights=False,
    )
