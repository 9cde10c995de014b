"""Mistakes that lose digits, or leave the range of a type."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def bfloat16(array: Numbers) -> Numbers:
    """Return float64 numbers rounded to the nearest bfloat16, ties to even."""
    bits = np.asarray(array, dtype=np.float32).view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    kept = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
    rounded = kept.view(np.float32)
    finite = np.isfinite(array)
    return np.where(finite, rounded, array).astype(np.float64)


def float16(array: Numbers) -> Numbers:
    """Return float64 numbers rounded to the nearest float16."""
    with np.errstate(over="ignore"):
        return np.asarray(array).astype(np.float16).astype(np.float64)


COARSE: dict[str, Callable[[Numbers], Numbers]] = {
    "bfloat16": bfloat16,
    "float16": float16,
}


def _decimals(array: Numbers, digits: int) -> Numbers:
    return np.asarray(np.round(array, digits))


def _weights(plan: Plan) -> Iterator[Variation]:
    mixed = plan[plan.mixed]

    def using(change: Callable[[Numbers], Numbers]) -> Iterator[Variation]:
        # The weights that are shown may be the exact ones.
        yield Variation(plan.then("weights", change))
        yield Variation(
            plan.computing(mixed.name, lambda w, v: mixed.compute(change(w), v))
        )

    for change in COARSE.values():
        yield from using(change)
    for digits in (1, 2, 3, 4):
        for variation in using(partial(_decimals, digits=digits)):
            yield Variation(variation.plan, float(digits))


def _softmax(plan: Plan) -> Iterator[Variation]:
    step = plan["weights"]
    for change in COARSE.values():

        def compute(
            scores: Numbers,
            *others: Numbers,
            change: Callable[[Numbers], Numbers] = change,
        ) -> Numbers:
            return change(step.compute(change(scores), *others))

        yield Variation(plan.computing("weights", compute))
        yield Variation(
            plan.computing("weights", lambda s, *o, c=change: step.compute(c(s), *o))
        )


def _overflow(plan: Plan) -> Iterator[Variation]:
    for change in (float16, _limited):
        changed = plan.then("scores", change)
        yield Variation(changed)
        yield Variation(changed.computing("weights", partial(_rows_lost, changed)))


def _rows_lost(plan: Plan, scores: Numbers, *others: Numbers) -> Numbers:
    """Return weights that are NaN in rows where ∞ is subtracted from ∞."""
    lost = np.isposinf(scores).any(axis=-1, keepdims=True)
    return np.where(lost, np.nan, plan["weights"].compute(scores, *others))


def _limited(array: Numbers) -> Numbers:
    """Return numbers with all their digits, infinite where float16 is."""
    return np.where(np.isinf(float16(array)), np.copysign(np.inf, array), array)


MISTAKES = (
    Mistake(
        "weights-rounded",
        "The weights are rounded before they multiply the values",
        _weights,
        "The weights are rounded to half precision or to a few decimal places before "
        "they are multiplied by the values.",
        Remedy("weights.to(torch.bfloat16)", "weights"),
        Remedy("np.round(weights, 2)", "weights"),
        "transformers' eager attention casts weights to the type of the queries",
        kind="rounding",
    ),
    Mistake(
        "softmax-low-precision",
        "The softmax is computed with few digits",
        _softmax,
        "The scores are rounded to half precision before the exponential, and perhaps "
        "the weights after it.",
        Remedy("scores.softmax(-1)", "scores.softmax(-1, dtype=torch.float32)"),
        Remedy("softmax(scores.astype(np.float16))", "softmax(scores)"),
        "transformers computes it in float32",
        kind="rounding",
    ),
    Mistake(
        "float16-overflow",
        "The scores leave the range of float16",
        _overflow,
        "Products of queries and keys beyond 65504 become ∞ before they are scaled, "
        "and such rows of the softmax NaN.",
        Remedy("(q @ k.mT) / math.sqrt(d)", "(q / math.sqrt(d)) @ k.mT"),
        Remedy("(q @ k.T) / np.sqrt(d)", "(q / np.sqrt(d)) @ k.T"),
        "IEEE 754, binary16; pytorch/pytorch#60939",
        kind="rounding",
    ),
)
