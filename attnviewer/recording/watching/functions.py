"""Calls of PyTorch's functions: its fused attention, or softmax and product."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.doctor.reading.arrays import FLOATS
from attnviewer.doctor.reading.masks import HIDING
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


@dataclass(slots=True)
class _Weights:
    """A tensor that was made of the weights of the last softmax, of the same size.

    Parameters
    ----------
    tensor : torch.Tensor
        The tensor.
    by : str
        The last function that changed the weights; "" if they are as they were.
    epsilon : float
        The difference from 1 to the next number of the coarsest type on the way.
    dropped : bool
        Whether dropout was applied, which is not recorded.
    """

    tensor: Any
    epsilon: float
    by: str = ""
    dropped: bool = False


class SoftmaxThenProduct:
    """Finds attention in a softmax whose result is multiplied with values.

    So do implementations that call no function for attention: the scores are those
    that the softmax was taken of, with all that was added to them. Weights that are
    changed after it are no such attention, and are reported instead.
    """

    def __init__(self) -> None:
        self._scores: Any = None
        self._held: list[_Weights] = []

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

        Raises
        ------
        ValueError
            If weights are multiplied with values that are not those of the softmax.
        """
        if called in ("softmax", "_softmax"):
            self._see_softmax(positional, keywords, result)
        elif self._held and called in _PRODUCTS:
            return self._completed(called, positional, keywords, name, n_heads)
        elif self._held:
            self._see_other(called, (*positional, *keywords.values()), result)
        return None

    def forget(self) -> None:
        """Let go of the tensors of the last softmax."""
        self._scores = None
        self._held.clear()

    def _see_softmax(
        self, positional: tuple[Any, ...], keywords: Mapping[str, Any], result: Any
    ) -> None:
        scores = positional[0] if positional else keywords.get("input")
        axis = positional[1] if len(positional) > 1 else keywords.get("dim", -1)
        n_axes = getattr(scores, "ndim", 0)
        if n_axes >= 3 and axis in (-1, n_axes - 1):
            self._scores, self._held = scores, [_Weights(result, _epsilon(result))]

    def _see_other(self, called: str, given: Iterable[Any], result: Any) -> None:
        """Take note of a function that may be given the weights."""
        source = next((w for tensor in given if (w := self._weights_in(tensor))), None)
        if source is None:
            return
        if called.rstrip("_") != called and not called.startswith("__"):
            source.by = called  # in place
        elif self._weights_in(result) is None and self._is_as_large(result):
            self._held.append(
                _Weights(
                    result,
                    max(source.epsilon, _epsilon(result)),
                    source.by if called in _PASSING else called,
                    source.dropped or called == "dropout",
                )
            )

    def _is_as_large(self, given: Any) -> bool:
        """Return whether something is a tensor of as many numbers as the weights.

        A torch.Size has `numel`, too, and no numbers.
        """
        is_tensor = hasattr(given, "data_ptr")
        return is_tensor and given.numel() == self._held[0].tensor.numel()

    def _weights_in(self, tensor: Any) -> _Weights | None:
        """Return the weights of the last softmax that a tensor holds."""
        if not self._is_as_large(tensor):
            return None
        place = tensor.data_ptr()
        held = (w for w in self._held if w.tensor.data_ptr() == place)
        return next(held, None)

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
        if equation and self._weights_in(operands[1]):
            operands.reverse()
            equation = ",".join(reversed(equation.partition("->")[0].split(",")))
        weights = self._weights_in(operands[0])
        if weights is None:
            return None
        scores, values = copied("scores", self._scores), copied("values", operands[1])
        self.forget()
        _check_unchanged(weights, scores)
        if equation:
            ordered = as_rows_of_keys(equation, scores.ndim, values)
            if ordered is None:
                return None
            values = ordered
        return _of_heads(name, scores, values, n_heads)


def _epsilon(tensor: Any) -> float:
    """Return the difference from 1 to the next number of a tensor's type."""
    name = str(tensor.dtype).rpartition(".")[2]
    if name in FLOATS:
        return float(np.finfo(name).eps)
    return 2.0**-7 if name == "bfloat16" else 2.0**-3


def _check_unchanged(weights: _Weights, scores: Numbers) -> None:
    """Check that weights are the softmax of scores, as far as their type tells.

    What hides keys once more that the softmax has hidden does not change them.
    """
    if weights.dropped:
        return
    found = copied("weights", weights.tensor).reshape(scores.shape)
    largest = scores.max(axis=-1, keepdims=True)  # (..., n_q, 1)
    with np.errstate(invalid="ignore"):
        powers = np.exp((scores - largest).astype(np.float64))
    expected = powers / powers.sum(axis=-1, keepdims=True)
    hidden = ~(largest > HIDING)  # rows without a key tell nothing
    if np.all((np.abs(found - expected) <= 8 * weights.epsilon) | hidden):
        return
    by = f" by '{weights.by}'" if weights.by else ""
    raise ValueError(
        f"Its weights are changed{by} after the softmax, before they are multiplied "
        "with values."
    )


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
