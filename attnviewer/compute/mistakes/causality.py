"""Mistakes in the causal mask."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.hiding import (
    Hidden,
    by_positions,
    first_query,
    window_of,
)
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def _causal(change: Callable[[Plan], Plan]) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        if plan.spec.causal:
            yield Variation(change(plan))

    return vary


def _moved(plan: Plan, shift: int) -> Plan:
    """Return the plan with the causal limit moved by some keys to the right."""
    left, _ = window_of(plan)

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        late: Hidden = keys > queries + shift
        return late if left is None else late | (keys < queries - left)

    return by_positions(plan, rule)


def _flipped(plan: Plan) -> Plan:
    return by_positions(plan, lambda queries, keys: keys < queries)


def _removed(plan: Plan) -> Plan:
    left, right = window_of(plan)

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        found: Hidden = np.zeros(np.broadcast_shapes(queries.shape, keys.shape), bool)
        if left is not None:
            found = found | (keys < queries - left)
        if right:
            found = found | (keys > queries + right)
        return found

    return by_positions(plan, rule)


def _aligned(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = plan.lengths
    own = first_query(plan)
    if not plan.spec.causal:
        return
    for offset in sorted({0, n_k - n_q} - {own}):
        yield Variation(_moved(plan, offset - own), float(offset))


def _added(plan: Plan) -> Iterator[Variation]:
    """Yield plans whose queries do not see later keys, though they should."""
    if plan.spec.causal:
        return
    n_q, n_k = plan.lengths
    for offset in sorted({first_query(plan), 0, n_k - n_q}):
        yield Variation(hiding(plan, partial(_later, by=offset)), float(offset))


def _later(queries: Numbers, keys: Numbers, by: int) -> Hidden:
    found: Hidden = keys > queries + by
    return found


def _own_key(plan: Plan) -> Iterator[Variation]:
    queries, keys, _ = plan.spec.sources
    if plan.spec.causal or (queries != keys and not plan.spec.given):
        return
    for first in dict.fromkeys((first_query(plan), 0)):
        yield Variation(hiding(plan, partial(_same, by=first)))


def _same(queries: Numbers, keys: Numbers, by: int) -> Hidden:
    found: Hidden = keys == queries + by
    return found


def hiding(plan: Plan, rule: Callable[[Numbers, Numbers], Hidden]) -> Plan:
    """Return the plan that hides further keys just before the normaliser.

    Parameters
    ----------
    plan : Plan
        A plan, with a mask or without.
    rule : callable
        From rows (n_q, 1) and columns (n_k,) to what is hidden.
    """

    def hide(scores: Numbers) -> Numbers:
        n_q, n_k = scores.shape[-2:]
        found = rule(np.arange(n_q)[:, None], np.arange(n_k))
        return np.where(found, -np.inf, scores)

    return plan.then("masked", hide) if plan.masked else plan.reading("weights", hide)


_PAPER = "Vaswani et al. 2017, section 3.2.3"

MISTAKES = (
    Mistake(
        "causal-strict",
        "The causal mask hides the query's own key",
        _causal(lambda plan: _moved(plan, -1)),
        "Each query sees only the keys before it; the first sees none.",
        Remedy("torch.ones(n, n).tril(-1)", "torch.ones(n, n).tril()"),
        Remedy("np.tri(n, k=-1)", "np.tri(n)"),
        _PAPER,
    ),
    Mistake(
        "causal-one-too-far",
        "The causal mask lets each query see the next key",
        _causal(lambda plan: _moved(plan, 1)),
        "Each query sees one key of the future.",
        Remedy("torch.ones(n, n).tril(1)", "torch.ones(n, n).tril()"),
        Remedy("np.tri(n, k=1)", "np.tri(n)"),
        _PAPER,
    ),
    Mistake(
        "causal-flipped",
        "The causal mask is the wrong way round",
        _causal(_flipped),
        "Each query sees its own key and those after it, instead of those before.",
        Remedy("torch.ones(n, n).triu()", "torch.ones(n, n).tril()"),
        Remedy("np.triu(np.ones((n, n)))", "np.tril(np.ones((n, n)))"),
        _PAPER,
    ),
    Mistake(
        "causal-missing",
        "There is no causal mask",
        _causal(_removed),
        "Queries see the keys after them.",
        Remedy(
            "F.scaled_dot_product_attention(q, k, v)",
            "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
        ),
        Remedy("softmax(scores)", "softmax(np.where(np.tri(n), scores, -np.inf))"),
        _PAPER,
    ),
    Mistake(
        "causal-top-left",
        "The causal mask is aligned at another corner",
        _aligned,
        "The mask takes {parameter:.0f} for the position of the first query. Aligned "
        "at the top left that is 0; at the bottom right, as with a cache, n_k − n_q.",
        Remedy("torch.ones(n_q, n_k).tril()", "torch.ones(n_q, n_k).tril(n_k - n_q)"),
        Remedy("np.tri(n_q, n_k)", "np.tri(n_q, n_k, n_k - n_q)"),
        "PyTorch aligns is_causal at the top left, FlashAttention at the bottom right",
        kind="convention",
    ),
    Mistake(
        "causal-added",
        "There is a causal mask where none is meant",
        _added,
        "Queries do not see the keys after them. Encoders and cross-attention have no "
        "causal mask.",
        Remedy(
            "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
            "F.scaled_dot_product_attention(q, k, v)",
        ),
        Remedy("softmax(np.where(np.tri(n), scores, -np.inf))", "softmax(scores)"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "diagonal-masked",
        "Queries do not see their own key",
        _own_key,
        "The diagonal of the scores is −∞, so that no token attends to itself.",
        Remedy("scores.fill_diagonal_(-math.inf)", "scores"),
        Remedy("np.where(np.eye(n), -np.inf, scores)", "scores"),
        "Kitaev et al. 2020 (Reformer) does so on purpose",
        across_rows=True,
    ),
)
