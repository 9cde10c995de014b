"""A tiny GPT-2 computed by its formulas in NumPy, and nothing else."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

Arrays = Mapping[str, np.ndarray]


def tensors(folder: Path) -> dict[str, np.ndarray]:
    """Read a checkpoint's tensors of float32, without the prefix of their names."""
    content = (folder / "model.safetensors").read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    return {
        name.removeprefix("transformer."): np.frombuffer(
            content[start + told["data_offsets"][0] : start + told["data_offsets"][1]],
            "<f4",
        )
        .reshape(told["shape"])
        .astype(np.float64)
        for name, told in header.items()
    }


def gpt2(
    own: Arrays,
    ids: Sequence[int],
    n_heads: int,
    replace: Callable[[int, list[np.ndarray]], list[np.ndarray]] | None = None,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the hidden states, the last one after the final norm, and the logits.

    `replace` is given a layer and its heads' outputs, and returns others.
    """
    n = len(ids)
    x = own["wte.weight"][list(ids)] + own["wpe.weight"][:n]  # (n, d_model)
    states = [x]
    layers = 1 + max(int(name.split(".")[1]) for name in own if name.startswith("h."))
    for layer in range(layers):
        p = {
            name.removeprefix(f"h.{layer}."): array
            for name, array in own.items()
            if name.startswith(f"h.{layer}.")
        }
        a = _norm(x, p["ln_1.weight"], p["ln_1.bias"])
        q, k, v = np.split(a @ p["attn.c_attn.weight"] + p["attn.c_attn.bias"], 3, 1)
        heads = [
            _softmax(_causal(qh @ kh.T / np.sqrt(qh.shape[1]))) @ vh
            for qh, kh, vh in zip(
                *(np.split(m, n_heads, axis=1) for m in (q, k, v)), strict=True
            )
        ]
        if replace is not None:
            heads = replace(layer, heads)
        x = x + np.hstack(heads) @ p["attn.c_proj.weight"] + p["attn.c_proj.bias"]
        m = _norm(x, p["ln_2.weight"], p["ln_2.bias"])
        m = _gelu(m @ p["mlp.c_fc.weight"] + p["mlp.c_fc.bias"])
        x = x + m @ p["mlp.c_proj.weight"] + p["mlp.c_proj.bias"]
        states.append(x)
    states[-1] = _norm(x, own["ln_f.weight"], own["ln_f.bias"])
    return states, states[-1] @ own["wte.weight"].T


def probabilities(logits: np.ndarray) -> np.ndarray:
    """Return the softmax of each row."""
    return _softmax(logits)


def _norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * weight + bias


def _gelu(x: np.ndarray) -> np.ndarray:
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def _causal(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
