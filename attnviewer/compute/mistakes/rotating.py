"""Mistakes in which rows and columns RoPE rotates."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.arrays import join
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.rotation import (
    by_scheme,
    by_tables,
    first_position,
    rotated,
    rotations,
    scheme_of,
)
from attnviewer.compute.positions import Alibi, rotate
from attnviewer.compute.positions.rotary import rotary_angles


def _without(side: int) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        names = rotations(plan)
        if len(names) == 2:
            yield Variation(plan.skipping(names[side]))

    return vary


def _twice(plan: Plan) -> Iterator[Variation]:
    changed = plan
    for name in rotations(plan):
        compute = plan[name].compute
        changed = changed.then(name, compute)
        yield Variation(plan.then(name, compute))
    if changed is not plan:
        yield Variation(changed)


def _values_too(plan: Plan) -> Iterator[Variation]:
    names = rotations(plan)
    if names:
        mix, rotation = plan[plan.mixed], plan[names[-1]].compute
        yield Variation(
            plan.computing(mix.name, lambda w, v: mix.compute(w, rotation(v)))
        )


def _before_split(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that turns whole rows of all heads, with their own frequencies."""
    scheme = scheme_of(plan)
    if scheme is None or scheme.frequencies is not None or plan.spec.n_heads == 1:
        return
    changed = plan
    for name in rotations(plan):
        first = first_position(plan, name) + scheme.offset

        def compute(heads: Numbers, first: int = first) -> Numbers:
            flat = join(heads)  # (..., n, h·d)
            n, width = flat.shape[-2:]
            cos, sin = rotary_angles(np.arange(n) + first, width, scheme.base)
            turned = rotate(flat, cos, sin, scheme.interleaved)
            split = turned.reshape(*turned.shape[:-1], heads.shape[-3], -1)
            return split.swapaxes(-3, -2)

        changed = changed.computing(name, compute)
    yield Variation(changed)


def _over_heads(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose positions are counted along the axis of the heads."""
    scheme = scheme_of(plan)
    if scheme is None or plan.spec.n_heads == 1:
        return
    changed = plan
    for name in rotations(plan):

        def compute(heads: Numbers) -> Numbers:
            tokens = heads.swapaxes(-3, -2)  # (..., n, h, d)
            width = scheme.rotary_dim or heads.shape[-1]
            at = np.arange(tokens.shape[-2]) + scheme.offset
            cos, sin = rotary_angles(at, width, scheme.base, scheme.frequencies)
            turned = rotate(tokens, cos, sin, scheme.interleaved, rotary_dim=width)
            return turned.swapaxes(-3, -2)

        changed = changed.computing(name, compute)
    yield Variation(changed)


def _mixed_tables(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose tables are laid out for the other pairing."""
    scheme = scheme_of(plan)
    if scheme is None:
        return
    doubled = _side_by_side if scheme.interleaved else _each_twice
    yield from by_tables(lambda t: (doubled(t[0]), doubled(t[1])))(plan)


def _side_by_side(table: Numbers) -> Numbers:
    return np.concatenate([table, table], axis=-1)


def _each_twice(table: Numbers) -> Numbers:
    return np.repeat(table, 2, axis=-1)


def _columns(rows: Numbers, taken: Numbers) -> Numbers:
    return rows[..., taken]


def _permuted(plan: Plan, *, back: bool) -> Plan:
    """Return the plan whose queries and keys have the columns of the other pairing."""
    changed = plan
    scheme = scheme_of(plan)
    assert scheme is not None
    for name in rotations(plan):
        source = plan.stages[name].inputs[0]
        width = scheme.rotary_dim or plan.key_width
        order = np.arange(width).reshape(2, -1).T.reshape(-1)  # 0, w/2, 1, w/2 + 1, …
        if scheme.interleaved ^ back:
            order = np.argsort(order)
        rest = np.arange(width, plan.key_width)
        taken = np.concatenate([order, rest])
        changed = changed.then(source, partial(_columns, taken=taken))
    return changed


def _other_columns(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is not None and plan.spec.projected:
        for back in (False, True):
            yield Variation(_permuted(plan, back=back))


def _other_layout(plan: Plan) -> Iterator[Variation]:
    """Yield the plan with permuted columns and the pairing that belongs to them."""
    scheme = scheme_of(plan)
    if scheme is not None and plan.spec.projected:
        other = replace(scheme, interleaved=not scheme.interleaved)
        yield Variation(rotated(_permuted(plan, back=False), other))


def _none(plan: Plan) -> Iterator[Variation]:
    changed = plan
    for name in rotations(plan):
        changed = changed.skipping(name)
    if changed is not plan:
        yield Variation(changed)
    if isinstance(plan.spec.positions, Alibi):
        yield Variation(_without_alibi(plan))
    if "X + P" in plan:
        yield Variation(plan.skipping("X + P"))


def _without_alibi(plan: Plan) -> Plan:
    def compute(scores: Numbers, *bias: Numbers) -> Numbers:
        return scores + bias[0] if bias else scores

    return plan.computing("biased", compute)


_PAPER = "Su et al. 2021, equation 16"
_LLAMA = "Llama pairs columns i and i + d/2, RoFormer and GPT-J 2i and 2i + 1"

MISTAKES = (
    Mistake(
        "rope-pairing",
        "RoPE pairs columns in the other way",
        by_scheme(lambda scheme: replace(scheme, interleaved=not scheme.interleaved)),
        "Two columns are rotated together: 2i and 2i + 1, or i and i + d/2. The "
        "weights of a model fit only one of the two.",
        Remedy("x[..., ::2], x[..., 1::2]", "x.chunk(2, dim=-1)"),
        Remedy("x[..., ::2], x[..., 1::2]", "np.split(x, 2, axis=-1)"),
        _LLAMA,
        kind="convention",
    ),
    Mistake(
        "rope-keys-missing",
        "Keys are not rotated by RoPE",
        _without(1),
        "Only the queries are rotated, so that scores depend on absolute positions.",
        Remedy("q = rope(q)", "q, k = rope(q), rope(k)"),
        Remedy("q = rope(q)", "q, k = rope(q), rope(k)"),
        _PAPER,
    ),
    Mistake(
        "rope-queries-missing",
        "Queries are not rotated by RoPE",
        _without(0),
        "Only the keys are rotated, so that scores depend on absolute positions.",
        Remedy("k = rope(k)", "q, k = rope(q), rope(k)"),
        Remedy("k = rope(k)", "q, k = rope(q), rope(k)"),
        _PAPER,
    ),
    Mistake(
        "rope-twice",
        "RoPE is applied twice",
        _twice,
        "Queries, keys or both are rotated by double the angle: once where they are "
        "projected and again where they are compared.",
        Remedy("rope(rope(q))", "rope(q)"),
        Remedy("rope(rope(q))", "rope(q)"),
        _PAPER,
    ),
    Mistake(
        "rope-on-values",
        "Values are rotated by RoPE",
        _values_too,
        "Values are rotated as the keys are; RoPE rotates queries and keys only.",
        Remedy("q, k, v = rope(q), rope(k), rope(v)", "q, k = rope(q), rope(k)"),
        Remedy("q, k, v = rope(q), rope(k), rope(v)", "q, k = rope(q), rope(k)"),
        "Su et al. 2021, section 3.2.2",
    ),
    Mistake(
        "positions-missing",
        "Positions are not used",
        _none,
        "RoPE, the encodings or ALiBi's biases are left out, so that nothing but a "
        "mask tells attention the order of the tokens.",
        Remedy("q @ k.mT", "rope(q) @ rope(k).mT"),
        Remedy("x", "x + positions"),
        "Vaswani et al. 2017, section 3.5",
    ),
    Mistake(
        "rope-tables-mixed",
        "RoPE's tables are laid out for the other pairing",
        _mixed_tables,
        "The angles are repeated for one pairing, f0, f0, f1, f1 or f0, f1, f0, f1, "
        "and the columns are exchanged by the other. The two columns of a pair then "
        "are rotated by different angles.",
        Remedy("freqs.repeat_interleave(2, -1)", "torch.cat([freqs, freqs], -1)"),
        Remedy("np.repeat(freqs, 2, axis=-1)", "np.concatenate([freqs, freqs], -1)"),
        _LLAMA,
    ),
    Mistake(
        "rope-before-split",
        "RoPE is applied before the heads are split",
        _before_split,
        "The whole row of h·d columns is rotated, with frequencies of that width. Each "
        "head is to be rotated by itself, all in the same way.",
        Remedy("rope(q).view(n, h, d)", "rope(q.view(n, h, d).transpose(0, 1))"),
        Remedy("rope(q).reshape(n, h, d)", "rope(q.reshape(n, h, d).swapaxes(0, 1))"),
        _PAPER,
    ),
    Mistake(
        "rope-over-heads",
        "RoPE takes the heads for the positions",
        _over_heads,
        "The axis of the heads is where RoPE expects that of the tokens: all tokens of "
        "a head are rotated alike, by the number of the head.",
        Remedy("rope(q)  # (n, h, d)", "rope(q.transpose(0, 1))  # (h, n, d)"),
        Remedy("rope(q)  # (n, h, d)", "rope(q.swapaxes(0, 1))  # (h, n, d)"),
        _PAPER,
    ),
    Mistake(
        "rope-layout",
        "The columns of queries and keys are ordered for the other pairing",
        _other_layout,
        "Queries and keys have permuted columns and are rotated by the pairing that "
        "fits them, so that the scores are the same.",
        Remedy("permute(w_q), rotate_every_two", "w_q, rotate_half"),
        Remedy("permute(w_q), rotate_pairs", "w_q, rotate_halves"),
        _LLAMA + "; transformers permutes the weights of Llama",
        kind="convention",
    ),
    Mistake(
        "rope-weights-permuted",
        "The weights are permuted for the other pairing of RoPE",
        _other_columns,
        "The columns of queries and keys are ordered as the other pairing needs them, "
        "but they are rotated by this one.",
        Remedy("permute(w_q), rotate_half", "w_q, rotate_half"),
        Remedy("permute(w_q), rotate_halves", "w_q, rotate_halves"),
        _LLAMA + "; transformers permutes the weights of Llama",
    ),
)
