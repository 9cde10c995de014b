"""Mistakes in ALiBi's biases."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers, Part
from attnviewer.compute.mistakes.hiding import first_query
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.positions import Alibi
from attnviewer.compute.stages import AddBias


def _slopes(plan: Plan) -> Numbers | None:
    stage = plan.stages.get("biased")
    return stage.slopes if isinstance(stage, AddBias) else None


def _with_slopes(plan: Plan, slopes: Numbers) -> Plan:
    right = plan.stages["biased"]
    assert isinstance(right, AddBias)
    stage = AddBias(
        right.inputs[0],
        given=right.given,
        alibi_heads=len(slopes),
        query_offset=right.query_offset,
        n_keys=right.n_keys,
    )
    stage.slopes = slopes
    return plan.computing("biased", lambda *arrays: stage.forward(Part(), *arrays))


def _sloped(
    change: Callable[[Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        slopes = _slopes(plan)
        if isinstance(plan.spec.positions, Alibi) and slopes is not None:
            yield Variation(_with_slopes(plan, change(slopes)))

    return vary


def _distances(
    change: Callable[[Numbers, Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what multiplies the slopes by other numbers than the distances.

    `change` maps the positions of queries (n_q, 1) and of keys (n_k,) to what slopes
    are multiplied by.
    """

    def vary(plan: Plan) -> Iterator[Variation]:
        slopes = _slopes(plan)
        if slopes is None:
            return
        n_keys = plan.lengths[1]

        def compute(scores: Numbers, *bias: Numbers) -> Numbers:
            n_q, n_k = scores.shape[-2:]
            queries = np.arange(n_q)[:, None] + first_query(plan)
            keys = np.arange(n_k)
            by = np.where(keys < n_keys, change(queries, keys), 0)  # (n_q, n_k)
            every = slopes[:, None, None] if scores.ndim > 2 else slopes
            none = _with_slopes(plan, 0 * slopes)["biased"].compute(scores, *bias)
            added: Numbers = none + every * by
            return added

        yield Variation(plan.computing("biased", compute))

    return vary


def _geometric(slopes: Numbers) -> Numbers:
    count = len(slopes)
    return 2.0 ** (-8 * np.arange(1, count + 1) / count)


def _before_scale(plan: Plan) -> Iterator[Variation]:
    slopes = _slopes(plan)
    stage = plan.stages.get("scaled")
    if isinstance(plan.spec.positions, Alibi) and slopes is not None and stage:
        factor = float(plan["scaled"].compute(np.ones((1, 1)))[0, 0])
        yield Variation(_with_slopes(plan, slopes * factor))


def _exponents(plan: Plan) -> Iterator[Variation]:
    slopes = _slopes(plan)
    if slopes is not None and isinstance(plan.spec.positions, Alibi):
        for largest in (4.0, 16.0, float(len(slopes)), 1.0):
            if largest != 8.0:
                yield Variation(_of_exponent(plan, len(slopes), largest), largest)


def _of_exponent(plan: Plan, count: int, largest: float) -> Plan:
    return _with_slopes(plan, 2.0 ** (-largest * np.arange(1, count + 1) / count))


def _at_exponent(plan: Plan, largest: float) -> Plan | None:
    slopes = _slopes(plan)
    return None if slopes is None else _of_exponent(plan, len(slopes), largest)


def _from_zero(slopes: Numbers) -> Numbers:
    count = len(slopes)
    return 2.0 ** (-8 * np.arange(count) / count)


MISTAKES = (
    Mistake(
        "alibi-slopes-plain",
        "ALiBi's slopes are wrong for a number of heads that is no power of two",
        _sloped(_geometric),
        "All slopes are powers of 2^(−8/h). Where h is no power of two, the authors "
        "take the slopes of the next power below, and then every other one of the next "
        "above.",
        Remedy("2 ** (-8 * torch.arange(1, h + 1) / h)", "get_slopes(h)"),
        Remedy("2 ** (-8 * np.arange(1, h + 1) / h)", "attnviewer.alibi_slopes(h)"),
        "Press et al. 2022, the authors' code",
    ),
    Mistake(
        "alibi-slopes-reversed",
        "ALiBi's slopes are in reverse order",
        _sloped(lambda slopes: slopes[::-1]),
        "The first head has the flattest slope instead of the steepest.",
        Remedy("slopes.flip(0)", "slopes"),
        Remedy("slopes[::-1]", "slopes"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-sign",
        "ALiBi's biases have the other sign",
        _sloped(lambda slopes: -slopes),
        "Scores grow with the distance instead of falling.",
        Remedy("scores + slopes * (i - j)", "scores - slopes * (i - j)"),
        Remedy("scores + slopes * (i - j)", "scores - slopes * (i - j)"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-twice",
        "ALiBi's biases are added twice",
        _sloped(lambda slopes: 2 * slopes),
        "The biases are twice as large: they are in the mask and are added again.",
        Remedy("scores + bias + mask  # with bias", "scores + bias + mask"),
        Remedy("scores + bias + bias", "scores + bias"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-scaled",
        "ALiBi's biases are scaled with the scores",
        _before_scale,
        "The biases are added before the scores are divided by √d_k.",
        Remedy("(scores + bias) / math.sqrt(d)", "scores / math.sqrt(d) + bias"),
        Remedy("(scores + bias) / np.sqrt(d)", "scores / np.sqrt(d) + bias"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-symmetric",
        "ALiBi counts distances to both sides",
        _distances(lambda i, j: -np.abs(i - j)),
        "Keys after the query lose score with the distance |i − j|, as those before it "
        "do. Under a causal mask it makes no difference.",
        Remedy("slopes * -(i - j).abs()", "slopes * (j - i)"),
        Remedy("slopes * -abs(i - j)", "slopes * (j - i)"),
        "Press et al. 2022 write it for causal models; encoders take |i − j|",
        kind="convention",
    ),
    Mistake(
        "alibi-keys-only",
        "ALiBi's biases count the position of the key alone",
        _distances(lambda i, j: j + 0 * i),
        "Slopes are multiplied by j instead of j − i. That adds the same to all scores "
        "of a row, which the softmax does not see.",
        Remedy("slopes * j", "slopes * (j - i)"),
        Remedy("slopes * j", "slopes * (j - i)"),
        "BLOOM adds slope · j",
        kind="convention",
    ),
    Mistake(
        "alibi-slopes-exponent",
        "ALiBi's slopes have the wrong exponent",
        _exponents,
        "The last head's slope is 2^−{parameter:.6g} instead of 2^−8.",
        Remedy(
            "2.0 ** -torch.arange(1, h + 1)", "2 ** (-8 * torch.arange(1, h + 1) / h)"
        ),
        Remedy("2.0 ** -np.arange(1, h + 1)", "2 ** (-8 * np.arange(1, h + 1) / h)"),
        "Press et al. 2022, section 3; MPT's alibi_bias_max",
        fitted=Range(0.05, 64.0, logarithmic=True),
        along=_at_exponent,
    ),
    Mistake(
        "alibi-slopes-from-zero",
        "ALiBi's slopes begin at 1",
        _sloped(_from_zero),
        "The heads are counted from 0 in the exponent, so that the first slope is 1 "
        "instead of 2^(−8/h).",
        Remedy(
            "2 ** (-8 * torch.arange(h) / h)", "2 ** (-8 * torch.arange(1, h + 1) / h)"
        ),
        Remedy("2 ** (-8 * np.arange(h) / h)", "2 ** (-8 * np.arange(1, h + 1) / h)"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-one-slope",
        "All heads have the same slope",
        _sloped(lambda slopes: np.full_like(slopes, slopes[0])),
        "Every head has the slope of the first, where each is to have its own.",
        Remedy("slopes[0] * (j - i)", "slopes[:, None, None] * (j - i)"),
        Remedy("slopes[0] * (j - i)", "slopes[:, None, None] * (j - i)"),
        "Press et al. 2022, section 3",
    ),
)
