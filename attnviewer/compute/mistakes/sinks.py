"""Mistakes in the learned sinks of the softmax."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.arrays import softmax
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def _read(
    *changes: Callable[[Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what reads the sinks (h,) changed."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.sinks:
            for change in changes:
                yield Variation(_with(plan, change))

    return vary


def _with(plan: Plan, change: Callable[[Numbers], Numbers]) -> Plan:
    step = plan["weights"]
    return plan.computing("weights", lambda s, sinks: step.compute(s, change(sinks)))


def _scaled(plan: Plan) -> Iterator[Variation]:
    if plan.spec.sinks and "scaled" in plan:
        factor = float(plan["scaled"].compute(np.ones((1, 1)))[0, 0])
        yield Variation(_with(plan, lambda sinks: sinks * factor))


def _by_head(sinks: Numbers, scores: Numbers) -> Numbers:
    return np.reshape(sinks, (-1, 1, 1) if scores.ndim > 2 else (1, 1))


def _highest(scores: Numbers) -> Numbers:
    highest = np.max(scores, axis=-1, keepdims=True)
    return np.where(np.isfinite(highest), highest, 0.0)


def _unshifted(scores: Numbers, sinks: Numbers) -> Numbers:
    powers = np.exp(scores - _highest(scores))
    more = np.exp(_by_head(sinks, scores))
    found: Numbers = powers / (powers.sum(axis=-1, keepdims=True) + more)
    return found


def _as_power(scores: Numbers, sinks: Numbers) -> Numbers:
    powers = np.exp(scores)
    more = _by_head(sinks, scores)
    found: Numbers = powers / (powers.sum(axis=-1, keepdims=True) + more)
    return found


def _on_scores(scores: Numbers, sinks: Numbers) -> Numbers:
    return softmax(scores + _by_head(sinks, scores) * (np.arange(scores.shape[-1]) < 1))


def _computed(
    *changes: Callable[[Numbers, Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what makes weights of scores and sinks in another way."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.sinks:
            for change in changes:

                def compute(
                    scores: Numbers,
                    sinks: Numbers,
                    change: Callable[[Numbers, Numbers], Numbers] = change,
                ) -> Numbers:
                    return change(scores / plan.spec.temperature, sinks)

                yield Variation(plan.computing("weights", compute))

    return vary


_OSS = "gpt-oss; openai/gpt-oss, sdpa"

MISTAKES = (
    Mistake(
        "sink-zero",
        "The sinks are 0 instead of the learned ones",
        _read(np.zeros_like),
        "The denominator of each row has 1 added, exp(0): the sinks were not loaded.",
        Remedy("self.sinks = torch.zeros(h)", "self.sinks = checkpoint['sinks']"),
        Remedy("sinks = np.zeros(h)", "sinks = checkpoint['sinks']"),
        _OSS,
    ),
    Mistake(
        "sink-scaled",
        "The sinks are scaled with the scores",
        _scaled,
        "The sinks are multiplied by 1/√d_k like the scores. They are learned as they "
        "stand in the softmax.",
        Remedy(
            "torch.cat([qk, sinks], -1) * scale", "torch.cat([qk * scale, sinks], -1)"
        ),
        Remedy("np.append(qk, sinks) * scale", "np.append(qk * scale, sinks)"),
        _OSS,
    ),
    Mistake(
        "sink-sign",
        "The sinks have the other sign",
        _read(np.negative),
        "The sinks are subtracted in the exponent.",
        Remedy("(-sinks).exp()", "sinks.exp()"),
        Remedy("np.exp(-sinks)", "np.exp(sinks)"),
        _OSS,
    ),
    Mistake(
        "sink-heads",
        "The sinks are those of other heads",
        _read(lambda s: s[..., ::-1], lambda s: s[..., :1] + 0 * s),
        "They are in reverse order, or the first one is that of all heads.",
        Remedy("sinks[0]", "sinks[:, None, None]"),
        Remedy("sinks[0]", "sinks[:, None, None]"),
        _OSS,
    ),
    Mistake(
        "sink-not-shifted",
        "The sinks are not shifted with the scores",
        _computed(_unshifted),
        "The largest score of a row is subtracted from the scores but not from the "
        "sink, so that its part of the denominator is wrong.",
        Remedy("e.sum(-1) + sinks.exp()", "e.sum(-1) + (sinks - top).exp()"),
        Remedy("e.sum(-1) + np.exp(sinks)", "e.sum(-1) + np.exp(sinks - top)"),
        _OSS,
    ),
    Mistake(
        "sink-as-number",
        "The sinks are added to the denominator without the exponential",
        _computed(_as_power),
        "The denominator is Σ exp(s) + sink instead of Σ exp(s) + exp(sink).",
        Remedy("e.sum(-1) + sinks", "e.sum(-1) + sinks.exp()"),
        Remedy("e.sum(-1) + sinks", "e.sum(-1) + np.exp(sinks)"),
        _OSS,
    ),
    Mistake(
        "sink-on-first-key",
        "The sinks are added to the scores of the first key",
        _computed(_on_scores),
        "The sink is taken for a bias of the first key. It is an extra column of its "
        "own, which has no value.",
        Remedy("scores[..., 0] += sinks", "torch.cat([scores, sinks], -1)"),
        Remedy("scores[..., 0] += sinks", "np.append(scores, sinks, -1)"),
        "Xiao et al. 2024 keep the first keys; gpt-oss learns a column of its own",
    ),
)
