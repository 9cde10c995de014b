"""Mistakes in the scores and their scale, cap and bias, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain, softmax
from tests.compute.mistakes.planted import planted

PLAIN = Layer()
WIDE = Layer(width=4, value_width=5)
GROUPED = Layer(heads=6, kv_heads=2, d_model=24, width=4)
CAPPED = Layer(causal=True, softcap=2.0)
BIASED = Layer(bias=True)
COSINE = Layer(score="cosine")
ADDITIVE = Layer(score="additive")
GENERAL = Layer(score="general")
WARM = Layer(temperature=1.7)


def divided_by(number):
    return {"factor": lambda p: number**-0.5}


def half_unit(p, q, k):
    return np.einsum("hid,hjd->hij", p.unit(q), k)


def across_heads(p, q, k):
    units = [
        rows / np.sqrt((rows**2).sum(axis=(0, 2), keepdims=True)) for rows in (q, k)
    ]
    return np.einsum("hid,hjd->hij", *units)


def apart(q, k):
    """Return the squares of the distances of queries and keys."""
    return np.square(q[:, :, None] - k[:, None]).sum(axis=-1)


def network_by(function):
    """Return the additive score with another function in place of tanh and v."""

    def network(p, q, k):
        left, right = q @ p.given["w_q"], k @ p.given["w_k"]
        return function(left[:, :, None] + right[:, None], p.given["v"])

    return {"network": network}


def biased_by(change):
    return {"score_bias": lambda p: change(p.given["bias"])}


SCORES = {
    "scale-missing": planted(PLAIN, factor=lambda p: 1.0),
    "scale-d_model": planted(PLAIN, parameter=12.0, **divided_by(12)),
    "scale-not-rooted": planted(PLAIN, parameter=6.0, factor=lambda p: 1 / 6),
    "scale-multiplied": planted(PLAIN, parameter=6.0, factor=lambda p: 6**0.5),
    "scale-default": planted(Layer(scale=0.2), parameter=6.0, **divided_by(6)),
    "scale-head-width": planted(WIDE, parameter=6.0, **divided_by(6)),
    "scale-d_v": planted(WIDE, parameter=5.0, **divided_by(5)),
    "scale-kv-width": planted(GROUPED, parameter=8.0, **divided_by(8)),
    "scale-length": planted(Layer(n=7), parameter=7.0, **divided_by(7)),
    "scale-heads": planted(PLAIN, parameter=2.0, **divided_by(2)),
    "scale-three-terms": planted(PLAIN, parameter=18.0, **divided_by(18)),
    "scale-zero": planted(PLAIN, factor=lambda p: 0.0),
    "scale-after-softmax": planted(
        PLAIN,
        parameter=6.0,
        factor=lambda p: 1.0,
        normalized=lambda p, scores: softmax(scores) / 6**0.5,
    ),
    "scores-negated": planted(
        Layer(causal=True), scaled=lambda p, scores: -scores / 6**0.5
    ),
    "temperature": planted(
        PLAIN, parameter=0.37, normalized=lambda p, scores: softmax(scores / 0.37)
    ),
    "scale-value": planted(
        CAPPED, parameter=2.0, fitted=2.0, scaled=lambda p, s: s / 6**0.5 / 2
    ),
    "temperature-missing": planted(WARM, normalized=lambda p, s: softmax(s)),
    "temperature-inverted": planted(WARM, normalized=lambda p, s: softmax(s * 1.7)),
    "softcap-missing": planted(CAPPED, capped=lambda p, scores: scores),
    "softcap-after-mask": planted(
        CAPPED,
        capped=lambda p, scores: scores,
        hidden=lambda p, scores: 2 * np.tanh(Plain.hidden(p, scores) / 2),
    ),
    "softcap-before-scale": planted(
        CAPPED,
        capped=lambda p, scores: scores,
        scaled=lambda p, scores: 2 * np.tanh(scores / 2) / 6**0.5,
    ),
    "softcap-value": planted(
        CAPPED, fitted=3.5, capped=lambda p, scores: 3.5 * np.tanh(scores / 3.5)
    ),
    "softcap-incomplete": planted(CAPPED, capped=lambda p, s: np.tanh(s / 2)),
    "softcap-clipped": planted(CAPPED, capped=lambda p, s: s.clip(-2, 2)),
    "score-bias-missing": planted(BIASED, **biased_by(lambda b: 0.0)),
    "score-bias-sign": planted(BIASED, **biased_by(lambda b: -b)),
    "score-bias-twice": planted(BIASED, **biased_by(lambda b: b + b)),
    "score-bias-scaled": planted(BIASED, **biased_by(lambda b: b / 6**0.5)),
    "score-bias-transposed": planted(
        BIASED, **biased_by(lambda b: b.transpose(0, 2, 1))
    ),
    "score-bias-heads": planted(BIASED, **biased_by(lambda b: b[[1, 0]])),
    "score-bias-late": planted(
        BIASED,
        score_bias=lambda p: 0.0,
        normalized=lambda p, scores: softmax(scores) + p.given["bias"],
    ),
    "qk-norm-missing": planted(
        COSINE, compare=lambda p, q, k: np.einsum("hid,hjd->hij", q, k)
    ),
    "qk-norm-full-width": planted(COSINE, compare=across_heads),
    "qk-norm-added": planted(
        PLAIN, compare=lambda p, q, k: Plain.compare(p, p.unit(q), p.unit(k))
    ),
    "keys-reshaped": planted(
        PLAIN, compare=lambda p, q, k: q @ k.reshape(len(k), k.shape[2], k.shape[1])
    ),
    "scores-transposed": planted(
        PLAIN, compare=lambda p, q, k: np.einsum("hjd,hid->hij", q, k)
    ),
    "scores-averaged": planted(
        PLAIN,
        parameter=6.0,
        compare=lambda p, q, k: (q[:, :, None] * k[:, None]).mean(axis=-1),
    ),
    "scores-rectified": planted(
        PLAIN, scaled=lambda p, scores: scores.clip(0) / 6**0.5
    ),
    "scores-by-distance": planted(PLAIN, compare=lambda p, q, k: -apart(q, k)),
    "score-tanh-missing": planted(ADDITIVE, **network_by(lambda s, v: s @ v)),
    "score-relu-for-tanh": planted(
        ADDITIVE, **network_by(lambda s, v: np.where(s > 0, s, 0) @ v)
    ),
    "score-v-missing": planted(
        ADDITIVE, **network_by(lambda s, v: np.tanh(s).sum(axis=-1))
    ),
    "score-weight-missing:w": planted(
        GENERAL, compare=lambda p, q, k: np.einsum("hid,hjd->hij", q, k)
    ),
    "score-weight-transposed:w": planted(
        GENERAL,
        compare=lambda p, q, k: np.einsum("hid,hjd->hij", q @ p.given["w"].T, k),
    ),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    ("scores-rectified", planted(PLAIN, scaled=lambda p, s: abs(s) / 6**0.5)),
    ("scores-by-distance", planted(PLAIN, compare=lambda p, q, k: -apart(q, k) / 2)),
    (
        "scores-negated",
        planted(
            PLAIN, "scores", "weights", compare=lambda p, q, k: -Plain.compare(p, q, k)
        ),
    ),
    ("scale-not-rooted", planted(Layer(scale=0.2), factor=lambda p: 0.04)),
    ("scale-default", planted(Layer(scale=1.0), factor=lambda p: 6**-0.5)),
    (
        "scale-after-softmax",
        planted(PLAIN, normalized=lambda p, scores: softmax(scores) / 6**0.5),
    ),
    ("temperature", planted(WARM, normalized=lambda p, s: softmax(s / 1.7 / 3))),
    (
        "temperature",
        # where scores that are scaled are given
        planted(
            PLAIN, "scaled", "output", parameter=3.0, scaled=lambda p, s: s / 54**0.5
        ),
    ),
    ("qk-norm-missing", planted(COSINE, compare=half_unit)),
    (
        "qk-norm-added",
        planted(
            Layer(positions="rope"),
            "rotated Q",
            "rotated K",
            turn=lambda p, letter, heads: Plain.turn(p, letter, p.bare(heads)),
        ),
    ),
    (
        "qk-norm-added",
        planted(PLAIN, compare=lambda p, q, k: Plain.compare(p, p.bare(q), p.bare(k))),
    ),
    ("softcap-incomplete", planted(CAPPED, capped=lambda p, s: 2 * np.tanh(s))),
    (
        "softcap-value",
        planted(CAPPED, parameter=30.0, capped=lambda p, s: 30 * np.tanh(s / 30)),
    ),
]
"""Other ways to make some of them."""
