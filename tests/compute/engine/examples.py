"""Variants whose engine is tried, and what "equal to a fresh run" means."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attnviewer.compute import IncrementalEngine, Pin, QKNorm, Spec, run
from attnviewer.compute.length_scale import NAMED as LENGTH_SCALES
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.positions import (
    Alibi,
    Disentangled,
    Learned,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
)
from tests.documents import WEIGHTS_OF_TWO_HEADS

N = 11
CLOSE = {8: 1e-12, 4: 1e-6}
"""How near steps are to those of a fresh run, by the bytes of a number."""
ONE = slice(0, 1)
ALL = slice(None)

_SELF = {"X": (N, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4)}
_GQA = {"X": (N, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 6), "W_O": (12, 3)}
_CROSS = {**_SELF, "context": (9, 4)}
_B = {"b_Q": (8,), "b_K": (1, 4), "b_V": (6,), "b_O": (3,)}
_EXTRA = {"extra_keys": (2, 4), "extra_values": (2, 4)}
_GIVEN = {"Q": (2, 4, N, 4), "K": (2, 2, 9, 4), "V": (2, 2, 9, 3)}
_W = {"w_q": (4, 3), "w_k": (4, 3), "v": (3,)}
_BY_POSITION = LengthScale(counted="position", scale=0.3, offset=1.0, floor=3)
_BATCH = {**_GQA, "X": (2, N, 4)}


def _turned(**options) -> Spec:
    return Spec(n_heads=2, positions=Rotary(**options))


EXAMPLES: dict[str, tuple[Spec, Mapping[str, tuple[int, ...]]]] = {
    "simplified": (Spec(projected=False), {"X": (N, 4)}),
    "simplified, causal, turned": (
        Spec(projected=False, causal=True, positions=Rotary()),
        {"X": (N, 4)},
    ),
    "simplified cosine": (Spec(projected=False, score="cosine"), {"X": (N, 4)}),
    "self": (Spec(), _SELF),
    "causal": (Spec(causal=True), _SELF),
    "window": (Spec(window=(2, 1), temperature=0.5), _SELF),
    "chunks": (Spec(chunk=4, causal=True, query_offset=2), _SELF),
    "by the keys seen": (
        Spec(n_heads=2, mask=True, window=(4, 2), length_scale=LENGTH_SCALES["ssmax"]),
        {**_SELF, "mask": (N, N)},
    ),
    "by position": (
        Spec(causal=True, length_scale=_BY_POSITION, softcap=4.0, query_offset=1),
        _SELF,
    ),
    "padded": (Spec(key_lengths=8, query_offset=2, causal=True), _SELF),
    "GQA": (
        Spec(n_heads=4, n_kv_heads=2, output_projection=True, biases=tuple(_B)),
        {**_GQA, **_B},
    ),
    "GQA of a batch": (
        Spec(n_heads=4, n_kv_heads=2, output_projection=True, causal=True),
        _BATCH,
    ),
    "gated, GQA of a batch": (
        Spec(
            n_heads=4,
            n_kv_heads=2,
            output_projection=True,
            output_gate="elementwise",
            positions=Sinusoidal(),
            pins=(Pin("gated", 3, 0, 0.5, how="add"), Pin("G", 1, 2, -2.0)),
        ),
        {**_BATCH, "W_G": (4, 12)},
    ),
    "gated by head": (
        Spec(n_heads=2, output_gate="headwise", causal=True),
        {**_SELF, "W_G": (4, 2)},
    ),
    "gated, one head in cross": (
        Spec(context=True, output_gate="elementwise"),
        {**_CROSS, "W_G": (4, 4)},
    ),
    "learned": (Spec(positions=Learned()), {**_SELF, "P": (N + 3, 4)}),
    "sinusoidal": (Spec(positions=Sinusoidal(3), n_heads=2), _SELF),
    "rotary": (_turned(), _SELF),
    "rotary in part": (_turned(rotary_dim=2, offset=5, attention_factor=1.5), _SELF),
    "rotary along axes": (
        Spec(n_heads=2, causal=True, positions=Rotary(axes=RotaryAxes((1, 1)))),
        {**_SELF, "W_Q": (4, 8), "W_K": (4, 8), "position_ids": (N, 2)},
    ),
    "rotary along axes of a batch, cached": (
        Spec(
            projected=False,
            given=True,
            n_heads=4,
            n_kv_heads=2,
            query_offset=(2, 0),
            positions=Rotary(rotary_dim=4, axes=RotaryAxes((1, 1)), interleaved=True),
        ),
        {"Q": (2, 4, 7, 4), **dict.fromkeys("KV", (2, 2, 9, 4))}
        | {"position_ids": (9, 2)},
    ),
    "norms of heads": (
        Spec(
            n_heads=4,
            n_kv_heads=2,
            qk_norm=QKNorm(kind="layer", shift=True),
            positions=Rotary(),
        ),
        {**_GQA, "gain_Q": (8,), "shift_Q": (2,), "gain_K": (1, 2), "shift_K": (4,)},
    ),
    "norms of heads of a batch, one pinned": (
        Spec(
            n_heads=2,
            head_axis=True,
            qk_norm=QKNorm(),
            pins=(Pin("Q", 3, 0, 1, head=0),),
        ),
        {**_SELF, "X": (2, N, 4), "gain_Q": (2,), "gain_K": (2,)},
    ),
    "norms over all heads": (
        Spec(n_heads=4, n_kv_heads=2, qk_norm=QKNorm(full_width=True), causal=True),
        {**_GQA, "gain_Q": (8,), "gain_K": (1, 4)},
    ),
    "ALiBi": (Spec(positions=Alibi(), n_heads=2, causal=True), _SELF),
    "relative bias": (
        Spec(positions=RelativeBias(8, 5), n_heads=2, scale=1.0),
        {**_SELF, "relative_bias": (8, 2)},
    ),
    "relative bias of extra keys, cached": (
        Spec(
            positions=RelativeBias(6, 5, bidirectional=False),
            n_heads=2,
            bias=True,
            causal=True,
            extra_rows=True,
            query_offset=2,
        ),
        {**_SELF, **_EXTRA, "bias": (N, N), "relative_bias": (6, 2)},
    ),
    "disentangled": (
        Spec(positions=Disentangled(3), n_heads=2, causal=True, biases=("b_Q",)),
        {**_SELF, "R": (6, 4), "b_Q": (4,)},
    ),
    "disentangled, GQA of a batch": (
        Spec(
            positions=Disentangled(2, own_weights=True, longest=6),
            n_heads=4,
            n_kv_heads=2,
            output_projection=True,
        ),
        {**_BATCH, "R": (4, 4), "W_KR": (4, 4), "W_QR": (4, 8)},
    ),
    "bias": (Spec(bias=True, n_heads=2), {**_SELF, "bias": (2, N, N)}),
    "bias of a key": (Spec(bias=True), {**_SELF, "bias": (1, N)}),
    "bias of a query": (
        Spec(bias=True, normalizer="softmax1"),
        {**_SELF, "bias": (N, 1)},
    ),
    "bias of all": (
        Spec(bias=True, normalizer="sigmoid"),
        {**_SELF, "bias": (1, 1)},
    ),
    "bias as a row": (Spec(bias=True, n_heads=2), {**_SELF, "bias": (N,)}),
    "bias as a number": (Spec(bias=True, normalizer="softmax1"), {**_SELF, "bias": ()}),
    "mask": (Spec(mask=True), {**_SELF, "mask": (N, N)}),
    "mask of heads": (
        Spec(mask=True, n_heads=2, causal=True),
        {**_SELF, "mask": (2, N, N)},
    ),
    "mask of keys, and bias": (
        Spec(mask=True, bias=True),
        {**_SELF, "mask": (1, N), "bias": (N, N)},
    ),
    "sinks": (Spec(sinks=True, causal=True), {**_SELF, "sinks": (1,)}),
    "sinks of a batch": (
        Spec(n_heads=4, n_kv_heads=2, output_projection=True, sinks=True, softcap=3.0),
        {**_BATCH, "sinks": (4,)},
    ),
    "sinks and pins": (
        Spec(
            n_heads=2,
            sinks=True,
            temperature=0.5,
            window=(3, 0),
            pins=(
                Pin("weights", 3, [1, 2], 0.25, rest="share"),
                Pin("masked", 2, 6, 1),
            ),
        ),
        {**_SELF, "sinks": (1, 2)},
    ),
    "pinned": (
        Spec(
            n_heads=2,
            pins=(
                Pin("Q", 2, [0, 1], 0.5, how="add"),
                Pin("K", [0, 5], 1, -1.5, head=1, how="scale"),
                Pin("scores", slice(3, 6), 4, 1.0),
                Pin("scaled", 7, slice(None), 0.5, head=0, how="scale"),
                Pin("heads", 1, 0, 2.0, how="add"),
                Pin("output", 0, 3, 2.0),
            ),
        ),
        _SELF,
    ),
    "pinned weights": (
        Spec(
            n_heads=2,
            causal=True,
            pins=(
                Pin("masked", 2, 6, 0.5),
                Pin("weights", 3, [1, 8], 0.25, rest="share"),
                Pin("weights", slice(5, 7), 0, 0.125, head=1),
                Pin("weights", 9, 2, 2.0, how="scale"),
            ),
        ),
        _SELF,
    ),
    "extra rows": (
        Spec(extra_rows=True, causal=True, n_heads=2),
        {**_SELF, **_EXTRA},
    ),
    "extra rows, biased": (
        Spec(extra_rows=True, bias=True, positions=Rotary()),
        {**_SELF, **_EXTRA, "bias": (N, N)},
    ),
    "softcap": (Spec(softcap=3.0), _SELF),
    "cosine": (Spec(score="cosine", scale=9.0, n_heads=2), _SELF),
    "general": (Spec(score="general", n_heads=2), {**_SELF, "w": (2, 2)}),
    "additive": (Spec(score="additive"), {**_SELF, **_W}),
    "concat of heads": (
        Spec(score="concat", n_heads=2),
        {**_SELF, "w_q": (2, 3), "w_k": (2, 3), "v": (1, 3)},
    ),
    "cross": (Spec(context=True, n_heads=2), _CROSS),
    "cross with values": (
        Spec(context=True, values=True, n_heads=2, biases=("b_K",)),
        {**_CROSS, "values": (9, 4), "b_K": (4,)},
    ),
    "cross, not projected": (
        Spec(projected=False, context=True, values=True),
        {"X": (N, 4), "context": (9, 4), "values": (9, 2)},
    ),
    "given": (
        Spec(projected=False, given=True),
        {"Q": (N, 4), "K": (9, 4), "V": (9, 3)},
    ),
    "given heads": (
        Spec(projected=False, given=True, n_heads=4, n_kv_heads=2),
        {name: shape[1:] for name, shape in _GIVEN.items()},
    ),
    "given heads joined": (
        Spec(projected=False, given=True, n_heads=4, n_kv_heads=2, heads_joined=True),
        {"Q": (N, 8), "K": (9, 4), "V": (9, 6)},
    ),
    "given scores": (
        Spec(projected=False, given=True, score="given", bias=True, temperature=2.0),
        {"S": (N, 9), "V": (9, 3), "bias": (N, 9)},
    ),
    "given weights of heads": (
        replace(WEIGHTS_OF_TWO_HEADS, causal=True),
        {"S": (N, 18), "V": (9, 3)},
    ),
    "given batch": (
        Spec(
            projected=False,
            given=True,
            n_heads=4,
            n_kv_heads=2,
            causal=True,
            query_offset=(-2, 1),
        ),
        _GIVEN,
    ),
    "temperature": (Spec(temperature=0.3, n_heads=2), _SELF),
    "softmax1": (Spec(normalizer="softmax1", temperature=2.0), _SELF),
    "sigmoid": (Spec(normalizer="sigmoid", causal=True), _SELF),
    "sigmoid without length": (
        Spec(normalizer="sigmoid", normalizer_options=(("length_bias", False),)),
        _SELF,
    ),
    "plain sum": (Spec(normalizer="sum", causal=True, n_heads=2), _SELF),
    "sparsemax": (Spec(normalizer="sparsemax", temperature=0.7), _SELF),
    "entmax15": (Spec(normalizer="entmax15", n_heads=2), _SELF),
    "entmax15 in cross": (Spec(normalizer="entmax15", context=True), _CROSS),
    "hardmax": (Spec(normalizer="hardmax", causal=True), _SELF),
}


def numbers(spec: Spec, name: str, shape, random: np.random.Generator) -> np.ndarray:
    """Return ordinary numbers for an input, or for a part of it."""
    if name == "mask":
        return random.random(shape) < 0.6
    if spec.normalizer == "sum":
        # Of numbers below 0, too, sums may cancel: then the weights are ill-defined.
        return random.uniform(0.1, 1.0, shape)
    drawn = np.asarray(random.normal(scale=0.8, size=shape))
    if name == "bias" and drawn.size > 1:
        drawn[random.random(shape) < 0.15] = -np.inf
    return drawn


def example(name: str, seed: int = 0) -> tuple[Spec, dict[str, np.ndarray]]:
    """Return a spec and inputs that fit it."""
    spec, shapes = EXAMPLES[name]
    random = np.random.default_rng(seed)
    return spec, {
        matrix: numbers(spec, matrix, shapes[matrix], random)
        for matrix in spec.input_names
    }


def set_cells(engine: IncrementalEngine, array, matrix: str, region, values) -> None:
    """Change a part of an input, as people do, and tell the engine."""
    np.atleast_2d(array)[..., *region] = values
    engine.edit(matrix, region)


def assert_as_fresh(
    engine: IncrementalEngine, inputs: Mapping[str, np.ndarray]
) -> None:
    """Check every step of the engine against a run from scratch."""
    trace = engine.trace()
    as_they_are = {
        name: array if array.dtype == np.bool_ else array.astype(engine.dtype)
        for name, array in inputs.items()
    }
    fresh = run(engine.spec, as_they_are)
    assert list(trace) == list(fresh)
    for step, want in fresh.items():
        got = trace[step]
        assert got.dtype == want.dtype, step
        unit = 1.0
        if step != "weights" and want.dtype != np.bool_:
            unit = max(1.0, float(np.abs(want[np.isfinite(want)]).max(initial=0.0)))
        off = distance(got, want)
        assert off <= CLOSE.get(want.dtype.itemsize, 0.0) * unit, f"{step} is {off} off"


def distance(got: np.ndarray, want: np.ndarray) -> float:
    """Return the largest difference; cells that are both inf or NaN have none."""
    if want.dtype == np.bool_:
        return float((got != want).any())
    with np.errstate(all="ignore"):
        apart = np.asarray(np.abs(got - want))
    apart[(got == want) | (np.isnan(got) & np.isnan(want))] = 0.0
    apart[np.isnan(apart)] = np.inf
    return float(apart.max(initial=0.0))
