"""Mistakes in positions, made by hand."""

import numpy as np

from tests.compute.mistakes.plain import Layer, Plain, turn_pairs
from tests.compute.mistakes.planted import planted

SINES = Layer(positions="sinusoidal")
LEARNED = Layer(positions="learned")
ROPE = Layer(positions="rope", d_model=16, causal=True)
PAIRS = Layer(positions="rope", d_model=16, interleaved=True)
PART = Layer(positions="rope", d_model=16, turned=4)
SCALED = Layer(positions="rope", d_model=16, frequencies=(0.3, 0.2, 0.1, 0.05))
STRETCHED = Layer(positions="rope", d_model=16, attention_factor=1.4)
CACHED = Layer(n=4, n_keys=7, positions="rope", d_model=16, first_query=3)
GROUPED = Layer(positions="rope", d_model=16, heads=4, kv_heads=2)
ALIBI = Layer(positions="alibi", heads=3, causal=True)
FREE = Layer(positions="alibi", heads=3)


def columns_of(exponents):
    """Return hooks of an encoding with an exponent for each column."""

    def sinusoids(p, at):
        angles = at[:, None] / 10000.0 ** exponents(np.arange(12.0))
        return np.where(np.arange(12) % 2, np.cos(angles), np.sin(angles))

    return {"sinusoids": sinusoids}


def halves(p, at):
    table = Plain.sinusoids(p, at)
    return np.concatenate([table[:, ::2], table[:, 1::2]], axis=1)


def at_places(change):
    return {"encoding": lambda p: p.sinusoids(change(np.arange(p.layer.n)))}


def by_side(*letters):
    """Return hooks by which only some sides know positions."""

    def source(p, letter):
        return p.given["X"] + (p.encoding() if letter in letters else 0)

    return {"source": source}


def placed(change, sides="QK"):
    def places(p, letter, n):
        right = Plain.places(p, letter, n)
        return change(right) if letter in sides else right

    return {"places": places}


def unturned(*letters):
    def turn(p, letter, heads):
        return heads if letter in letters else Plain.turn(p, letter, heads)

    return {"turn": turn}


def turning(count, speeds=None):
    """Return hooks that turn another number of columns."""

    def turn(p, letter, heads):
        n = heads.shape[-2]
        own = 10000.0 ** (-2 * np.arange(count // 2) / count)
        angles = np.outer(p.places(letter, n), own if speeds is None else speeds)
        turned = turn_pairs(heads[..., :count], angles, p.layer.interleaved)
        return np.concatenate([turned, heads[..., count:]], axis=-1)

    return {"turn": turn}


def turned_by(rule):
    """Return hooks that turn halves by a rule of two columns, cosine and sine."""

    def turn(p, letter, heads):
        angles = p.angles(letter, heads.shape[-2], heads.shape[-1])
        first, second = np.split(heads, 2, axis=-1)
        columns = rule(first, second, np.cos(angles), np.sin(angles))
        return np.concatenate(columns, axis=-1)

    return {"turn": turn}


def paired(p, letter, heads):
    angles = p.angles(letter, heads.shape[-2], heads.shape[-1])
    return turn_pairs(heads, angles, not p.layer.interleaved)


def mixed_tables(p, letter, heads):
    """Turn halves by tables whose angles are repeated for pairs of neighbours."""
    angles = p.angles(letter, heads.shape[-2], heads.shape[-1])
    table = np.repeat(angles, 2, axis=-1)  # f0, f0, f1, f1, …
    first, second = np.split(heads, 2, axis=-1)
    half = np.concatenate([-second, first], axis=-1)
    return heads * np.cos(table) + half * np.sin(table)


def before_split(p, letter, heads):
    rows = np.concatenate(list(heads), axis=-1)  # (n, h·d)
    n, width = rows.shape
    angles = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, width, 2) / width))
    return np.stack(np.split(turn_pairs(rows, angles, False), len(heads), axis=-1))


def over_heads(p, letter, heads):
    speeds = p.speeds(heads.shape[-1])
    turned = [turn_pairs(rows, k * speeds, False) for k, rows in enumerate(heads)]
    return np.stack(turned)


def last_columns(p, letter, heads):
    speeds = 10000.0 ** (-2 * np.arange(2) / 4)
    angles = np.outer(np.arange(heads.shape[-2]), speeds)
    turned = turn_pairs(heads[..., 4:], angles, False)
    return np.concatenate([heads[..., :4], turned], axis=-1)


def neighbours(heads):
    """Return columns 0, 4, 1, 5, 2, 6, 3, 7 of each head."""
    return heads[..., [0, 4, 1, 5, 2, 6, 3, 7]]


def permuted(p, letter, rows):
    heads = Plain.split(p, letter, rows)
    return heads if letter == "V" else neighbours(heads)


def values_turned(p, weights, v, q, k):
    return np.einsum("hij,hjd->hid", weights, Plain.turn(p, "K", v))


def half(numbers):
    return np.asarray(numbers).astype(np.float16).astype(np.float64)


def turned_at(heads, cos, sin):
    first, second = np.split(heads, 2, axis=-1)
    columns = first * cos - second * sin, second * cos + first * sin
    return np.concatenate(columns, axis=-1)


def rounded_turn(p, letter, heads):
    angles = p.angles(letter, heads.shape[-2], heads.shape[-1])
    return turned_at(heads, half(np.cos(angles)), half(np.sin(angles)))


def coarse_turn(p, letter, heads):
    speeds = half(p.speeds(heads.shape[-1]))
    angles = half(np.outer(p.places(letter, heads.shape[-2]), speeds))
    factor = p.layer.attention_factor
    return turned_at(
        heads, half(factor * np.cos(angles)), half(factor * np.sin(angles))
    )


def slopes_of(*numbers):
    return {"slopes": lambda p: np.array(numbers)}


def geometric(base):
    return [2.0 ** (-base * k / 3) for k in (1, 2, 3)]


POSITIONS = {
    "rope-width": planted(
        ROPE, parameter=16.0, speeds=lambda p, width: 1e4 ** (-np.arange(0, 8, 2) / 16)
    ),
    "alibi-twice": planted(ALIBI, alibi=lambda p, i, j: 2 * (j - i)),
    "sinusoidal-halves": planted(SINES, sinusoids=halves),
    "positions-from-one": planted(SINES, **at_places(lambda at: at + 1)),
    "positions-shifted": planted(
        LEARNED, parameter=2.0, encoding=lambda p: p.given["P"][2 : p.layer.n + 2]
    ),
    "sinusoidal-cosine-first": planted(
        SINES,
        sinusoids=lambda p, at: Plain.sinusoids(p, at)[
            :, [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]
        ],
    ),
    "sinusoidal-only-sines": planted(
        SINES,
        sinusoids=lambda p, at: np.sin(
            at[:, None] / 10000.0 ** (2 * (np.arange(12) // 2) / 12)
        ),
    ),
    "sinusoidal-exponent": planted(SINES, **columns_of(lambda c: 2 * c / 12)),
    "sinusoidal-base": planted(
        SINES, fitted=300.0, sinusoids=lambda p, at: Plain.sinusoids(p, at, 300.0)
    ),
    "positions-reversed": planted(SINES, **at_places(lambda at: at[::-1])),
    "positions-twice": planted(
        LEARNED, encoding=lambda p: 2 * p.given["P"][: p.layer.n]
    ),
    "positions-on-some": planted(SINES, **by_side("Q", "K")),
    "positions-missing": planted(SINES, encodes=lambda p: False),
    "rope-pairing": planted(ROPE, turn=paired),
    "rope-base": planted(
        ROPE, fitted=777.0, speeds=lambda p, d: 777.0 ** (-2 * np.arange(d // 2) / d)
    ),
    "rope-scaling": planted(ROPE, fitted=3.0, **placed(lambda at: at / 3)),
    "rope-direction": planted(ROPE, **placed(lambda at: -at)),
    "rope-keys-missing": planted(ROPE, **unturned("K")),
    "rope-queries-missing": planted(ROPE, **unturned("Q")),
    "rope-keys-offset": planted(ROPE, parameter=1.0, **placed(lambda at: at + 1, "K")),
    "rope-offset": planted(CACHED, parameter=-3.0, **placed(lambda at: at - 3, "Q")),
    "rope-twice": planted(
        ROPE,
        turn=lambda p, letter, heads: Plain.turn(
            p, letter, Plain.turn(p, letter, heads)
        ),
    ),
    "rope-on-values": planted(ROPE, mixed=values_turned),
    "rope-sine-cosine": planted(
        ROPE, **turned_by(lambda a, b, cos, sin: (a * sin - b * cos, b * sin + a * cos))
    ),
    "rope-minus-missing": planted(
        ROPE, **turned_by(lambda a, b, cos, sin: (a * cos + b * sin, b * cos + a * sin))
    ),
    "rope-tables-mixed": planted(ROPE, turn=mixed_tables),
    "rope-before-split": planted(ROPE, turn=before_split),
    "rope-over-heads": planted(GROUPED, turn=over_heads),
    "rope-constant": planted(CACHED, **placed(lambda at: 0 * at, "Q")),
    "rope-reversed": planted(ROPE, **placed(lambda at: at[::-1], "K")),
    "rope-layout": planted(
        ROPE, "Q", "K", "rotated Q", "output", split=permuted, turn=paired
    ),
    "rope-weights-permuted": planted(ROPE, "Q", "rotated K", "weights", split=permuted),
    "rope-partial": planted(ROPE, parameter=4.0, **turning(4)),
    "rope-exponent": planted(
        ROPE,
        parameter=1.0,
        speeds=lambda p, d: 10000.0 ** (-np.arange(d // 2) / d),
    ),
    "rope-frequencies-reversed": planted(
        ROPE, speeds=lambda p, d: Plain.speeds(p, d)[::-1]
    ),
    "rope-mscale": planted(
        ROPE,
        "rotated Q",
        "weights",
        parameter=1.3,
        turn=lambda p, letter, heads: 1.3 * Plain.turn(p, letter, heads),
    ),
    "rope-low-precision": planted(ROPE, turn=rounded_turn),
    "alibi-slopes-plain": planted(ALIBI, **slopes_of(*geometric(8))),
    "alibi-slopes-reversed": planted(ALIBI, slopes=lambda p: Plain.slopes(p)[::-1]),
    "alibi-sign": planted(ALIBI, alibi=lambda p, i, j: i - j),
    "alibi-scaled": planted(ALIBI, slopes=lambda p: Plain.slopes(p) / 4**0.5),
    "alibi-symmetric": planted(FREE, alibi=lambda p, i, j: -abs(i - j)),
    "alibi-keys-only": planted(
        ALIBI, "biased", "output", alibi=lambda p, i, j: j + 0 * i
    ),
    "alibi-slopes-exponent": planted(ALIBI, fitted=5.0, **slopes_of(*geometric(5))),
    "alibi-slopes-from-zero": planted(
        ALIBI, **slopes_of(1.0, 2.0 ** (-8 / 3), 2.0 ** (-16 / 3))
    ),
    "alibi-one-slope": planted(ALIBI, **slopes_of(2.0**-4, 2.0**-4, 2.0**-4)),
}
"""What is planted, by the id of the mistake."""

FURTHER = [
    (
        "sinusoidal-exponent",
        planted(SINES, **columns_of(lambda c: (c // 2 * 2 + 2) / 12)),
    ),
    (
        "rope-exponent",
        planted(ROPE, speeds=lambda p, width: 1e4 ** (-np.arange(2, 10, 2) / 8)),
    ),
    ("positions-from-one", planted(LEARNED, encoding=lambda p: p.given["P"][1:7])),
    ("sinusoidal-exponent", planted(SINES, **columns_of(lambda c: c / 12))),
    ("sinusoidal-exponent", planted(SINES, **columns_of(lambda c: c // 2 / 12))),
    ("positions-missing", planted(LEARNED, encodes=lambda p: False)),
    ("positions-missing", planted(ROPE, **unturned("Q", "K"))),
    ("positions-missing", planted(ALIBI, **slopes_of(0.0, 0.0, 0.0))),
    ("rope-pairing", planted(PAIRS, turn=paired)),
    (
        "rope-base",
        planted(
            ROPE,
            parameter=500000.0,
            speeds=lambda p, d: 500000.0 ** (-2 * np.arange(d // 2) / d),
        ),
    ),
    (
        "rope-scaling",
        planted(SCALED, speeds=lambda p, d: 10000.0 ** (-2 * np.arange(d // 2) / d)),
    ),
    ("rope-offset", planted(CACHED, parameter=1.0, **placed(lambda at: at + 1, "Q"))),
    ("rope-constant", planted(CACHED, **placed(lambda at: 0 * at + 3, "Q"))),
    ("rope-partial", planted(PART, parameter=8.0, **turning(8))),
    ("rope-partial", planted(PART, **turning(4, 10000.0 ** (-np.arange(0, 4, 2) / 8)))),
    ("rope-partial", planted(PART, turn=last_columns)),
    ("rope-low-precision", planted(ROPE, turn=coarse_turn)),
    ("rope-low-precision", planted(STRETCHED, turn=coarse_turn)),
    # Positions from 256 to 511 are even in bfloat16; those halfway go to a multiple
    # of 4.
    (
        "rope-low-precision",
        planted(
            Layer(n=4, positions="rope", d_model=16, first_key=300),
            **placed(lambda at: np.array([300, 300, 302, 304])),
        ),
    ),
]
"""Other ways to make some of them."""
