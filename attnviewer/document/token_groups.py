"""Groups of neighbouring tokens: words, sentences or whatever they are named."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST_NAME = 200
"""The most characters of a group's name."""


class TokenGroup(NamedTuple):
    """Neighbouring tokens that have a name together.

    Parameters
    ----------
    name : str
        The name.
    start, stop : int
        The first token, and the one after the last.
    """

    name: str
    start: int
    stop: int


def check_groups(name: str, groups: Sequence[TokenGroup], count: int) -> None:
    """Raise `ValueError` unless groups are in order, apart and among the tokens.

    Parameters
    ----------
    name : str
        What they are called.
    groups : sequence of TokenGroup
        The groups.
    count : int
        The number of tokens.
    """
    for group in groups:
        if not isinstance(group.name, str) or not 0 < len(group.name) <= LONGEST_NAME:
            raise ValueError(
                f"The '{name}' must have names of 1 to {LONGEST_NAME} characters. "
                f"Got {str(group.name)[:LONGEST_NAME]!r} instead."
            )
        if not 0 <= group.start < group.stop <= count:
            raise ValueError(
                f"The '{name}' must lie among the {count} tokens. "
                f"Got '{group.name}' from {group.start} to {group.stop} instead."
            )
    for one, other in pairwise(groups):
        if other.start < one.stop:
            raise ValueError(
                f"The '{name}' must be in order and must not overlap. "
                f"Got '{other.name}' at {other.start}, after '{one.name}' "
                f"up to {one.stop}, instead."
            )


def clipped(groups: Iterable[TokenGroup], count: int) -> tuple[TokenGroup, ...]:
    """Return what is left of groups when only the first tokens are."""
    return tuple(
        group._replace(stop=min(group.stop, count))
        for group in groups
        if group.start < count
    )


def groups_after(
    groups: Sequence[TokenGroup], sources: NDArray[np.intp]
) -> tuple[TokenGroup, ...]:
    """Return the groups after tokens were added, removed or moved.

    A token that is put into a group belongs to it. Of a group that is torn apart or
    copied, the longest part remains, the first of several.

    Parameters
    ----------
    groups : sequence of TokenGroup
        The groups before.
    sources : ndarray of int, shape (tokens,)
        Where each token was before; negative for a new one.
    """
    before = sources.tolist()
    owner = {i: k for k, group in enumerate(groups) for i in range(*group[1:])}
    parts: dict[int, list[tuple[int, int]]] = {}
    last: tuple[int, int] | None = None  # the group of the last old token, and where
    for now, old in enumerate(before):
        if old < 0:
            continue
        group = owner.get(old)
        if group is not None:
            spans = parts.setdefault(group, [])
            if last is not None and last[0] == group and last[1] < old:
                spans[-1] = spans[-1][0], now + 1
            else:
                spans.append((now, now + 1))
        last = None if group is None else (group, old)
    kept = [
        TokenGroup(groups[k].name, *max(spans, key=lambda span: span[1] - span[0]))
        for k, spans in parts.items()
    ]
    return tuple(sorted(kept, key=lambda group: group.start))


def groups_of_beginning(
    groups: Iterable[TokenGroup], others: Iterable[TokenGroup], common: int
) -> tuple[TokenGroup, ...]:
    """Return groups with those of other tokens that begin in the same way.

    Parameters
    ----------
    groups : iterable of TokenGroup
        The own groups, which stay from where the others end or are cut off.
    others : iterable of TokenGroup
        The groups of the other tokens.
    common : int
        How many tokens both begin with.
    """
    others = tuple(others)
    cut = overlapping(others, common - 1, common)
    end = min((g.start for g in cut if g.stop > common), default=common)
    taken = tuple(group for group in others if group.stop <= end)
    for own in groups:
        if own.stop > end:
            taken = with_group(taken, own)
    return taken


def with_group(groups: Iterable[TokenGroup], new: TokenGroup) -> tuple[TokenGroup, ...]:
    """Return groups with another, in place of those that it overlaps."""
    groups = tuple(groups)
    shared = overlapping(groups, new.start, new.stop)
    apart = (group for group in groups if group not in shared)
    return tuple(sorted((*apart, new), key=lambda group: group.start))


def overlapping(
    groups: Iterable[TokenGroup], start: int, stop: int
) -> tuple[TokenGroup, ...]:
    """Return the groups that share tokens with a span."""
    return tuple(g for g in groups if g.start < stop and start < g.stop)
