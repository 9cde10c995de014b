"""A small document, and what NumPy computes of it with mistakes written by hand."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute import Rotary, Slip, Spec
from attnviewer.document import Document
from attnviewer.document.mistakes import set_mistakes

N, D, HEADS = 5, 4, 2
SPEC = Spec(n_heads=HEADS, causal=True, positions=Rotary(), output_projection=True)
HIDDEN = np.arange(N) > np.arange(N)[:, None]

MISTAKES = (
    "scale-missing",
    "softmax-over-queries",
    "mask-after-softmax",
    "rope-keys-missing",
    "concat-not-transposed",
)


def document(seed: int = 0) -> Document:
    """Return five tokens with two heads, rotary positions and a causal mask."""
    random = np.random.default_rng(seed)
    matrices = {name: random.normal(size=(D, D)) for name in ("W_Q", "W_K", "W_V")}
    matrices |= {"X": random.normal(size=(N, D)), "W_O": random.normal(size=(D, D))}
    return Document("Five", list("abcde"), matrices, SPEC)


def with_mistake(*ids: str, seed: int = 0) -> Document:
    """Return the same document, computing with mistakes."""
    made = document(seed)
    made.apply(set_mistakes(made, [Slip(id) for id in ids], "Make a mistake"))
    return made


def by_hand(mistake: str, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Compute the attention with a mistake in it; "" for none."""

    def heads_of(name: str) -> np.ndarray:
        return (inputs["X"] @ inputs[name]).reshape(N, HEADS, -1).swapaxes(0, 1)

    queries, keys, values = (heads_of(f"W_{letter}") for letter in "QKV")
    turned_keys = keys if mistake == "rope-keys-missing" else _turned(keys)
    scores = _turned(queries) @ turned_keys.swapaxes(-1, -2)  # (h, n, n)
    scaled = scores if mistake == "scale-missing" else scores / np.sqrt(D // HEADS)
    masked = np.where(HIDDEN, -np.inf, scaled)
    weights = _softmax(masked, axis=-1)
    if mistake == "softmax-over-queries":
        weights = _softmax(masked, axis=-2)
    elif mistake == "mask-after-softmax":
        masked = scaled
        weights = np.where(HIDDEN, 0, _softmax(scaled, axis=-1))
    heads = weights @ values  # (h, n, d)
    joined = np.hstack(list(heads))
    if mistake == "concat-not-transposed":
        joined = heads.reshape(N, D)
    return {
        "scores": scores,
        "scaled": scaled,
        "masked": masked,
        "weights": weights,
        "heads": heads,
        "concatenated": joined,
        "output": joined @ inputs["W_O"],
    }


def _turned(rows: np.ndarray) -> np.ndarray:
    """Turn pairs of columns (one, of heads that are two wide) by their positions."""
    angles = np.arange(N)
    first, second = rows[..., 0], rows[..., 1]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)


def _softmax(scores: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)
