"""Weights that tell something: most go to separators, neighbours or the word itself."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray

_SPECIAL = re.compile(r"[\[<].+[\]>]")
"""``[CLS]``, ``<s>``, ``<|endoftext|>``."""
NEXT, NEAR = 1, 3
"""Distances within which a key is next to its query, or at least near it."""


class TellingCell(NamedTuple):
    """A query, one of its keys, and the weight.

    Parameters
    ----------
    query, key : int
        Positions, counted from zero.
    weight : float
        The weight.
    """

    query: int
    key: int
    weight: float


def telling_tokens(tokens: Sequence[str]) -> BoolArray:
    """Return which tokens are words: neither special nor punctuation.

    Parameters
    ----------
    tokens : sequence of str
        The tokens in readable form.

    Returns
    -------
    ndarray of bool, shape (n,)
        True for words.
    """
    words = [
        any(sign.isalnum() for sign in token) and not _SPECIAL.fullmatch(token.strip())
        for token in tokens
    ]
    return np.array(words, dtype=bool)


def telling_key(weights: Array, tokens: Sequence[str], query: int) -> int | None:
    """Return the key of a query whose weight tells most.

    It is a word, neither the query itself nor next to it, and not the first token,
    which receives what other keys do not need.

    Parameters
    ----------
    weights : ndarray, shape (n,)
        The weights of the query.
    tokens : sequence of str
        All n tokens.
    query : int
        The position of the query.

    Returns
    -------
    int or None
        None if no weight above zero is left.

    References
    ----------
    Clark et al. 2019, "What Does BERT Look At?", on separators and neighbours; Xiao et
    al. 2023, "Efficient Streaming Language Models with Attention Sinks".
    """
    shown = _far(np.array([query]), tokens, NEXT)[0] & np.isfinite(weights)  # (n,)
    left = np.where(shown, weights, 0)  # (n,)
    key = int(np.argmax(left))
    return key if left[key] > 0 else None


def telling_cell(
    weights: Array, tokens: Sequence[str], first_query: int = 0
) -> TellingCell | None:
    """Return the strongest weight between two words that are far from each other.

    The key is not the first token, see `telling_key`. Most strong weights within a few
    words are those of fixed phrases or of parts of one word.

    Parameters
    ----------
    weights : ndarray, shape (rows, n)
        The weights of successive queries.
    tokens : sequence of str
        All n tokens.
    first_query : int
        The position of the first row.

    Returns
    -------
    TellingCell or None
        None if no weight above zero is left.
    """
    queries = np.arange(first_query, first_query + len(weights))  # (rows,)
    words = telling_tokens(tokens)  # (n,)
    shown = _far(queries, tokens, NEAR) & words[queries][:, None]  # (rows, n)
    left = np.where(shown & np.isfinite(weights), weights, 0)  # (rows, n)
    row, key = np.unravel_index(int(np.argmax(left)), left.shape)
    weight = float(left[row, key])
    if weight <= 0:
        return None
    return TellingCell(first_query + int(row), int(key), weight)


def _far(queries: IndexArray, tokens: Sequence[str], near: int) -> BoolArray:
    """Return which keys are words far from their query, shape (rows, n)."""
    apart = np.abs(queries[:, None] - np.arange(len(tokens)))  # (rows, n)
    far: BoolArray = (apart > near) & telling_tokens(tokens)
    far[:, 0] = False
    return far
