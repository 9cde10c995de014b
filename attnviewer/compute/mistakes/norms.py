"""Mistakes in the norms of queries and keys."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from attnviewer.compute.arrays import Array, Numbers, Part
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.rotation import rotations
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.stages.row_norm import RowNorm


def norms(plan: Plan) -> list[RowNorm]:
    """Return the stages that normalise queries and keys, in this order."""
    found = [stage for stage in plan.stages.values() if isinstance(stage, RowNorm)]
    return found if len(found) == len("QK") else []  # one where both are the same


def _by(plan: Plan, norm: QKNorm) -> Plan:
    """Return the plan with another norm of queries and keys."""
    for right, side in zip(norms(plan), "QK", strict=True):
        source = right.inputs[0]
        other = RowNorm(source, side, norm, rows="queries", per_head=right.per_head)

        def compute(*arrays: Array, other: RowNorm = other) -> Numbers:
            return other.forward(Part(), *arrays)

        plan = plan.computing(right.name, compute, other.inputs)
    return plan


def _as(
    change: Callable[[QKNorm], QKNorm | None],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies the norm; not where the change returns None."""

    def vary(plan: Plan) -> Iterator[Variation]:
        own = plan.spec.qk_norm
        changed = change(own) if own and norms(plan) else None
        if changed is not None:
            yield Variation(_by(plan, changed))

    return vary


def _full_width(norm: QKNorm) -> QKNorm:
    return replace(norm, full_width=not norm.full_width)


def _without_gain(norm: QKNorm) -> QKNorm | None:
    bare = replace(norm, gain=False, gain_offset=0.0, shift=False)
    return bare if norm.gain else None


def _offset(norm: QKNorm) -> QKNorm | None:
    return replace(norm, gain_offset=1 - norm.gain_offset) if norm.gain else None


def _other_kind(norm: QKNorm) -> QKNorm:
    if norm.centred:
        return replace(norm, kind="rms", shift=False)
    return replace(norm, kind="layer")


def _epsilons(plan: Plan) -> Iterator[Variation]:
    norm = plan.spec.qk_norm
    if norm is not None:
        for epsilon in (1e-6, 1e-5, 1e-8, 1e-12):
            if epsilon != norm.epsilon:
                yield Variation(_by(plan, replace(norm, epsilon=epsilon)), epsilon)


def _at_epsilon(plan: Plan, epsilon: float) -> Plan | None:
    norm = plan.spec.qk_norm
    return None if norm is None else _by(plan, replace(norm, epsilon=epsilon))


def _other_order(plan: Plan) -> Plan | None:
    """Return the plan whose norm and rotation are exchanged."""
    turns = rotations(plan)
    if not norms(plan) or not turns:
        return None
    changed = plan
    for norm, turn in zip(norms(plan), turns, strict=True):
        first, second = norm.name, turn
        if plan.spec.qk_norm and plan.spec.qk_norm.after_rotary:
            first, second = turn, norm.name
        own, later = plan[first], plan[second]
        changed = changed.computing(
            first, later.compute, (own.inputs[0], *later.inputs[1:])
        ).computing(second, own.compute, (first, *own.inputs[1:]))
    return changed


def _late(plan: Plan) -> Iterator[Variation]:
    changed = _other_order(plan)
    if changed is not None and not (plan.spec.qk_norm or QKNorm()).after_rotary:
        yield Variation(changed)


def _early(plan: Plan) -> Iterator[Variation]:
    changed = _other_order(plan)
    if changed is not None and (plan.spec.qk_norm or QKNorm()).after_rotary:
        yield Variation(changed)


def _gains_exchanged(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose norms have the gains of the other side, where they fit."""
    sides = norms(plan)
    if not sides or not sides[0].norm.gain:
        return
    queries, keys = sides
    yield Variation(
        plan.computing(
            queries.name,
            plan[queries.name].compute,
            (queries.inputs[0], *keys.inputs[1:]),
        ).computing(
            keys.name, plan[keys.name].compute, (keys.inputs[0], *queries.inputs[1:])
        )
    )


def _by_length(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose rows have length 1 before the gain, not √d."""
    norm = plan.spec.qk_norm
    if norm is None or norm.centred:
        return
    changed = plan
    for stage in norms(plan):
        changed = changed.then(stage.name, _shorter)
    yield Variation(changed)


def _shorter(rows: Numbers) -> Numbers:
    found: Numbers = rows / np.sqrt(rows.shape[-1])
    return found


def _values_too(plan: Plan) -> Iterator[Variation]:
    """Yield the plans that normalise the values like keys, with the gain or without."""
    sides = norms(plan)
    if not sides:
        return
    mix, keys = plan[plan.mixed], sides[-1]
    bare = replace(keys.norm, gain=False, gain_offset=0.0, shift=False)
    plain = RowNorm(keys.inputs[0], "K", bare, rows="keys", per_head=keys.per_head)

    def like_keys(weights: Numbers, values: Numbers, *own: Numbers) -> Numbers:
        return mix.compute(weights, plan[keys.name].compute(values, *own))

    inputs = (*mix.inputs, *keys.inputs[1:])
    yield Variation(plan.computing(mix.name, like_keys, inputs))
    if keys.norm.gain:
        yield Variation(
            plan.computing(
                mix.name, lambda w, v: mix.compute(w, plain.forward(Part(), v))
            )
        )


_QWEN = "Qwen 3 normalises each head, before the rotation"
_HENRY = "Henry et al. 2020, “Query-Key Normalization”"

MISTAKES = (
    Mistake(
        "qk-norm-after-rope",
        "Queries and keys are normalised after RoPE instead of before",
        _late,
        "The rotation comes first. The length of a row is the same then, but the gain "
        "is multiplied into rotated columns, so the difference is small.",
        Remedy("norm(rope(q))", "rope(norm(q))"),
        Remedy("norm(rope(q))", "rope(norm(q))"),
        _QWEN + "; vllm-project/vllm-metal#660",
        kind="convention",
    ),
    Mistake(
        "qk-norm-before-rope",
        "Queries and keys are normalised before RoPE instead of after",
        _early,
        "The norm comes first. The length of a row is the same then, but the gain is "
        "multiplied into columns that are yet to be rotated.",
        Remedy("rope(norm(q))", "norm(rope(q))"),
        Remedy("rope(norm(q))", "norm(rope(q))"),
        _QWEN + "; others do so after it",
        kind="convention",
    ),
    Mistake(
        "qk-norm-width",
        "The norm of queries and keys is over the wrong columns",
        _as(_full_width),
        "Each head is normalised by itself where all of them should be together, or "
        "all of them together where each should be by itself.",
        Remedy("norm(q).view(n, h, d)", "norm(q.view(n, h, d))"),
        Remedy("norm(q).reshape(n, h, d)", "norm(q.reshape(n, h, d))"),
        "OLMo 2 normalises over the full width, Qwen 3 per head",
        kind="convention",
    ),
    Mistake(
        "qk-norm-gain-missing",
        "The norm of queries and keys is without its gain",
        _as(_without_gain),
        "The rows are normalised but not multiplied by the learned factors.",
        Remedy("x * torch.rsqrt(ms + eps)", "x * torch.rsqrt(ms + eps) * weight"),
        Remedy("x / np.sqrt(ms + eps)", "x / np.sqrt(ms + eps) * gain"),
        _QWEN,
    ),
    Mistake(
        "qk-norm-gain-offset",
        "The norm's gain is w where 1 + w is meant, or the other way round",
        _as(_offset),
        "Some checkpoints keep the gain less 1, others the gain itself.",
        Remedy("normed * weight", "normed * (1 + weight)"),
        Remedy("normed * gain", "normed * (1 + gain)"),
        "Gemma multiplies by 1 + w, Llama and Qwen by w",
        kind="convention",
    ),
    Mistake(
        "qk-norm-kind",
        "A layer norm takes the place of the RMS norm, or the other way round",
        _as(_other_kind),
        "The mean of each row of queries and keys is subtracted, or is not.",
        Remedy("nn.LayerNorm(d)", "nn.RMSNorm(d)"),
        Remedy("(x - x.mean()) / x.std()", "x / np.sqrt((x**2).mean())"),
        "Zhang and Sennrich 2019, equation 4",
    ),
    Mistake(
        "qk-norm-gains-swapped",
        "The gains of queries and keys are exchanged",
        _gains_exchanged,
        "Queries are multiplied by the factors of keys, and keys by those of queries.",
        Remedy("k_norm(q), q_norm(k)", "q_norm(q), k_norm(k)"),
        Remedy("norm(q, gain_k), norm(k, gain_q)", "norm(q, gain_q), norm(k, gain_k)"),
        _QWEN,
    ),
    Mistake(
        "qk-norm-length",
        "Rows of queries and keys have length 1 instead of √d",
        _by_length,
        "The rows are divided by the root of the sum of their squares, where it should "
        "be that of the mean.",
        Remedy("F.normalize(q, dim=-1) * weight", "F.rms_norm(q, (d,), weight)"),
        Remedy("q / np.sqrt((q**2).sum())", "q / np.sqrt((q**2).mean())"),
        _HENRY,
    ),
    Mistake(
        "qk-norm-on-values",
        "Values are normalised as well",
        _values_too,
        "Values go through the norm of the keys; only queries and keys are to be "
        "normalised.",
        Remedy("q, k, v = norm(q), norm(k), norm(v)", "q, k = norm(q), norm(k)"),
        Remedy("q, k, v = norm(q), norm(k), norm(v)", "q, k = norm(q), norm(k)"),
        _HENRY,
    ),
    Mistake(
        "qk-norm-epsilon",
        "The norm of queries and keys has the wrong epsilon",
        _epsilons,
        "The number that is added to the mean of squares is {parameter:.3g}.",
        Remedy("nn.RMSNorm(d, eps=1e-5)", "nn.RMSNorm(d, eps=config.rms_norm_eps)"),
        Remedy("eps = 1e-5", "eps = config['rms_norm_eps']"),
        "Zhang and Sennrich 2019; transformers' rms_norm_eps",
        fitted=Range(1e-9, 10.0, logarithmic=True),
        along=_at_epsilon,
    ),
)
