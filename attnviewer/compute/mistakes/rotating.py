"""Mistakes in rotary embedding."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan
from attnviewer.compute.positions import Rotary, rotate
from attnviewer.compute.positions.rotary import rotary_angles
from attnviewer.compute.stages.rotate import Rotate


def _rotations(plan: Plan) -> list[str]:
    """Return the steps that rotate, that of the queries first."""
    names = [n for n, stage in plan.stages.items() if isinstance(stage, Rotate)]
    return sorted(names, key=lambda name: name[-1] != "Q")


def _scheme(plan: Plan) -> Rotary | None:
    scheme = plan.spec.positions
    return scheme if isinstance(scheme, Rotary) else None


def rotated(
    plan: Plan,
    scheme: Rotary,
    names: list[str] | None = None,
    *,
    factor: float = 1.0,
    shift: int = 0,
    dtype: type[np.floating] | None = None,
) -> Plan:
    """Return the plan with other rotations.

    Parameters
    ----------
    plan : Plan
        A plan with rotations.
    scheme : Rotary
        The scheme in place of the right one.
    names : list of str, optional
        Which of its rotations; all by default.
    factor : float
        What positions are multiplied by.
    shift : int
        What is added to positions.
    dtype : type, optional
        What cosines and sines are rounded to.
    """
    for name in _rotations(plan) if names is None else names:
        stage = plan.stages[name]
        assert isinstance(stage, Rotate)
        first = int(np.asarray(stage.offset).reshape(-1)[0])

        def compute(source: Numbers, first: int = first) -> Numbers:
            n, width = source.shape[-2], scheme.rotary_dim or source.shape[-1]
            at = (np.arange(n) + scheme.offset + first + shift) * factor
            cos, sin = rotary_angles(at, width, scheme.base, scheme.frequencies)
            if dtype is not None:
                cos, sin = (a.astype(dtype).astype(np.float64) for a in (cos, sin))
            return rotate(source, cos, sin, scheme.interleaved, rotary_dim=width)

        plan = plan.computing(name, compute)
    return plan


def _by_scheme(
    change: Callable[[Rotary], Rotary | None],
) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = _scheme(plan)
        changed = change(scheme) if scheme else None
        if changed is not None:
            yield Variation(rotated(plan, changed))

    return vary


def _bases(plan: Plan) -> Iterator[Variation]:
    scheme = _scheme(plan)
    if scheme is not None and scheme.frequencies is None:
        for base in (10000.0, 500000.0, 1e6, 1000.0, 100000.0, 10.0, 100.0):
            if base != scheme.base:
                changed = rotated(plan, replace(scheme, base=base))
                yield Variation(changed, base)


def _at_base(plan: Plan, base: float) -> Plan | None:
    scheme = _scheme(plan)
    if scheme is None or scheme.frequencies is not None:
        return None
    return rotated(plan, replace(scheme, base=base))


def _scaled(plan: Plan) -> Iterator[Variation]:
    scheme = _scheme(plan)
    if scheme is None:
        return
    if scheme.frequencies is not None:
        yield Variation(rotated(plan, replace(scheme, frequencies=None)))
    for factor in (2.0, 4.0, 8.0, 16.0, 0.5):
        yield Variation(rotated(plan, scheme, factor=1 / factor), factor)


def _at_factor(plan: Plan, factor: float) -> Plan | None:
    scheme = _scheme(plan)
    return None if scheme is None else rotated(plan, scheme, factor=1 / factor)


def _turned_back(plan: Plan) -> Iterator[Variation]:
    scheme = _scheme(plan)
    if scheme is not None:
        yield Variation(rotated(plan, scheme, factor=-1.0))
        for name in _rotations(plan):
            yield Variation(rotated(plan, scheme, [name], factor=-1.0))


def _without(letter: str) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        names = [n for n in _rotations(plan) if n[-1] == letter]
        if len(_rotations(plan)) == 2:
            yield from (Variation(plan.skipping(name)) for name in names)

    return vary


def _keys_moved(plan: Plan) -> Iterator[Variation]:
    scheme, names = _scheme(plan), _rotations(plan)
    if scheme is not None and len(names) == 2:
        for shift in (1, -1, 2, -2):
            yield Variation(rotated(plan, scheme, names[1:], shift=shift), float(shift))


def _queries_moved(plan: Plan) -> Iterator[Variation]:
    scheme, names = _scheme(plan), _rotations(plan)
    if scheme is None:
        return
    if plan.spec.query_offset and isinstance(plan.spec.query_offset, int):
        lost = -plan.spec.query_offset
        yield Variation(rotated(plan, scheme, names[:1], shift=lost), float(lost))
    for shift in (1, -1, 2, 8):
        yield Variation(rotated(plan, scheme, shift=shift), float(shift))


def _twice(plan: Plan) -> Iterator[Variation]:
    changed = plan
    for name in _rotations(plan):
        compute = plan[name].compute
        changed = changed.then(name, compute)
        yield Variation(plan.then(name, compute))
    if changed is not plan:
        yield Variation(changed)


def _values_too(plan: Plan) -> Iterator[Variation]:
    names = _rotations(plan)
    if not names:
        return
    mix = plan["heads" if "heads" in plan else "output"]
    rotation = plan[names[-1]].compute
    yield Variation(plan.computing(mix.name, lambda w, v: mix.compute(w, rotation(v))))


def _partial(plan: Plan) -> Iterator[Variation]:
    scheme = _scheme(plan)
    if scheme is None or scheme.frequencies is not None:
        return
    names = _rotations(plan)
    width = plan.shapes["W_Q"][-1] // plan.spec.n_heads if plan.spec.projected else 0
    if scheme.rotary_dim is not None:
        yield Variation(rotated(plan, replace(scheme, rotary_dim=None)))
        for name in names:
            yield Variation(rotated(plan, replace(scheme, rotary_dim=None), [name]))
    for count in range(2, width, 2):
        if count != scheme.rotary_dim:
            yield Variation(
                rotated(plan, replace(scheme, rotary_dim=count)), float(count)
            )
    # The frequencies of the whole head on a part of it.
    turned = scheme.rotary_dim
    if turned is not None and width:
        own = scheme.base ** (-np.arange(0, turned, 2) / width)
        changed = replace(scheme, frequencies=tuple(own.tolist()))
        yield Variation(rotated(plan, changed), float(width))


def _coarse(plan: Plan) -> Iterator[Variation]:
    scheme = _scheme(plan)
    if scheme is not None:
        yield Variation(rotated(plan, scheme, dtype=np.float16))


def _none(plan: Plan) -> Iterator[Variation]:
    changed = plan
    for name in _rotations(plan):
        changed = changed.skipping(name)
    if changed is not plan:
        yield Variation(changed)
    if "biased" in plan and "alibi" in type(plan.spec.positions).__name__.lower():
        yield Variation(_without_alibi(plan))
    if "X + P" in plan:
        yield Variation(plan.skipping("X + P"))


def _without_alibi(plan: Plan) -> Plan:
    def compute(scores: Numbers, *bias: Numbers) -> Numbers:
        return scores + bias[0] if bias else scores

    return plan.computing("biased", compute)


_LLAMA = "Llama pairs columns i and i + d/2, RoFormer and GPT-J 2i and 2i + 1"

MISTAKES = (
    Mistake(
        "rope-pairing",
        "The other columns are paired by RoPE",
        _by_scheme(lambda scheme: replace(scheme, interleaved=not scheme.interleaved)),
        "Two columns turn together: either 2i and 2i + 1, or i and i + d/2. Here it is "
        "the other of the two.",
        Remedy(
            "x[..., ::2], x[..., 1::2]  # with Llama's weights", "x.chunk(2, dim=-1)"
        ),
        Remedy("x[..., ::2], x[..., 1::2]", "np.split(x, 2, axis=-1)"),
        _LLAMA,
        kind="convention",
    ),
    Mistake(
        "rope-base",
        "RoPE has another base",
        _bases,
        "The base of the rotations is {parameter:.6g}.",
        Remedy("base = 10000.0", "base = config.rope_theta"),
        Remedy("base = 10000.0", "base = config['rope_theta']"),
        "Su et al. 2021, equation 15; Llama 3 has 500000",
        fitted=Range(1.5, 1e8, logarithmic=True),
        along=_at_base,
    ),
    Mistake(
        "rope-scaling",
        "RoPE turns at another speed",
        _scaled,
        "Positions are stretched by another factor than intended, or the scaling of "
        "the model's frequencies is left out.",
        Remedy("inv_freq", "rope_init_fn(config)  # with rope_scaling"),
        Remedy("positions", "positions / factor"),
        "Chen et al. 2023, “Extending Context Window”; Llama 3's rope_scaling",
        fitted=Range(0.05, 200.0, logarithmic=True),
        along=_at_factor,
    ),
    Mistake(
        "rope-direction",
        "RoPE turns the other way",
        _turned_back,
        "The sign of the sine is the other one: positions count backwards.",
        Remedy("x * cos - rotate_half(x) * sin", "x * cos + rotate_half(x) * sin"),
        Remedy("x1 * cos + x2 * sin", "x1 * cos - x2 * sin"),
        "Su et al. 2021, equation 34",
    ),
    Mistake(
        "rope-keys-missing",
        "Keys are not turned by RoPE",
        _without("K"),
        "Only the queries are turned, so that scores depend on absolute positions.",
        Remedy("q = rope(q)", "q, k = rope(q), rope(k)"),
        Remedy("q = rope(q)", "q, k = rope(q), rope(k)"),
        "Su et al. 2021, equation 16",
    ),
    Mistake(
        "rope-queries-missing",
        "Queries are not turned by RoPE",
        _without("Q"),
        "Only the keys are turned, so that scores depend on absolute positions.",
        Remedy("k = rope(k)", "q, k = rope(q), rope(k)"),
        Remedy("k = rope(k)", "q, k = rope(q), rope(k)"),
        "Su et al. 2021, equation 16",
    ),
    Mistake(
        "rope-keys-offset",
        "Keys are turned by the positions of other tokens",
        _keys_moved,
        "The positions of the keys are off by {parameter:.0f} against those of the "
        "queries.",
        Remedy("rope(k, positions + 1)", "rope(k, positions)"),
        Remedy("rope(k, positions + 1)", "rope(k, positions)"),
        "Su et al. 2021, equation 16",
    ),
    Mistake(
        "rope-offset",
        "RoPE counts from another position",
        _queries_moved,
        "Positions are off by {parameter:.0f}.",
        Remedy("torch.arange(1, n + 1)", "torch.arange(n)"),
        Remedy("np.arange(1, n + 1)", "np.arange(n)"),
        "Su et al. 2021, equation 16",
    ),
    Mistake(
        "rope-twice",
        "RoPE is applied twice",
        _twice,
        "Queries, keys or both are turned twice, by double the angle.",
        Remedy("rope(rope(q))", "rope(q)"),
        Remedy("rope(rope(q))", "rope(q)"),
    ),
    Mistake(
        "rope-on-values",
        "Values are turned by RoPE",
        _values_too,
        "Values are turned as the keys are; RoPE turns queries and keys only.",
        Remedy("q, k, v = rope(q), rope(k), rope(v)", "q, k = rope(q), rope(k)"),
        Remedy("q, k, v = rope(q), rope(k), rope(v)", "q, k = rope(q), rope(k)"),
        "Su et al. 2021, section 3.2.2",
    ),
    Mistake(
        "rope-partial",
        "RoPE turns another number of columns",
        _partial,
        "Another number of columns of each head is turned, or their frequencies are "
        "those of another width.",
        Remedy("rope(q)", "rope(q[..., :rotary_dim]), q[..., rotary_dim:]"),
        Remedy("rope(q)", "rope(q[..., :rotary_dim]), q[..., rotary_dim:]"),
        "GPT-NeoX's rotary_pct, Phi's partial_rotary_factor",
    ),
    Mistake(
        "rope-low-precision",
        "The tables of RoPE have too few digits",
        _coarse,
        "Cosines and sines are rounded to float16, which grows wrong with the "
        "position.",
        Remedy("freqs.half().cos()", "freqs.float().cos()"),
        Remedy("np.cos(angles.astype(np.float16))", "np.cos(angles)"),
        "transformers computes them in float32",
        kind="rounding",
    ),
    Mistake(
        "positions-missing",
        "Positions are not used",
        _none,
        "Neither is RoPE applied, nor are the encodings or ALiBi's biases added.",
        Remedy("q, k", "rope(q), rope(k)"),
        Remedy("x", "x + encoding"),
    ),
)
