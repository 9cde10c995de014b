"""Mistakes in the order of the columns of a fused projection."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.projecting import SIDES, ordered


def _fused(plan: Plan) -> Iterator[Variation]:
    for order in permutations(SIDES):
        moved = {a: b for a, b in zip(SIDES, order, strict=True) if a != b}
        if moved and set(moved) not in ({"Q", "K"}, {"K", "V"}):
            yield from ordered(plan, moved)
    yield from _by_group(plan)


def _by_group(plan: Plan) -> Iterator[Variation]:
    """Yield the plans that read fused columns by head or group, or write them so."""
    if not plan.spec.projected or plan.spec.n_heads == 1:
        return
    widths = [plan.shapes[f"W_{name}"][1] for name in SIDES]
    rows = {plan.shapes[f"W_{name}"][0] for name in SIDES}
    sources = {plan[name].inputs[0] for name in SIDES}
    if len(rows) > 1 or len(sources) > 1 or any(w % plan.spec.kv_heads for w in widths):
        return
    ends = np.cumsum(widths)
    by_group = _columns_by_group(plan.spec.kv_heads, widths)
    for order in (by_group, np.argsort(by_group)):
        steps = plan
        for end, width, name in zip(ends, widths, SIDES, strict=True):
            columns = order[end - width : end]
            compute, own = plan[name].compute, plan[name].inputs

            def taken(
                source: Numbers,
                *weights: Numbers,
                columns: Numbers = columns,
                compute: Callable[..., Numbers] = compute,
            ) -> Numbers:
                fused = np.concatenate(weights[:3], axis=-1)[:, columns]
                biases = weights[3:]
                row = [np.concatenate(biases, axis=-1)[..., columns]] if biases else []
                return compute(source, fused, *row)

            all_biased = all(len(plan[other].inputs) == 3 for other in SIDES)
            biases = [f"b_{other}" for other in SIDES] if all_biased else []
            if len(own) == 3 and not all_biased:
                return
            inputs = (own[0], *(f"W_{other}" for other in SIDES), *biases)
            steps = steps.computing(name, taken, inputs)
        yield Variation(steps)


def _columns_by_group(n_groups: int, widths: list[int]) -> Numbers:
    """Return where a group's queries, keys and values are, for all groups in turn."""
    starts = np.cumsum([0, *widths[:-1]])
    parts = [
        np.arange(start, start + width).reshape(n_groups, -1)
        for start, width in zip(starts, widths, strict=True)
    ]
    return np.concatenate(parts, axis=1).reshape(-1)


MISTAKES = (
    Mistake(
        "fused-order",
        "The fused projection is split in another order",
        _fused,
        "Queries, keys and values take the columns of a fused weight in another order "
        "than the weight holds them: exchanged, or side by side against head by head.",
        Remedy(
            "q, k, v = qkv.view(n, h, 3, d).unbind(-2)",
            "q, k, v = qkv.view(n, 3, h, d).unbind(-3)",
        ),
        Remedy("v, q, k = np.split(qkv, 3, -1)", "q, k, v = np.split(qkv, 3, -1)"),
        "nn.MultiheadAttention stores q, k, v one after the other; GPT-NeoX and BLOOM "
        "store them by head, Falcon by group",
        across_rows=True,
    ),
)
