"""Mistakes in encodings that are added to the embeddings."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Range, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.positions import Learned, Sinusoidal, sinusoidal_encoding


def _encoded(
    change: Callable[[Numbers, int], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies the table of encodings, given it and its first position."""

    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = plan.spec.positions
        if isinstance(scheme, Sinusoidal):
            offset = scheme.offset
            yield Variation(plan.then("P", lambda table: change(table, offset)))

    return vary


def _in_halves(table: Numbers, _first: int) -> Numbers:
    return np.concatenate([table[:, ::2], table[:, 1::2]], axis=-1)


def _cosines_first(table: Numbers, _first: int) -> Numbers:
    angles_first = np.empty_like(table)
    angles_first[:, ::2], angles_first[:, 1::2] = table[:, 1::2], table[:, ::2]
    return angles_first


def _angles(shape: tuple[int, ...], first: int, exponents: Numbers) -> Numbers:
    n, _ = shape
    angles: Numbers = (np.arange(n)[:, None] + first) * 10000.0**-exponents
    return angles


def _alternating(angles: Numbers) -> Numbers:
    """Return the sines of even columns and the cosines of odd ones."""
    even = np.arange(angles.shape[-1]) % 2 == 0
    return np.where(even, np.sin(angles), np.cos(angles))


def _sines_alone(table: Numbers, first: int) -> Numbers:
    d = table.shape[-1]
    pairs = np.arange(d) // 2
    return np.sin(_angles(table.shape, first, 2 * pairs / d))


def _by_column(factor: int) -> Callable[[Numbers, int], Numbers]:
    """Return the table whose columns have exponents of their own."""

    def change(table: Numbers, first: int) -> Numbers:
        d = table.shape[-1]
        return _alternating(_angles(table.shape, first, factor * np.arange(d) / d))

    return change


def _by_pair(factor: float) -> Callable[[Numbers, int], Numbers]:
    """Return the table of exponents factor·i / d for pair i, instead of 2i / d."""

    def change(table: Numbers, first: int) -> Numbers:
        d = table.shape[-1]
        pairs = np.arange(d) // 2
        return _alternating(_angles(table.shape, first, factor * pairs / d))

    return change


def _from_pair_one(table: Numbers, first: int) -> Numbers:
    d = table.shape[-1]
    pairs = np.arange(d) // 2 + 1
    return _alternating(_angles(table.shape, first, 2 * pairs / d))


def _exponents(plan: Plan) -> Iterator[Variation]:
    changes = _by_column(2), _by_column(1), _by_pair(1), _by_pair(4), _from_pair_one
    for change in changes:
        yield from _encoded(change)(plan)


def _of_base(plan: Plan, base: float) -> Plan | None:
    if not isinstance(plan.spec.positions, Sinusoidal):
        return None
    first = plan.spec.positions.offset

    def change(table: Numbers) -> Numbers:
        d = table.shape[-1]
        exponents = 2 * (np.arange(d) // 2) / d
        angles = (np.arange(len(table))[:, None] + first) * base**-exponents
        return _alternating(angles)

    return plan.then("P", change)


def _bases(plan: Plan) -> Iterator[Variation]:
    for base in (1000.0, 100000.0, 100.0):
        changed = _of_base(plan, base)
        if changed is not None:
            yield Variation(changed, base)


def _shifted(*places: int) -> Callable[[Plan], Iterator[Variation]]:
    """Return what counts positions from others than the first."""

    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = plan.spec.positions
        shifts = list(places)
        if isinstance(scheme, Sinusoidal):
            if scheme.offset and -scheme.offset not in shifts and 1 not in places:
                shifts.append(-scheme.offset)
            for shift in shifts:
                first = scheme.offset + shift

                def change(table: Numbers, first: int = first) -> Numbers:
                    return sinusoidal_encoding(*table.shape, offset=first)

                if first >= 0:
                    yield Variation(plan.then("P", change), float(shift))
        if isinstance(scheme, Learned):
            spare = plan.shapes["P"][-2] - plan.shapes["X"][-2]
            for shift in shifts:
                if 0 < shift <= spare:
                    yield Variation(_with_table(plan, shift), float(shift))

    return vary


def _with_table(plan: Plan, shift: int) -> Plan:
    compute = plan["X + P"].compute
    return plan.computing("X + P", lambda x, table: compute(x, table[..., shift:, :]))


def _reversed(plan: Plan) -> Iterator[Variation]:
    if "X + P" in plan:
        compute = plan["X + P"].compute

        def turned(x: Numbers, table: Numbers) -> Numbers:
            return compute(x, table[..., : x.shape[-2], :][..., ::-1, :])

        yield Variation(plan.computing("X + P", turned))


def _twice(plan: Plan) -> Iterator[Variation]:
    if "X + P" in plan:
        compute = plan["X + P"].compute
        yield Variation(
            plan.computing("X + P", lambda x, table: compute(compute(x, table), table))
        )


def _sided(plan: Plan) -> Iterator[Variation]:
    """Yield the plans in which not all of queries, keys and values know positions."""
    if "X + P" not in plan or not plan.spec.projected:
        return
    own = [name for name in "QKV" if plan.stages[name].inputs[0] == "X + P"]
    for sides in (["V"], ["K", "V"], ["Q"], ["K"]):
        if set(sides) < set(own):
            changed = plan
            for name in sides:
                step = plan[name]
                inputs = ("X", *step.inputs[1:])
                changed = changed.computing(name, step.compute, inputs)
            yield Variation(changed)


_PAPER = "Vaswani et al. 2017, section 3.5"

MISTAKES = (
    Mistake(
        "sinusoidal-halves",
        "Sines and cosines are in halves instead of alternating",
        _encoded(_in_halves),
        "The first half of the columns has the sines and the second the cosines; "
        "in the paper they alternate.",
        Remedy("torch.cat([sin, cos], -1)", "torch.stack([sin, cos], -1).flatten(-2)"),
        Remedy("np.concatenate([sin, cos], -1)", "p[:, ::2], p[:, 1::2] = sin, cos"),
        "Vaswani et al. 2017, section 3.5; tensor2tensor's code has halves",
        kind="convention",
    ),
    Mistake(
        "positions-from-one",
        "Positions count from 1",
        _shifted(1),
        "The first token has position 1 instead of 0.",
        Remedy("torch.arange(1, n + 1)", "torch.arange(n)"),
        Remedy("np.arange(1, n + 1)", "np.arange(n)"),
        _PAPER,
    ),
    Mistake(
        "positions-shifted",
        "Positions count from another number",
        _shifted(2, -1, 3),
        "The positions of all tokens are off by {parameter:.0f}.",
        Remedy("embed(torch.arange(n) + 2)", "embed(torch.arange(n))"),
        Remedy("table[2 : n + 2]", "table[:n]"),
        "OPT and BART shift learned positions by 2, RoBERTa by padding_idx + 1",
        kind="convention",
    ),
    Mistake(
        "sinusoidal-cosine-first",
        "Cosines and sines are exchanged",
        _encoded(_cosines_first),
        "Even columns have the cosine and odd ones the sine.",
        Remedy("torch.stack([cos, sin], -1)", "torch.stack([sin, cos], -1)"),
        Remedy("p[:, ::2], p[:, 1::2] = cos, sin", "p[:, ::2], p[:, 1::2] = sin, cos"),
        _PAPER,
    ),
    Mistake(
        "sinusoidal-only-sines",
        "All columns have sines",
        _encoded(_sines_alone),
        "Odd columns have the sine of their angle as well, where they should have its "
        "cosine.",
        Remedy("p[:, 1::2] = angles.sin()", "p[:, 1::2] = angles.cos()"),
        Remedy("p[:, 1::2] = np.sin(angles)", "p[:, 1::2] = np.cos(angles)"),
        _PAPER,
    ),
    Mistake(
        "sinusoidal-exponent",
        "The exponents of the encoding's frequencies are wrong",
        _exponents,
        "Pair i has the frequency 10000^(−2i/d), the same for its sine and its cosine. "
        "Here the factor 2 is missing or doubled, each column has its own, or pairs "
        "are counted from 1.",
        Remedy(
            "10000 ** (torch.arange(d) / d)", "10000 ** (torch.arange(0, d, 2) / d)"
        ),
        Remedy("10000 ** (np.arange(d) / d)", "10000 ** (np.arange(0, d, 2) / d)"),
        _PAPER,
    ),
    Mistake(
        "sinusoidal-base",
        "The encoding has the wrong base",
        _bases,
        "The base of the frequencies is {parameter:.6g} instead of 10000.",
        Remedy(
            "1000 ** (-torch.arange(0, d, 2) / d)",
            "10000 ** (-torch.arange(0, d, 2) / d)",
        ),
        Remedy(
            "1000 ** (-np.arange(0, d, 2) / d)", "10000 ** (-np.arange(0, d, 2) / d)"
        ),
        _PAPER,
        fitted=Range(2.0, 1e7, logarithmic=True),
        along=_of_base,
    ),
    Mistake(
        "positions-reversed",
        "Positions count from the end",
        _reversed,
        "The last token has position 0.",
        Remedy("embed(torch.arange(n).flip(0))", "embed(torch.arange(n))"),
        Remedy("table[:n][::-1]", "table[:n]"),
        _PAPER,
    ),
    Mistake(
        "positions-twice",
        "The encoding is added twice",
        _twice,
        "The embeddings have the encoding of their position added a second time.",
        Remedy("self.encode(self.encode(x))", "self.encode(x)"),
        Remedy("(x + table) + table", "x + table"),
        _PAPER,
    ),
    Mistake(
        "positions-on-some",
        "Not all of queries, keys and values are made from X + P",
        _sided,
        "Some of them are projected from the embeddings alone, without their "
        "positions.",
        Remedy("self.v_proj(x)", "self.v_proj(x + positions)"),
        Remedy("x @ w_v", "(x + table) @ w_v"),
        "Vaswani et al. 2017 add P to X; DETR adds it to queries and keys only",
        kind="convention",
    ),
)
