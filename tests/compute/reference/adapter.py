"""From a recorded case to calls of attnviewer's public functions, and back."""

from collections.abc import Callable

import numpy as np

from attnviewer import causal_mask, normalize, window_mask

from . import onnx, positions, scores, torch_layers
from .cases import Case


def run(case: Case) -> dict[str, np.ndarray]:
    """Return attnviewer's answer for every output of a case, by its name there."""
    return _OPERATIONS[case.op](case)


def _normalize(case: Case) -> dict[str, np.ndarray]:
    options = dict(case.attrs)
    kind = options.pop("kind")
    if kind == "sigmoid":
        # The bias is recorded as 0.0 or as the text "-log(n)".
        options["length_bias"] = options.pop("bias") == "-log(n)"
    return {"weights": normalize(case.inputs["scores"], kind, **options)}


def _mask(case: Case) -> dict[str, np.ndarray]:
    attrs = case.attrs
    n_q, n_k, offset = attrs["Lq"], attrs["Lk"], attrs["offset"]
    if attrs["kind"] == "causal":
        return {"allowed": causal_mask(n_q, n_k, query_offset=offset)}
    width = attrs["window"]
    # The causal window counts the own position, the one to both sides does not.
    sides = {"sliding_causal": (width - 1, 0), "sliding_bidirectional": (width, width)}
    left, right = sides[attrs["kind"]]
    allowed = window_mask(n_q, n_k, left=left, right=right, query_offset=offset)
    return {"allowed": allowed}


_OPERATIONS: dict[str, Callable[[Case], dict[str, np.ndarray]]] = {
    "onnx.Attention": onnx.attention_node,
    "onnx.RotaryEmbedding": onnx.rotary_node,
    "sdpa": torch_layers.scaled_dot_product,
    "softcap_attention": torch_layers.scaled_dot_product,
    "alibi_attention": torch_layers.scaled_dot_product_with_alibi,
    "mha": torch_layers.multi_head,
    "grad": torch_layers.gradients,
    "bahdanau": scores.bahdanau,
    "luong": scores.luong,
    "alibi_slopes": positions.slopes,
    "alibi_bias": positions.bloom_bias,
    "rope_half": positions.llama_rope,
    "rope_interleaved": positions.gptj_rope,
    "sinusoidal": positions.sinusoidal,
    "normalize": _normalize,
    "mask": _mask,
}
