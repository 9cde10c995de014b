"""Which tokens of two sequences belong together."""

from functools import lru_cache
from itertools import takewhile

import numpy as np

from attnviewer.compute import IndexArray

MOST_CELLS = 2**24
"""Pairs of tokens, beyond both ends, that are looked at; of more only the ends are."""


@lru_cache(maxsize=8)  # every edit asks for the same ones
def matching_places(after: tuple[str, ...], before: tuple[str, ...]) -> IndexArray:
    """Return which token of one sequence each of another one is.

    Those at the beginning and at the end that are called the same belong together.
    Between them as many as possible do without changing their order: the longest
    common subsequence.

    Parameters
    ----------
    after, before : tuple of str
        The sequences.

    Returns
    -------
    ndarray of intp, shape (len(after),)
        Of each token of `after` its place in `before`, −1 for those that it lacks.
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
    places = np.full(len(after), -1)
    places[:start] = np.arange(start)
    places[stops[0] :] = np.arange(stops[1], len(before))
    inner = after[start : stops[0]], before[start : stops[1]]
    if 0 < len(inner[0]) * len(inner[1]) <= MOST_CELLS:
        for here, there in _common_subsequence(*inner):
            places[start + here] = start + there
    places.flags.writeable = False
    return places


def _common_subsequence(
    one: tuple[str, ...], other: tuple[str, ...]
) -> list[tuple[int, int]]:
    """Return the places of the longest common subsequence, the first of several."""
    numbers = {token: number for number, token in enumerate({*one, *other})}
    rows, columns = (np.array([numbers[t] for t in side]) for side in (one, other))
    # Of what begins at i and j; the shorter side has no more than 2¹² tokens.
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
    """Return how many are the same before the first that are not."""
    return sum(1 for _ in takewhile(bool, map(str.__eq__, one, other)))
