"""Mistakes in sequences, projections, biases and heads, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain
from tests.compute.mistakes.planted import planted

PLAIN = Layer()
SINGLE = Layer(heads=1, output=False)
BIASED = Layer(biases=True)
CROSS = Layer(n=5, n_keys=6)
GROUPED = Layer(heads=4, kv_heads=2, d_model=16)


def taking(**letters):
    """Return hooks by which sides take the weights and biases of others."""

    def weight(p, letter):
        return Plain.weight(p, letters.get(letter, letter))

    def offset(p, letter):
        return Plain.offset(p, letters.get(letter, letter))

    return {"weight": weight, "offset": offset}


def transposing(*letters):
    def weight(p, letter):
        matrix = Plain.weight(p, letter)
        return matrix.T if letter in letters else matrix

    return {"weight": weight}


def without_bias(*letters):
    def offset(p, letter):
        return 0.0 if letter in letters else Plain.offset(p, letter)

    return {"offset": offset}


def fused_by_head(p, letter):
    """Return columns of [W_Q W_K W_V] that are read as (h, 3, d)."""
    whole = np.concatenate([p.given[f"W_{name}"] for name in "QKV"], axis=1)
    heads = whole.reshape(len(whole), p.layer.heads, 3, p.layer.d)
    return heads[:, :, "QKV".index(letter)].reshape(len(whole), -1)


def by_head(p, letter):
    return p.given["W_O"] if letter == "O" else fused_by_head(p, letter)


def fused_by_group(p, letter):
    """Return columns of [W_Q W_K W_V] read as two queries, a key, a value by group."""
    whole = np.concatenate([p.given[f"W_{name}"] for name in "QKV"], axis=1)
    if letter == "O":
        return p.given["W_O"]
    heads = whole.reshape(len(whole), 2, 4, p.layer.d)
    kept = {"Q": slice(0, 2), "K": slice(2, 3), "V": slice(3, 4)}[letter]
    return heads[:, :, kept].reshape(len(whole), -1)


def unprojected(name):
    def project(p, letter, rows):
        return rows if letter == name else Plain.project(p, letter, rows)

    return {"project": project}


def viewed_weight(p, letter):
    weight = p.given[f"W_{letter}"]
    if letter == "O":
        return weight
    heads = weight.reshape(p.layer.heads, p.layer.d_model, p.layer.d)
    return np.concatenate(list(heads), axis=1)


def layer_norm(rows, eps=1e-5):
    mean = rows.mean(-1, keepdims=True)
    return (rows - mean) / np.sqrt(rows.var(-1, keepdims=True) + eps)


def rms_norm(rows, eps=1e-6):
    return rows / np.sqrt(np.mean(rows**2, -1, keepdims=True) + eps)


def counted_heads(number):
    """Return hooks that cut columns into another number of heads."""

    def split(p, letter, rows):
        return np.stack(np.split(rows, number, axis=-1))

    def factor(p):
        return (p.layer.d_model / number) ** -0.5

    return {"split": split, "factor": factor, "spread": lambda p, letter, heads: heads}


def spread_by(*order):
    def spread(p, letter, heads):
        return np.stack([heads[k] for k in order])

    return {"spread": spread}


def along_sequence(p, letter, heads):
    """Repeat the rows, and take a view for (h, n, d)."""
    return np.repeat(heads, 2, axis=1).reshape(4, *heads.shape[1:])


PROJECTIONS = {
    "batch-for-tokens": planted(
        Layer(n=4, batch=3),
        "output",
        sequences=lambda p: p.given["X"].swapaxes(0, 1),
        gathered=lambda p, arrays: np.stack(arrays, axis=1),
    ),
    "bias-per-head": planted(
        Layer(heads=3, biases=True),
        parameter=3.0,
        finished=lambda p, joined: joined @ p.given["W_O"] + 3 * p.given["b_O"],
    ),
    "cross-wrong-sequence": planted(
        CROSS,
        source=lambda p, letter: p.given["X"],
        hidden=lambda p, scores: scores,
    ),
    "embedding-scaled": planted(
        PLAIN, parameter=12.0, embedded=lambda p: p.given["X"] * 12**0.5
    ),
    "norm-on-input": planted(
        PLAIN, parameter=1e-5, embedded=lambda p: layer_norm(p.given["X"])
    ),
    "weight-transposed:W_Q": planted(PLAIN, **transposing("Q")),
    "weight-transposed:W_K": planted(PLAIN, **transposing("K")),
    "weight-transposed:W_V": planted(PLAIN, **transposing("V")),
    "weight-transposed:W_O": planted(PLAIN, **transposing("O")),
    "weights-all-transposed": planted(PLAIN, **transposing(*"QKVO")),
    "q-k-swapped": planted(PLAIN, **taking(Q="K", K="Q")),
    "k-v-swapped": planted(BIASED, **taking(K="V", V="K")),
    "projection-of-another:W_K": planted(BIASED, **taking(K="Q")),
    "projection-missing:W_V": planted(PLAIN, **unprojected("V")),
    "weights-viewed-by-head": planted(PLAIN, weight=viewed_weight),
    "output-projection-missing": planted(BIASED, finished=lambda p, rows: rows),
    "output-projection-twice": planted(
        BIASED,
        finished=lambda p, rows: Plain.finished(p, Plain.finished(p, rows)),
    ),
    "fused-order": planted(PLAIN, weight=by_head),
    "bias-missing:b_Q": planted(BIASED, **without_bias("Q")),
    "bias-missing:b_K": planted(BIASED, "K", **without_bias("K")),
    "bias-missing:b_V": planted(BIASED, **without_bias("V")),
    "bias-missing:b_O": planted(BIASED, **without_bias("O")),
    "biases-missing": planted(BIASED, **without_bias(*"QKV")),
    "bias-twice:b_V": planted(
        BIASED,
        project=lambda p, letter, rows: (
            Plain.project(p, letter, rows) + (p.offset(letter) if letter == "V" else 0)
        ),
    ),
    "bias-sign:b_O": planted(
        BIASED,
        offset=lambda p, letter: p.given[f"b_{letter}"] * (-1 if letter == "O" else 1),
    ),
    "bias-of-another:b_V": planted(
        BIASED,
        offset=lambda p, letter: p.given["b_K" if letter == "V" else f"b_{letter}"],
    ),
    "heads-interleaved": planted(
        PLAIN,
        split=lambda p, letter, rows: rows.reshape(len(rows), -1, 2).transpose(2, 0, 1),
    ),
    "heads-not-transposed": planted(
        PLAIN, split=lambda p, letter, rows: rows.reshape(2, len(rows), -1)
    ),
    "concat-not-transposed": planted(
        PLAIN, joined=lambda p, heads: heads.reshape(p.layer.n, -1)
    ),
    "concat-interleaved": planted(
        PLAIN, joined=lambda p, heads: heads.transpose(1, 2, 0).reshape(p.layer.n, -1)
    ),
    "heads-reversed": planted(
        PLAIN, joined=lambda p, heads: np.concatenate([heads[1], heads[0]], axis=-1)
    ),
    "heads-averaged": planted(
        Layer(output=False), joined=lambda p, heads: (heads[0] + heads[1]) / 2
    ),
    "heads-summed": planted(
        Layer(output=False), joined=lambda p, heads: heads[0] + heads[1]
    ),
    "heads-first-only": planted(
        PLAIN,
        joined=lambda p, heads: np.concatenate([heads[0], 0 * heads[1]], axis=-1),
    ),
    "heads-wrong-count": planted(PLAIN, parameter=4.0, **counted_heads(4)),
    "weights-averaged": planted(
        PLAIN,
        # The output is computed from the weights of each head all the same.
        normalized=lambda p, scores: Plain.normalized(p, scores).mean(axis=0),
        mixed=lambda p, weights, v, q, k: (
            Plain.normalized(p, Plain.scaled(p, q @ k.swapaxes(1, 2))) @ v
        ),
    ),
    "gqa-tiled": planted(GROUPED, **spread_by(0, 1, 0, 1)),
    "gqa-one-head": planted(GROUPED, **spread_by(0, 0, 0, 0)),
    "gqa-reversed": planted(GROUPED, **spread_by(1, 1, 0, 0)),
    "gqa-along-sequence": planted(GROUPED, spread=along_sequence),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    (
        "cross-wrong-sequence",
        planted(
            CROSS,
            source=lambda p, letter: p.given["context"],
            hidden=lambda p, scores: scores,
        ),
    ),
    ("fused-order", planted(GROUPED, weight=fused_by_group)),
    ("fused-order", planted(PLAIN, **taking(Q="V", K="Q", V="K"))),
    (
        "norm-on-input",
        planted(PLAIN, parameter=1e-6, embedded=lambda p: rms_norm(p.given["X"])),
    ),
    (
        "embedding-scaled",
        planted(
            Layer(positions="sinusoidal"),
            embedded=lambda p: p.given["X"] * 12**0.5 + p.encoding(),
        ),
    ),
    ("heads-wrong-count", planted(PLAIN, parameter=6.0, **counted_heads(6))),
    (
        "heads-summed",
        planted(PLAIN, joined=lambda p, heads: np.hstack([heads.sum(axis=0)] * 2)),
    ),
    (
        "gqa-tiled",
        planted(
            GROUPED,
            spread=lambda p, letter, heads: (
                heads[[0, 1, 0, 1]] if letter == "V" else heads[[0, 0, 1, 1]]
            ),
        ),
    ),
    ("projection-missing:W_V", planted(SINGLE, **unprojected("V"))),
]
"""Other ways to make some of them."""
