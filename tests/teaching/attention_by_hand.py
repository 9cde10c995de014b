"""Attention as the lessons tell it, written out with NumPy alone."""

import math

import numpy as np

from attnviewer.document import Document

Steps = dict[str, np.ndarray]


def by_hand(document: Document) -> Steps:
    """Return the steps of a document without its mistakes.

    Those of several heads have shape (h, rows, columns), as the window has them.
    """
    spec = document.spec
    assert spec.positions is None
    assert spec.score == "dot"
    assert not spec.biases
    given = {name: document.matrix(name) for name in document.matrices}
    steps: Steps = dict(given)
    steps |= _sides(document, given)
    queries, keys, values = (_full(document, steps[name]) for name in _names(document))
    d_k = keys.shape[-1]
    scores = queries @ keys.swapaxes(-1, -2)  # (h, n_q, n_k)
    steps["scores"] = scores
    if spec.scale != 1.0:
        scores = scores * (1 / math.sqrt(d_k) if spec.scale is None else spec.scale)
        steps["scaled"] = scores
    seen = _seen(document, scores.shape[-2:])
    if not seen.all():
        scores = np.where(seen, scores, -np.inf)
        steps["masked"] = scores
    steps["weights"] = _weights(spec.normalizer, scores)
    mixed = steps["weights"] @ values  # (h, n_q, d_v)
    if spec.n_heads > 1:
        steps["heads"] = mixed
        mixed = np.concatenate(list(mixed), axis=-1)
        steps["concatenated"] = mixed
    else:
        mixed = mixed[0]
    steps["output"] = mixed @ given["W_O"] if spec.output_projection else mixed
    if spec.n_heads == 1:
        steps = {name: a[0] if a.ndim == 3 else a for name, a in steps.items()}
    return steps


def naive_softmax(scores: np.ndarray) -> np.ndarray:
    """Return the weights of rows as the naive softmax has them, with inf and nan."""
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)


def masked_late(document: Document) -> np.ndarray:
    """Return the weights where hidden ones become 0 after the softmax."""
    scores = by_hand(document)["scores"]
    return np.where(_seen(document, scores.shape), naive_softmax(scores), 0.0)


MISTAKEN = {
    "softmax-overflow": lambda d: {"weights": naive_softmax(by_hand(d)["scores"])},
    "mask-after-softmax": lambda d: {"weights": masked_late(d)},
}
"""Steps with the mistakes whose numbers a lesson asks for."""


def _names(document: Document) -> tuple[str, str, str]:
    separate = document.spec.projected or document.spec.given
    return ("Q", "K", "V") if separate else ("X", "X", "X")


def _sides(document: Document, given: Steps) -> Steps:
    """Return queries, keys and values where they are computed."""
    if not document.spec.projected:
        return {}
    keys = given.get("context", given["X"])
    rows = {"Q": given["X"], "K": keys, "V": keys}
    return {
        name: _cut(rows[name] @ given[f"W_{name}"], heads)
        for name, heads in zip("QKV", _heads(document), strict=True)
    }


def _heads(document: Document) -> tuple[int, int, int]:
    spec = document.spec
    shared = spec.n_kv_heads or spec.n_heads
    return spec.n_heads, shared, shared


def _cut(rows: np.ndarray, heads: int) -> np.ndarray:
    """Return neighbouring columns for each head, (h, n, d)."""
    return np.stack(np.split(rows, heads, axis=-1))


def _full(document: Document, side: np.ndarray) -> np.ndarray:
    """Return one block for each head of queries, shared ones repeated one by one."""
    side = side if side.ndim == 3 else side[np.newaxis]
    return np.repeat(side, document.spec.n_heads // len(side), axis=0)


def _seen(document: Document, shape: tuple[int, int]) -> np.ndarray:
    spec = document.spec
    assert spec.window is None
    queries, keys = np.indices(shape)
    seen = np.full(shape, True)
    if spec.causal:
        seen &= keys <= queries
    if spec.key_lengths is not None:
        seen &= keys < spec.key_lengths
    if spec.mask:
        seen &= document.matrix("mask")
    return seen


def _weights(normalizer: str, scores: np.ndarray) -> np.ndarray:
    if normalizer == "sum":
        return scores / scores.sum(axis=-1, keepdims=True)
    assert normalizer == "softmax"
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
