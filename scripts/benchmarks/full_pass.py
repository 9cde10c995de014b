"""A full pass over given queries, keys and values, beside other people's ways."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from baselines import Torch, notebook, scipy_notebook
from comparison import Comparison, Goal, Result, Settings
from machine import left_out, version
from random_inputs import random_inputs
from timing import Steps, Variant, largest_difference, timed

from attnviewer import Trace, attention, multi_head_attention
from attnviewer.compute import Array, BoolArray, Spec

Way: TypeAlias = Callable[[], tuple[Any, ...]]
"""Gives weights and output, or the output alone."""

WIDTH = 64
"""Columns of one head."""
SHARE_OF_TIME = {False: Goal(0.8), True: Goal(0.6)}
"""The goals: shares of torch explicit's time, plain and causal, of long inputs with
many heads."""
LONG, MANY = 2048, 8

OURS = "attention()"
EXPLICIT = "torch explicit"
NOTEBOOK = "NumPy notebook"


def comparisons(settings: Settings) -> list[Comparison]:
    listed = []
    for n in settings.lengths((2048, 4096), 96):
        for n_heads in (2,) if settings.quick else (8, 12, 1):
            size = f"{n:,} tokens, heads of {WIDTH}: {n_heads}, float32"
            for causal in (False, True):
                listed.append(
                    Comparison(
                        f"{'causal' if causal else 'plain'}, {size}",
                        partial(given, n, n_heads, causal),
                    )
                )
            if version("torch") and n_heads != 1:
                listed.append(
                    Comparison(
                        f"with projections, {size}", partial(projected, n, n_heads)
                    )
                )
    return listed


def given(n: int, n_heads: int, causal: bool, settings: Settings) -> Result:
    """Measure attention over given queries, keys and values."""
    rng = np.random.default_rng(n)
    shape = (n_heads, n, WIDTH)
    q, k, v = (rng.standard_normal(shape).astype(np.float32) for _ in range(3))
    hidden = ~np.tri(n, dtype=bool) if causal else None

    def ours() -> Trace:
        return attention(q, k, v, causal=causal)

    has_goal = n >= LONG and n_heads >= MANY and version("torch")
    goal = SHARE_OF_TIME[causal] if has_goal else None
    variants = [
        Variant(name=OURS, call=ours, goal=goal),
        Variant(name=f"{OURS}, weights read", call=lambda: ours()["weights"]),
    ]
    trace = ours()
    right = {"weights": trace["weights"], "output": trace["output"]}
    for name, way in other_ways(q, k, v, hidden).items():
        variants.append(Variant(name=name, call=way, difference=difference(right, way)))
    del trace, right
    beside = EXPLICIT if version("torch") else NOTEBOOK
    notes = [
        f"Ratios are shares of {beside}'s time.",
        *left_out("torch", f"{EXPLICIT} (what the goals refer to) and SDPA"),
        *left_out("scipy", "SciPy's softmax"),
    ]
    return Result(timed(variants, settings, beside=beside), notes)


def other_ways(
    q: Array, k: Array, v: Array, hidden: BoolArray | None
) -> dict[str, Way]:
    """Return what others write, as far as it is installed."""
    ways: dict[str, Way] = {NOTEBOOK: lambda: notebook(q, k, v, hidden)}
    if version("scipy"):
        ways["the same, SciPy's softmax"] = lambda: scipy_notebook(q, k, v, hidden)
    if version("torch"):
        torch = Torch()
        tq, tk, tv = (torch.tensor(array) for array in (q, k, v))
        their_hidden = torch.tensor(hidden)
        ways[EXPLICIT] = lambda: torch.explicit(tq, tk, tv, their_hidden)
        ways["torch SDPA, no weights"] = lambda: torch.fused(
            tq, tk, tv, hidden is not None
        )
    return ways


def difference(right: Steps, way: Way) -> float:
    """Return how far another way's weights and output lie from ours."""
    arrays = [np.asarray(array) for array in way()]
    names = ("weights", "output")[-len(arrays) :]
    return largest_difference(right, dict(zip(names, arrays, strict=True)))


def projected(n: int, n_heads: int, settings: Settings) -> Result:
    """Measure multi-head attention with its projections beside torch's module."""
    d_model = n_heads * WIDTH
    spec = Spec(n_heads=n_heads, output_projection=True)
    x, *weights = random_inputs(spec, n, d_model, d_model).values()
    torch = Torch()
    module, tx = torch.module(n_heads, *weights), torch.tensor(x)[None]

    def ours() -> Trace:
        return multi_head_attention(x, *weights, n_heads=n_heads)

    def theirs() -> Any:
        return module(tx, tx, tx, average_attn_weights=False)

    trace = ours()
    right = {"weights": trace["weights"], "output": trace["output"]}
    away = difference(right, lambda: tuple(t[0] for t in reversed(theirs())))
    del trace, right
    name = "multi_head_attention()"
    beside = "torch nn.MultiheadAttention"
    variants = [
        Variant(name=name, call=ours),
        Variant(name=f"{name}, weights read", call=lambda: ours()["weights"]),
        Variant(name=beside, call=theirs, difference=away),
    ]
    notes = [f"Ratios are shares of {beside}'s time; it returns every head's weights."]
    return Result(timed(variants, settings, beside=beside), notes)
