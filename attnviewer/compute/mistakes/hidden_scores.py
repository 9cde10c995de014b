"""Mistakes in how hidden scores are kept from getting weight."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.hiding import (
    Hidden,
    by_value,
    given_as,
    hidden,
    hides,
    stage_of,
)
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.stages.mask import ApplyMask


def _filled_with(plan: Plan, value: float) -> Plan:
    return by_value(plan, lambda scores, away: np.where(away, value, scores))


def _lowered_by(plan: Plan, value: float) -> Plan:
    return by_value(plan, lambda s, away: np.where(away, s + value, s))


def _finite(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        for value in (-1e9, -1e4, -100.0, -10.0, -1.0, -np.e):
            yield Variation(_filled_with(plan, value), value)
        for value in (-1e4, -100.0, -10.0):
            yield Variation(_lowered_by(plan, value), value)


def _zero(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_value(plan, lambda s, h: np.where(h, 0.0, s)))
        yield Variation(by_value(plan, lambda s, h: np.where(h, -1e-9, s)))


def _as_number(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_value(plan, lambda s, h: s + ~h))
        yield Variation(by_value(plan, lambda s, h: s + h))
        yield Variation(by_value(plan, lambda s, h: s - h))


def _not_a_number(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_value(plan, lambda s, h: s + np.where(h, -np.inf, np.nan)))


def _after(plan: Plan) -> Iterator[Variation]:
    if not plan.masked:
        return
    stage, step, away = stage_of(plan), plan["weights"], hides(plan)
    source, *masks = plan["masked"].inputs
    inputs = (source, *step.inputs[1:], *masks)  # sinks are before the masks
    n_sinks = len(step.inputs) - 1

    def compute(scores: Numbers, *others: Numbers) -> Numbers:
        weights = step.compute(scores, *others[:n_sinks])
        return np.where(away(scores, *others[n_sinks:]), 0.0, weights)

    yield Variation(plan.skipping("masked").computing("weights", compute, inputs))
    # Only the given mask, or only the causal one, is applied too late.
    if plan.spec.mask and stage.rules:
        early = ApplyMask(
            stage.inputs[0],
            stage.rules,
            query_offset=stage.query_offset,
            key_lengths=stage.key_lengths,
            n_keys=stage.n_keys,
        )

        def late(scores: Numbers, *others: Numbers) -> Numbers:
            *sinks, mask = others
            seen = np.where(hidden(early, scores), -np.inf, scores)
            weights = step.compute(seen, *sinks)
            return np.where(hidden(stage, scores, mask), 0.0, weights)

        changed = given_as(plan, lambda mask: np.ones_like(mask))
        yield Variation(changed.computing("weights", late, inputs))
    if not plan.is_right("masked"):
        yield Variation(_zeroed(plan))


def _zeroed(plan: Plan) -> Plan:
    """Return the plan that sets the weights of hidden keys to 0 in addition."""
    stage, step = stage_of(plan), plan["weights"]
    _, *masks = plan["masked"].inputs
    n_own = len(step.inputs)

    def compute(scores: Numbers, *others: Numbers) -> Numbers:
        weights = step.compute(scores, *others[: n_own - 1])
        return np.where(hidden(stage, scores, *others[n_own - 1 :]), 0.0, weights)

    return plan.computing("weights", compute, (*step.inputs, *masks))


def _blind_rows(plan: Plan) -> Iterator[Variation]:
    if not plan.masked:
        return

    def filled(value: float | None) -> Callable[..., Numbers]:
        step = plan["weights"]

        def compute(scores: Numbers, *others: Numbers) -> Numbers:
            weights = step.compute(scores, *others)
            blind = np.isneginf(scores).all(axis=-1, keepdims=True)
            each = 1 / scores.shape[-1] if value is None else value
            return np.where(blind, each, weights)

        return compute

    yield Variation(plan.computing("weights", filled(None)))
    yield Variation(plan.computing("weights", filled(np.nan)))


def _seen_value(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan with the number that hidden cells of somebody's scores have."""
    plan = right.plan
    if not plan.masked:
        return
    source, away = right[stage_of(plan).inputs[0]], np.isneginf(right["masked"])
    theirs = mine.get("masked", _scores_of(mine.get("weights"), source, away))
    if theirs is None or theirs.shape != away.shape or not away.any():
        return
    values = theirs[away & np.isfinite(theirs)]
    if not values.size:
        return
    value = _short(float(values[0]))
    yield Variation(_filled_with(plan, value), value)
    added = _short(float((theirs - source)[away & np.isfinite(theirs)][0]))
    yield Variation(_lowered_by(plan, added), added)


def _short(number: float) -> float:
    """Return a number without the last digits, where rounding shows."""
    return float(f"{number:.9g}")


def _scores_of(
    weights: Numbers | None, scores: Numbers, away: Hidden
) -> Numbers | None:
    """Return the scores that a softmax made weights of, given those not hidden."""
    if weights is None or weights.shape != away.shape:
        return None
    with np.errstate(all="ignore"):
        logarithms = np.log(weights)
        seen = ~away & np.isfinite(logarithms)
        count = seen.sum(axis=-1, keepdims=True)
        row = np.where(seen, scores - logarithms, 0).sum(axis=-1, keepdims=True) / count
        found: Numbers = logarithms + row
    return found


def _leak(plan: Plan, value: float) -> Plan | None:
    if not plan.masked:
        return None
    return _filled_with(plan, -value)


def _renormalized(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that masks after the softmax and divides by the rest."""
    if not plan.masked or plan.spec.sinks:
        return
    step, away = plan["weights"], hides(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        weights = step.compute(scores)
        kept = np.where(away(scores, *masks), 0.0, weights)
        shares: Numbers = kept / kept.sum(axis=-1, keepdims=True)
        return shares

    inputs = plan["masked"].inputs
    yield Variation(plan.skipping("masked").computing("weights", compute, inputs))


MISTAKES = (
    Mistake(
        "mask-after-softmax",
        "The mask is applied after the softmax",
        _after,
        "Hidden keys get weight 0 only after the softmax has shared the row among all "
        "of them, so rows add up to less than 1.",
        Remedy(
            "scores.softmax(-1) * mask",
            "scores.masked_fill(~mask, -math.inf).softmax(-1)",
        ),
        Remedy("softmax(scores) * mask", "softmax(np.where(mask, scores, -np.inf))"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "row-fully-masked",
        "Rows in which no key is visible are treated in another way",
        _blind_rows,
        "A query that sees no key gets equal weights or NaN; the reference gives it "
        "weights of 0.",
        Remedy("scores.softmax(-1)", "scores.softmax(-1).nan_to_num()"),
        Remedy("e / e.sum(-1)", "np.where(total > 0, e / total, 0)"),
        "PyTorch's scaled_dot_product_attention and ONNX give 0; a softmax of −∞ NaN",
        kind="convention",
    ),
    Mistake(
        "mask-finite",
        "Hidden scores are a number instead of −∞",
        _finite,
        "Hidden scores are replaced by {parameter:.6g}, or have it added. Such keys "
        "get weight in rows whose visible scores are not far above.",
        Remedy(
            "scores.masked_fill(~mask, -1e4)", "scores.masked_fill(~mask, -math.inf)"
        ),
        Remedy("np.where(mask, scores, -1e4)", "np.where(mask, scores, -np.inf)"),
        "Vaswani et al. 2017, section 3.2.3",
        hidden_keys=True,
        fitted=Range(0.01, 1e5, logarithmic=True),
        along=_leak,
        recognize=_seen_value,
    ),
    Mistake(
        "mask-zero",
        "Hidden scores are 0 instead of −∞",
        _zero,
        "Hidden keys have a score of 0, or nearly 0, which is as good as any other: "
        "the softmax gives them weight.",
        Remedy("scores * mask", "scores.masked_fill(~mask, -math.inf)"),
        Remedy("scores * mask", "np.where(mask, scores, -np.inf)"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "mask-added-as-number",
        "The mask is added to the scores as 0 and 1",
        _as_number,
        "A mask of booleans is added to the scores or subtracted from them. That moves "
        "some of them by 1 and hides nothing.",
        Remedy("scores + mask", "scores.masked_fill(~mask, -math.inf)"),
        Remedy("scores + mask", "np.where(mask, scores, -np.inf)"),
        "PyTorch's scaled_dot_product_attention adds only masks of floating point",
    ),
    Mistake(
        "mask-nan",
        "Hidden scores get −∞ through a product with 0",
        _not_a_number,
        "The mask is multiplied by −∞ before it is added, and 0 · −∞ is NaN, so that "
        "every visible score is NaN.",
        Remedy("scores + (~mask) * -math.inf", "scores.masked_fill(~mask, -math.inf)"),
        Remedy("scores + ~mask * -np.inf", "np.where(mask, scores, -np.inf)"),
        "IEEE 754",
    ),
    Mistake(
        "mask-renormalized",
        "The mask is applied after the softmax, and rows are divided by their sum",
        _renormalized,
        "The weights of hidden keys are set to 0 and each row is divided by what is "
        "left, which gives the same weights as masking the scores.",
        Remedy(
            "w = w * mask; w / w.sum(-1, True)", "scores.masked_fill(~mask, -math.inf)"
        ),
        Remedy("w = w * mask; w / w.sum(-1)", "np.where(mask, scores, -np.inf)"),
        "See et al. 2017, pointer-generator networks",
        kind="convention",
    ),
)
