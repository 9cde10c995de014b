"""Mistakes in norms of queries and keys, sinks and chunks, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain, softmax
from tests.compute.mistakes.planted import planted

NORMED = Layer(norm="rms")
TURNED = Layer(norm="rms", positions="rope", d_model=16)
LATE = Layer(norm="rms", positions="rope", d_model=16, norm_late=True)
CENTRED = Layer(norm="layer")
SINKS = Layer(sinks=True)
CHUNKS = Layer(n=8, causal=True, chunk=3)


def gaining(change):
    return {"gain": lambda p, letter: change(Plain.gain(p, letter))}


def over_all(p, letter, heads):
    squares = np.square(heads).mean(axis=(0, 2), keepdims=True)
    return p.gain(letter) * heads / np.sqrt(squares + 1e-6)


def centred(p, heads):
    return Plain.bare(p, heads - heads.mean(axis=-1, keepdims=True), 1e-6)


def of_length_one(p, heads):
    return Plain.bare(p, heads) / np.sqrt(heads.shape[-1])


def normed_values(p, letter, heads):
    """Return a head of values for each of queries, in the norm of the keys."""
    heads = p.normed("K", heads) if letter == "V" else heads
    return Plain.spread(p, letter, heads)


def order(late):
    """Return a norm after the rotation, or before it."""

    def prepared(p, letter, heads):
        if late:
            return p.normed(letter, p.turn(letter, heads))
        return p.turn(letter, p.normed(letter, heads))

    return {"prepared": prepared}


def sinking(change):
    return {"sink": lambda p: change(p.given["sinks"])}


def beside(more, shift=False):
    """Return weights whose divisor has something added."""

    def normalized(p, scores):
        top = scores.max(axis=-1, keepdims=True) if shift else 0.0
        powers = np.exp(scores - top)
        added = more(p.given["sinks"])[:, None, None]
        return powers / (powers.sum(axis=-1, keepdims=True) + added)

    return {"normalized": normalized}


def on_first_key(p, scores):
    first = np.arange(scores.shape[-1]) == 0
    return softmax(scores + first * p.given["sinks"][:, None, None])


def seeing(rule):
    def sees(p):
        i, j = p.grid()
        return (j <= i) & rule(i, j)

    return {"sees": sees}


NORMS = {
    "qk-norm-after-rope": planted(TURNED, **order(late=True)),
    "qk-norm-before-rope": planted(LATE, **order(late=False)),
    "qk-norm-width": planted(NORMED, normed=over_all),
    "qk-norm-gain-missing": planted(NORMED, **gaining(lambda w: 1.0)),
    "qk-norm-gain-offset": planted(NORMED, **gaining(lambda w: 1 + w)),
    "qk-norm-kind": planted(NORMED, bare=centred),
    "qk-norm-gains-swapped": planted(
        TURNED, gain=lambda p, letter: p.given["gain_" + {"Q": "K", "K": "Q"}[letter]]
    ),
    "qk-norm-length": planted(NORMED, bare=of_length_one),
    "qk-norm-on-values": planted(NORMED, spread=normed_values),
    "qk-norm-epsilon": planted(
        NORMED, fitted=0.3, bare=lambda p, heads: Plain.bare(p, heads, 0.3)
    ),
    "sink-zero": planted(SINKS, **sinking(lambda b: 0 * b)),
    "sink-scaled": planted(SINKS, **sinking(lambda b: b / 6**0.5)),
    "sink-sign": planted(SINKS, **sinking(lambda b: -b)),
    "sink-heads": planted(SINKS, **sinking(lambda b: b[[1, 0]])),
    "sink-not-shifted": planted(SINKS, **beside(np.exp, shift=True)),
    "sink-as-number": planted(SINKS, **beside(lambda b: b)),
    "sink-on-first-key": planted(SINKS, normalized=on_first_key),
    "chunk-ignored": planted(CHUNKS, **seeing(lambda i, j: True)),
    "chunk-sliding": planted(CHUNKS, parameter=3.0, **seeing(lambda i, j: i - j < 3)),
    "chunk-size": planted(
        CHUNKS, parameter=4.0, **seeing(lambda i, j: i // 4 == j // 4)
    ),
    "chunk-shifted": planted(
        CHUNKS, **seeing(lambda i, j: (i + 1) // 3 == (j + 1) // 3)
    ),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    ("qk-norm-missing", planted(NORMED, normed=lambda p, letter, heads: heads)),
    (
        "qk-norm-kind",
        planted(
            CENTRED,
            bare=lambda p, heads: (
                heads / np.sqrt((heads**2).mean(axis=-1, keepdims=True) + 1e-6)
            ),
        ),
    ),
    (
        "qk-norm-on-values",
        planted(
            NORMED,
            spread=lambda p, letter, heads: Plain.spread(
                p, letter, p.bare(heads) if letter == "V" else heads
            ),
        ),
    ),
    (
        "qk-norm-epsilon",
        planted(
            NORMED, parameter=1e-5, bare=lambda p, heads: Plain.bare(p, heads, 1e-5)
        ),
    ),
    ("sink-heads", planted(SINKS, **sinking(lambda b: b[[0, 0]]))),
    ("sink-missing", planted(SINKS, normalized=lambda p, scores: softmax(scores))),
]
"""Other ways to make the same mistakes."""
