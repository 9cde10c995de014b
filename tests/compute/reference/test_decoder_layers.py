"""The attention of whole decoder layers, from their recorded inputs and weights."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import Trace, multi_head_attention
from attnviewer.io.matrices import read_matrices

_FOLDER = Path(__file__).parents[2] / "data" / "models" / "tiny_decoders"
_N_HEADS, _N_KV_HEADS, _LAYERS = 4, 2, 2

_CLOSE = {"gpt2": 1e-14, "llama": 2e-6}
"""All was recorded in double precision but the angles of Llama's RoPE."""


def _weights(family: str, layer: int) -> dict[str, np.ndarray]:
    """Return the weights of a layer by their names in it."""
    prefix = {"gpt2": "transformer.h", "llama": "model.layers"}[family]
    tensors = read_matrices(_FOLDER / family / "model.safetensors").values
    return {
        name.removeprefix(f"{prefix}.{layer}."): tensor.astype(np.float64)
        for name, tensor in tensors.items()
    }


def _gpt2(w: dict[str, np.ndarray], hidden: np.ndarray) -> Trace:
    """Layer norm, then one matrix with Q, K and V side by side, y = x W + b."""
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    x = centred / np.sqrt(centred.var(axis=-1, keepdims=True) + 1e-5)
    x = x * w["ln_1.weight"] + w["ln_1.bias"]
    w_q, w_k, w_v = np.split(w["attn.c_attn.weight"], 3, axis=1)
    b_q, b_k, b_v = np.split(w["attn.c_attn.bias"], 3)
    biases = {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": w["attn.c_proj.bias"]}
    w_o = w["attn.c_proj.weight"]
    return multi_head_attention(
        x, w_q, w_k, w_v, w_o, **biases, n_heads=_N_HEADS, causal=True
    )


def _llama(w: dict[str, np.ndarray], hidden: np.ndarray) -> Trace:
    """Root mean square norm, then matrices stored as (out, in), RoPE, shared heads."""
    square = np.square(hidden).mean(axis=-1, keepdims=True)
    x = hidden / np.sqrt(square + 1e-6) * w["input_layernorm.weight"]
    matrices = (w[f"self_attn.{name}_proj.weight"].T for name in "qkvo")
    return multi_head_attention(
        x,
        *matrices,
        n_heads=_N_HEADS,
        n_kv_heads=_N_KV_HEADS,
        positions="rope",
        causal=True,
    )


@pytest.mark.parametrize("layer", range(_LAYERS))
@pytest.mark.parametrize(
    "name", ["gpt2_len1", "gpt2_len2", "llama_len2", "llama_len33"]
)
def test_every_head_attends_as_recorded(name: str, layer: int) -> None:
    with np.load(_FOLDER / f"{name}.npz", allow_pickle=False) as recorded:
        hidden = recorded["out.hidden_states"][layer]
        want = recorded["out.attentions"][layer]
    family = name.partition("_")[0]
    attend = {"gpt2": _gpt2, "llama": _llama}[family]
    trace = attend(_weights(family, layer), hidden)
    assert trace["weights"].shape == want.shape
    np.testing.assert_allclose(trace["weights"], want, rtol=0, atol=_CLOSE[family])
