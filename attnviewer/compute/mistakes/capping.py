"""Mistakes in the soft cap."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def _no_cap(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan:
        yield Variation(plan.skipping("capped"))


def _cap_last(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan and plan.masked:
        cap = plan["capped"].compute
        yield Variation(plan.skipping("capped").then("masked", cap))


def _cap_first(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan and "scaled" in plan:
        cap, scale = plan["capped"].compute, plan["scaled"].compute
        yield Variation(
            plan.skipping("capped").computing("scaled", lambda s: scale(cap(s)))
        )


def _other_bounds(plan: Plan) -> Iterator[Variation]:
    own = plan.spec.softcap
    if own is not None:
        for bound in (20.0, 30.0, 50.0):
            if bound != own:
                yield Variation(_bounded(plan, bound), bound)


def _bounded(plan: Plan, bound: float) -> Plan:
    return plan.computing("capped", lambda s: bound * np.tanh(s / bound))


def _at_bound(plan: Plan, bound: float) -> Plan | None:
    return _bounded(plan, bound) if "capped" in plan else None


def _half_capped(plan: Plan) -> Iterator[Variation]:
    bound = plan.spec.softcap
    if bound is not None:
        yield Variation(plan.computing("capped", lambda s: np.tanh(s / bound)), 1.0)
        yield Variation(plan.computing("capped", lambda s: bound * np.tanh(s)), bound)


def _clipped(plan: Plan) -> Iterator[Variation]:
    bound = plan.spec.softcap
    if bound is not None:
        yield Variation(plan.computing("capped", lambda s: np.clip(s, -bound, bound)))


MISTAKES = (
    Mistake(
        "softcap-missing",
        "The soft cap is missing",
        _no_cap,
        "The scores go on without c·tanh(s/c), so that large ones are not bounded by "
        "c.",
        Remedy("scores", "cap * torch.tanh(scores / cap)"),
        Remedy("scores", "cap * np.tanh(scores / cap)"),
        "Gemma Team 2024 (Gemma 2), section 2",
    ),
    Mistake(
        "softcap-after-mask",
        "The soft cap is applied after the mask",
        _cap_last,
        "The cap makes −c of the −∞ of hidden keys, so that they get weight.",
        Remedy(
            "cap * torch.tanh(masked / cap)", "mask(cap * torch.tanh(scores / cap))"
        ),
        Remedy("cap * np.tanh(masked / cap)", "mask(cap * np.tanh(scores / cap))"),
        "Gemma 2 caps before the mask",
    ),
    Mistake(
        "softcap-before-scale",
        "The soft cap is applied before the scale",
        _cap_first,
        "The dot products are capped first and divided by √d_k afterwards, so that the "
        "scores stay below c/√d_k.",
        Remedy("cap(q @ k.mT) * scale", "cap(q @ k.mT * scale)"),
        Remedy("cap(q @ k.T) * scale", "cap(q @ k.T * scale)"),
        "Gemma 2 caps the scaled scores",
    ),
    Mistake(
        "softcap-value",
        "The soft cap has the wrong bound",
        _other_bounds,
        "The scores are bounded by {parameter:.6g}, not the intended number.",
        Remedy("cap = 50.0", "cap = config.attn_logit_softcapping"),
        Remedy("cap = 50.0", "cap = config['attn_logit_softcapping']"),
        "Gemma 2 bounds scores by 50 and logits by 30",
        fitted=Range(0.05, 1000.0, logarithmic=True),
        along=_at_bound,
    ),
    Mistake(
        "softcap-incomplete",
        "The soft cap is applied on one side of the tanh only",
        _half_capped,
        "The scores are not divided by the bound before the tanh, or its result is not "
        "multiplied by it: the factor is {parameter:.6g}.",
        Remedy("torch.tanh(scores / cap)", "cap * torch.tanh(scores / cap)"),
        Remedy("np.tanh(scores / cap)", "cap * np.tanh(scores / cap)"),
        "Gemma 2",
    ),
    Mistake(
        "softcap-clipped",
        "The scores are clipped instead of capped softly",
        _clipped,
        "Scores beyond the bound are cut off, and those within it stay as they are.",
        Remedy("scores.clamp(-cap, cap)", "cap * torch.tanh(scores / cap)"),
        Remedy("np.clip(scores, -cap, cap)", "cap * np.tanh(scores / cap)"),
        "Gemma 2",
    ),
)
