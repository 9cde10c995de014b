"""Calls of PyTorch's nn.MultiheadAttention."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.recording.call import Call
from attnviewer.recording.masks import Masks
from attnviewer.recording.tensors import copied, parts

_SEQUENCES = "query", "key", "value"


def is_multi_head(module: object) -> bool:
    """Return whether a module is an nn.MultiheadAttention, by what it has."""
    return all(hasattr(module, n) for n in ("in_proj_weight", "out_proj", "bias_k"))


def multi_head_call(module: Any, arguments: Mapping[str, Any], result: object) -> Call:
    """Return what a call of nn.MultiheadAttention shows.

    Parameters
    ----------
    module : torch.nn.MultiheadAttention
        The layer.
    arguments : mapping of str to Any
        The arguments of the call.
    result : object
        What it returned: the output, and the weights or None.
    """
    call = Call(options={"n_heads": int(module.num_heads)})
    turned = not module.batch_first
    for name in _SEQUENCES:
        call.inputs[name] = _batch_first(copied(name, arguments[name]), turned)
    call.inputs |= _weights(module)
    output, *others = parts(result)
    call.mine["output"] = _batch_first(copied("output", output), turned)
    if others and others[0] is not None:
        weights = copied("weights", others[0])
        if arguments["average_attn_weights"] and module.num_heads > 1:
            call.notes.append(
                "The layer returned the mean of the weights over the heads, which is "
                "left out. Call it with average_attn_weights=False."
            )
        else:
            shape = *weights.shape[:-2], 1, *weights.shape[-2:]
            averaged = arguments["average_attn_weights"]
            call.mine["weights"] = weights.reshape(shape) if averaged else weights
    masks = _masks(module, arguments)
    masks.tell(call)
    return call


def _batch_first(sequence: Numbers, turned: bool) -> Numbers:
    return sequence.swapaxes(0, 1) if turned and sequence.ndim == 3 else sequence


def _weights(module: Any) -> dict[str, Numbers]:
    """Return the weights as (in, out), the biases and the learned keys."""
    found = {}
    if module.in_proj_weight is not None:
        joined = copied("in_proj_weight", module.in_proj_weight)
        separate = np.split(joined, 3)
    else:
        names = (f"{letter}_proj_weight" for letter in "qkv")
        separate = [copied(name, getattr(module, name)) for name in names]
    for letter, weight in zip("QKV", separate, strict=True):
        found[f"W_{letter}"] = weight.T
    if module.in_proj_bias is not None:
        biases = np.split(copied("in_proj_bias", module.in_proj_bias), 3)
        found |= dict(zip(("b_Q", "b_K", "b_V"), biases, strict=True))
    found["W_O"] = copied("out_proj.weight", module.out_proj.weight).T
    if module.out_proj.bias is not None:
        found["b_O"] = copied("out_proj.bias", module.out_proj.bias)
    return found | _extra_rows(module)


def _extra_rows(module: Any) -> dict[str, Numbers]:
    """Return keys and values that follow those of the sequence."""
    found = {}
    for name, bias in (("keys", module.bias_k), ("values", module.bias_v)):
        rows = []
        if bias is not None:
            rows.append(copied(name, bias).reshape(1, -1))
        if module.add_zero_attn:
            rows.append(np.zeros((1, module.embed_dim)))
        if rows:
            found[f"extra_{name}"] = np.concatenate(rows)
    return found


def _masks(module: Any, arguments: Mapping[str, Any]) -> Masks:
    masks = Masks()
    padding = arguments["key_padding_mask"]
    if padding is not None:
        rows = copied("key_padding_mask", padding)
        masks.add(rows.reshape(-1, 1, 1, rows.shape[-1]), hides=True)
    if arguments["attn_mask"] is not None:
        mask = copied("attn_mask", arguments["attn_mask"])
        if mask.ndim == 3:  # (batch·h, n_q, n_k)
            mask = mask.reshape(-1, module.num_heads, *mask.shape[-2:])
        masks.add(mask, hides=True)
    return masks
