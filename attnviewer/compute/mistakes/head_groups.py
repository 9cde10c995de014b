"""Mistakes in how query heads share key/value heads."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

Spread = Callable[[Numbers, int], Numbers]
"""From heads (..., h_kv, n, d) and how often each is used to (..., h, n, d)."""


def _tiled(heads: Numbers, times: int) -> Numbers:
    return np.concatenate([heads] * times, axis=-3)


def _first_only(heads: Numbers, times: int) -> Numbers:
    count = times * heads.shape[-3]
    return np.repeat(heads[..., :1, :, :], count, axis=-3)


def _reversed(heads: Numbers, times: int) -> Numbers:
    return np.repeat(heads[..., ::-1, :, :], times, axis=-3)


def _mean(heads: Numbers, times: int) -> Numbers:
    count = times * heads.shape[-3]
    return np.repeat(heads.mean(axis=-3, keepdims=True), count, axis=-3)


def _along_sequence(heads: Numbers, times: int) -> Numbers:
    """Return the heads of (h_kv, n, d) whose rows are repeated, then a view."""
    *lead, count, n, width = heads.shape
    return np.repeat(heads, times, axis=-2).reshape(*lead, count * times, n, width)


def _tiled_along_sequence(heads: Numbers, times: int) -> Numbers:
    """Return the heads of (n, h_kv, d) whose tokens are tiled, then a view."""
    *lead, count, n, width = heads.shape
    tokens = np.concatenate([heads.swapaxes(-3, -2)] * times, axis=-3)
    return tokens.reshape(*lead, n, count * times, width).swapaxes(-3, -2)


def _by(
    *spreads: Spread, one_side: bool = False
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what spreads keys and values over the query heads in another way."""

    def vary(plan: Plan) -> Iterator[Variation]:
        spec = plan.spec
        times = spec.n_heads // spec.kv_heads
        if times == 1 or spec.kv_heads == 1:
            return
        for spread in spreads:
            keys, values = _on_keys(plan, spread, times), _on_values(spread, times)
            yield Variation(values(keys))
            if one_side:
                yield from (Variation(keys), Variation(values(plan)))

    return vary


def _on_keys(plan: Plan, spread: Spread, times: int) -> Plan:
    score = plan["scores"]
    return plan.computing(
        "scores", lambda q, k, *w: score.compute(q, spread(k, times), *w)
    )


def _on_values(spread: Spread, times: int) -> Callable[[Plan], Plan]:
    def change(plan: Plan) -> Plan:
        mix = plan[plan.mixed]
        return plan.computing(mix.name, lambda w, v: mix.compute(w, spread(v, times)))

    return change


_PAPER = "Ainslie et al. 2023; transformers' repeat_kv"

MISTAKES = (
    Mistake(
        "gqa-tiled",
        "Key/value heads are tiled instead of repeated",
        _by(_tiled, one_side=True),
        "Query head h uses key/value head h mod h_kv, where neighbouring query heads "
        "share one.",
        Remedy("k.repeat(r, 1, 1)", "k.repeat_interleave(r, dim=0)"),
        Remedy("np.tile(k, (r, 1, 1))", "np.repeat(k, r, axis=0)"),
        _PAPER,
    ),
    Mistake(
        "gqa-one-head",
        "All query heads share one key/value head",
        _by(_first_only, _mean),
        "Only the first key/value head is used, or the mean of all of them, as in "
        "multi-query attention.",
        Remedy("k[:1].expand(h, n, d)", "k.repeat_interleave(r, dim=0)"),
        Remedy("np.repeat(k[:1], h, axis=0)", "np.repeat(k, r, axis=0)"),
        "Shazeer 2019 has one key/value head; Ainslie et al. 2023 several",
    ),
    Mistake(
        "gqa-reversed",
        "The key/value heads serve the query heads in reverse order",
        _by(_reversed),
        "The first group of query heads uses the last key/value head.",
        Remedy("k.flip(0).repeat_interleave(r, 0)", "k.repeat_interleave(r, dim=0)"),
        Remedy("np.repeat(k[::-1], r, axis=0)", "np.repeat(k, r, axis=0)"),
        _PAPER,
    ),
    Mistake(
        "gqa-along-sequence",
        "Keys and values are repeated along the sequence instead of the heads",
        _by(_along_sequence, _tiled_along_sequence),
        "The rows of keys and values are repeated along the axis of the tokens, and a "
        "view makes heads of them, which mixes tokens and heads.",
        Remedy("k.repeat_interleave(r, dim=1)", "k.repeat_interleave(r, dim=0)"),
        Remedy("np.repeat(k, r, axis=1)", "np.repeat(k, r, axis=0)"),
        "PrimeIntellect-ai/prime-rl#2681",
    ),
)
