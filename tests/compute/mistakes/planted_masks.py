"""Mistakes in masks, padding and windows, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain, softmax
from tests.compute.mistakes.planted import planted

PLAIN = Layer()
CAUSAL = Layer(causal=True)
CACHED = Layer(n=3, n_keys=7, causal=True, first_query=4)
WINDOW = Layer(n=8, causal=True, window=(2, 0))
BOTH = Layer(n=8, window=(2, 3))
MASKED = Layer(mask="square")
JOINED = Layer(mask="square", causal=True)
BLIND = Layer(mask="blind")
PADDED = Layer(n=7, mask="padding")
LENGTHS = Layer(n=7, key_lengths=4)


def seeing(rule):
    return {"sees": lambda p: rule(*p.grid())}


def filled(value):
    return {"hidden": lambda p, scores: np.where(p.visible(), scores, value)}


def late(p, scores):
    return np.where(p.visible(), softmax(scores), 0)


def shifted(p):
    mask = p.given["mask"]
    first = np.full((len(mask), 1), True)
    return np.concatenate([first, mask[:, :-1]], axis=1)


def real_rows(p):
    rows = np.arange(p.layer.n) < p.layer.key_lengths
    return np.broadcast_to(rows[:, None], (p.layer.n, p.layer.keys))


MASKS = {
    "mask-one-head": planted(
        CAUSAL,
        hidden=lambda p, scores: np.stack(
            [np.where(p.visible(), scores[0], -np.inf), *scores[1:]]
        ),
    ),
    "mask-after-softmax": planted(
        CAUSAL, hidden=lambda p, scores: scores, normalized=late
    ),
    "mask-finite": planted(CAUSAL, fitted=2.5, **filled(-2.5)),
    "mask-zero": planted(CAUSAL, hidden=lambda p, scores: scores * p.visible()),
    "mask-added-as-number": planted(
        MASKED, hidden=lambda p, scores: scores + p.given["mask"]
    ),
    "mask-nan": planted(
        CAUSAL, hidden=lambda p, scores: scores + ~p.visible() * -np.inf
    ),
    "row-fully-masked": planted(
        BLIND,
        normalized=lambda p, scores: (
            np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        ),
    ),
    "mask-renormalized": planted(
        CAUSAL,
        "masked",
        "output",
        hidden=lambda p, scores: scores,
        normalized=lambda p, scores: (
            late(p, scores) / late(p, scores).sum(axis=-1, keepdims=True)
        ),
    ),
    "causal-strict": planted(CAUSAL, **seeing(lambda i, j: j < i)),
    "causal-one-too-far": planted(CAUSAL, **seeing(lambda i, j: j <= i + 1)),
    "causal-flipped": planted(CAUSAL, **seeing(lambda i, j: j >= i)),
    "causal-missing": planted(CAUSAL, **seeing(lambda i, j: j + i >= 0)),
    "causal-top-left": planted(
        CACHED, parameter=0.0, **seeing(lambda i, j: j <= i - 4)
    ),
    "causal-added": planted(PLAIN, **seeing(lambda i, j: j <= i)),
    "diagonal-masked": planted(PLAIN, **seeing(lambda i, j: i != j)),
    "mask-inverted": planted(MASKED, mask=lambda p: ~p.given["mask"]),
    "mask-transposed": planted(MASKED, mask=lambda p: p.given["mask"].T),
    "mask-ignored": planted(MASKED, mask=lambda p: np.full((6, 6), True)),
    "mask-shifted": planted(MASKED, parameter=1.0, mask=shifted),
    "masks-joined-by-or": planted(JOINED, visible=lambda p: p.sees() | p.given["mask"]),
    "mask-replaces-causal": planted(JOINED, visible=lambda p: p.given["mask"]),
    "padding-ignored": planted(LENGTHS, real=lambda p: np.full(7, True)),
    "padding-wrong-side": planted(LENGTHS, real=lambda p: np.arange(7) >= 3),
    "padding-on-queries": planted(LENGTHS, visible=real_rows),
    "padding-on-both": planted(
        LENGTHS, visible=lambda p: real_rows(p) & real_rows(p).T
    ),
    "padding-miscounted": planted(
        LENGTHS, parameter=5.0, real=lambda p: np.arange(7) <= 4
    ),
    "window-one-too-far": planted(
        WINDOW, **seeing(lambda i, j: (j <= i) & (i - j <= 3))
    ),
    "window-one-too-near": planted(
        WINDOW, **seeing(lambda i, j: (j <= i) & (i - j < 2))
    ),
    "window-ignored": planted(WINDOW, **seeing(lambda i, j: j <= i)),
    "window-both-sides": planted(WINDOW, **seeing(lambda i, j: abs(i - j) <= 2)),
    "window-one-side": planted(BOTH, **seeing(lambda i, j: (i - j <= 2) & (j <= i))),
    "window-halved": planted(BOTH, **seeing(lambda i, j: (i - j <= 1) & (j - i <= 1))),
    "window-in-blocks": planted(
        WINDOW, parameter=3.0, **seeing(lambda i, j: (j <= i) & (i // 3 == j // 3))
    ),
    "window-width": planted(
        WINDOW, parameter=6.0, **seeing(lambda i, j: (j <= i) & (i - j < 6))
    ),
    "window-added": planted(
        CAUSAL, parameter=4.0, **seeing(lambda i, j: (j <= i) & (i - j < 4))
    ),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    (
        "mask-after-softmax",
        planted(
            JOINED,
            visible=lambda p: p.sees(),
            normalized=lambda p, scores: softmax(scores) * p.given["mask"],
        ),
    ),
    ("mask-finite", planted(CAUSAL, parameter=-10.0, **filled(-10.0))),
    (
        "mask-finite",
        planted(
            CAUSAL,
            "masked",
            "output",
            parameter=-7.0,
            hidden=lambda p, scores: scores - 7 * ~p.visible(),
        ),
    ),
    ("mask-zero", planted(MASKED, **filled(-1e-9))),
    (
        "mask-added-as-number",
        planted(MASKED, hidden=lambda p, scores: scores - ~p.given["mask"]),
    ),
    (
        "row-fully-masked",
        planted(BLIND, hidden=lambda p, scores: np.where(p.visible(), scores, -1e30)),
    ),
    ("causal-missing", planted(WINDOW, **seeing(lambda i, j: i - j <= 2))),
    ("causal-added", planted(Layer(n=4, n_keys=6), **seeing(lambda i, j: j <= i + 2))),
    ("mask-inverted", planted(CAUSAL, visible=lambda p: ~p.sees())),
    ("mask-inverted", planted(JOINED, mask=lambda p: ~p.given["mask"])),
    ("padding-ignored", planted(PADDED, mask=lambda p: np.full((7, 7), True))),
    (
        "padding-wrong-side",
        planted(PADDED, mask=lambda p: np.broadcast_to(p.given["mask"][::-1], (7, 7))),
    ),
    (
        "padding-on-queries",
        planted(
            PADDED, mask=lambda p: np.broadcast_to(p.given["mask"][:, None], (7, 7))
        ),
    ),
    (
        "padding-on-both",
        planted(PADDED, mask=lambda p: np.outer(p.given["mask"], p.given["mask"])),
    ),
    (
        "padding-ignored",
        planted(
            Layer(n=5, n_keys=7, mask="padding"), mask=lambda p: np.full((5, 7), True)
        ),
    ),
    (
        "window-one-too-far",
        planted(BOTH, **seeing(lambda i, j: (i - j <= 3) & (j - i <= 4))),
    ),
    (
        "window-width",
        planted(
            BOTH, parameter=5.0, **seeing(lambda i, j: (i - j <= 4) & (j - i <= 3))
        ),
    ),
    (
        "window-width",
        planted(
            WINDOW,
            "output",
            parameter=7.0,
            **seeing(lambda i, j: (j <= i) & (i - j < 7)),
        ),
    ),
    (
        "window-added",
        planted(PLAIN, parameter=2.0, **seeing(lambda i, j: abs(i - j) < 2)),
    ),
    (
        "window-added",
        planted(PLAIN, "output", parameter=2.0, **seeing(lambda i, j: abs(i - j) < 2)),
    ),
    (
        "mask-shifted",
        planted(
            MASKED, parameter=-1.0, mask=lambda p: np.roll(p.given["mask"], -1, axis=1)
        ),
    ),
    (
        "mask-after-softmax",
        planted(
            Layer(causal=True, sinks=True),
            hidden=lambda p, scores: scores,
            normalized=lambda p, s: np.where(p.visible(), Plain.normalized(p, s), 0),
        ),
    ),
]
"""Other ways to make some of them."""
