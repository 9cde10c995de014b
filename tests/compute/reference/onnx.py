"""The operators Attention (opset 23 to 25) and RotaryEmbedding of ONNX."""

from collections.abc import Mapping

import numpy as np

from attnviewer import attention, rotary_embedding

from .cases import Case

# The levels of qk_matmul_output_mode 0, 1, 2 and 3. The operator adds the mask where
# attnviewer has two steps; a step that nothing called for equals the one before it.
_LEVELS = (("scores", "scaled"), ("capped",), ("biased", "masked"), ("weights",))


def attention_node(case: Case) -> dict[str, np.ndarray]:
    attrs, inputs = case.attrs, case.inputs
    joined = inputs["Q"].ndim == 3
    q, k, v = inputs["Q"], inputs["K"], inputs["V"]
    if joined:
        q = split_heads(q, attrs["q_num_heads"])
        k = split_heads(k, attrs["kv_num_heads"])
        v = split_heads(v, attrs["kv_num_heads"])
    if "past_key" in inputs:
        k = np.concatenate([inputs["past_key"], k], axis=-2)
        v = np.concatenate([inputs["past_value"], v], axis=-2)

    trace = attention(
        q,
        k,
        v,
        scale=attrs.get("scale"),
        softcap=attrs.get("softcap"),
        causal=bool(attrs.get("is_causal", 0)),
        window=_window(attrs),
        **_mask_or_bias(inputs, n_k=k.shape[-2]),
        **_lengths(inputs, n_q=q.shape[-2]),
    )
    return {
        "Y": join_heads(trace["output"]) if joined else trace["output"],
        "present_key": k,
        "present_value": v,
        "qk_matmul_output": _stage(trace, attrs.get("qk_matmul_output_mode", 0)),
    }


def rotary_node(case: Case) -> dict[str, np.ndarray]:
    attrs, inputs = case.attrs, case.inputs
    joined = inputs["X"].ndim == 3
    x = split_heads(inputs["X"], attrs["num_heads"]) if joined else inputs["X"]
    turned = rotary_embedding(
        x,
        inputs.get("position_ids"),
        rotary_dim=attrs.get("rotary_embedding_dim"),
        interleaved=bool(attrs.get("interleaved", 0)),
        cos=inputs["cos_cache"],
        sin=inputs["sin_cache"],
    )
    return {"Y": join_heads(turned) if joined else turned}


def split_heads(x: np.ndarray, n_heads: int) -> np.ndarray:
    batch, n, width = x.shape
    return x.reshape(batch, n, n_heads, width // n_heads).swapaxes(1, 2)


def join_heads(x: np.ndarray) -> np.ndarray:
    batch, h, n, d = x.shape
    return x.swapaxes(1, 2).reshape(batch, n, h * d)


def _window(attrs: dict[str, int]) -> tuple[int | None, int | None] | None:
    """Return the keys before and after the own position; -1 is open, as absent is."""
    sizes = [attrs.get(f"{side}_window_size", -1) for side in ("left", "right")]
    left, right = (None if size == -1 else size for size in sizes)
    return None if left is right is None else (left, right)


def _mask_or_bias(inputs: dict[str, np.ndarray], n_k: int) -> dict[str, np.ndarray]:
    if "attn_mask" not in inputs:
        return {}
    mask = inputs["attn_mask"]
    boolean = mask.dtype == np.bool_
    # A mask may be shorter than the keys: those past its end are not seen.
    missing = [(0, 0)] * (mask.ndim - 1) + [(0, n_k - mask.shape[-1])]
    mask = np.pad(mask, missing, constant_values=False if boolean else -np.inf)
    return {"mask" if boolean else "bias": mask}


def _lengths(inputs: dict[str, np.ndarray], n_q: int) -> dict[str, int | np.ndarray]:
    """Return how many keys count, and where the first query stands among them.

    The queries follow the cached keys; where only the lengths are told, they are the
    last ones of them.
    """
    if "past_key" in inputs:
        return {"query_offset": inputs["past_key"].shape[-2]}
    if "nonpad_kv_seqlen" in inputs:
        lengths = inputs["nonpad_kv_seqlen"]
        return {"key_lengths": lengths, "query_offset": lengths - n_q}
    return {}


def _stage(trace: Mapping[str, np.ndarray], mode: int) -> np.ndarray:
    steps = [step for level in _LEVELS[: mode + 1] for step in level]
    return trace[[step for step in steps if step in trace][-1]]
