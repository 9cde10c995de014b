"""Mistakes in the positions that RoPE rotates by."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.rotation import (
    first_position,
    rotated,
    rotations,
    scheme_of,
)


def _turned_back(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is not None:
        yield Variation(rotated(plan, scheme, places=np.negative))
        for name in rotations(plan):
            yield Variation(rotated(plan, scheme, [name], places=np.negative))


def _moved(plan: Plan, names: list[str], shift: int) -> Variation:
    scheme = scheme_of(plan)
    assert scheme is not None
    changed = rotated(plan, scheme, names, places=lambda at: at + shift)
    return Variation(changed, float(shift))


def _keys_moved(plan: Plan) -> Iterator[Variation]:
    names = rotations(plan)
    if len(names) == 2:
        for shift in (1, -1, 2, -2):
            yield _moved(plan, names[1:], shift)


def _all_moved(plan: Plan) -> Iterator[Variation]:
    names = rotations(plan)
    if not names:
        return
    if len(names) == 2:
        offset = first_position(plan, names[0])
        if offset:
            yield _moved(plan, names[:1], -offset)
        n_q, n_k = plan.lengths
        if n_k - n_q not in (0, offset):
            yield _moved(plan, names[:1], n_k - n_q - offset)
        for shift in (1, -1):
            yield _moved(plan, names[:1], shift)
    for shift in (1, -1, 2, 8):
        yield _moved(plan, names, shift)


def _constant(plan: Plan) -> Iterator[Variation]:
    """Yield the plans whose rows all have the position of the first, or 0."""
    scheme, names = scheme_of(plan), rotations(plan)
    if scheme is None:
        return
    yield Variation(rotated(plan, scheme, names[:1], places=np.zeros_like))
    if len(names) == 2 and first_position(plan, names[0]):
        first = rotated(plan, scheme, names[:1], places=lambda at: 0 * at + at[0])
        yield Variation(first)


def _from_the_end(plan: Plan) -> Iterator[Variation]:
    scheme = scheme_of(plan)
    if scheme is not None:
        for name in rotations(plan):
            yield Variation(rotated(plan, scheme, [name], places=lambda at: at[::-1]))


_PAPER = "Su et al. 2021, equation 16"

MISTAKES = (
    Mistake(
        "rope-direction",
        "RoPE rotates the other way",
        _turned_back,
        "The sine has the opposite sign, so that positions count backwards.",
        Remedy("x * cos - rotate_half(x) * sin", "x * cos + rotate_half(x) * sin"),
        Remedy("x1 * cos + x2 * sin", "x1 * cos - x2 * sin"),
        "Su et al. 2021, equation 34",
    ),
    Mistake(
        "rope-keys-offset",
        "Keys are rotated by the positions of other tokens",
        _keys_moved,
        "The positions of the keys are off by {parameter:.0f} against those of the "
        "queries.",
        Remedy("rope(k, positions + 1)", "rope(k, positions)"),
        Remedy("rope(k, positions + 1)", "rope(k, positions)"),
        _PAPER,
    ),
    Mistake(
        "rope-offset",
        "RoPE counts from the wrong position",
        _all_moved,
        "Positions are off by {parameter:.0f}.",
        Remedy("torch.arange(1, n + 1)", "torch.arange(n)"),
        Remedy("np.arange(1, n + 1)", "np.arange(n)"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "rope-constant",
        "All queries have the same position",
        _constant,
        "The queries are all rotated by position 0, or by that of the first of them: "
        "positions are not counted on from what the cache holds.",
        Remedy("rope(q, torch.zeros(n))", "rope(q, torch.arange(past, past + n))"),
        Remedy("rope(q, np.zeros(n))", "rope(q, np.arange(past, past + n))"),
        _PAPER,
    ),
    Mistake(
        "rope-reversed",
        "The positions of queries or keys count from the end",
        _from_the_end,
        "On one side the last token has the first position.",
        Remedy("rope(k, torch.arange(n).flip(0))", "rope(k, torch.arange(n))"),
        Remedy("rope(k, np.arange(n)[::-1])", "rope(k, np.arange(n))"),
        _PAPER,
        across_rows=True,
    ),
)
