"""Alignment of the tokens of two sequences."""

from functools import lru_cache
from itertools import takewhile

import numpy as np

from attnviewer.compute import IndexArray

MOST_CELLS = 2**24
"""Maximum number of pairs of tokens that are aligned between the common ends."""


@lru_cache(maxsize=8)  # every edit asks for the same pair
def matching_indices(after: tuple[str, ...], before: tuple[str, ...]) -> IndexArray:
    """Return the position in one sequence of each token of another.

    Equal names at the beginning and at the end are matched first. Between them as many
    as possible are, in order: the longest common subsequence.

    Parameters
    ----------
    after, before : tuple of str
        The sequences.

    Returns
    -------
    ndarray of intp, shape (len(after),)
        For each token of `after` its position in `before`, or −1 if it is not there.
        Read-only.

    References
    ----------
    Wagner and Fischer 1974, "The String-to-String Correction Problem".
    """
    shorter = min(len(after), len(before))
    start = _n_alike(after[:shorter], before[:shorter])
    rest = shorter - start
    end = _n_alike(after[::-1][:rest], before[::-1][:rest])
    stops = len(after) - end, len(before) - end
    indices = np.full(len(after), -1)
    indices[:start] = np.arange(start)
    indices[stops[0] :] = np.arange(stops[1], len(before))
    inner = after[start : stops[0]], before[start : stops[1]]
    if 0 < len(inner[0]) * len(inner[1]) <= MOST_CELLS:
        for here, there in _common_subsequence(*inner):
            indices[start + here] = start + there
    indices.flags.writeable = False
    return indices


def _common_subsequence(
    one: tuple[str, ...], other: tuple[str, ...]
) -> list[tuple[int, int]]:
    """Return the positions of the longest common subsequence, the first of several."""
    numbers = {token: number for number, token in enumerate({*one, *other})}
    rows, columns = (np.array([numbers[t] for t in side]) for side in (one, other))
    # Lengths for the suffixes from i and j; the shorter side has at most 2¹² tokens.
    lengths = np.zeros((len(one) + 1, len(other) + 1), np.int16)
    for i in range(len(one) - 1, -1, -1):
        below = lengths[i + 1]  # (columns + 1,)
        taken = np.where(columns == rows[i], below[1:] + 1, below[:-1])  # (columns,)
        lengths[i, :-1] = np.maximum.accumulate(taken[::-1])[::-1]
    i = j = 0
    pairs = []
    while lengths[i, j]:
        if one[i] == other[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1, j] >= lengths[i, j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _n_alike(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _ in takewhile(bool, map(str.__eq__, one, other)))
