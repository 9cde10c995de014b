"""Attention as other people write it, on the same queries, keys and values."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from machine import import_optional
from numpy.typing import NDArray

from attnviewer.compute import Array, BoolArray

Both = tuple[Array, Array]


def softmax(scores: Array) -> Array:
    """Return softmax as notebooks spell it out: a fresh array for each step."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: Array = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights


def notebook(
    q: Array,
    k: Array,
    v: Array,
    hidden: BoolArray | None,
    softmax: Callable[..., Array] = softmax,
) -> Both:
    """Return weights and output as notebooks compute them.

    Kindly to them: the usual ``np.sqrt(d)`` would turn all into double precision.
    """
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = np.where(hidden, -np.inf, scores)
    weights = softmax(scores)
    return weights, weights @ v


def scipy_notebook(q: Array, k: Array, v: Array, hidden: BoolArray | None) -> Both:
    """Return the same with SciPy's softmax."""
    ready = import_optional("scipy.special").softmax
    return notebook(q, k, v, hidden, lambda scores: ready(scores, axis=-1))


class Torch:
    """PyTorch's ways, without gradients."""

    def __init__(self) -> None:
        self.torch = import_optional("torch")
        self.torch.set_grad_enabled(False)

    def tensor(self, array: Array | BoolArray | None) -> Any:
        """Return a tensor on the same memory."""
        return None if array is None else self.torch.from_numpy(array)

    def explicit(self, q: Any, k: Any, v: Any, hidden: Any) -> tuple[Any, Any]:
        """Return weights and output as papers write them."""
        scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]))
        if hidden is not None:
            scores = scores.masked_fill(hidden, -math.inf)
        weights = scores.softmax(-1)
        return weights, weights @ v

    def fused(self, q: Any, k: Any, v: Any, causal: bool) -> tuple[Any]:
        """Return the output alone, as models compute it."""
        attend = self.torch.nn.functional.scaled_dot_product_attention
        # Without an axis for the batch some versions take a slower way.
        return (attend(q[None], k[None], v[None], is_causal=causal)[0],)

    def model(self, folder: Path, ids: NDArray[np.intp]) -> Callable[[], Any]:
        """Return what computes the last hidden states of ids by transformers."""
        transformers = import_optional("transformers")
        transformers.utils.logging.disable_progress_bar()
        model = transformers.AutoModel.from_pretrained(folder).eval()
        given = self.torch.from_numpy(ids)[None]

        def states() -> Any:
            with self.torch.inference_mode():
                return model(input_ids=given).last_hidden_state[0]

        return states

    def attentions(self, folder: Path) -> Callable[[Sequence[int]], list[Array]]:
        """Return what computes the attention of all layers in one thread."""
        self.torch.set_num_threads(1)
        eager = self.eager(folder)
        return lambda ids: [layer[0].numpy() for layer in eager(ids).attentions]

    def eager(self, folder: Path) -> Callable[[Sequence[int] | NDArray[np.intp]], Any]:
        """Return what computes the last hidden states and all weights of ids."""
        transformers = import_optional("transformers")
        transformers.utils.logging.disable_progress_bar()
        model = transformers.AutoModel.from_pretrained(
            folder, attn_implementation="eager"
        ).eval()

        def found(ids: Sequence[int] | NDArray[np.intp]) -> Any:
            with self.torch.inference_mode():
                given = self.torch.tensor(ids)[None]
                return model(input_ids=given, output_attentions=True)

        return found

    def module(self, n_heads: int, *weights: Array) -> Any:
        """Return an nn.MultiheadAttention with W_Q, W_K, W_V and W_O."""
        d_model = len(weights[0])
        module = self.torch.nn.MultiheadAttention(
            d_model, n_heads, bias=False, batch_first=True
        ).eval()
        w_q, w_k, w_v, w_o = (self.torch.from_numpy(w).T for w in weights)
        module.in_proj_weight.copy_(self.torch.cat([w_q, w_k, w_v]))
        module.out_proj.weight.copy_(w_o)
        return module
