"""Mistakes in numbers that are given to be added to the scores."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def _given(
    change: Callable[[Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what adds the given bias changed."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.bias:
            yield Variation(_with(plan, change))

    return vary


def _with(plan: Plan, change: Callable[[Numbers], Numbers]) -> Plan:
    step = plan["biased"]
    return plan.computing(
        "biased", lambda s, bias, *table: step.compute(s, change(bias), *table)
    )


def _scaled(plan: Plan) -> Iterator[Variation]:
    if plan.spec.bias and "scaled" in plan:
        factor = float(plan["scaled"].compute(np.ones((1, 1)))[0, 0])
        yield Variation(_with(plan, lambda bias: bias * factor))


def _transposed(plan: Plan) -> Iterator[Variation]:
    shape = plan.shapes.get("bias", ())
    if plan.spec.bias and len(shape) >= 2 and shape[-1] == shape[-2] > 1:
        yield Variation(_with(plan, lambda bias: bias.swapaxes(-1, -2)))


def _heads_reversed(plan: Plan) -> Iterator[Variation]:
    shape = plan.shapes.get("bias", ())
    if plan.spec.bias and len(shape) >= 3 and shape[-3] > 1:
        yield Variation(_with(plan, lambda bias: bias[..., ::-1, :, :]))
        yield Variation(_with(plan, lambda bias: bias[..., :1, :, :]))


def _late(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that adds the bias to the weights."""
    if plan.spec.bias:
        weights = plan["weights"]
        none = _with(plan, np.zeros_like)

        def compute(scores: Numbers, *others: Numbers) -> Numbers:
            *sinks, bias = others
            added: Numbers = weights.compute(scores, *sinks) + bias
            return added

        yield Variation(none.computing("weights", compute, (*weights.inputs, "bias")))


_T5 = "Raffel et al. 2020 (T5), section 2.1"

MISTAKES = (
    Mistake(
        "score-bias-missing",
        "The bias is not added to the scores",
        _given(np.zeros_like),
        "The scores lack the given numbers, such as relative positions.",
        Remedy("scores", "scores + bias"),
        Remedy("scores", "scores + bias"),
        _T5,
    ),
    Mistake(
        "score-bias-sign",
        "The bias is subtracted from the scores",
        _given(np.negative),
        "The given numbers have the other sign.",
        Remedy("scores - bias", "scores + bias"),
        Remedy("scores - bias", "scores + bias"),
        _T5,
    ),
    Mistake(
        "score-bias-twice",
        "The bias is added to the scores twice",
        _given(lambda bias: 2 * bias),
        "The given numbers are added in two places.",
        Remedy("(scores + bias) + bias", "scores + bias"),
        Remedy("(scores + bias) + bias", "scores + bias"),
        _T5,
    ),
    Mistake(
        "score-bias-scaled",
        "The bias is scaled with the scores",
        _scaled,
        "The bias is added before the scores are scaled, and shrinks with them.",
        Remedy("(scores + bias) * scale", "scores * scale + bias"),
        Remedy("(scores + bias) * scale", "scores * scale + bias"),
        "PyTorch's scaled_dot_product_attention adds attn_mask after scaling",
    ),
    Mistake(
        "score-bias-transposed",
        "The bias is transposed",
        _transposed,
        "Rows and columns of the bias are exchanged: the distance is counted as i − j "
        "in one place and as j − i in the other.",
        Remedy("position_q - position_k", "position_k - position_q"),
        Remedy("i[:, None] - j", "j - i[:, None]"),
        "transformers' T5 counts memory_position − context_position",
    ),
    Mistake(
        "score-bias-heads",
        "The bias is handed to the wrong heads",
        _heads_reversed,
        "The heads get each other's bias, or all of them that of the first.",
        Remedy("bias[:, :1]", "bias"),
        Remedy("bias[:1]", "bias"),
        _T5,
    ),
    Mistake(
        "score-bias-late",
        "The bias is added to the weights",
        _late,
        "The given numbers are added after the softmax instead of before.",
        Remedy("scores.softmax(-1) + bias", "(scores + bias).softmax(-1)"),
        Remedy("softmax(scores) + bias", "softmax(scores + bias)"),
        _T5,
    ),
)
