"""Mistakes in the softmax: its axis, its exponentials and its denominator."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.arrays import softmax
from attnviewer.compute.mistakes.hiding import hides
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def is_softmax(plan: Plan) -> bool:
    """Return whether a softmax is intended."""
    return plan.spec.build_normalizer().name == "softmax"


def _has_heads(plan: Plan) -> bool:
    return plan.spec.n_heads > 1 and is_softmax(plan)


def weights_by(
    *changes: Callable[[Numbers], Numbers],
    applies: Callable[[Plan], bool] = is_softmax,
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies a plan by other functions from scores to weights."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if applies(plan):
            for change in changes:

                def compute(
                    scores: Numbers,
                    *_: Numbers,
                    change: Callable[[Numbers], Numbers] = change,
                ) -> Numbers:
                    return change(scores / plan.spec.temperature)

                yield Variation(plan.computing("weights", compute))

    return vary


def _over(*axes: int) -> Callable[[Numbers], Numbers]:
    return lambda scores: softmax(scores, axes)


def _by_sums_of(axes: int | tuple[int, ...]) -> Callable[[Numbers], Numbers]:
    """Return what shifts powers row by row, and adds them up over other axes."""

    def change(scores: Numbers) -> Numbers:
        powers = np.exp(scores - _highest(scores))
        shares: Numbers = powers / powers.sum(axis=axes, keepdims=True)
        return shares

    return change


def _along_rows(of_row: Numbers) -> Numbers:
    """Return a number of each row (..., n, 1) as NumPy would broadcast (..., n)."""
    return of_row.swapaxes(-1, -2)


def _divided_by_columns(scores: Numbers) -> Numbers:
    powers = np.exp(scores - _highest(scores))
    shares: Numbers = powers / _along_rows(powers.sum(-1, keepdims=True))
    return shares


def _shifted_by_columns(scores: Numbers) -> Numbers:
    powers = np.exp(scores - _along_rows(_highest(scores)))
    shares: Numbers = powers / _along_rows(powers.sum(-1, keepdims=True))
    return shares


def _is_square(plan: Plan) -> bool:
    n_q, n_k = plan.lengths
    return n_q == n_k > 1 and is_softmax(plan)


def _over_queries(plan: Plan) -> Iterator[Variation]:
    yield from weights_by(_over(-2), _by_sums_of(-2))(plan)


def _over_all(plan: Plan) -> Iterator[Variation]:
    yield from weights_by(_over(-2, -1), _by_sums_of((-2, -1)))(plan)
    if _has_heads(plan):
        yield from weights_by(_over(-3, -2, -1))(plan)


def _twice(plan: Plan) -> Iterator[Variation]:
    step = plan["weights"]
    yield Variation(plan.then("weights", softmax))

    def again(scores: Numbers, *others: Numbers) -> Numbers:
        # The mask is applied a second time as well.
        once = step.compute(scores, *others)
        return softmax(np.where(np.isneginf(scores), -np.inf, once))

    if plan.masked:
        yield Variation(plan.computing("weights", again))


def _highest(scores: Numbers) -> Numbers:
    highest = np.max(scores, axis=-1, keepdims=True)
    return np.where(np.isfinite(highest), highest, 0)


def _plus_one(scores: Numbers) -> Numbers:
    highest = np.maximum(_highest(scores), 0)
    powers = np.exp(scores - highest)
    shares: Numbers = powers / (np.exp(-highest) + powers.sum(-1, keepdims=True))
    return shares


def plus_one_unshifted(scores: Numbers) -> Numbers:
    """Return weights whose powers are shifted by the largest score, unlike the 1."""
    powers = np.exp(scores - _highest(scores))
    shares: Numbers = powers / (1 + powers.sum(-1, keepdims=True))
    return shares


def _of_base(base: float) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies a plan by powers of another number than e."""

    def vary(plan: Plan) -> Iterator[Variation]:
        if is_softmax(plan):
            factor = np.log(base)
            yield Variation(plan.reading("weights", lambda scores: scores * factor))

    return vary


def _unnormalized(scores: Numbers) -> Numbers:
    powers: Numbers = np.exp(scores)
    return powers


def _unnormalized_but_shifted(scores: Numbers) -> Numbers:
    powers: Numbers = np.exp(scores - _highest(scores))
    return powers


def _logarithm(scores: Numbers) -> Numbers:
    logarithms: Numbers = np.log(softmax(scores))
    return logarithms


def _naive(kind: type[np.floating]) -> Callable[[Numbers], Numbers]:
    """Return a softmax whose powers overflow in some precision."""
    limit = float(np.finfo(kind).max)

    def compute(scores: Numbers) -> Numbers:
        powers = np.exp(scores)
        powers = np.where(powers > limit, np.inf, powers)
        total = powers.sum(-1, keepdims=True)
        total = np.where(total > limit, np.inf, total)
        # A row without a visible key is a matter of its own.
        return np.where(total > 0, powers / total, 0.0)

    return compute


def _with_zero_keys(plan: Plan) -> Iterator[Variation]:
    """Yield the plans whose softmax counts keys of score 0 that do not exist."""
    if not is_softmax(plan):
        return
    n_keys, seen = plan.lengths[1], set[int]()
    for block in (8, 16, 32, 64):
        more = -n_keys % block
        if more and more not in seen:
            seen.add(more)

            def compute(scores: Numbers, *_: Numbers, more: int = more) -> Numbers:
                zeros = np.zeros((*scores.shape[:-1], more))
                wide = np.concatenate([scores, zeros], axis=-1)
                return softmax(wide / plan.spec.temperature)[..., : scores.shape[-1]]

            yield Variation(plan.computing("weights", compute), float(more))
    if plan.masked:
        yield Variation(_counting_hidden(plan))


def _counting_hidden(plan: Plan) -> Plan:
    hidden = hides(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        away = hidden(scores, *masks)
        shares = softmax(np.where(away, 0.0, scores) / plan.spec.temperature)
        return np.where(away, 0.0, shares)

    return plan.skipping("masked").computing("weights", compute, plan["masked"].inputs)


_PAPER = "Vaswani et al. 2017, equation 1"

MISTAKES = (
    Mistake(
        "softmax-over-queries",
        "The softmax runs over the queries instead of the keys",
        _over_queries,
        "Each column of the weights adds up to 1 instead of each row: the axis of the "
        "softmax is that of the queries.",
        Remedy("scores.softmax(dim=-2)", "scores.softmax(dim=-1)"),
        Remedy("softmax(scores, axis=-2)", "softmax(scores, axis=-1)"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "softmax-over-heads",
        "The softmax runs over the heads instead of the keys",
        weights_by(_over(-3), applies=_has_heads),
        "For each query and key the weights of all heads add up to 1: the axis of the "
        "softmax is that of the heads.",
        Remedy("scores.softmax(dim=1)", "scores.softmax(dim=-1)"),
        Remedy("softmax(scores, axis=0)", "softmax(scores, axis=-1)"),
        _PAPER,
    ),
    Mistake(
        "softmax-over-all",
        "The softmax runs over all scores at once",
        _over_all,
        "All weights of a matrix together add up to 1 instead of each row.",
        Remedy("scores.flatten(-2).softmax(-1)", "scores.softmax(dim=-1)"),
        Remedy("np.exp(scores) / np.exp(scores).sum()", "softmax(scores, axis=-1)"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "softmax-over-two-axes",
        "The softmax runs over the heads and one other axis",
        weights_by(_over(-3, -1), _over(-3, -2), applies=_has_heads),
        "The weights of all heads share one sum, over the keys of a query or over the "
        "queries of a key.",
        Remedy("scores.flatten(1, 2).softmax(1)", "scores.softmax(dim=-1)"),
        Remedy("softmax(scores, axis=(0, -1))", "softmax(scores, axis=-1)"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "softmax-keepdims-missing",
        "The sums of rows divide the columns",
        weights_by(_divided_by_columns, _shifted_by_columns, applies=_is_square),
        "The sum of row i divides column i, for a sum without keepdims is broadcast "
        "along the other axis. No shape fails where there are as many keys as queries.",
        Remedy("e / e.sum(-1)", "e / e.sum(-1, keepdim=True)"),
        Remedy("e / e.sum(-1)", "e / e.sum(-1, keepdims=True)"),
        "NumPy's rules of broadcasting",
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
        _PAPER,
    ),
    Mistake(
        "softmax-plus-one",
        "The denominator of the softmax has 1 added",
        weights_by(_plus_one, plus_one_unshifted),
        "The weights of a row add up to less than 1, as with an extra key of score 0.",
        Remedy("e / (1 + e.sum(-1, keepdim=True))", "e / e.sum(-1, keepdim=True)"),
        Remedy("e / (1 + e.sum(-1, keepdims=True))", "e / e.sum(-1, keepdims=True)"),
        "Miller 2023, “Attention Is Off By One”",
    ),
    Mistake(
        "softmax-base-two",
        "The softmax uses powers of 2 instead of e",
        _of_base(2.0),
        "exp2 is used without the factor log₂ e: the weights are those of a "
        "temperature of 1.4427.",
        Remedy("torch.exp2(scores)", "torch.exp2(scores * math.log2(math.e))"),
        Remedy("np.exp2(scores)", "np.exp(scores)"),
        "FlashAttention's kernels use exp2 with the factor",
    ),
    Mistake(
        "softmax-base-ten",
        "The softmax uses powers of 10 instead of e",
        _of_base(10.0),
        "The weights are powers of 10: those of a temperature of 0.4343.",
        Remedy("10 ** scores", "scores.exp()"),
        Remedy("10 ** scores", "np.exp(scores)"),
        _PAPER,
    ),
    Mistake(
        "softmax-overflow",
        "The exponential overflows",
        weights_by(_naive(np.float64), _naive(np.float32), _naive(np.float16)),
        "The largest score of a row is not subtracted first. Above about 709 in "
        "float64, 88 in float32 and 11 in float16 an exponential is ∞, and ∞/∞ is NaN.",
        Remedy("e = scores.exp()", "e = (scores - scores.amax(-1, True)).exp()"),
        Remedy("np.exp(scores)", "np.exp(scores - scores.max(-1, keepdims=True))"),
        "Goodfellow et al. 2016, section 4.1",
    ),
    Mistake(
        "softmax-unnormalized",
        "The exponentials of the scores are not divided by their sum",
        weights_by(_unnormalized, _unnormalized_but_shifted),
        "The weights are exp(s), or exp(s − max), and rows do not add up to 1.",
        Remedy("scores.exp()", "scores.softmax(dim=-1)"),
        Remedy("np.exp(scores)", "e / e.sum(-1, keepdims=True)"),
        _PAPER,
    ),
    Mistake(
        "softmax-logarithm",
        "The logarithm of the softmax is used",
        weights_by(_logarithm),
        "The weights are negative: a loss works with log_softmax, attention with the "
        "softmax itself.",
        Remedy("scores.log_softmax(-1)", "scores.softmax(-1)"),
        Remedy("np.log(softmax(scores))", "softmax(scores)"),
        _PAPER,
    ),
    Mistake(
        "softmax-zero-keys",
        "The softmax counts keys that do not exist",
        _with_zero_keys,
        "Keys that only pad a block, or that are hidden, enter the denominator with a "
        "score of 0, so that rows add up to less than 1.",
        Remedy("F.pad(scores, (0, pad))", "F.pad(scores, (0, pad), value=-math.inf)"),
        Remedy("np.pad(scores, pad)", "np.pad(scores, pad, constant_values=-np.inf)"),
        "NVIDIA/TensorRT-LLM#18111",
    ),
)
