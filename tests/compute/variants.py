"""Attention of every kind, drawn at random: small, with numbers of ordinary size."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from attnviewer import (
    Alibi,
    LengthScale,
    QKNorm,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    Trace,
    attention,
    multi_head_attention,
)
from attnviewer.compute import NORMALIZERS
from attnviewer.compute.scoring import SCORES

BY_POSITION = LengthScale(counted="position", scale=0.5, offset=1.0, floor=2)
COMPARED = tuple(name for name in SCORES if name != "given")


class _Numbers:
    """Random arrays; positive ones for the plain sum, so that no row cancels to 0."""

    def __init__(self, seed: int, *, positive: bool) -> None:
        self._random = np.random.default_rng(seed)
        self.positive = positive

    def __call__(self, *shape: int) -> np.ndarray:
        if self.positive:
            return self._random.uniform(0.2, 1.2, size=shape)
        return self._random.normal(size=shape)

    def holes(self, shape: tuple[int, ...]) -> np.ndarray:
        return self._random.random(size=shape) < 0.25


@st.composite
def traces(draw: st.DrawFn, *, normalizers: tuple[str, ...] = tuple(NORMALIZERS)):
    """Draw a trace of `attention` or of `multi_head_attention`."""
    normalizer = draw(st.sampled_from(normalizers))
    seed = draw(st.integers(0, 2**32 - 1))
    numbers = _Numbers(seed, positive=normalizer == "sum")
    build = draw(st.sampled_from([_attention, _multi_head]))
    return build(draw, numbers, normalizer)


def _attention(draw: st.DrawFn, numbers: _Numbers, normalizer: str) -> Trace:
    batch = draw(st.sampled_from([(), (1,), (2,), (2, 3)]))
    group, kv_heads = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    if not batch and draw(st.booleans()):
        heads, kv = (), ()
    else:
        heads, kv = (group * kv_heads,), (kv_heads,)
    n_q, n_k, d_k, d_v = (draw(st.integers(1, 3)) for _ in range(4))
    score = draw(st.sampled_from(COMPARED))
    d_q = d_k if SCORES[score].same_width else draw(st.integers(1, 3))
    return attention(
        numbers(*batch, *heads, n_q, d_q),
        numbers(*batch, *kv, n_k, d_k),
        numbers(*batch, *kv, n_k, d_v),
        **_options(draw, numbers, (*batch, *heads, n_q, n_k), len(batch), normalizer),
        **_score(draw, numbers, score, d_q, d_k),
    )


def _multi_head(draw: st.DrawFn, numbers: _Numbers, normalizer: str) -> Trace:
    batch = draw(st.sampled_from([(), (1,), (2,)]))
    kv_heads = draw(st.integers(1, 2))
    n_heads = kv_heads * draw(st.integers(1, 2))
    n, d_model, d_v, width = (draw(st.integers(1, 3)) for _ in range(4))
    d_k = draw(st.sampled_from([2, 4]))  # even, for the pairs of RoPE
    score = draw(st.sampled_from(COMPARED))
    d_q = d_k if SCORES[score].same_width else draw(st.sampled_from([2, 4]))
    arguments: dict[str, Any] = {}
    n_k, d_context = n, d_model
    if draw(st.booleans()):
        n_k, d_context = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        arguments["context"] = numbers(*batch, n_k, d_context)
    d_values = d_context
    if draw(st.booleans()):
        d_values = draw(st.integers(1, 3))
        arguments["values"] = numbers(*batch, n_k, d_values)
    weights = {
        "q": numbers(d_model, n_heads * d_q),
        "k": numbers(d_context, kv_heads * d_k),
        "v": numbers(d_values, kv_heads * d_v),
    }
    if draw(st.booleans()):
        weights["o"] = numbers(n_heads * d_v, width)
    for letter, weight in weights.items():
        arguments[f"w_{letter}"] = weight
        if draw(st.booleans()):
            arguments[f"b_{letter}"] = numbers(weight.shape[1])
    gate = draw(st.sampled_from([None, "elementwise", "headwise"]))
    if gate is not None:
        columns = n_heads * (d_v if gate == "elementwise" else 1)
        arguments |= {"output_gate": gate, "w_g": numbers(d_model, columns)}
    width = n_k
    if draw(st.booleans()):
        extra = draw(st.integers(1, 2))
        own = draw(st.sampled_from([(), batch]))
        arguments["extra_keys"] = numbers(*own, extra, kv_heads * d_k)
        arguments["extra_values"] = numbers(*own, extra, kv_heads * d_v)
        width += draw(st.sampled_from([0, extra]))
    axial = RotaryAxes((1, 1))
    table = numbers(n + 1, d_model)
    schemes = [None, table]
    if not numbers.positive:
        turned = draw(st.sampled_from([None, 2]))
        interleaved, first = draw(st.booleans()), draw(st.integers(0, 3))
        schemes += [
            Sinusoidal(offset=first),
            Rotary(
                rotary_dim=turned,
                interleaved=interleaved,
                offset=first,
                frequencies=(0.7,) if turned and draw(st.booleans()) else None,
                attention_factor=draw(st.sampled_from([1.0, 1.25])),
            ),
            Alibi(),
        ]
        if d_q == d_k == 4 and n == n_k:
            schemes.append(Rotary(interleaved=interleaved, axes=axial))
    schemes.append(RelativeBias(4, 3, bidirectional=draw(st.booleans())))
    positions = schemes[draw(st.integers(0, len(schemes) - 1))]
    if isinstance(positions, RelativeBias):
        arguments["relative_bias"] = numbers(4, n_heads)
    along_axes = isinstance(positions, Rotary) and positions.axes is not None
    if along_axes:
        own = draw(st.sampled_from([(), batch]))
        arguments["position_ids"] = numbers(*own, n, 2)
    scores = (*batch, n_heads, n, width)
    norm = draw(st.sampled_from([None, "rms", "layer"]))
    if norm is not None and d_q == d_k:
        whole, own = draw(st.booleans()), draw(st.booleans())
        arguments["qk_norm"] = QKNorm(
            kind=norm,
            full_width=whole,
            shift=norm == "layer",
            gain_offset=draw(st.sampled_from([0.0, 1.0])),
            after_rotary=draw(st.booleans()),
            epsilon=0.1,
        )
        counts = {"q": n_heads, "k": kv_heads}
        arguments["qk_norm_weights"] = {
            f"{kind}_{side}": numbers(d_k * (count if whole or own else 1))
            for side, count in counts.items()
            for kind in ("gain", *(["shift"] if norm == "layer" else []))
        }
    options = _options(draw, numbers, scores, len(batch), normalizer)
    if along_axes:
        options["query_offset"] = 0
    return multi_head_attention(
        numbers(*batch, n, d_model),
        n_heads=n_heads,
        n_kv_heads=kv_heads,
        positions=positions,
        **arguments,
        **options,
        **_score(draw, numbers, score, d_q, d_k),
    )


def _score(
    draw: st.DrawFn, numbers: _Numbers, score: str, d_q: int, d_k: int
) -> dict[str, Any]:
    if not SCORES[score].weights:
        return {"score": score}
    if score == "general":
        return {"score": score, "score_weights": {"w": numbers(d_q, d_k)}}
    a = draw(st.integers(1, 3))
    v = {"v": numbers(*draw(st.sampled_from([(a,), (1, a)])))}
    weights = {"w_q": numbers(d_q, a), "w_k": numbers(d_k, a)}
    return {"score": score, "score_weights": weights | v}


def _options(
    draw: st.DrawFn,
    numbers: _Numbers,
    scores: tuple[int, ...],
    n_batch: int,
    normalizer: str,
) -> dict[str, Any]:
    def broadcast() -> tuple[int, ...]:
        shape = scores[draw(st.integers(0, len(scores))) :]
        return tuple(1 if draw(st.booleans()) else size for size in shape)

    def per_item(low: int, high: int) -> Any:
        one = st.integers(low, high)
        batch = scores[:n_batch]
        if not batch or draw(st.booleans()):
            return draw(one)
        return np.array([draw(one) for _ in np.ndindex(batch)]).reshape(batch)

    options: dict[str, Any] = {
        "normalizer": normalizer,
        "scale": draw(st.sampled_from([None, 1.0, 0.75])),
        "length_scale": draw(st.sampled_from([None, "ssmax", BY_POSITION])),
        "softcap": draw(st.sampled_from([None, 2.0])),
        "temperature": draw(st.sampled_from([1.0, 0.8])),
        "causal": draw(st.booleans()),
        "query_offset": per_item(-1, 2),
    }
    if normalizer == "softmax" and draw(st.booleans()):
        heads = scores[n_batch:-2]
        options["sinks"] = numbers(*(heads or (1,)))
    if normalizer == "sigmoid":
        options["normalizer_options"] = {"length_bias": draw(st.booleans())}
    if draw(st.booleans()):
        options["window"] = draw(st.sampled_from([(1, 0), (None, 1), (0, None)]))
    options["chunk"] = draw(st.sampled_from([None, None, 2]))
    if draw(st.booleans()):
        options["key_lengths"] = per_item(0, 3)
    if draw(st.booleans()):
        bias = numbers(*broadcast())
        options["bias"] = np.where(numbers.holes(bias.shape), -np.inf, bias)
    if draw(st.booleans()):
        options["mask"] = ~numbers.holes(broadcast())
    return options
