"""Mistakes in how columns are split into heads and joined again."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.arrays import join
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

Change = Callable[[Numbers], Numbers]


def _interleaved(heads: Numbers) -> Numbers:
    """Return the heads that take every h-th column, (..., h, n, d)."""
    *_, n_heads, _, width = heads.shape
    flat = join(heads)  # (..., n, h·d)
    split = flat.reshape(*flat.shape[:-1], width, n_heads)  # (..., n, d, h)
    return np.moveaxis(split, -1, -3)


def _viewed(heads: Numbers) -> Numbers:
    """Return the heads of a view without a transpose, (..., h, n, d)."""
    return join(heads).reshape(heads.shape)


def _side_by_view(heads: Numbers) -> Numbers:
    *lead, n_heads, n, width = heads.shape
    return heads.reshape(*lead, n, n_heads * width)


def _columns_interleaved(heads: Numbers) -> Numbers:
    moved = np.moveaxis(heads, -3, -1)  # (..., n, d, h)
    return moved.reshape(*moved.shape[:-2], -1)


def _joining(plan: Plan) -> str:
    """Return the step in which heads are joined; "" without one."""
    return next((n for n in ("concatenated", "output") if _joins(plan, n)), "")


def _joins(plan: Plan, name: str) -> bool:
    return name in plan and plan.stages[name].kind == "concatenation"


def _many(plan: Plan) -> bool:
    return plan.spec.n_heads > 1 and bool(_joining(plan))


def _split_by(change: Change, back: Change) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        if not _many(plan):
            return
        sides = [name for name in _splitting(plan) if _counts(plan, name) > 1]
        if not sides:
            return
        changed = plan
        for name in sides:
            changed = changed.then(name, change)
        yield Variation(changed)
        yield Variation(changed.computing(_joining(plan), back))
        for name in sides:
            yield Variation(plan.then(name, change))

    return vary


def _splitting(plan: Plan) -> list[str]:
    names = (
        ("Q", "K", "V") if plan.spec.projected else ("split Q", "split K", "split V")
    )
    return [name for name in names if name in plan]


def _counts(plan: Plan, name: str) -> int:
    return plan.spec.n_heads if name[-1] == "Q" else plan.spec.kv_heads


def _joined_by(change: Change) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        if _many(plan):
            yield Variation(plan.computing(_joining(plan), change))

    return vary


def _averaged(plan: Plan) -> Iterator[Variation]:
    if not _many(plan):
        return
    yield from _all_alike(plan, lambda heads: heads.mean(axis=-3))
    yield Variation(
        plan.then(
            "weights",
            lambda w: np.broadcast_to(w.mean(axis=-3, keepdims=True), w.shape),
        )
    )


def _summed(plan: Plan) -> Iterator[Variation]:
    if _many(plan):
        yield from _all_alike(plan, lambda heads: heads.sum(axis=-3))


def _all_alike(
    plan: Plan, combine: Callable[[Numbers], Numbers]
) -> Iterator[Variation]:
    """Yield the plans with one head made of all, alone or in the place of each."""
    name = _joining(plan)
    yield Variation(plan.computing(name, combine))
    yield Variation(
        plan.computing(
            name, lambda heads: np.concatenate([combine(heads)] * heads.shape[-3], -1)
        )
    )


def _first_alone(plan: Plan) -> Iterator[Variation]:
    if not _many(plan):
        return
    name = _joining(plan)

    def padded(heads: Numbers) -> Numbers:
        rest = np.zeros_like(heads)
        rest[..., 0, :, :] = heads[..., 0, :, :]
        return join(rest)

    yield Variation(plan.computing(name, padded))
    yield Variation(
        plan.computing(
            name, lambda a: join(np.repeat(a[..., :1, :, :], a.shape[-3], -3))
        )
    )
    if name == "output":
        yield Variation(plan.computing(name, lambda heads: heads[..., 0, :, :]))


def _one_missing(plan: Plan) -> Iterator[Variation]:
    """Yield the plans in which the first or the last head counts as 0."""
    if not _many(plan):
        return
    for head in (plan.spec.n_heads - 1, 0):
        # Where the loop is that which joins the heads, what each found is right.
        joined = partial(_joined_without, head)
        yield Variation(plan.computing(_joining(plan), joined), float(head))


def _found_empty(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plans without the one head that is 0 in somebody's steps."""
    plan = right.plan
    if not _many(plan):
        return
    for name in ("weights", plan.mixed):
        theirs = mine.get(name)
        if theirs is None or theirs.shape != right[name].shape:
            continue
        seen = theirs.any(axis=(-2, -1)).reshape(-1, theirs.shape[-3])  # (batch, h)
        empty = np.flatnonzero(~seen.any(axis=0))
        if len(empty) == 1:
            head = int(empty[0])
            yield Variation(plan.then(name, partial(_without, head)), float(head))


def _without(head: int, heads: Numbers) -> Numbers:
    found = heads.copy()
    found[..., head, :, :] = 0.0
    return found


def _joined_without(head: int, heads: Numbers) -> Numbers:
    return join(_without(head, heads))


def _other_counts(plan: Plan) -> Iterator[Variation]:
    """Yield the plans that cut the same columns into more or fewer heads."""
    sides = _splitting(plan)
    if len(sides) < 3 or not _joining(plan):
        return
    own, width = plan.spec.n_heads, plan.key_width
    for count in dict.fromkeys((2 * own, own // 2, width, 1)):
        if count in (0, own) or (own * width) % count:
            continue
        changed = plan
        for name in sides:
            number = _counts(plan, name) * count // own
            if number * own != _counts(plan, name) * count:
                break
            changed = changed.then(name, partial(_recut, count=number))
        else:
            ratio = count / own
            yield Variation(changed, float(count))
            if "scaled" in plan and plan.spec.scale is None:
                finer = changed.then("scaled", partial(np.multiply, ratio**0.5))
                yield Variation(finer, float(count))


def _recut(heads: Numbers, count: int) -> Numbers:
    """Return heads (..., h, n, d) as another number of heads."""
    flat = join(heads)  # (..., n, h·d)
    return np.moveaxis(flat.reshape(*flat.shape[:-1], count, -1), -2, -3)


def _weights_averaged(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that shows the mean of all heads' weights, and uses each."""
    if not _many(plan):
        return
    step, mix = plan["weights"], plan[plan.mixed]

    def mixed(values: Numbers, *scores: Numbers) -> Numbers:
        return mix.compute(step.compute(*scores), values)

    shown = plan.then("weights", lambda weights: weights.mean(axis=-3))
    yield Variation(shown.computing(mix.name, mixed, (plan.values, *step.inputs)))


MISTAKES = (
    Mistake(
        "heads-interleaved",
        "Heads take every h-th column instead of neighbouring ones",
        _split_by(_interleaved, _columns_interleaved),
        "The columns are split as (n, d, h) instead of (n, h, d): head 0 gets columns "
        "0, h, 2h, … instead of 0 to d − 1.",
        Remedy("q.view(n, d, h)", "q.view(n, h, d)"),
        Remedy("q.reshape(n, d, h)", "q.reshape(n, h, d)"),
        "Vaswani et al. 2017, section 3.2.2; nn.MultiheadAttention",
    ),
    Mistake(
        "heads-not-transposed",
        "Heads are split by a view without a transpose",
        _split_by(_viewed, _side_by_view),
        "The array is read as (h, n, d) as it lies in memory, so that each head gets "
        "some of the tokens instead of some of the columns.",
        Remedy("q.view(h, n, d)", "q.view(n, h, d).transpose(0, 1)"),
        Remedy("q.reshape(h, n, d)", "q.reshape(n, h, d).swapaxes(0, 1)"),
        "nn.MultiheadAttention",
        across_rows=True,
    ),
    Mistake(
        "concat-not-transposed",
        "Heads are joined without a transpose",
        _joined_by(_side_by_view),
        "The heads (h, n, d) are read as (n, h·d) as they lie in memory, which mixes "
        "the rows of different tokens.",
        Remedy("heads.reshape(n, -1)", "heads.transpose(0, 1).reshape(n, -1)"),
        Remedy("heads.reshape(n, -1)", "heads.swapaxes(0, 1).reshape(n, -1)"),
        "nn.MultiheadAttention",
        across_rows=True,
    ),
    Mistake(
        "concat-interleaved",
        "The columns of the heads are interleaved",
        _joined_by(_columns_interleaved),
        "Column 0 of all heads comes first, then column 1 of all heads, instead of "
        "head after head.",
        Remedy("rearrange(o, 'h n d -> n (d h)')", "rearrange(o, 'h n d -> n (h d)')"),
        Remedy(
            "np.moveaxis(o, 0, -1).reshape(n, -1)", "o.swapaxes(0, 1).reshape(n, -1)"
        ),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "heads-reversed",
        "The heads are joined in reverse order",
        _joined_by(lambda heads: join(heads[..., ::-1, :, :])),
        "The last head comes first.",
        Remedy("torch.cat(heads[::-1], -1)", "torch.cat(heads, -1)"),
        Remedy("np.concatenate(heads[::-1], -1)", "np.concatenate(heads, -1)"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "heads-averaged",
        "The heads are averaged instead of joined",
        _averaged,
        "The mean of the heads takes the place of the heads side by side.",
        Remedy("heads.mean(0)", "torch.cat(tuple(heads), -1)"),
        Remedy("heads.mean(0)", "np.concatenate(list(heads), -1)"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "heads-summed",
        "The heads are added up instead of joined",
        _summed,
        "The sum of the heads takes the place of the heads side by side.",
        Remedy("heads.sum(0)", "torch.cat(tuple(heads), -1)"),
        Remedy("heads.sum(0)", "np.concatenate(list(heads), -1)"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "heads-first-only",
        "Only the first head is used",
        _first_alone,
        "The first head stands alone, beside zeros or in the place of all heads.",
        Remedy("heads[0]", "torch.cat(tuple(heads), -1)"),
        Remedy("heads[0]", "np.concatenate(list(heads), -1)"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "head-missing",
        "A head is left out",
        _one_missing,
        "The columns of head {parameter:.0f} are 0: a loop over the heads ends too "
        "early or begins too late.",
        Remedy("for k in range(h - 1)", "for k in range(h)"),
        Remedy("for k in range(h - 1)", "for k in range(h)"),
        "Vaswani et al. 2017, section 3.2.2",
        recognize=_found_empty,
    ),
    Mistake(
        "heads-wrong-count",
        "The columns are cut into the wrong number of heads",
        _other_counts,
        "The number of heads is {parameter:.0f}, so that heads are of another width "
        "than intended. No shape fails, as long as it divides the columns.",
        Remedy("n_heads = 8", "n_heads = config.num_attention_heads"),
        Remedy("n_heads = 8", "n_heads = config['num_attention_heads']"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "weights-averaged",
        "The weights that are returned are the mean of all heads",
        _weights_averaged,
        "The output is that of separate heads, but the weights were averaged before "
        "they were returned.",
        Remedy("mha(q, k, v)", "mha(q, k, v, average_attn_weights=False)"),
        Remedy("return output, weights.mean(0)", "return output, weights"),
        "nn.MultiheadAttention averages them by default",
        kind="convention",
    ),
)
