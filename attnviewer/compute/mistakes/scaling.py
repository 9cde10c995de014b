"""Mistakes in the factor on the scores."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def scaled_by(plan: Plan, factor: float) -> Plan:
    """Return the plan with another factor in place of the right one."""
    return plan.computing("scaled", lambda scores: scores * factor)


def _rooted(width: Callable[[Plan], int]) -> Callable[[Plan], Iterator[Variation]]:
    """Return what divides the scores by the root of a width that is not the head's."""

    def vary(plan: Plan) -> Iterator[Variation]:
        number = width(plan) if "scaled" in plan else 0
        if number not in (0, plan.key_width):
            yield Variation(scaled_by(plan, 1 / math.sqrt(number)), float(number))

    return vary


def _model_width(plan: Plan) -> int:
    if "X" in plan.shapes:
        return plan.shapes["X"][-1]
    return plan.key_width * plan.spec.n_heads


def _shared_width(plan: Plan) -> int:
    """Return the width of all heads of keys, where it is less than that of queries."""
    width = plan.key_width * plan.spec.kv_heads
    return 0 if plan.spec.kv_heads == plan.spec.n_heads else width


def _width_by_division(plan: Plan) -> int:
    """Return d_model / h, where the heads of the model have another width."""
    return _model_width(plan) // plan.spec.n_heads


def _missing(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan:
        yield Variation(plan.skipping("scaled"))


def _not_rooted(plan: Plan) -> Iterator[Variation]:
    if "scaled" not in plan or plan.key_width < 2:
        return
    yield Variation(scaled_by(plan, 1 / plan.key_width), float(plan.key_width))
    own = plan.spec.scale
    if own is not None and not math.isclose(own**2 * plan.key_width, 1):
        yield Variation(scaled_by(plan, own**2), float(plan.key_width))


def _multiplied(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan and plan.key_width > 1:
        width = plan.key_width
        yield Variation(scaled_by(plan, math.sqrt(width)), float(width))
        own = plan.spec.scale
        if own and not math.isclose(own**2 * width, 1):
            yield Variation(scaled_by(plan, 1 / own), own**-2)


def _by_default(plan: Plan) -> Iterator[Variation]:
    """Yield the plan with 1/√d_k where the model has a factor of its own, or none."""
    width = plan.key_width
    if "scaled" in plan:
        own = plan.spec.scale
        if own is not None and width and not math.isclose(own**2 * width, 1):
            yield Variation(scaled_by(plan, 1 / math.sqrt(width)), float(width))
    elif width > 1:
        root = math.sqrt(width)
        for changed in (
            plan.then("scores", lambda scores: scores / root),
            plan.reading(_after_scores(plan), lambda scores: scores / root),
        ):
            yield Variation(changed, float(width))


def _after_scores(plan: Plan) -> str:
    """Return the step that reads the scores."""
    return next(n for n, s in plan.stages.items() if s.inputs[:1] == ("scores",))


def _zero(plan: Plan) -> Iterator[Variation]:
    if "scaled" in plan:
        yield Variation(scaled_by(plan, 0.0))


def _negated(plan: Plan) -> Iterator[Variation]:
    # The mask hides the same keys all the same.
    for name in ("scaled", "scores"):
        if name in plan:
            yield Variation(plan.then(name, np.negative))


def _after_softmax(plan: Plan) -> Iterator[Variation]:
    width = plan.key_width
    if "scaled" in plan and width > 1:
        late = plan.skipping("scaled")
        for changed in (late, plan):
            for name in ("weights", plan.mixed):
                yield Variation(
                    changed.then(name, lambda array: array / math.sqrt(width)),
                    float(width),
                )


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
        _rooted(_model_width),
        "The divisor is √{parameter:.0f}, the root of the model's width. A head "
        "compares only its own columns, so the divisor is the root of one head's "
        "width.",
        Remedy("scores / math.sqrt(x.size(-1))", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores / np.sqrt(x.shape[-1])", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "scale-not-rooted",
        "The scores are divided by d_k instead of its root",
        _not_rooted,
        "With heads of {parameter:.0f} columns the scores are scaled once too often: "
        "the root is missing, or the factor is applied twice, as to queries and to "
        "keys.",
        Remedy("scores / q.size(-1)", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores / q.shape[-1]", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-multiplied",
        "The scores are multiplied by √d_k instead of divided",
        _multiplied,
        "The factor is √{parameter:.6g} where it should be 1/√{parameter:.6g}.",
        Remedy("scores * math.sqrt(q.size(-1))", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores * np.sqrt(q.shape[-1])", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-default",
        "The scores are scaled by 1/√d_k instead of the model's own factor",
        _by_default,
        "The factor is 1/√{parameter:.0f}, the default, where this model has another "
        "one or none.",
        Remedy(
            "F.scaled_dot_product_attention(q, k, v)",
            "F.scaled_dot_product_attention(q, k, v, scale=scale)",
        ),
        Remedy("q @ k.T / np.sqrt(q.shape[-1])", "q @ k.T * scale"),
        "Gemma's query_pre_attn_scalar; T5 does not scale (Raffel et al. 2020)",
    ),
    Mistake(
        "scale-head-width",
        "The scores are divided by the root of d_model / h, which is not the width",
        _rooted(_width_by_division),
        "The divisor is √{parameter:.0f} = √(d_model / h), but the heads of this model "
        "have another width.",
        Remedy("d = config.hidden_size // config.num_heads", "d = config.head_dim"),
        Remedy("d = x.shape[-1] // n_heads", "d = q.shape[-1]"),
        "Gemma 7B has d_model / h = 192 and heads of 256 columns",
    ),
    Mistake(
        "scale-d_v",
        "The scores are divided by the root of the values' width",
        _rooted(lambda plan: plan.value_width),
        "The divisor is √{parameter:.0f}, the root of the width of a head's values "
        "instead of its keys.",
        Remedy("scores / math.sqrt(v.size(-1))", "scores / math.sqrt(k.size(-1))"),
        Remedy("scores / np.sqrt(v.shape[-1])", "scores / np.sqrt(k.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-kv-width",
        "The scores are divided by the root of the width of all key/value heads",
        _rooted(_shared_width),
        "The divisor is √{parameter:.0f}, the root of h_kv·d_k, where a head compares "
        "only d_k columns.",
        Remedy(
            "scores / math.sqrt(self.k_proj.out_features)",
            "scores / math.sqrt(self.head_dim)",
        ),
        Remedy("scores / np.sqrt(w_k.shape[1])", "scores / np.sqrt(d_k)"),
        "Ainslie et al. 2023",
    ),
    Mistake(
        "scale-length",
        "The scores are divided by the root of the number of keys",
        _rooted(lambda plan: plan.lengths[1]),
        "The divisor is √{parameter:.0f}, the root of the sequence's length: the size "
        "of the wrong axis is taken.",
        Remedy("scores / math.sqrt(k.size(-2))", "scores / math.sqrt(k.size(-1))"),
        Remedy("scores / np.sqrt(k.shape[0])", "scores / np.sqrt(k.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-heads",
        "The scores are divided by the root of the number of heads",
        _rooted(lambda plan: plan.spec.n_heads if plan.spec.n_heads > 1 else 0),
        "The divisor is √{parameter:.0f}, the root of the number of heads instead of "
        "their width.",
        Remedy("scores / math.sqrt(q.size(1))", "scores / math.sqrt(q.size(-1))"),
        Remedy("scores / np.sqrt(q.shape[0])", "scores / np.sqrt(q.shape[-1])"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-three-terms",
        "The scores are divided by √(3·d_k)",
        _rooted(lambda plan: 3 * plan.key_width),
        "The divisor is √{parameter:.0f}, as for the sum of three products that "
        "DeBERTa compares by; one product is divided by √d_k.",
        Remedy("scores / math.sqrt(3 * d)", "scores / math.sqrt(d)"),
        Remedy("scores / np.sqrt(3 * d)", "scores / np.sqrt(d)"),
        "He et al. 2021 (DeBERTa), equation 4",
    ),
    Mistake(
        "scale-zero",
        "The scores are multiplied by 0",
        _zero,
        "All scores are 0, so every visible key gets the same weight: the factor is 0, "
        "often an integer division or a default that was never set.",
        Remedy("scores * (1 // math.sqrt(d))", "scores * (1 / math.sqrt(d))"),
        Remedy("scores * (1 // np.sqrt(d))", "scores * (1 / np.sqrt(d))"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scale-after-softmax",
        "The weights are divided by √d_k",
        _after_softmax,
        "The weights or their sums of values are divided by √{parameter:.0f}. The "
        "factor belongs on the scores, before the softmax.",
        Remedy("scores.softmax(-1) / math.sqrt(d)", "(scores / d**0.5).softmax(-1)"),
        Remedy("softmax(scores) / np.sqrt(d)", "softmax(scores / np.sqrt(d))"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scores-negated",
        "The scores have the other sign",
        _negated,
        "The keys that fit a query least get the largest weights, as if scores were "
        "distances.",
        Remedy("(-scores).softmax(-1)", "scores.softmax(-1)"),
        Remedy("softmax(-scores)", "softmax(scores)"),
        "Vaswani et al. 2017, equation 1",
    ),
)
