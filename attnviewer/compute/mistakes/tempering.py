"""Mistakes in what scores are divided by beyond their usual scale."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

NEUTRAL = 1e-6
"""How far a divisor is from 1 at least, to be one."""

ROWS = 64
"""The last rows of weights, which tell a temperature as well as all of them."""


def _tempered(plan: Plan, temperature: float) -> Plan | None:
    if abs(temperature - 1) < NEUTRAL:
        return None
    return plan.reading("weights", lambda scores: scores / temperature)


def _rescaled(plan: Plan, divisor: float) -> Plan | None:
    """Return the plan with an extra divisor of what is not normalised at once.

    Elsewhere it is a temperature.
    """
    between = "scaled" in plan and ("capped" in plan or "biased" in plan)
    if not between or abs(divisor - 1) < NEUTRAL:
        return None
    return plan.then("scaled", lambda scores: scores / divisor)


def _seen_scale(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the extra divisor of scaled scores that are given."""
    divisor = _divisor(right, mine)
    changed = _rescaled(right.plan, divisor)
    if changed is not None:
        yield Variation(changed, divisor)


def _divisor(right: Evaluation, mine: Mapping[str, Numbers]) -> float:
    """Return by what somebody's scaled scores are divided; 1 if nothing tells."""
    theirs = mine.get("scaled") if "scaled" in right.plan else None
    if theirs is None or theirs.shape != right["scaled"].shape:
        return 1.0
    sound = np.isfinite(theirs) & np.isfinite(right["scaled"])
    exact, theirs = right["scaled"][sound], theirs[sound]
    with np.errstate(all="ignore"):
        divisor = float((exact * exact).sum() / (theirs * exact).sum())
    return float(f"{divisor:.12g}") if 1e-3 < divisor < 1e3 else 1.0


def _seen_temperature(
    right: Evaluation, mine: Mapping[str, Numbers]
) -> Iterator[Variation]:
    """Yield the temperature of scaled scores, and that of weights."""
    divisor = _divisor(right, mine)
    if abs(divisor - 1) >= NEUTRAL and _rescaled(right.plan, divisor) is None:
        changed = right.plan.then("scaled", lambda scores: scores / divisor)
        yield Variation(changed, divisor)
    yield from _seen_in_weights(right, mine)


def _seen_in_weights(
    right: Evaluation, mine: Mapping[str, Numbers]
) -> Iterator[Variation]:
    """Yield the temperature by which the logarithms of weights follow the scores."""
    plan = right.plan
    theirs, scores = mine.get("weights"), right[plan.last_scores]
    if plan.spec.normalizer != "softmax" or theirs is None:
        return
    if theirs.shape != scores.shape:
        return
    theirs, scores = theirs[..., -ROWS:, :], scores[..., -ROWS:, :]
    with np.errstate(all="ignore"):
        logarithms = np.log(np.asarray(theirs, dtype=np.float64))
        sound = np.isfinite(logarithms) & np.isfinite(scores) & (theirs > 1e-30)
        count = sound.sum(axis=-1, keepdims=True)
        rows = [
            np.where(sound, a - np.where(sound, a, 0).sum(-1, keepdims=True) / count, 0)
            for a in (logarithms, scores)
        ]
        slope = float((rows[0] * rows[1]).sum() / (rows[1] ** 2).sum())
    slope *= plan.spec.temperature
    if not np.isfinite(slope) or not 1e-3 < slope < 1e3:
        return
    temperature = float(f"{1 / slope:.12g}")
    changed = _tempered(plan, temperature)
    if changed is not None:
        yield Variation(changed, temperature)


def _untempered(plan: Plan) -> Iterator[Variation]:
    if abs(plan.spec.temperature - 1) > NEUTRAL:
        own = plan.spec.temperature
        yield Variation(plan.reading("weights", lambda scores: scores * own))


def _inverted_temperature(plan: Plan) -> Iterator[Variation]:
    if abs(plan.spec.temperature - 1) > NEUTRAL:
        own = plan.spec.temperature
        yield Variation(
            plan.reading("weights", lambda scores: scores * own**2), 1 / own
        )


MISTAKES = (
    Mistake(
        "temperature-missing",
        "The temperature is missing",
        _untempered,
        "The scores are not divided by the temperature before they are normalised.",
        Remedy("scores.softmax(-1)", "(scores / temperature).softmax(-1)"),
        Remedy("softmax(scores)", "softmax(scores / temperature)"),
        "Hinton et al. 2015",
    ),
    Mistake(
        "temperature-inverted",
        "The scores are multiplied by the temperature",
        _inverted_temperature,
        "The scores are multiplied by the temperature instead of divided, which is a "
        "temperature of {parameter:.6g}.",
        Remedy("scores * temperature", "scores / temperature"),
        Remedy("scores * temperature", "scores / temperature"),
        "Hinton et al. 2015",
    ),
    Mistake(
        "temperature",
        "The scores have an extra divisor",
        lambda plan: iter(()),
        "The scores are divided by an extra {parameter:.6g} before they are "
        "normalised.",
        Remedy("(scores / t).softmax(-1)", "scores.softmax(-1)"),
        Remedy("softmax(scores / t)", "softmax(scores)"),
        "Hinton et al. 2015",
        fitted=Range(1e-3, 1e3, logarithmic=True),
        along=_tempered,
        recognize=_seen_temperature,
    ),
    Mistake(
        "scale-value",
        "The scores are scaled by another number",
        lambda plan: iter(()),
        "The scores are divided by an extra {parameter:.6g} where they are scaled, "
        "before the steps that do more with them.",
        Remedy("(q @ k.mT) * 0.1", "(q @ k.mT) / math.sqrt(d)"),
        Remedy("(q @ k.T) * 0.1", "(q @ k.T) / np.sqrt(d)"),
        "Vaswani et al. 2017, equation 1",
        fitted=Range(1e-3, 1e3, logarithmic=True),
        along=_rescaled,
        recognize=_seen_scale,
    ),
)
