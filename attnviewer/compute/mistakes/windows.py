"""Mistakes in the sliding window."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.causality import hiding
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.hiding import (
    Hidden,
    by_positions,
    first_query,
    window_of,
)
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

NONE = None, None

MOST_WIDTHS = 16
"""The most widths that are tried for an output whose rows may all lack keys."""

_LACKING = 1e-3, 0.1
"""Relative differences above which a row of an output is taken to lack a key: in
single and in half precision."""


def _moved(change: int) -> Callable[[Plan], Iterator[Variation]]:
    """Return what moves the ends of the window outwards by some keys."""

    def vary(plan: Plan) -> Iterator[Variation]:
        left, right = window_of(plan)
        sides = [(change, change)] if left is not None and right else []
        sides += [(change, 0)] if left is not None else []
        sides += [(0, change)] if right else []
        for on_left, on_right in sides:
            wide = None if left is None else left + on_left
            ahead = None if right is None else right + on_right
            if (wide or 0) >= 0 and (ahead or 0) >= 0:
                yield Variation(_windowed(plan, wide, ahead))

    return vary


def _windowed(
    plan: Plan, left: int | None, right: int | None, *, causal: bool | None = None
) -> Plan:
    hides_later = plan.spec.causal if causal is None else causal

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        found: Hidden = (keys > queries) & hides_later
        if left is not None:
            found = found | (keys < queries - left)
        if right is not None:
            found = found | (keys > queries + right)
        return found

    return by_positions(plan, rule)


def _ignored(plan: Plan) -> Iterator[Variation]:
    if window_of(plan) != NONE:
        yield Variation(_windowed(plan, None, None))


def _widths(plan: Plan) -> Iterator[Variation]:
    left, right = window_of(plan)
    if left is None:
        return
    keys = left + 1
    for other in dict.fromkeys((2 * keys, keys // 2, keys + 2, keys - 2)):
        if 0 < other != keys:
            ahead = other - 1 if right else right
            yield Variation(_windowed(plan, other - 1, ahead), float(other))


Distance = Callable[[Numbers], Numbers]
"""Turns how far keys lie before their query into the distance that a window limits."""


def _before(back: Numbers) -> Numbers:
    return back


def _to_both_sides(back: Numbers) -> Numbers:
    return np.abs(back)


def _seen_width(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan with the window that somebody's weights show, or the output."""
    plan, (left, ahead) = right.plan, window_of(right.plan)
    if left is None:
        return
    seen = {*_shown(right, mine, _before)}
    if ahead:
        seen |= {*_shown(right, mine, _to_both_sides)}
    if not mine.keys() & {"masked", "weights"}:
        # An output shows the narrower of the intended window and somebody's.
        seen |= {*range(1, min(plan.lengths[1], MOST_WIDTHS) + 1)}
    for width in sorted(seen - {left + 1}):
        for other in (ahead, width - 1) if ahead else (ahead,):
            yield Variation(_windowed(plan, width - 1, other), float(width))


def _seen_window(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan with a window where none is meant, if there is one."""
    plan = right.plan
    if window_of(plan) != NONE:
        return
    for limited in (_before,) if plan.spec.causal else (_before, _to_both_sides):
        for width in _shown(right, mine, limited):
            rule = partial(_further, first_query(plan), limited, width)
            yield Variation(hiding(plan, rule), float(width))


def _further(
    first: int, limited: Distance, width: int, queries: Numbers, keys: Numbers
) -> Hidden:
    found: Hidden = limited(queries + first - keys) >= width
    return found


def _shown(
    right: Evaluation, mine: Mapping[str, Numbers], limited: Distance
) -> Iterable[int]:
    """Return the widths of windows that somebody's weights show, or the output."""
    plan = right.plan
    n_q, n_k = plan.lengths
    queries = np.arange(n_q)[:, None] + first_query(plan)
    away = limited(queries - np.arange(n_k))  # (n_q, n_k)
    if plan.spec.causal:
        away = np.where(np.arange(n_k) > queries, -1, away)
    farthest = away.max(axis=1)  # (n_q,)
    theirs = mine.get("masked", mine.get("weights"))
    if theirs is not None:
        if theirs.shape[-2:] != (n_q, n_k):
            return ()
        seen = np.isfinite(theirs) if "masked" in mine else theirs != 0
        width = int(np.where(seen, away, -1).max(initial=-1)) + 1
        return range(max(width, 1), min(width, farthest.max()) + 1)
    mixed = next((name for name in (plan.mixed, "output") if name in mine), None)
    if mixed is None or mine[mixed].shape != right[mixed].shape:
        return ()
    widths = set[int]()
    for share in _LACKING:
        lacks = _lacking(mine[mixed], right[mixed], share)  # (n_q,)
        if lacks.any():
            # It ends between the farthest keys of rows that lack none and of others.
            least = int(farthest[~lacks].max(initial=0)) + 1
            most = int(farthest[lacks].min())
            widths |= {*range(max(least, most - MOST_WIDTHS + 1), most + 1)}
    return sorted(widths)


def _lacking(theirs: Numbers, exact: Numbers, share: float) -> Hidden:
    """Return which rows differ by more than a share of their numbers, (n_q,)."""
    off = np.abs(theirs - exact) > share * np.abs(theirs)
    found: Hidden = off.reshape(-1, *off.shape[-2:]).any(axis=(0, 2))
    return found


def _both_sides(plan: Plan) -> Iterator[Variation]:
    left, right = window_of(plan)
    if left and not right and (plan.spec.causal or right == 0):
        yield Variation(_windowed(plan, left, left, causal=False))


def _one_side(plan: Plan) -> Iterator[Variation]:
    left, right = window_of(plan)
    if left is not None and right and not plan.spec.causal:
        yield Variation(_windowed(plan, left, 0))
        yield Variation(_windowed(plan, left, None))
        yield Variation(_windowed(plan, None, right))


def _halved(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that takes the window's width for that of both sides together."""
    left, right = window_of(plan)
    if left and right and not plan.spec.causal:
        yield Variation(_windowed(plan, left // 2, right // 2))


def _blocks(plan: Plan) -> Iterator[Variation]:
    left, _ = window_of(plan)
    if left is None:
        return
    width = left + 1

    def rule(queries: Numbers, keys: Numbers) -> Hidden:
        found: Hidden = queries // width != keys // width
        return found | ((keys > queries) & plan.spec.causal)

    yield Variation(by_positions(plan, rule), float(width))


_W = "transformers' sliding window of W holds the query's own key and W − 1 before"

MISTAKES = (
    Mistake(
        "window-one-too-far",
        "The window holds one key too many",
        _moved(1),
        "Each query sees one key more than the window has.",
        Remedy("i - j <= window", "i - j < window"),
        Remedy("i - j <= window", "i - j < window"),
        _W,
        kind="convention",
    ),
    Mistake(
        "window-one-too-near",
        "The window holds one key too few",
        _moved(-1),
        "Each query sees one key fewer than the window has.",
        Remedy("i - j < window - 1", "i - j < window"),
        Remedy("i - j < window - 1", "i - j < window"),
        _W,
        kind="convention",
    ),
    Mistake(
        "window-ignored",
        "The window is not applied",
        _ignored,
        "Queries see keys that are further away than the window.",
        Remedy("mask = causal", "mask = causal & (i - j < window)"),
        Remedy("mask = causal", "mask = causal & (i - j < window)"),
        "Beltagy et al. 2020, section 3.1",
    ),
    Mistake(
        "window-both-sides",
        "The window reaches to both sides",
        _both_sides,
        "Queries also see the keys after them, as many as before: the window takes the "
        "place of the causal mask instead of narrowing it.",
        Remedy("mask = (i - j).abs() < window", "mask = causal & (i - j < window)"),
        Remedy("mask = abs(i - j) < window", "mask = causal & (i - j < window)"),
        "Beltagy et al. 2020, section 3.1",
    ),
    Mistake(
        "window-one-side",
        "The window is right on one side only",
        _one_side,
        "On the other side of the query it ends at the query itself, or not at all.",
        Remedy("i - j < window", "(i - j).abs() < window"),
        Remedy("i - j < window", "abs(i - j) < window"),
        "Beltagy et al. 2020, section 3.1",
    ),
    Mistake(
        "window-halved",
        "The window's width is divided between both sides",
        _halved,
        "Each side has half as many keys: the width is taken for that of both sides.",
        Remedy("(i - j).abs() <= window // 2", "(i - j).abs() <= window"),
        Remedy("abs(i - j) <= window // 2", "abs(i - j) <= window"),
        "Longformer's attention_window counts both sides; others count one",
        kind="convention",
    ),
    Mistake(
        "window-in-blocks",
        "The sequence is cut into blocks instead of a sliding window",
        _blocks,
        "Queries see only keys of their own block of {parameter:.0f}, as in Llama 4's "
        "chunked attention. A sliding window moves with the query.",
        Remedy("i // window == j // window", "i - j < window"),
        Remedy("i // window == j // window", "i - j < window"),
        "Beltagy et al. 2020, section 3.1; Llama 4's attention_chunk_size",
    ),
    Mistake(
        "window-width",
        "The window has the wrong width",
        _widths,
        "Each query sees {parameter:.0f} keys up to its own, not the intended number.",
        Remedy("window = 4096", "window = config.sliding_window"),
        Remedy("window = 4096", "window = config['sliding_window']"),
        "Beltagy et al. 2020, section 3.1",
        recognize=_seen_width,
    ),
    Mistake(
        "window-added",
        "There is a window where none is meant",
        lambda plan: iter(()),
        "Queries see only keys less than {parameter:.0f} places away, as in the local "
        "layers of a model that has local and global ones.",
        Remedy("mask = causal & (i - j < window)", "mask = causal"),
        Remedy("mask = causal & (i - j < window)", "mask = causal"),
        "Gemma 2 and 3 and gpt-oss have layers of both kinds",
        recognize=_seen_window,
    ),
)
