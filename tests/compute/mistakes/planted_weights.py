"""Mistakes in weights, sums of values and the output, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain, entmax, softmax, sparsemax
from tests.compute.mistakes.planted import planted

PLAIN = Layer()
CAUSAL = Layer(causal=True)
LARGE = Layer(size=9.0)
HUGE = Layer(size=60.0)
SINK = Layer(normalizer="softmax1", size=2.0)
EXTRA = Layer(extra=2)


def weighing(change):
    return {"normalized": lambda p, scores: change(scores)}


def meant(name):
    """Return a softmax where another normaliser is meant."""
    return planted(Layer(normalizer=name), **weighing(softmax))


def shifted_by_row(axes):
    """Return a softmax over some axes from powers that are shifted row by row."""

    def change(scores):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=axes, keepdims=True)

    return change


def divided_wrongly(scores):
    """Return the softmax of a matrix whose sums are without keepdims."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


def shifted_wrongly(scores):
    """Return the softmax of a matrix without any keepdims."""
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1)


def activated(function):
    """Return the output after a function of each number."""
    return lambda p, joined: function(Plain.finished(p, joined))


def linear(p, q, k):
    """Return products of elu(x) + 1."""
    one, other = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    return np.einsum("hid,hjd->hij", one, other)


def half_exponential(scores):
    """Return a softmax in float16, whose powers overflow, in exact numbers else."""
    powers = np.where(scores > np.log(65504.0), np.inf, np.exp(scores))
    return powers / powers.sum(axis=-1, keepdims=True)


def naive(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def overflowing(numbers):
    """Return numbers with their sign alone where float16 has no more."""
    return np.where(abs(numbers) >= 65520, np.sign(numbers) * np.inf, numbers)


def with_zeros(scores):
    """Return the weights where rows are filled up to 8 keys with scores of 0."""
    powers = np.exp(scores)
    more = 8 - scores.shape[-1]
    return powers / (powers.sum(axis=-1, keepdims=True) + more)


def mixing(change):
    def mixed(p, weights, v, q, k):
        return Plain.mixed(p, *change(weights, v, q, k), q, k)

    return {"mixed": mixed}


def finishing(change):
    return {"finished": lambda p, joined: change(p, Plain.finished(p, joined))}


def normed(rows):
    rows = rows - rows.mean(axis=-1, keepdims=True)
    return rows / np.sqrt((rows * rows).mean(axis=-1, keepdims=True) + 1e-5)


def dropped(weights):
    kept = np.random.default_rng(3).random(weights.shape) < 0.8
    return weights * kept / 0.8


def dropping(p, scores):
    return dropped(softmax(scores))


def bfloat(numbers):
    """Return numbers cut to 8 binary digits, the nearest."""
    fraction, exponent = np.frexp(numbers)
    return np.ldexp(np.round(fraction * 256) / 256, exponent)


WEIGHTS = {
    "head-missing": planted(
        PLAIN,
        parameter=1.0,
        mixed=lambda p, weights, v, q, k: np.stack([weights[0] @ v[0], 0 * v[1]]),
    ),
    "activation-on-output": planted(PLAIN, finished=activated(lambda x: x.clip(0))),
    "softmax-keepdims-missing": planted(
        PLAIN, normalized=lambda p, s: np.stack([divided_wrongly(m) for m in s])
    ),
    "linear-for-softmax": planted(
        PLAIN,
        compare=linear,
        normalized=lambda p, scores: scores / scores.sum(axis=-1, keepdims=True),
    ),
    "multiplied:weights": planted(
        PLAIN, "weights", parameter=0.25, normalized=lambda p, s: softmax(s) / 4
    ),
    "tokens-shifted": planted(
        PLAIN,
        "output",
        parameter=1.0,
        finished=lambda p, joined: np.roll(Plain.finished(p, joined), 1, axis=0),
    ),
    "softmax-over-queries": planted(PLAIN, **weighing(lambda s: softmax(s, 1))),
    "softmax-over-heads": planted(PLAIN, **weighing(lambda s: softmax(s, 0))),
    "softmax-over-all": planted(PLAIN, **weighing(lambda s: softmax(s, (1, 2)))),
    "softmax-over-two-axes": planted(PLAIN, **weighing(lambda s: softmax(s, (0, 2)))),
    "softmax-twice": planted(PLAIN, **weighing(lambda s: softmax(softmax(s)))),
    "softmax-plus-one": planted(
        PLAIN, **weighing(lambda s: np.exp(s) / (1 + np.exp(s).sum(-1, keepdims=True)))
    ),
    "softmax-base-two": planted(
        PLAIN, **weighing(lambda s: 2**s / (2**s).sum(-1, keepdims=True))
    ),
    "softmax-base-ten": planted(
        PLAIN, **weighing(lambda s: 10**s / (10**s).sum(-1, keepdims=True))
    ),
    "softmax-unnormalized": planted(PLAIN, **weighing(np.exp)),
    "softmax-logarithm": planted(PLAIN, **weighing(lambda s: np.log(softmax(s)))),
    "softmax-overflow": planted(HUGE, **weighing(naive)),
    "softmax-zero-keys": planted(PLAIN, parameter=2.0, **weighing(with_zeros)),
    "weights-normalized-again": planted(
        SINK,
        normalized=lambda p, s: (
            Plain.normalized(p, s) / Plain.normalized(p, s).sum(-1, keepdims=True)
        ),
    ),
    "sigmoid-for-softmax": planted(PLAIN, **weighing(lambda s: 1 / (1 + np.exp(-s)))),
    "sparsemax-for-softmax": planted(CAUSAL, **weighing(sparsemax)),
    "entmax-for-softmax": planted(CAUSAL, **weighing(entmax)),
    "hardmax-for-softmax": planted(
        CAUSAL, **weighing(lambda s: np.eye(6)[s.argmax(axis=-1)])
    ),
    "relu-for-softmax": planted(CAUSAL, **weighing(lambda s: np.where(s > 0, s, 0))),
    "sum-for-softmax": planted(
        PLAIN, **weighing(lambda s: s / s.sum(-1, keepdims=True))
    ),
    "softmax-missing": planted(PLAIN, **weighing(lambda s: s)),
    "sink-missing": planted(SINK, **weighing(softmax)),
    "sink-unshifted": planted(
        SINK,
        **weighing(
            lambda s: (
                np.exp(s - s.max(-1, keepdims=True))
                / (1 + np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True))
            )
        ),
    ),
    "sigmoid-bias": planted(
        Layer(normalizer="sigmoid"), **weighing(lambda s: 1 / (1 + np.exp(-s)))
    ),
    "softmax-for-sigmoid": meant("sigmoid"),
    "softmax-for-sparsemax": meant("sparsemax"),
    "softmax-for-entmax15": meant("entmax15"),
    "softmax-for-hardmax": meant("hardmax"),
    "softmax-for-sum": meant("sum"),
    "keys-reversed": planted(PLAIN, **mixing(lambda w, v, q, k: (w, v[:, ::-1]))),
    "key-missing": planted(
        PLAIN,
        parameter=5.0,
        **weighing(
            lambda s: np.concatenate([softmax(s[..., :-1]), 0 * s[..., -1:]], axis=-1)
        ),
    ),
    "values-shifted": planted(
        PLAIN,
        parameter=1.0,
        **mixing(lambda w, v, q, k: (w, v[:, [5, 0, 1, 2, 3, 4]])),
    ),
    "extra-rows-missing": planted(
        EXTRA,
        extended=lambda p, letter, heads: heads,
        visible=lambda p: np.full((6, 6), True),
    ),
    "mixes-keys": planted(PLAIN, **mixing(lambda w, v, q, k: (w, k))),
    "mixes-queries": planted(PLAIN, **mixing(lambda w, v, q, k: (w, q))),
    "weights-transposed": planted(
        PLAIN, **mixing(lambda w, v, q, k: (w.transpose(0, 2, 1), v))
    ),
    "weights-unused": planted(
        PLAIN, **mixing(lambda w, v, q, k: (np.full_like(w, 1 / 6), v))
    ),
    "output-divided": planted(PLAIN, **mixing(lambda w, v, q, k: (w, v / 6))),
    "dropout-active": planted(PLAIN, parameter=0.2, normalized=dropping),
    "residual-added": planted(PLAIN, **finishing(lambda p, o: o + p.given["X"])),
    "norm-on-output": planted(
        PLAIN, parameter=1e-5, **finishing(lambda p, o: normed(o + p.given["X"]))
    ),
    "weights-rounded": planted(
        PLAIN, parameter=2.0, **mixing(lambda w, v, q, k: (np.round(w, 2), v))
    ),
    "softmax-low-precision": planted(PLAIN, **weighing(lambda s: softmax(bfloat(s)))),
    "float16-overflow": planted(
        Layer(size=100.0),
        "scores",
        "weights",
        compare=lambda p, q, k: overflowing(Plain.compare(p, q, k)),
        # The largest score is subtracted, and ∞ − ∞ is NaN.
        normalized=lambda p, s: naive(s - s.max(axis=-1, keepdims=True)),
    ),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    (
        "head-missing",
        planted(
            PLAIN,
            "heads",
            "concatenated",
            parameter=1.0,
            joined=lambda p, heads: np.hstack([heads[0], 0 * heads[1]]),
        ),
    ),
    (
        "head-missing",
        # neither the first nor the last
        planted(
            Layer(heads=3),
            parameter=1.0,
            normalized=lambda p, s: softmax(s) * [[[1]], [[0]], [[1]]],
        ),
    ),
    ("activation-on-output", planted(PLAIN, finished=activated(np.tanh))),
    (
        "activation-on-output",
        planted(PLAIN, finished=activated(lambda x: x / (1 + np.exp(-x)))),
    ),
    (
        "activation-on-output",
        planted(
            PLAIN,
            finished=activated(
                lambda x: (
                    x / 2 * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3)))
                )
            ),
        ),
    ),
    ("softmax-over-queries", planted(PLAIN, **weighing(shifted_by_row((-2,))))),
    ("softmax-over-all", planted(PLAIN, **weighing(shifted_by_row((-2, -1))))),
    (
        "softmax-keepdims-missing",
        planted(
            PLAIN, normalized=lambda p, s: np.stack([shifted_wrongly(m) for m in s])
        ),
    ),
    *(
        ("multiplied:" + name, planted(PLAIN, name, parameter=factor, **hooks))
        for name, factor, hooks in (
            (
                "Q",
                3.0,
                {
                    "split": lambda p, letter, rows: (
                        Plain.split(p, letter, rows) * (3.0 if letter == "Q" else 1.0)
                    )
                },
            ),
            ("heads", 6**-0.5, {"mixed": lambda p, w, v, q, k: w @ v / 6**0.5}),
            (
                "output",
                -0.731,
                {"finished": lambda p, joined: -0.731 * Plain.finished(p, joined)},
            ),
        )
    ),
    (
        "tokens-shifted",
        planted(
            PLAIN, "weights", normalized=lambda p, s: np.roll(softmax(s), -1, axis=-2)
        ),
    ),
    ("softmax-over-all", planted(PLAIN, **weighing(lambda s: softmax(s, (0, 1, 2))))),
    ("softmax-over-two-axes", planted(PLAIN, **weighing(lambda s: softmax(s, (0, 1))))),
    (
        "softmax-plus-one",
        planted(
            PLAIN,
            **weighing(
                lambda s: (
                    np.exp(s - s.max(-1, keepdims=True))
                    / (1 + np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True))
                )
            ),
        ),
    ),
    ("softmax-overflow", planted(LARGE, **weighing(half_exponential))),
    (
        "softmax-zero-keys",
        planted(
            CAUSAL,
            "output",
            normalized=lambda p, s: (
                np.exp(s)
                / (np.exp(s).sum(-1, keepdims=True) + np.arange(5, -1, -1)[:, None])
            ),
        ),
    ),
    (
        "sigmoid-for-softmax",
        planted(CAUSAL, **weighing(lambda s: 1 / (1 + 6 * np.exp(-s)))),
    ),
    ("relu-for-softmax", planted(PLAIN, **weighing(lambda s: np.maximum(s, 0) / 6))),
    (
        "residual-added",
        planted(
            Layer(positions="sinusoidal"), **finishing(lambda p, o: o + p.embedded())
        ),
    ),
    ("weights-rounded", planted(PLAIN, **weighing(lambda s: bfloat(softmax(s))))),
    ("weights-unused", planted(PLAIN, mixed=lambda p, w, v, q, k: v)),
    # hidden scores of −∞ among them
    ("softmax-missing", planted(CAUSAL, **weighing(lambda s: s))),
    (
        "dropout-active",
        # as many keys as columns of values, which tell the weights
        planted(
            Layer(n=5, causal=True, kv_heads=1),
            "output",
            parameter=0.2,
            normalized=dropping,
        ),
    ),
    (
        "dropout-active",
        # weights that are kept before dropout
        planted(PLAIN, parameter=0.2, **mixing(lambda w, v, q, k: (dropped(w), v))),
    ),
    (
        "dropout-active",
        planted(
            Layer(d_model=24, n=9),
            "output",
            parameter=0.25,
            **finishing(
                lambda p, o: (
                    o * (np.random.default_rng(5).random(o.shape) < 0.75) / 0.75
                )
            ),
        ),
    ),
]
"""Other ways to make some of them."""
