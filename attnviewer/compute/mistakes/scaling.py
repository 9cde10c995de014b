"""Mistakes in the factor on the scores."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan


def _key_width(plan: Plan) -> int:
    queries = "W_Q" if "W_Q" in plan.shapes else plan.spec.sources[0]
    width = plan.shapes[queries][-1]
    joined = plan.spec.projected or plan.spec.heads_joined
    return width // plan.spec.n_heads if joined else width


def _model_width(plan: Plan) -> int:
    return plan.shapes["X"][-1] if "X" in plan.shapes else _joined_width(plan)


def _joined_width(plan: Plan) -> int:
    return _key_width(plan) * plan.spec.n_heads


def scaled_by(plan: Plan, factor: float) -> Plan:
    """Return the plan with another factor in place of the right one."""
    return plan.computing("scaled", lambda scores: scores * factor)


def _missing(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan:
        yield Variation(plan.skipping("scaled"))


def _by_model_width(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan and _model_width(plan) != _key_width(plan):
        width = _model_width(plan)
        yield Variation(scaled_by(plan, 1 / math.sqrt(width)), float(width))


def _not_rooted(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan and _key_width(plan) > 1:
        yield Variation(scaled_by(plan, 1 / _key_width(plan)), float(_key_width(plan)))


def _multiplied(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan and _key_width(plan) > 1:
        width = _key_width(plan)
        yield Variation(scaled_by(plan, math.sqrt(width)), float(width))


def _tempered(plan: Plan, temperature: float) -> Plan:
    step = plan["weights"]

    def compute(scores, *others):  # type: ignore[no-untyped-def]
        return step.compute(scores / temperature, *others)

    return plan.computing("weights", compute)


def _seen_temperature(
    right: Evaluation, mine: Mapping[str, Numbers]
) -> Iterator[Variation]:
    """Yield the temperature by which the logarithms of weights follow the scores."""
    plan = right.plan
    theirs, scores = mine.get("weights"), right[plan.last_scores]
    if plan.spec.normalizer != "softmax" or theirs is None:
        return
    if theirs.shape != scores.shape:
        return
    with np.errstate(all="ignore"):
        logarithms = np.log(np.asarray(theirs, dtype=np.float64))
        sound = np.isfinite(logarithms) & np.isfinite(scores) & (theirs > 1e-30)
        count = sound.sum(axis=-1, keepdims=True)
        rows = [
            np.where(sound, a - np.where(sound, a, 0).sum(-1, keepdims=True) / count, 0)
            for a in (logarithms, scores)
        ]
        slope = float((rows[0] * rows[1]).sum() / (rows[1] ** 2).sum())
    if np.isfinite(slope) and 1e-3 < slope < 1e3 and abs(slope - 1) > 1e-6:
        temperature = float(f"{1 / slope:.12g}")
        yield Variation(_tempered(plan, temperature), temperature)


def _no_variation(_plan: Plan) -> Iterator[Variation]:
    yield from ()


MISTAKES = (
    Mistake(
        "scale-missing",
        "The scores are not scaled",
        _missing,
        "The dot products go into the softmax as they are. They grow with the width of "
        "a head, so the weights are too sharp.",
        Remedy("scores = q @ k.mT", "scores = q @ k.mT / math.sqrt(q.size(-1))"),
        Remedy("scores = q @ k.T", "scores = q @ k.T / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-d_model",
        "The scores are divided by the root of d_model instead of the head's width",
        _by_model_width,
        "The divisor is √{parameter}, the root of the model's width. A head compares "
        "only its own columns, so the divisor is the root of one head's width.",
        Remedy("scores / math.sqrt(x.size(-1))", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores / np.sqrt(x.shape[-1])", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "scale-not-rooted",
        "The scores are divided by d_k instead of its root",
        _not_rooted,
        "The divisor is {parameter} instead of √{parameter}: the root is missing, or "
        "the scores are scaled twice.",
        Remedy("scores / q.size(-1)", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores / q.shape[-1]", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-multiplied",
        "The scores are multiplied by √d_k instead of divided",
        _multiplied,
        "The factor is √{parameter} where it should be 1/√{parameter}.",
        Remedy("scores * math.sqrt(q.size(-1))", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores * np.sqrt(q.shape[-1])", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "temperature",
        "The scores are divided by a constant more",
        _no_variation,
        "Before they are normalised, the scores are divided by {parameter:.6g} more "
        "than intended.",
        Remedy("torch.softmax(scores / t, -1)", "torch.softmax(scores, -1)"),
        Remedy("softmax(scores / t)", "softmax(scores)"),
        fitted=Range(1e-3, 1e3, logarithmic=True),
        along=_tempered,
        recognize=_seen_temperature,
    ),
)
