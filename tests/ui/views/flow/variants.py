"""Traces of every variant that a strip has to show."""

import numpy as np

from attnviewer.compute import (
    Alibi,
    Disentangled,
    Learned,
    LengthScale,
    QKNorm,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    Spec,
    Trace,
    run,
)

_FULL = {
    "n_heads": 4,
    "n_kv_heads": 2,
    "biases": ("b_Q", "b_K", "b_V", "b_O"),
    "output_projection": True,
    "softcap": 5.0,
    "bias": True,
    "mask": True,
    "causal": True,
    "window": (1, 0),
}
_GIVEN = {"given": True, "projected": False}

VARIANTS = {
    "self": Spec(),
    "heads": Spec(n_heads=4, output_projection=True),
    "shared heads": Spec(n_heads=4, n_kv_heads=2),
    "one head of keys": Spec(n_heads=4, n_kv_heads=1, positions=Rotary()),
    "full": Spec(**_FULL),
    "full, learned": Spec(positions=Learned(), **_FULL),
    "full, sinusoidal": Spec(positions=Sinusoidal(), **_FULL),
    "full, rotary": Spec(positions=Rotary(), extra_rows=True, **_FULL),
    "full, ALiBi": Spec(positions=Alibi(), **_FULL),
    "scaled by length": Spec(
        n_heads=4, causal=True, positions=Rotary(), length_scale=LengthScale()
    ),
    "gated": Spec(
        n_heads=4, n_kv_heads=2, output_projection=True, output_gate="elementwise"
    ),
    "disentangled": Spec(
        positions=Disentangled(3, own_weights=True),
        n_heads=4,
        n_kv_heads=2,
        biases=("b_Q", "b_KR"),
        output_projection=True,
        mask=True,
    ),
    "full, normalised": Spec(
        positions=Rotary(), qk_norm=QKNorm(kind="layer", shift=True), **_FULL
    ),
    "cross": Spec(context=True),
    "cross, full": Spec(context=True, positions=Learned(), **_FULL),
    "rotary along axes": Spec(positions=Rotary(rotary_dim=8, axes=RotaryAxes((2, 2)))),
    "cross, rotary": Spec(context=True, positions=Rotary()),
    "own values": Spec(context=True, values=True),
    "own values, learned": Spec(context=True, values=True, positions=Learned()),
    "extra rows": Spec(extra_rows=True),
    "simplified": Spec(projected=False),
    "simplified, sinusoidal": Spec(projected=False, positions=Sinusoidal()),
    "simplified, rotary": Spec(projected=False, positions=Rotary()),
    "simplified cross": Spec(projected=False, context=True),
    "simplified cross, rotary": Spec(
        projected=False, context=True, positions=Rotary(), mask=True
    ),
    "cosine": Spec(score="cosine"),
    "general": Spec(score="general"),
    "additive": Spec(score="additive"),
    "concat": Spec(score="concat", bias=True),
    "sinks": Spec(n_heads=4, sinks=True, causal=True),
    "given": Spec(**_GIVEN),
    "given, full": Spec(
        **_GIVEN, positions=Rotary(), bias=True, mask=True, softcap=5.0
    ),
    "given, cosine": Spec(**_GIVEN, score="cosine", positions=Alibi()),
    "given heads": Spec(**_GIVEN, n_heads=2, heads_joined=True, causal=True),
    "given scores": Spec(**_GIVEN, score="given"),
    "given scores, full": Spec(
        **_GIVEN, score="given", n_heads=2, heads_joined=True, bias=True, mask=True
    ),
}


def trace_of(spec: Spec, n: int = 5, d: int = 8) -> Trace:
    """Run a variant with `n` tokens and three of a context, if it has one."""
    n_keys = 3 if spec.context else n
    d_kv = d // spec.n_heads * spec.kv_heads
    shapes = dict.fromkeys(spec.input_names, (d, d))
    for name in shapes.keys() & {"X", "P", "Q"}:
        shapes[name] = n, d
    for name in shapes.keys() & {"context", "values"}:
        shapes[name] = n_keys, d
    for name in shapes.keys() & {"K", "V"}:
        shapes[name] = n_keys, d_kv
    for name in shapes.keys() & {"W_K", "W_V", "W_KR"}:
        shapes[name] = d, d_kv
    for name in shapes.keys() & {"b_Q", "b_O", "b_K", "b_V", "b_KR", "v"}:
        shapes[name] = 1, d_kv if name in ("b_K", "b_V", "b_KR") else d
    for name in shapes.keys() & {"bias", "mask", "S"}:
        extra = 2 if "extra_keys" in shapes else 0
        shapes[name] = n, n_keys + extra
    for name in shapes.keys() & {"position_ids"}:
        shapes[name] = n_keys, 2
    for name in shapes.keys() & {"sinks"}:
        shapes[name] = 1, spec.n_heads
    if "S" in shapes:
        shapes["S"] = n, n_keys * spec.n_heads
    for name in shapes.keys() & {"extra_keys", "extra_values"}:
        shapes[name] = 2, d_kv
    if isinstance(spec.positions, Disentangled):
        shapes["R"] = 2 * spec.positions.span, d
    for name in shapes.keys() & {"gain_Q", "shift_Q", "gain_K", "shift_K"}:
        shapes[name] = 1, d // spec.n_heads
    rng = np.random.default_rng(0)
    inputs = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    if "mask" in inputs:
        inputs["mask"] = np.tri(*shapes["mask"]) > 0
    return run(spec, inputs)
