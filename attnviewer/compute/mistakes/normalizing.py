"""Mistakes in how scores become weights."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.mistakes.arrays import softmax
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan
from attnviewer.compute.normalizers import NORMALIZERS


def _weights_by(
    change: Callable[[Numbers], Numbers], applies: Callable[[Plan], bool] | None = None
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies a plan by another function from scores to weights."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if applies is None or applies(plan):
            yield Variation(
                plan.computing("weights", lambda scores, *_: change(scores))
            )

    return vary


def _intended(name: str) -> Callable[[Plan], bool]:
    return lambda plan: plan.spec.normalizer == name


def _has_heads(plan: Plan) -> bool:
    return plan.spec.n_heads > 1 and plan.spec.normalizer == "softmax"


def _over_all(plan: Plan) -> Iterator[Variation]:
    if _softmax(plan):
        change = _weights_by(lambda scores: softmax(scores, (-2, -1)))
        yield from change(plan)
    if _has_heads(plan):
        yield from _weights_by(lambda scores: softmax(scores, (-3, -2, -1)))(plan)


def _twice(plan: Plan) -> Iterator[Variation]:
    step = plan["weights"]
    yield Variation(plan.then("weights", lambda weights: softmax(weights)))

    def again(scores: Numbers, *others: Numbers) -> Numbers:
        # The mask is applied a second time as well.
        once = step.compute(scores, *others)
        return softmax(np.where(np.isneginf(scores), -np.inf, once))

    if plan.masked:
        yield Variation(plan.computing("weights", again))


def _by_normalizer(name: str) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.normalizer != name:
            rule = NORMALIZERS[name]()
            yield Variation(plan.computing("weights", lambda s, *_: rule.normalize(s)))

    return vary


def _sigmoid(plan: Plan) -> Iterator[Variation]:
    if plan.spec.normalizer == "softmax":
        yield Variation(plan.computing("weights", lambda s, *_: 1 / (1 + np.exp(-s))))


_softmax = _intended("softmax")

MISTAKES = (
    Mistake(
        "softmax-over-queries",
        "The softmax runs over the queries instead of the keys",
        _weights_by(lambda scores: softmax(scores, -2), _softmax),
        "Each column of the weights adds up to 1 instead of each row: the axis of the "
        "softmax is that of the queries.",
        Remedy("scores.softmax(dim=-2)", "scores.softmax(dim=-1)"),
        Remedy("softmax(scores, axis=-2)", "softmax(scores, axis=-1)"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "softmax-over-heads",
        "The softmax runs over the heads instead of the keys",
        _weights_by(lambda scores: softmax(scores, -3), _has_heads),
        "For each query and key the weights of all heads add up to 1: the axis of the "
        "softmax is that of the heads.",
        Remedy("scores.softmax(dim=1)", "scores.softmax(dim=-1)"),
        Remedy("softmax(scores, axis=0)", "softmax(scores, axis=-1)"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "softmax-over-all",
        "The softmax runs over all scores at once",
        _over_all,
        "All weights together add up to 1 instead of each row.",
        Remedy("scores.flatten(-2).softmax(-1)", "scores.softmax(dim=-1)"),
        Remedy("np.exp(scores) / np.exp(scores).sum()", "softmax(scores, axis=-1)"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "softmax-twice",
        "The softmax is applied twice",
        _twice,
        "The weights go through a softmax again, which makes them nearly equal: in "
        "each row the largest is at most e times the smallest.",
        Remedy("scores.softmax(-1).softmax(-1)", "scores.softmax(-1)"),
        Remedy("softmax(softmax(scores))", "softmax(scores)"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "softmax-plus-one",
        "The divisor of the softmax has 1 added",
        _by_normalizer("softmax1"),
        "The weights of a row add up to less than 1, as with a further key of score 0.",
        Remedy("e / (1 + e.sum(-1, keepdim=True))", "e / e.sum(-1, keepdim=True)"),
        Remedy("e / (1 + e.sum(-1, keepdims=True))", "e / e.sum(-1, keepdims=True)"),
        "Miller 2023, “Attention Is Off By One”",
    ),
    Mistake(
        "sigmoid-for-softmax",
        "A sigmoid takes the place of the softmax",
        _sigmoid,
        "Each weight is the sigmoid of its own score; rows do not add up to 1.",
        Remedy("scores.sigmoid()", "scores.softmax(dim=-1)"),
        Remedy("1 / (1 + np.exp(-scores))", "softmax(scores)"),
        "Ramapuram et al. 2024",
    ),
    Mistake(
        "softmax-base-two",
        "The softmax uses powers of 2 instead of e",
        _weights_by(lambda scores: softmax(scores * np.log(2)), _softmax),
        "exp2 without the factor log₂ e: the weights are those of a temperature of "
        "1.4427.",
        Remedy("torch.exp2(scores)", "torch.exp2(scores * math.log2(math.e))"),
        Remedy("np.exp2(scores)", "np.exp(scores)"),
        "FlashAttention's kernels use exp2 with the factor",
    ),
)
