"""The attention functions that models of Hugging Face choose from."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.recording.masks import Masks, added_to_half
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.recording.tensors import copied, parts
from attnviewer.recording.watching.layer_of_call import layer_of_heads
from attnviewer.recording.watching.replaced import replaced

_LOOKUP = "get_interface"
Seen = Callable[[Any, Mapping[str, Any], object], None]
"""Takes a layer, the arguments of its attention function, and what that returned."""


class WatchedInterface:
    """The table of attention functions of transformers, as long as it is watched.

    Whatever function a layer looks up, for eager, fused or flexible attention, is
    called as it is, and then seen.

    Parameters
    ----------
    call : callable
        Calls the function.
    seen : callable
        Takes note of the call.
    """

    def __init__(self, call: Callable[..., object], seen: Seen) -> None:
        self._call, self._seen = call, seen
        code = sys.modules.get("transformers.modeling_utils")
        table = getattr(code, "ALL_ATTENTION_FUNCTIONS", None)
        self._table: Any = table if hasattr(table, _LOOKUP) else None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch the functions that are looked up in the block."""
        if self._table is None:
            yield
            return
        look_up, lasts = self._table.get_interface, True

        def looked_up(*names: Any, **more: Any) -> Callable[..., object]:
            found = look_up(*names, **more)
            # Another recording that began later calls it after the end, too.
            return self._watched(found) if lasts else found

        try:
            with replaced(self._table, _LOOKUP, looked_up):
                yield
        finally:
            lasts = False

    def _watched(self, function: Callable[..., object]) -> Callable[..., object]:
        def attention(
            layer: Any,
            query: Any,
            key: Any,
            value: Any,
            attention_mask: Any = None,
            *more: Any,
            **options: Any,
        ) -> object:
            given = (layer, query, key, value, attention_mask, *more)
            result = self._call(function, *given, **options)
            named = {"query": query, "key": key, "value": value}
            masked = {"attention_mask": attention_mask}
            self._seen(layer, {**options, **named, **masked}, result)
            return result

        return attention


def interface_call(
    name: str, layer: Any, arguments: Mapping[str, Any], result: object
) -> RecordedLayer:
    """Return what an attention function of transformers computed.

    Parameters
    ----------
    name : str
        The layer's name.
    layer : torch.nn.Module
        The layer.
    arguments : mapping of str to Any
        Queries, keys and values as (batch, h, n, d), the mask, and the options.
    result : object
        The output, (batch, n_q, h, d_v), and the weights or None.
    """
    queries, keys, values = (
        copied(part, arguments[part]) for part in ("query", "key", "value")
    )
    masks = Masks()
    n_queries, n_keys = queries.shape[-2], keys.shape[-2]
    mask = arguments.get("attention_mask")
    by_rules = mask is None or getattr(mask, "ndim", 0) == 2
    if hasattr(mask, "mask_mod"):
        masks.visible.append(_flexible(mask, n_queries, n_keys))
    elif mask is not None and by_rules:  # padding alone, (batch, n_k)
        real = copied("attention_mask", mask)[:, :n_keys] != 0
        masks.visible.append(real[:, np.newaxis, np.newaxis])
    elif mask is not None:
        added = copied("attention_mask", mask)[..., :n_keys]
        eager = _chosen(layer) == "eager"
        masks.add(added_to_half(added) if eager else added, hides=False)
    if "flash" in _chosen(layer):
        masks.visible.append(_seen_by_flash(layer, arguments, n_queries, n_keys))
    if arguments.get("position_bias") is not None:
        masks.add(copied("position_bias", arguments["position_bias"]), hides=False)
    sinks = arguments.get("s_aux")
    output = copied("output", parts(result)[0])  # (batch, n_q, h, d_v)
    return layer_of_heads(
        name,
        queries,
        keys,
        values,
        masks,
        causal=by_rules and _causal_without_mask(layer, arguments, n_queries),
        scale=arguments.get("scaling"),
        softcap=arguments.get("softcap"),
        sinks=None if sinks is None else copied("sinks", sinks),
        output=output.swapaxes(1, 2),
    )


def _chosen(layer: Any) -> str:
    """Return the name of the attention function that a layer's model was given."""
    config = getattr(layer, "config", None)
    return getattr(config, "_attn_implementation", None) or "eager"


def _meant_causal(layer: Any, arguments: Mapping[str, Any]) -> bool:
    meant = arguments.get("is_causal")
    return bool(getattr(layer, "is_causal", True) if meant is None else meant)


def _causal_without_mask(
    layer: Any, arguments: Mapping[str, Any], n_queries: int
) -> bool:
    """Return whether a function that got no mask hides the keys after each query.

    Eager and flexible attention do so by masks alone, and FlashAttention by a rule of
    its own.
    """
    chosen = _chosen(layer)
    if chosen in ("eager", "flex_attention") or "flash" in chosen or n_queries == 1:
        return False
    return _meant_causal(layer, arguments)


def _seen_by_flash(
    layer: Any, arguments: Mapping[str, Any], n_queries: int, n_keys: int
) -> Numbers:
    """Return which keys the rules of FlashAttention show, (n_q, n_k).

    The last query is at the place of the last key.
    """
    queries = np.arange(n_keys - n_queries, n_keys)[:, np.newaxis]  # (n_q, 1)
    behind = queries - np.arange(n_keys)  # (n_q, n_k)
    window = arguments.get("sliding_window")
    visible: Numbers = abs(behind) < (n_keys + n_queries if window is None else window)
    return visible & (behind >= 0) if _meant_causal(layer, arguments) else visible


def _flexible(mask: Any, n_queries: int, n_keys: int) -> Numbers:
    """Return the mask of flexible attention as booleans, (batch, h, n_q, n_k)."""
    code = sys.modules[type(mask).__module__]
    batch, heads = mask.shape[:2]
    device = mask.kv_num_blocks.device
    visible = code.create_mask(mask.mask_mod, batch, heads, n_queries, n_keys, device)
    return copied("attention_mask", visible)
