"""The circuits of tiny checkpoints as whole matrices, from their tensors alone."""

from collections.abc import Mapping

import numpy as np

Arrays = Mapping[str, np.ndarray]

CENTRE = np.eye(32) - 1 / 32


def own(array: np.ndarray, head: int, width: int) -> np.ndarray:
    """Return the columns of a head."""
    return array[:, head * width : (head + 1) * width]


def gpt2(given: Arrays, layer: int, head: int) -> tuple[np.ndarray, np.ndarray]:
    name = f"h.{layer}."
    norm = CENTRE @ np.diag(given[name + "ln_1.weight"])
    q, k, v = (
        norm @ own(part, head, 8)
        for part in np.split(given[name + "attn.c_attn.weight"], 3, axis=1)
    )
    return q @ k.T / np.sqrt(8), v @ given[name + "attn.c_proj.weight"][
        head * 8 : head * 8 + 8
    ]


def bert(given: Arrays, layer: int, head: int) -> tuple[np.ndarray, np.ndarray]:
    name = f"encoder.layer.{layer}.attention."
    q, k, v = (
        own(given[f"{name}self.{part}.weight"].T, head, 8)
        for part in ("query", "key", "value")
    )
    output = given[name + "output.dense.weight"].T[head * 8 : head * 8 + 8]
    return q @ k.T / np.sqrt(8), v @ output


def bert_norms(given: Arrays, layer: int) -> np.ndarray:
    """Return what the stream passes after a layer's attention, without scales."""
    name = f"encoder.layer.{layer}."
    first, second = (
        CENTRE @ np.diag(given[f"{name}{part}.LayerNorm.weight"])
        for part in ("attention.output", "output")
    )
    return first @ second


def rotation(position: int, width: int) -> np.ndarray:
    """Return the matrix that rotates rows of halves by a position."""
    half = width // 2
    angles = position * 10000.0 ** (-np.arange(half) / half)
    cos, sin = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[cos, sin], [-sin, cos]])


def gemma2(
    given: Arrays, layer: int, head: int, query: int = 0, key: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """With 4 heads of queries for 2 of keys, 16 wide, and scores divided by √8."""
    name = f"model.layers.{layer}."
    norm = np.diag(1 + given[name + "input_layernorm.weight"])
    q, k, v = (
        norm @ own(given[f"{name}self_attn.{part}_proj.weight"].T, of, 16)
        for part, of in (("q", head), ("k", head // 2), ("v", head // 2))
    )
    output = given[name + "self_attn.o_proj.weight"].T[head * 16 : head * 16 + 16]
    after = np.diag(1 + given[name + "post_attention_layernorm.weight"])
    turned = rotation(query, 16) @ rotation(key, 16).T
    return q @ turned @ k.T / np.sqrt(8), v @ output @ after


def relative(product: np.ndarray, *factors: np.ndarray) -> float:
    lengths = [np.sqrt((factor**2).sum()) for factor in factors]
    return np.sqrt((product**2).sum()) / np.prod(lengths)
