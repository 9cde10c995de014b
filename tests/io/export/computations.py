"""Computations of every kind: each variant, step and normaliser, with odd shapes."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import (
    NORMALIZERS,
    Alibi,
    Disentangled,
    Pin,
    QKNorm,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    Spec,
    attention,
    multi_head_attention,
    run,
)
from attnviewer.compute.length_scale import LengthScale
from attnviewer.document import Labels
from attnviewer.io import example_ids, load
from attnviewer.io.export import Computation
from tests.documents import WEIGHTS_OF_TWO_HEADS

RNG = np.random.default_rng(3)
START = RNG.bit_generator.state
TOKENS = ("the", "cat", "the", "mat", "ran")


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


X = normal(5, 8)
CONTEXT = normal(3, 6)
W_Q, W_K, W_V, W_O = normal(8, 8), normal(8, 8), normal(8, 12), normal(12, 7)
FEW_K, FEW_V = normal(8, 4), normal(8, 6)
MASK = np.array(
    [
        [1, 0, 1, 0, 1],
        [0, 1, 1, 1, 0],
        [1, 1, 0, 0, 1],
        [0, 0, 0, 0, 0],
        [1, 1, 1, 1, 1],
    ],
    dtype=bool,
)
BIAS = normal(5, 5)
BIAS[1, 2] = -np.inf


def heads(**options):
    return multi_head_attention(X, W_Q, W_K, W_V, n_heads=2, **options)


def grouped(**options):
    return multi_head_attention(
        X, W_Q, FEW_K, FEW_V, n_heads=4, n_kv_heads=2, **options
    )


def given(**options):
    return attention(normal(5, 4), normal(5, 4), normal(5, 3), **options)


VARIANTS = {
    "multi-head": lambda: heads(),
    "pins": lambda: heads(
        causal=True,
        w_o=W_O,
        pins=[
            Pin("V", [0, 3], slice(1, 3), normal(2, 2), head=1),
            Pin("scores", [0, 2], [1, 3], 0.5, how="add"),
            Pin("masked", 1, 3, 0.25),
            Pin("masked", 4, 0, -np.inf, head=0),
            Pin("masked", [0, 4], [0, 1], [[0.5, -0.5], [0.0, 1.5]], how="scale"),
            Pin("weights", slice(2, 4), 1, 0.625, rest="share"),
            Pin("weights", 4, 2, 0.5, head=1, how="scale"),
            Pin("output", 0, slice(None), 3.0),
        ],
    ),
    "pins on the only head": lambda: given(
        pins=[
            Pin("scaled", 1, 2, 0.5, head=0, how="add"),
            Pin("weights", 2, 1, 0.625, head=0, rest="share"),
            Pin("output", 0, 1, 3.0, head=0),
        ],
    ),
    "all biases": lambda: heads(
        b_q=normal(8), b_k=normal(8), b_v=normal(12), w_o=W_O, b_o=normal(7)
    ),
    "shared keys": lambda: grouped(causal=True),
    "one head of keys": lambda: multi_head_attention(
        X, W_Q, FEW_K[:, :2], FEW_V[:, :3], n_heads=4, n_kv_heads=1
    ),
    "cross": lambda: multi_head_attention(
        X, W_Q, normal(6, 8), normal(6, 4), n_heads=2, context=CONTEXT
    ),
    "cross with all": lambda: multi_head_attention(
        X,
        W_Q,
        normal(6, 4),
        normal(6, 4),
        n_heads=4,
        n_kv_heads=2,
        context=CONTEXT,
        b_q=normal(1, 8),
        b_k=normal(4),
        b_v=normal(4),
        positions=normal(5, 8),
        bias=BIAS[:, :3],
        mask=MASK[:, :3],
        softcap=5.0,
        temperature=0.5,
    ),
    "values of their own": lambda: multi_head_attention(
        X,
        W_Q,
        normal(6, 8),
        normal(2, 4),
        n_heads=2,
        context=CONTEXT,
        values=normal(3, 2),
    ),
    "sinusoidal": lambda: heads(positions=Sinusoidal(offset=3)),
    "learned": lambda: heads(positions=normal(9, 8)),
    "rotary": lambda: heads(positions=Rotary()),
    "rotary in part": lambda: grouped(
        positions=Rotary(rotary_dim=2, interleaved=True, offset=2, base=100.0),
        query_offset=-1,
    ),
    "rotary with frequencies": lambda: heads(
        positions=Rotary(offset=3, frequencies=(0.8, 1 / 3), attention_factor=1.25)
    ),
    "rotary with many frequencies": lambda: multi_head_attention(
        normal(3, 48),
        *(normal(48, 48) for _ in "QKV"),
        positions=Rotary(
            rotary_dim=40,
            interleaved=True,
            frequencies=tuple(0.9**i / 3 for i in range(20)),
        ),
    ),
    "rotary along axes": lambda: heads(
        positions=Rotary(base=100.0, axes=RotaryAxes((1, 1), own_frequencies=True)),
        position_ids=normal(5, 2),
    ),
    "rotary along axes of a batch": lambda: multi_head_attention(
        *(normal(2, 3, 8), W_Q, W_Q, W_V),
        n_heads=2,
        positions=Rotary(interleaved=True, axes=RotaryAxes((1, 1))),
        position_ids=normal(2, 3, 2),
    ),
    "norms of heads": lambda: grouped(
        qk_norm=QKNorm(gain_offset=1.0, epsilon=0.25),
        qk_norm_weights={"gain_q": normal(8), "gain_k": normal(1, 2)},
        positions=Rotary(),
    ),
    "norms over all heads": lambda: grouped(
        qk_norm=QKNorm(kind="layer", shift=True, full_width=True, after_rotary=True),
        qk_norm_weights={
            **{"gain_q": normal(8), "shift_q": normal(8)},
            **{"gain_k": normal(4), "shift_k": normal(4)},
        },
        positions=Rotary(),
    ),
    "norms without weights": lambda: given(qk_norm="rms"),
    "alibi": lambda: multi_head_attention(
        X, normal(8, 6), normal(8, 6), normal(8, 6), n_heads=3, positions=Alibi()
    ),
    "alibi with a bias": lambda: heads(
        positions=Alibi(), bias=BIAS, query_offset=2, causal=True
    ),
    "disentangled": lambda: heads(
        positions=Disentangled(span=3),
        relative={"R": normal(6, 8)},
        scale=0.3,
        causal=True,
    ),
    "disentangled with weights of its own and buckets": lambda: multi_head_attention(
        X,
        W_Q,
        FEW_K,
        FEW_V,
        n_heads=4,
        n_kv_heads=2,
        positions=Disentangled(span=2, own_weights=True, longest=4),
        relative={
            "R": normal(4, 8),
            "W_KR": normal(8, 4),
            "b_KR": normal(4),
            "W_QR": normal(8, 8),
        },
        query_offset=1,
    ),
    "a batch with disentangled": lambda: multi_head_attention(
        normal(2, 5, 8),
        W_Q,
        W_K,
        W_V,
        n_heads=2,
        positions=Disentangled(span=2, terms=("p2c",)),
        relative={"R": normal(4, 8)},
    ),
    "relative bias": lambda: heads(positions="relative", relative_bias=normal(32, 2)),
    "relative bias with all": lambda: heads(
        positions=RelativeBias(6, 4, bidirectional=False),
        relative_bias=normal(6, 2),
        extra_keys=normal(2, 8),
        extra_values=normal(2, 12),
        bias=BIAS,
        query_offset=2,
        causal=True,
    ),
    "extra rows": lambda: heads(
        extra_keys=normal(2, 8),
        extra_values=normal(2, 12),
        positions=Alibi(),
        mask=MASK,
        bias=BIAS,
        causal=True,
    ),
    "cosine": lambda: heads(score="cosine", scale=10.0),
    "cosine of a row of zeros": lambda: attention(
        np.zeros((2, 3)), normal(4, 3), normal(4, 2), score="cosine"
    ),
    "cosine of lengths whose squares leave the range": lambda: attention(
        np.array([[1e-200, 0.0], [-3e200, 4e200], [0.0, 0.0], [1.0, 2.0]]),
        normal(3, 2) * 1e170,
        normal(3, 2),
        score="cosine",
    ),
    "general": lambda: heads(score="general", score_weights={"w": normal(4, 4)}),
    "additive": lambda: grouped(
        score="additive",
        score_weights={"w_q": normal(2, 3), "w_k": normal(2, 3), "v": normal(3)},
    ),
    "concat": lambda: given(
        score="concat",
        score_weights={"w_q": normal(4, 3), "w_k": normal(4, 3), "v": normal(1, 3)},
    ),
    "scale": lambda: given(scale=-0.3),
    "soft cap": lambda: heads(softcap=1.5, causal=True),
    "scaled by the keys seen": lambda: heads(length_scale="ssmax", mask=MASK),
    "scaled by the length": lambda: heads(length_scale="ssmax"),
    "scaled by position": lambda: heads(
        length_scale=LengthScale(counted="position", scale=0.1, offset=1.0, floor=2),
        causal=True,
        query_offset=1,
    ),
    "scaled by the length and warm": lambda: heads(
        length_scale="ssmax", temperature=2.0, causal=True
    ),
    "gated": lambda: heads(
        w_g=normal(8, 12), output_gate="elementwise", w_o=W_O, causal=True
    ),
    "gated by head": lambda: heads(w_g=normal(8, 2), output_gate="headwise"),
    "sinks": lambda: heads(
        sinks=[0.5, -1.0], mask=MASK, softcap=2.0, temperature=0.8, w_o=W_O
    ),
    "a sink": lambda: given(sinks=[0.25], causal=True),
    "bias": lambda: given(bias=BIAS),
    "causal": lambda: given(causal=True, query_offset=1),
    "a query that sees nothing": lambda: given(causal=True, query_offset=-2),
    "window": lambda: given(window=(1, 2), key_lengths=4),
    "window to one side": lambda: given(window=(None, 0)),
    "chunks": lambda: given(chunk=2, causal=True, query_offset=1),
    "key lengths": lambda: heads(key_lengths=3),
    "mask": lambda: given(mask=MASK),
    "mask and causal": lambda: heads(mask=MASK, causal=True),
    "mask and bias": lambda: given(mask=MASK | np.eye(5, dtype=bool), bias=BIAS),
    "given in heads": lambda: attention(
        normal(4, 5, 2), normal(2, 3, 2), normal(2, 3, 6)
    ),
    "given with joined heads": lambda: run(
        Spec(
            projected=False,
            given=True,
            n_heads=4,
            n_kv_heads=2,
            heads_joined=True,
            positions=Rotary(),
            causal=True,
        ),
        {"Q": normal(5, 8), "K": normal(5, 4), "V": normal(5, 6)},
    ),
    "given scores": lambda: run(
        Spec(projected=False, given=True, score="given", scale=0.5, mask=True),
        {"S": normal(5, 3), "V": normal(3, 4), "mask": MASK[:, :3]},
    ),
    "given weights of heads": lambda: run(
        replace(WEIGHTS_OF_TWO_HEADS, causal=True),
        {"S": abs(normal(5, 10)), "V": np.eye(5)},
    ),
    "a batch": lambda: attention(
        normal(2, 3, 5, 2),
        normal(2, 1, 5, 2),
        normal(2, 1, 5, 4),
        causal=True,
        query_offset=[0, 2],
        key_lengths=[5, 3],
    ),
    "a batch with all": lambda: multi_head_attention(
        normal(2, 5, 8),
        W_Q,
        W_K,
        W_V,
        n_heads=2,
        w_o=W_O,
        positions=Rotary(),
        query_offset=[1, 4],
        extra_keys=normal(1, 8),
        extra_values=normal(1, 12),
    ),
    "a batch with alibi": lambda: multi_head_attention(
        normal(2, 5, 8),
        W_Q,
        W_K,
        W_V,
        n_heads=2,
        positions=Alibi(),
        query_offset=[0, 7],
    ),
    "large scores": lambda: given(scale=5000.0),
    "single precision": lambda: heads(dtype=np.float32, positions=Sinusoidal()),
    "half precision": lambda: heads(dtype=np.float16, normalizer="sparsemax"),
    "beyond what is written out": lambda: multi_head_attention(
        normal(90, 32),
        *(normal(32, 64) for _ in "QKV"),
        n_heads=4,
        causal=True,
        mask=np.tri(90, dtype=bool) | (RNG.random((90, 90)) < 0.5),
    ),
    **{
        f"{normalizer} {name}": lambda normalizer=normalizer, options=options: heads(
            normalizer=normalizer, **options
        )
        for normalizer in NORMALIZERS
        for name, options in {
            "plainly": {},
            "warm, some blind": {"temperature": 2.5, "mask": MASK},
        }.items()
    },
    "sigmoid without a bias": lambda: given(
        normalizer="sigmoid", normalizer_options={"length_bias": False}
    ),
    "a sum of zero": lambda: attention(
        np.array([[1.0, 0.0], [0.0, 1.0]]),
        np.array([[1.0, 2.0], [-1.0, 3.0]]),
        np.eye(2),
        normalizer="sum",
    ),
    "a sum of zero beside a masked key": lambda: attention(
        np.array([[1.0, 0.0], [0.0, 1.0]]),
        np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, 2.0]]),
        np.eye(3),
        normalizer="sum",
        mask=np.array([[1, 1, 0], [1, 1, 1]], bool),
    ),
    **{
        f"{normalizer} of scores too far apart": lambda normalizer=normalizer: (
            attention(
                np.array([[1.0, 0.5], [0.5, 0.25]]),
                np.array([[1e308, 0.0], [-1e308, 1.0], [0.0, -1.0]]),
                np.eye(3),
                scale=1.0,
                temperature=1e308,
                normalizer=normalizer,
            )
        )
        for normalizer in ("softmax", "softmax1", "sparsemax", "entmax15")
    },
    "ties of hardmax": lambda: attention(
        np.ones((2, 2)), np.ones((3, 2)), np.eye(3), normalizer="hardmax"
    ),
}
EXAMPLES = [f"example:{name}" for name in example_ids()]
EVERY = [*EXAMPLES, *VARIANTS]


def computation(name: str) -> Computation:
    """Return an example, or a variant with its tokens."""
    if name in EXAMPLES:
        return Computation.of(load(name))
    RNG.bit_generator.state = START  # the same numbers each time
    trace = VARIANTS[name]()
    n_q, n_k = trace.shape("weights")[-2:]
    keys = tuple(f"k{k}" for k in range(n_k))
    return Computation(name, Labels((TOKENS * 20)[:n_q], keys), trace)
