"""Attention as the lessons tell it, written out with NumPy alone."""

import math

import numpy as np

from attnviewer.compute.positions import Rotary, Sinusoidal
from attnviewer.document import Document

Steps = dict[str, np.ndarray]


def by_hand(document: Document) -> Steps:
    """Return the steps of a document without its mistakes.

    Those of several heads have shape (h, rows, columns), as the window has them.
    """
    spec = document.spec
    assert spec.score == "dot"
    given = {name: document.matrix(name) for name in document.matrices}
    steps: Steps = dict(given)
    if isinstance(spec.positions, Sinusoidal):
        steps["X + P"] = given["X"] + places(*given["X"].shape)
    steps |= _sides(document, steps)
    if isinstance(spec.positions, Rotary):
        steps |= {
            f"rotated {name}": turned(spec.positions, steps[name]) for name in "QK"
        }
    queries, keys, values = (_full(document, steps[name]) for name in _names(document))
    d_k = keys.shape[-1]
    scores = queries @ keys.swapaxes(-1, -2)  # (h, n_q, n_k)
    steps["scores"] = scores
    if spec.scale != 1.0:
        scores = scores * (1 / math.sqrt(d_k) if spec.scale is None else spec.scale)
        steps["scaled"] = scores
    if spec.bias:
        scores = scores + given["bias"]
        steps["biased"] = scores
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


def places(count: int, width: int) -> np.ndarray:
    """Return sines and cosines of places, in turns, (n, d_model)."""
    return np.array(
        [
            [
                (math.cos if column % 2 else math.sin)(
                    place / 10000 ** (column // 2 * 2 / width)
                )
                for column in range(width)
            ]
            for place in range(count)
        ]
    )


def turned(rope: Rotary, rows: np.ndarray) -> np.ndarray:
    """Return rows, each turned by its place in planes of one column of each half."""
    half = rows.shape[-1] // 2
    by_base = [rope.base ** (-pair / half) for pair in range(half)]
    found = np.empty_like(rows)
    for place in range(rows.shape[-2]):
        for pair, angle in enumerate(rope.frequencies or by_base):
            turn = np.exp(1j * place * angle)
            point = (rows[..., place, pair] + 1j * rows[..., place, pair + half]) * turn
            found[..., place, pair] = point.real
            found[..., place, pair + half] = point.imag
    return found


def masked_late(document: Document) -> np.ndarray:
    """Return the weights where hidden ones become 0 after the softmax."""
    scores = by_hand(document)["scores"]
    return np.where(_seen(document, scores.shape), naive_softmax(scores), 0.0)


def masked_by_product(document: Document) -> np.ndarray:
    """Return the scores where −∞ is multiplied by 0 and 1 and added."""
    scores = by_hand(document)["scores"]
    with np.errstate(invalid="ignore"):
        return scores + -np.inf * (1.0 - _seen(document, scores.shape))


MISTAKEN = {
    "mask-nan": lambda d: {"masked": masked_by_product(d)},
    "softmax-overflow": lambda d: {"weights": naive_softmax(by_hand(d)["scores"])},
    "mask-after-softmax": lambda d: {"weights": masked_late(d)},
}
"""Steps with the mistakes whose numbers a lesson asks for."""


def _names(document: Document) -> tuple[str, str, str]:
    spec = document.spec
    if not spec.projected and not spec.given:
        name = "X" if spec.positions is None else "X + P"
        return (name, name, name)
    if isinstance(spec.positions, Rotary):
        return ("rotated Q", "rotated K", "V")
    return ("Q", "K", "V")


def _sides(document: Document, given: Steps) -> Steps:
    """Return queries, keys and values where they are computed."""
    if not document.spec.projected:
        return {}
    queries = given.get("X + P", given["X"])
    keys = given.get("context", queries)
    rows = {"Q": queries, "K": keys, "V": keys}
    return {
        name: _cut(rows[name] @ given[f"W_{name}"] + given.get(f"b_{name}", 0), heads)
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
    if normalizer == "sparsemax":
        return np.apply_along_axis(_nearest, -1, scores)
    if normalizer == "sigmoid":
        return 1 / (1 + scores.shape[-1] * np.exp(-scores))
    assert normalizer == "softmax"
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def _nearest(scores: np.ndarray) -> np.ndarray:
    """Return the shares of one nearest to scores, by trying how many are above 0."""
    for count in range(len(scores), 0, -1):
        threshold = (np.sort(scores)[-count:].sum() - 1) / count
        shares = np.maximum(scores - threshold, 0)
        if abs(shares.sum() - 1) < 1e-12:
            return shares
    raise AssertionError
