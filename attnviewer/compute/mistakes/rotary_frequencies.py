"""Mistakes in how fast columns turn in RoPE, and in its sines and cosines."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.rotation import (
    Tables,
    by_tables,
    first_position,
    rotated,
    rotations,
    scheme_of,
)
from attnviewer.compute.mistakes.rounding import COARSE
from attnviewer.compute.positions import Rotary, rotate

NEUTRAL = 1e-6


def _bases(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is not None and scheme.frequencies is None:
        for base in (10000.0, 500000.0, 1e6, 1000.0, 100000.0, 100.0):
            if base != scheme.base:
                changed = rotated(plan, replace(scheme, base=base))
                yield Variation(changed, base)


def _at_base(plan: Plan, base: float) -> Plan | None:
    scheme = scheme_of(plan)
    if scheme is None or scheme.frequencies is not None:
        return None
    return rotated(plan, replace(scheme, base=base))


def _scaled(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is None:
        return
    if scheme.frequencies is not None:
        yield Variation(rotated(plan, replace(scheme, frequencies=None)), 1.0)
    for factor in (2.0, 4.0, 8.0, 16.0, 0.5):
        yield Variation(_stretched(plan, scheme, factor), factor)


def _stretched(plan: Plan, scheme: Rotary, factor: float) -> Plan:
    return rotated(plan, scheme, places=lambda at: at / factor)


def _at_factor(plan: Plan, factor: float) -> Plan | None:
    scheme = scheme_of(plan)
    if scheme is None or abs(factor - 1) < NEUTRAL:
        return None
    return _stretched(plan, scheme, factor)


def _widths(plan: Plan) -> Iterator[Variation]:
    scheme, width = scheme_of(plan), plan.key_width
    if scheme is None or scheme.frequencies is not None:
        return
    names, whole = rotations(plan), replace(scheme, rotary_dim=None)
    if scheme.rotary_dim not in (None, width):
        yield Variation(rotated(plan, whole), float(width))
        for name in names:
            yield Variation(rotated(plan, whole, [name]), float(width))
    quarters = [max(width * k // 8 * 2, 2) for k in (1, 2, 3)]
    for count in dict.fromkeys((*quarters, 2, width - 2)):
        if count % 2 == 0 and 0 < count < width and count != scheme.rotary_dim:
            yield Variation(_turning(plan, scheme, count), float(count))
    turned = scheme.rotary_dim
    if turned is not None and turned < width:
        yield from _by_whole_head(plan, scheme, turned, width)


def _turning(plan: Plan, scheme: Rotary, count: int) -> Plan:
    return rotated(plan, replace(scheme, rotary_dim=count))


def _by_whole_head(
    plan: Plan, scheme: Rotary, turned: int, width: int
) -> Iterator[Variation]:
    """Yield the plans with frequencies of the whole head, and with its last columns."""
    own = scheme.base ** (-np.arange(0, turned, 2) / width)
    changed = replace(scheme, frequencies=tuple(own.tolist()))
    yield Variation(rotated(plan, changed), float(turned))
    last = plan
    for name in rotations(plan):
        compute = plan[name].compute

        def turn(rows: Numbers, compute: Callable[..., Numbers] = compute) -> Numbers:
            return np.roll(compute(np.roll(rows, turned, axis=-1)), -turned, axis=-1)

        last = last.computing(name, turn)
    yield Variation(last, float(turned))


def _seen_width(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan that turns the columns that somebody's queries or keys show."""
    plan, scheme = right.plan, scheme_of(right.plan)
    if scheme is None or scheme.frequencies is not None:
        return
    for name in rotations(plan):
        theirs, source = mine.get(name), plan.stages[name].inputs[0]
        before = mine.get(source, right[source])
        if theirs is None or theirs.shape != before.shape or len(theirs) < 1:
            continue
        moved = np.abs(theirs - before) > 1e-3 * np.abs(before).max()
        columns = np.flatnonzero(moved.reshape(-1, before.shape[-1]).any(axis=0))
        count = int(columns.max(initial=-1)) + 1
        count += count % 2
        if 0 < count < plan.key_width and count != scheme.rotary_dim:
            yield Variation(_turning(plan, scheme, count), float(count))


def _exponents(plan: Plan) -> Iterator[Variation]:
    """Yield the plans whose pair i turns by base^(−i/D), base^(−4i/D) or later."""
    scheme, width = scheme_of(plan), plan.key_width
    if scheme is None or scheme.frequencies is not None:
        return
    turned = scheme.rotary_dim or width
    pairs = np.arange(turned // 2)
    for factor, first in ((1.0, 0), (4.0, 0), (None, 1)):
        own = scheme.base ** (-(factor or 2) * (pairs + first) / turned)
        changed = replace(scheme, frequencies=tuple(own.tolist()))
        yield Variation(rotated(plan, changed), factor)


def _of_whole_model(plan: Plan) -> Iterator[Variation]:
    """Yield the plan with frequencies for the width of all heads together."""
    scheme = scheme_of(plan)
    if scheme is None or scheme.frequencies is not None or plan.spec.n_heads == 1:
        return
    width = plan.key_width * plan.spec.n_heads
    own = scheme.base ** (-np.arange(0, scheme.rotary_dim or plan.key_width, 2) / width)
    changed = replace(scheme, frequencies=tuple(own.tolist()))
    yield Variation(rotated(plan, changed), float(width))


def _reversed(plan: Plan) -> Iterator[Variation]:
    yield from by_tables(lambda t: (t[0][..., ::-1], t[1][..., ::-1]))(plan)


def _coarse_tables(change: Callable[[Numbers], Numbers]) -> Callable[[Tables], Tables]:
    return lambda tables: (change(tables[0]), change(tables[1]))


def _coarse(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is None:
        return
    for change in COARSE.values():
        yield from by_tables(_coarse_tables(change))(plan)
        yield Variation(_by_coarse_angles(plan, scheme, change))
    # Positions above 256 are not whole numbers that bfloat16 has.
    yield Variation(rotated(plan, scheme, places=COARSE["bfloat16"]))


def _by_coarse_angles(
    plan: Plan, scheme: Rotary, change: Callable[[Numbers], Numbers]
) -> Plan:
    """Return the plan whose frequencies and angles are rounded."""
    turned = scheme.rotary_dim or plan.key_width
    own = scheme.frequencies
    if own is None:
        own = tuple(scheme.base ** (-np.arange(0, turned, 2) / turned))
    speeds, factor = change(np.array(own)), scheme.attention_factor
    for name in rotations(plan):
        first = first_position(plan, name) + scheme.offset

        def compute(source: Numbers, first: int = first) -> Numbers:
            at = np.arange(source.shape[-2]) + float(first)
            angles = change(change(at)[:, None] * speeds)
            cos, sin = change(factor * np.cos(angles)), change(factor * np.sin(angles))
            return rotate(source, cos, sin, scheme.interleaved, rotary_dim=turned)

        plan = plan.computing(name, compute)
    return plan


def _magnified(plan: Plan, factor: float) -> Plan | None:
    scheme = scheme_of(plan)
    if scheme is None or abs(factor - 1) < NEUTRAL:
        return None
    return rotated(plan, scheme, tables=lambda t: (t[0] * factor, t[1] * factor))


def _seen_factor(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan whose rotation changes lengths as somebody's does."""
    plan, scheme = right.plan, scheme_of(right.plan)
    if scheme is None or scheme.rotary_dim not in (None, plan.key_width):
        return
    for name in rotations(plan)[:1]:
        theirs, source = mine.get(name), plan.stages[name].inputs[0]
        before = mine.get(source, right[source])
        if theirs is None or theirs.shape != before.shape:
            continue
        lengths = [np.sqrt((rows**2).sum()) for rows in (theirs, before)]
        factor = float(f"{lengths[0] / lengths[1]:.9g}") if lengths[1] else 1.0
        changed = _magnified(plan, factor) if 0.01 < factor < 100 else None
        if changed is not None:
            yield Variation(changed, factor)


def _usual_factors(plan: Plan) -> Iterator[Variation]:
    for stretch in (4, 8, 16, 32):
        factor = 0.1 * float(np.log(stretch)) + 1
        changed = _magnified(plan, factor)
        if changed is not None:
            yield Variation(changed, factor)


def _without_minus(plan: Plan) -> Iterator[Variation]:
    """Yield the plan in which both columns of a pair add the other times the sine."""
    scheme = scheme_of(plan)
    if scheme is None:
        return
    changed = plan
    for name in rotations(plan):
        compute = plan[name].compute
        back = rotated(plan, scheme, [name], places=np.negative)[name].compute

        def mirrored(
            rows: Numbers,
            compute: Callable[..., Numbers] = compute,
            back: Callable[..., Numbers] = back,
        ) -> Numbers:
            # Turned backwards, the first columns of the pairs add instead of subtract.
            width = scheme.rotary_dim or rows.shape[-1]
            firsts = slice(0, width, 2) if scheme.interleaved else slice(width // 2)
            result = compute(rows).copy()
            result[..., firsts] = back(rows)[..., firsts]
            return result

        changed = changed.computing(name, mirrored)
    yield Variation(changed)


MISTAKES = (
    Mistake(
        "rope-base",
        "RoPE has the wrong base",
        _bases,
        "The base of the frequencies is {parameter:.6g}, not the intended number.",
        Remedy("base = 10000.0", "base = config.rope_theta"),
        Remedy("base = 10000.0", "base = config['rope_theta']"),
        "Su et al. 2021, equation 15; Llama 3 has 500000",
        fitted=Range(1.5, 1e8, logarithmic=True),
        along=_at_base,
    ),
    Mistake(
        "rope-scaling",
        "RoPE's positions are stretched by the wrong factor",
        _scaled,
        "Positions are divided by an extra {parameter:.6g}. A factor of 1 means that "
        "the frequencies of the model are not scaled as its rope_scaling says.",
        Remedy("inv_freq", "rope_init_fn(config)  # with rope_scaling"),
        Remedy("positions", "positions / factor"),
        "Chen et al. 2023, “Extending Context Window”; Llama 3's rope_scaling",
        fitted=Range(0.05, 200.0, logarithmic=True),
        along=_at_factor,
    ),
    Mistake(
        "rope-partial",
        "RoPE rotates the wrong number of columns",
        _widths,
        "RoPE rotates {parameter:.0f} columns of each head. Their number, their place "
        "or the width that their frequencies are made for is not the intended one.",
        Remedy("rope(q)", "torch.cat([rope(q[..., :r]), q[..., r:]], -1)"),
        Remedy("rope(q)", "np.concatenate([rope(q[..., :r]), q[..., r:]], -1)"),
        "GPT-NeoX's rotary_pct, Phi's partial_rotary_factor",
        recognize=_seen_width,
    ),
    Mistake(
        "rope-exponent",
        "The exponents of RoPE's frequencies are wrong",
        _exponents,
        "Pair i is rotated by base^(−2i/d) per position. Here the factor is 1 or 4 "
        "instead of 2, or pairs are counted from 1 instead of 0.",
        Remedy(
            "base ** (-torch.arange(d // 2) / d)",
            "base ** (-torch.arange(0, d, 2) / d)",
        ),
        Remedy("base ** (-np.arange(d // 2) / d)", "base ** (-np.arange(0, d, 2) / d)"),
        "Su et al. 2021, equation 15",
    ),
    Mistake(
        "rope-width",
        "RoPE's frequencies are made for the width of the model",
        _of_whole_model,
        "The exponents are −2i/{parameter:.0f}, of all heads together, where they "
        "should be those of one head: its pairs rotate by the first frequencies only.",
        Remedy("RotaryEmbedding(d_model)", "RotaryEmbedding(d_model // n_heads)"),
        Remedy(
            "base ** (-np.arange(0, d, 2) / d_model)",
            "base ** (-np.arange(0, d, 2) / d)",
        ),
        "Su et al. 2021, equation 15",
    ),
    Mistake(
        "rope-frequencies-reversed",
        "RoPE's frequencies are in reverse order",
        _reversed,
        "The first pair rotates slowest instead of fastest.",
        Remedy("freqs.flip(0)", "freqs"),
        Remedy("freqs[::-1]", "freqs"),
        "Su et al. 2021, equation 15",
    ),
    Mistake(
        "rope-sine-cosine",
        "RoPE's sines and cosines are exchanged",
        by_tables(lambda tables: (tables[1], tables[0])),
        "Columns are multiplied by the sine where the cosine belongs, and the other "
        "way round.",
        Remedy("x * sin + rotate_half(x) * cos", "x * cos + rotate_half(x) * sin"),
        Remedy("x1 * sin - x2 * cos", "x1 * cos - x2 * sin"),
        "Su et al. 2021, equation 34",
    ),
    Mistake(
        "rope-minus-missing",
        "RoPE has no minus sign",
        _without_minus,
        "Both columns of a pair add the other times the sine. In a rotation the first "
        "of them subtracts it.",
        Remedy("torch.cat([x2, x1], -1)", "torch.cat([-x2, x1], -1)"),
        Remedy("np.concatenate([x2, x1], -1)", "np.concatenate([-x2, x1], -1)"),
        "Su et al. 2021, equation 34",
    ),
    Mistake(
        "rope-mscale",
        "RoPE's cosines and sines have an extra factor",
        _usual_factors,
        "Cosines and sines are multiplied by {parameter:.6g}. YaRN does so; queries "
        "and keys of other models keep their lengths.",
        Remedy("cos * attention_factor, sin * attention_factor", "cos, sin"),
        Remedy("cos * m, sin * m", "cos, sin"),
        "Peng et al. 2023 (YaRN), section 3.4",
        recognize=_seen_factor,
    ),
    Mistake(
        "rope-low-precision",
        "The tables of RoPE have too few digits",
        _coarse,
        "Positions, angles, or cosines and sines are rounded to half precision. The "
        "error of an angle grows with the position.",
        Remedy("angles.to(torch.bfloat16).cos()", "angles.float().cos()"),
        Remedy("np.cos(angles.astype(np.float16))", "np.cos(angles)"),
        "transformers computes them in float32 (huggingface/transformers#29285)",
        kind="rounding",
    ),
)
