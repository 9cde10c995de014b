"""Calls of PyTorch's functions: its fused attention, or softmax and product."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.recording.masks import Masks
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.recording.tensors import copied
from attnviewer.recording.watching.equation import as_rows_of_keys
from attnviewer.recording.watching.layer_of_call import layer_of_heads, layer_of_scores

FUSED = "scaled_dot_product_attention"
_PARAMETERS = (
    *("query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale"),
)
_CASTS = "to", "type", "type_as", "float", "half"
_PASSING = frozenset((*_CASTS, "dropout", "contiguous", "clone", "view", "reshape"))
"""Functions that hand weights on from the softmax to the product with the values."""
_PRODUCTS = frozenset(("matmul", "bmm", "__matmul__", "einsum"))


def fused_call(
    name: str, positional: tuple[Any, ...], keywords: Mapping[str, Any], result: Any
) -> RecordedLayer:
    """Return what a call of `scaled_dot_product_attention` computed.

    Parameters
    ----------
    name : str
        The name of the layer that called it.
    positional, keywords
        How it was called.
    result : torch.Tensor
        What it returned, (..., h, n_q, d_v).
    """
    given = dict(zip(_PARAMETERS, positional, strict=False)) | dict(keywords)
    masks = Masks()
    mask = given.get("attn_mask")
    if hasattr(mask, "variant"):
        masks.visible.append(_causal_bias(mask))
    elif mask is not None:
        masks.add(copied("attn_mask", mask), hides=False)
    queries, keys, values = (
        copied(part, given[part]) for part in ("query", "key", "value")
    )
    return layer_of_heads(
        name,
        queries,
        keys,
        values,
        masks,
        causal=bool(given.get("is_causal", False)),
        scale=given.get("scale"),
        output=copied("output", result),
    )


def _causal_bias(mask: Any) -> Numbers:
    """Return a mask of `torch.nn.attention.bias`, which has no numbers of its own."""
    n_queries, n_keys = mask.seq_len_q, mask.seq_len_kv
    from_right = mask.variant.name == "LOWER_RIGHT"
    offset = n_keys - n_queries if from_right else 0
    return np.tri(n_queries, n_keys, offset, dtype=bool)


class SoftmaxThenProduct:
    """Finds attention in a softmax whose result is multiplied with values.

    So do implementations that call no function for attention: the scores are those
    that the softmax was taken of, with all that was added to them.
    """

    def __init__(self) -> None:
        self._scores: Any = None
        self._weights: Any = None

    def see(
        self,
        called: str,
        positional: tuple[Any, ...],
        keywords: Mapping[str, Any],
        result: Any,
        name: str,
        n_heads: int | None,
    ) -> RecordedLayer | None:
        """Take note of a call; return the attention that it completes.

        Parameters
        ----------
        called : str
            The function's name.
        positional, keywords
            How it was called.
        result : Any
            What it returned.
        name : str
            The name of the layer that called it.
        n_heads : int or None
            How many heads the layer says it has.
        """
        if called in ("softmax", "_softmax"):
            self._see_softmax(positional, keywords, result)
        elif self._weights is not None and called in _PRODUCTS:
            return self._completed(called, positional, keywords, name, n_heads)
        elif called in _PASSING and positional and self._are_weights(positional[0]):
            self._weights = result
        return None

    def forget(self) -> None:
        """Let go of the tensors of the last softmax."""
        self._scores = self._weights = None

    def _see_softmax(
        self, positional: tuple[Any, ...], keywords: Mapping[str, Any], result: Any
    ) -> None:
        scores = positional[0] if positional else keywords.get("input")
        axis = positional[1] if len(positional) > 1 else keywords.get("dim", -1)
        n_axes = getattr(scores, "ndim", 0)
        if n_axes >= 3 and axis in (-1, n_axes - 1):
            self._scores, self._weights = scores, result

    def _are_weights(self, tensor: Any) -> bool:
        """Return whether a tensor holds the weights of the last softmax."""
        if self._weights is None or not hasattr(tensor, "data_ptr"):
            return False
        same = tensor.data_ptr() == self._weights.data_ptr()
        return bool(same and tensor.numel() == self._weights.numel())

    def _completed(
        self,
        called: str,
        positional: tuple[Any, ...],
        keywords: Mapping[str, Any],
        name: str,
        n_heads: int | None,
    ) -> RecordedLayer | None:
        operands = [*positional, *keywords.values()]
        equation = str(operands.pop(0)) if called == "einsum" else ""
        if equation and isinstance(operands[0], list | tuple):
            operands = list(operands[0])
        if len(operands) != 2:
            return None
        if equation and self._are_weights(operands[1]):
            operands.reverse()
            equation = ",".join(reversed(equation.partition("->")[0].split(",")))
        if not self._are_weights(operands[0]):
            return None
        scores, values = copied("scores", self._scores), copied("values", operands[1])
        self.forget()
        if equation:
            ordered = as_rows_of_keys(equation, scores.ndim, values)
            if ordered is None:
                return None
            values = ordered
        return _of_heads(name, scores, values, n_heads)


def _of_heads(
    name: str, scores: Numbers, values: Numbers, n_heads: int | None
) -> RecordedLayer | None:
    """Return the attention with axes for batch and heads; None if they do not fit."""
    if scores.ndim == 3:  # (batch·h, n_q, n_k)
        heads = n_heads or len(scores)
        if len(scores) % heads:
            return None
        scores = scores.reshape(-1, heads, *scores.shape[1:])
    if scores.ndim != 4 or values.ndim not in (3, 4):
        return None
    batch, heads, _, n_keys = scores.shape
    if values.ndim == 3:
        values = values.reshape(batch, -1, *values.shape[1:])
    if len(values) == 1:  # the same for all items
        values = np.broadcast_to(values, (batch, *values.shape[1:]))
    if values.shape[-2] != n_keys or len(values) != batch or heads % values.shape[1]:
        return None
    return layer_of_scores(name, scores, np.ascontiguousarray(values))
