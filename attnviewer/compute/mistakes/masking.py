"""Mistakes in which keys a query sees, and how the others are hidden."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Part
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan
from attnviewer.compute.stages.mask import ApplyMask

Hidden = NDArray[np.bool_]


def stage_of(plan: Plan) -> ApplyMask:
    """Return the stage that masks."""
    stage = plan.stages["masked"]
    assert isinstance(stage, ApplyMask)
    return stage


def hidden(stage: ApplyMask, scores: Numbers, *masks: Numbers) -> Hidden:
    """Return which scores a stage hides, of the shape of the scores."""
    spread = stage.spread(scores.shape, *masks)
    found: Hidden = np.broadcast_to(stage.hidden(scores, Part(), *spread), scores.shape)
    return found


def by_positions(
    plan: Plan, rule: Callable[[Numbers, Numbers], Hidden], *, given: bool = True
) -> Plan:
    """Return the plan with another rule on positions in place of all those it has.

    Parameters
    ----------
    plan : Plan
        A plan with a mask.
    rule : callable
        From the positions of queries (n_q, 1) and keys (n_k,) to what is hidden.
    given : bool
        Whether a given mask, and padding, still hide keys.
    """
    stage = stage_of(plan)
    kept = ApplyMask(
        stage.inputs[0],
        given=len(stage.inputs) == 2,
        query_offset=stage.query_offset,
        key_lengths=stage.key_lengths,
        n_keys=stage.n_keys,
    )

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        n_q, n_k = scores.shape[-2:]
        offset = int(np.asarray(stage.query_offset).reshape(-1)[0])
        found = rule(np.arange(n_q)[:, None] + offset, np.arange(n_k))
        if given:
            found = found | hidden(kept, scores, *masks)
        return np.where(found, -np.inf, scores)

    return plan.computing("masked", compute)


def by_mask(plan: Plan, change: Callable[[Hidden], Hidden]) -> Plan:
    """Return the plan with what is hidden changed by a function."""
    stage = stage_of(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        return np.where(change(hidden(stage, scores, *masks)), -np.inf, scores)

    return plan.computing("masked", compute)


def by_value(plan: Plan, change: Callable[[Numbers, Hidden], Numbers]) -> Plan:
    """Return the plan with hidden scores treated in another way."""
    stage = stage_of(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        return change(scores, hidden(stage, scores, *masks))

    return plan.computing("masked", compute)


def _filled_with(plan: Plan, value: float) -> Plan:
    return by_value(plan, lambda scores, away: np.where(away, value, scores))


def _left(plan: Plan) -> int | None:
    window = plan.spec.window
    return None if window is None else window[0]


def _ruled(plan: Plan, shift: int) -> Plan:
    """Return the plan with the causal limit moved by some keys to the right."""
    left = _left(plan)

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        late: Hidden = keys > queries + shift
        return late if left is None else late | (keys < queries - left)

    return by_positions(plan, rule)


def _causal(change: Callable[[Plan], Iterator[Plan]]) -> Callable[..., Iterator]:  # type: ignore[type-arg]
    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.causal:
            yield from (Variation(changed) for changed in change(plan))

    return vary


def _flipped(plan: Plan) -> Iterator[Plan]:
    yield by_positions(plan, lambda queries, keys: keys < queries)


def _no_causal(plan: Plan) -> Iterator[Plan]:
    left = _left(plan)
    if left is None:
        yield by_positions(plan, lambda queries, keys: (keys < 0) & (queries < 0))
    else:
        yield by_positions(plan, lambda queries, keys: keys < queries - left)


def _aligned(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = (plan.shapes[plan.spec.sources[side]][-2] for side in (0, 1))
    if not plan.spec.causal or n_q == n_k:
        return
    own = int(np.asarray(plan.spec.query_offset).reshape(-1)[0])
    for offset in {0, n_k - n_q} - {own}:
        yield Variation(_ruled(plan, offset - own), float(offset))


def _window(change: int) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        left, right = plan.spec.window or (None, None)
        if left is None and right is None:
            return
        sides = [(change, change)] if left is not None and right else []
        sides += [(change, 0)] if left is not None else []
        sides += [(0, change)] if right else []
        for on_left, on_right in sides:
            wide = None if left is None else left + on_left
            ahead = None if right is None else right + on_right
            if (wide or 0) < 0 or (ahead or 0) < 0:
                continue
            yield Variation(_windowed(plan, wide, ahead))

    return vary


def _windowed(plan: Plan, left: int | None, right: int | None) -> Plan:
    causal = plan.spec.causal

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        found: Hidden = (keys > queries) & causal
        if left is not None:
            found = found | (keys < queries - left)
        if right is not None:
            found = found | (keys > queries + right)
        return found

    return by_positions(plan, rule)


def _no_window(plan: Plan) -> Iterator[Variation]:
    if plan.spec.window not in (None, (None, None)):
        yield Variation(_windowed(plan, None, None))


def _finite(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        for value in (-1e3, -1e4, -1e5, -1e9, -100.0, -10.0, -1.0, -np.e):
            yield Variation(_filled_with(plan, value), value)


def _zero(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_value(plan, lambda s, h: np.where(h, 0.0, s)))
        yield Variation(by_value(plan, lambda s, h: np.where(h, -1e-9, s)))


def _as_number(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_value(plan, lambda s, h: s + ~h), 1.0)
        yield Variation(by_value(plan, lambda s, h: s + h), 1.0)
        yield Variation(by_value(plan, lambda s, h: s - h), -1.0)


def _inverted(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_mask(plan, np.logical_not))
    if plan.spec.mask and (plan.spec.causal or _left(plan) is not None):
        yield Variation(_given_as(plan, lambda mask: ~mask.astype(bool)))


def _given_as(plan: Plan, change: Callable[[Numbers], Numbers]) -> Plan:
    """Return the plan with the given mask changed."""
    step = plan["masked"]
    return plan.computing("masked", lambda s, mask: step.compute(s, change(mask)))


def _transposed(plan: Plan) -> Iterator[Variation]:
    if plan.spec.mask:
        shape = plan.shapes["mask"]
        if len(shape) >= 2 and shape[-1] == shape[-2]:
            yield Variation(_given_as(plan, lambda mask: mask.swapaxes(-1, -2)))


def _ignored(plan: Plan) -> Iterator[Variation]:
    if plan.spec.mask:
        yield Variation(_given_as(plan, lambda mask: np.ones_like(mask)))


def _after(plan: Plan) -> Iterator[Variation]:
    if not plan.masked:
        return
    stage, step = stage_of(plan), plan["weights"]
    inputs = (stage.inputs[0], *stage.inputs[1:])

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        weights = step.compute(scores)
        return np.where(hidden(stage, scores, *masks), 0.0, weights)

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

        def late(scores: Numbers, mask: Numbers) -> Numbers:
            weights = step.compute(np.where(hidden(early, scores), -np.inf, scores))
            return np.where(hidden(stage, scores, mask), 0.0, weights)

        changed = _given_as(plan, lambda mask: np.ones_like(mask))
        yield Variation(changed.computing("weights", late, inputs))


def _padding(plan: Plan) -> Iterator[Variation]:
    if plan.spec.key_lengths is not None:
        stage = stage_of(plan)
        whole = ApplyMask(
            stage.inputs[0],
            stage.rules,
            given=len(stage.inputs) == 2,
            query_offset=stage.query_offset,
            n_keys=stage.n_keys,
        )
        yield Variation(
            plan.computing(
                "masked",
                lambda s, *m: np.where(hidden(whole, s, *m), -np.inf, s),
            )
        )
    elif plan.spec.mask and _is_padding(plan):
        yield from _ignored(plan)


def _is_padding(plan: Plan) -> bool:
    shape = plan.shapes["mask"]
    return len(shape) == 1 or shape[-2] == 1


def _wrong_side(plan: Plan) -> Iterator[Variation]:
    if plan.spec.mask:
        yield Variation(_given_as(plan, lambda mask: mask[..., ::-1]))
    if isinstance(plan.spec.key_lengths, int):
        first = plan.shapes[plan.spec.sources[1]][-2] - plan.spec.key_lengths
        stage = stage_of(plan)
        rules = ApplyMask(
            stage.inputs[0],
            stage.rules,
            given=len(stage.inputs) == 2,
            query_offset=stage.query_offset,
            n_keys=stage.n_keys,
        )

        def compute(scores: Numbers, *masks: Numbers) -> Numbers:
            found = hidden(rules, scores, *masks)
            found = found | (np.arange(scores.shape[-1]) < first)
            return np.where(found, -np.inf, scores)

        yield Variation(plan.computing("masked", compute))


def _on_queries(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = (plan.shapes[plan.spec.sources[side]][-2] for side in (0, 1))
    if n_q != n_k:
        return
    if plan.spec.mask and _is_padding(plan):
        yield Variation(_given_as(plan, lambda m: np.atleast_2d(m).swapaxes(-1, -2)))
    if isinstance(plan.spec.key_lengths, int):
        (ignored,) = _padding(plan)
        length = plan.spec.key_lengths

        def change(scores: Numbers) -> Numbers:
            rows = np.arange(scores.shape[-2])[:, None] >= length
            return np.where(rows, -np.inf, scores)

        yield Variation(ignored.plan.then("masked", change))


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
    if not plan.masked or "masked" not in mine:
        return
    away = np.isneginf(right["masked"])
    if mine["masked"].shape == away.shape and away.any():
        value = float(mine["masked"][away][0])
        if np.isfinite(value):
            yield Variation(_filled_with(plan, value), value)
            added = value - float(right[stage_of(plan).inputs[0]][away][0])
            near = float(f"{added:.3g}")
            yield Variation(by_value(plan, lambda s, h: np.where(h, s + near, s)), near)


def _leak(plan: Plan, value: float) -> Plan | None:
    if not plan.masked:
        return None
    return _filled_with(plan, -value)


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
        "mask-finite",
        "Hidden scores are a number instead of −∞",
        _finite,
        "Hidden keys have the score {parameter:.6g}. They get weight where no other "
        "score of the row is far above.",
        Remedy(
            "scores.masked_fill(~mask, -1e4)", "scores.masked_fill(~mask, -math.inf)"
        ),
        Remedy("np.where(mask, scores, -1e4)", "np.where(mask, scores, -np.inf)"),
        "Vaswani et al. 2017, section 3.2.3",
        fitted=Range(0.01, 1e5, logarithmic=True),
        along=_leak,
        recognize=_seen_value,
    ),
    Mistake(
        "mask-zero",
        "Hidden scores are 0 instead of −∞",
        _zero,
        "A score of 0 is as good as any other: the softmax gives hidden keys weight.",
        Remedy("scores * mask", "scores.masked_fill(~mask, -math.inf)"),
        Remedy("scores * mask", "np.where(mask, scores, -np.inf)"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "mask-added-as-number",
        "The mask is added to the scores as 0 and 1",
        _as_number,
        "A mask of booleans is added as a number, which moves scores by 1 and hides "
        "nothing.",
        Remedy("scores + mask", "scores.masked_fill(~mask, -math.inf)"),
        Remedy("scores + mask", "np.where(mask, scores, -np.inf)"),
        "PyTorch's scaled_dot_product_attention adds only masks of floating point",
    ),
    Mistake(
        "causal-strict",
        "The causal mask hides the query's own key",
        _causal(lambda plan: iter([_ruled(plan, -1)])),
        "Each query sees only the keys before it; the first sees none.",
        Remedy("torch.ones(n, n).tril(-1)", "torch.ones(n, n).tril()"),
        Remedy("np.tri(n, k=-1)", "np.tri(n)"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "causal-one-too-far",
        "The causal mask lets each query see the next key",
        _causal(lambda plan: iter([_ruled(plan, 1)])),
        "Each query sees one key of the future.",
        Remedy("torch.ones(n, n).tril(1)", "torch.ones(n, n).tril()"),
        Remedy("np.tri(n, k=1)", "np.tri(n)"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "causal-flipped",
        "The causal mask is the wrong way round",
        _causal(_flipped),
        "Each query sees its own key and those after it, instead of those before.",
        Remedy("torch.ones(n, n).triu()", "torch.ones(n, n).tril()"),
        Remedy("np.triu(np.ones((n, n)))", "np.tril(np.ones((n, n)))"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "causal-missing",
        "There is no causal mask",
        _causal(_no_causal),
        "Queries see the keys after them.",
        Remedy(
            "F.scaled_dot_product_attention(q, k, v)",
            "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
        ),
        Remedy("softmax(scores)", "softmax(np.where(np.tri(n), scores, -np.inf))"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "causal-top-left",
        "The causal mask is aligned at the other corner",
        _aligned,
        "With more keys than queries the first query has position {parameter:.0f}: "
        "the mask is aligned at the top left where the bottom right is meant, or the "
        "other way round.",
        Remedy("torch.ones(n_q, n_k).tril()", "torch.ones(n_q, n_k).tril(n_k - n_q)"),
        Remedy("np.tri(n_q, n_k)", "np.tri(n_q, n_k, n_k - n_q)"),
        "PyTorch aligns is_causal at the top left, FlashAttention at the bottom right",
        kind="convention",
    ),
    Mistake(
        "mask-inverted",
        "The mask is inverted",
        _inverted,
        "Queries see what they should not, and do not see what they should: True means "
        "“attend” in one place and “hide” in the other.",
        Remedy("scores.masked_fill(mask, -inf)", "scores.masked_fill(~mask, -inf)"),
        Remedy("np.where(mask, -np.inf, scores)", "np.where(mask, scores, -np.inf)"),
        "True attends in scaled_dot_product_attention, hides in MultiheadAttention",
        kind="convention",
    ),
    Mistake(
        "mask-transposed",
        "The mask is transposed",
        _transposed,
        "Rows and columns of the mask are exchanged.",
        Remedy("mask.mT", "mask"),
        Remedy("mask.T", "mask"),
        across_rows=True,
    ),
    Mistake(
        "mask-ignored",
        "The given mask is not applied",
        _ignored,
        "Queries see keys that the mask hides.",
        Remedy("attention(q, k, v)", "attention(q, k, v, mask)"),
        Remedy("softmax(scores)", "softmax(np.where(mask, scores, -np.inf))"),
    ),
    Mistake(
        "padding-ignored",
        "Padding is attended to",
        _padding,
        "Queries see the keys that only fill the sequence up.",
        Remedy("model(ids)", "model(ids, attention_mask=mask)"),
        Remedy("softmax(scores)", "softmax(np.where(real, scores, -np.inf))"),
    ),
    Mistake(
        "padding-wrong-side",
        "Padding is masked on the wrong side",
        _wrong_side,
        "The mask hides keys at the other end of the sequence.",
        Remedy("tokenizer.padding_side = 'right'", "tokenizer.padding_side = 'left'"),
        Remedy("real[::-1]", "real"),
    ),
    Mistake(
        "padding-on-queries",
        "The padding mask hides queries instead of keys",
        _on_queries,
        "Whole rows are hidden instead of columns.",
        Remedy("mask[:, None, :, None]", "mask[:, None, None, :]"),
        Remedy("real[:, None]", "real[None, :]"),
        across_rows=True,
    ),
    Mistake(
        "window-one-too-far",
        "The window holds one key too many",
        _window(1),
        "Each query sees one key more than the window has.",
        Remedy("i - j <= window", "i - j < window"),
        Remedy("i - j <= window", "i - j < window"),
        "transformers' sliding window of W holds the query's own key and W − 1 before",
        kind="convention",
    ),
    Mistake(
        "window-one-too-near",
        "The window holds one key too few",
        _window(-1),
        "Each query sees one key less than the window has.",
        Remedy("i - j < window - 1", "i - j < window"),
        Remedy("i - j < window - 1", "i - j < window"),
        "transformers' sliding window of W holds the query's own key and W − 1 before",
        kind="convention",
    ),
    Mistake(
        "window-ignored",
        "The window is not applied",
        _no_window,
        "Queries see keys that are further away than the window.",
        Remedy("mask = causal", "mask = causal & (i - j < window)"),
        Remedy("mask = causal", "mask = causal & (i - j < window)"),
    ),
    Mistake(
        "row-fully-masked",
        "Rows in which no key is visible are treated in another way",
        _blind_rows,
        "A query that sees no key gets equal weights or NaN; here its weights are 0.",
        Remedy("scores.softmax(-1)", "scores.softmax(-1).nan_to_num()"),
        Remedy("e / e.sum(-1)", "np.where(total > 0, e / total, 0)"),
        "PyTorch's scaled_dot_product_attention and ONNX give 0; a softmax of −∞ NaN",
        kind="convention",
    ),
)
