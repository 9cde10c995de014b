"""Weights that tell something: most go to separators, neighbours or the word itself."""

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, IndexArray

_SPECIAL = re.compile(r"[\[<].+[\]>]")
"""``[CLS]``, ``<s>``, ``<|endoftext|>``."""
_CONTINUED = "##"
"""Begins what continues a word, where tokens are WordPiece's."""
_SPACES = " ", "␣"
"""One of them begins a new word, where tokens are those of other tokenizers."""
_BLANKS = " \n\t␣⏎⇥"
"""Blanks, also in readable form."""
MAJORITY = 0.5
"""A key with this weight has as much as all other keys of its query together."""


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

    @property
    def score(self) -> float:
        """The weight times the logarithm of the distance, see `telling_cell`."""
        return self.weight * math.log(abs(self.query - self.key))


def telling_tokens(tokens: Sequence[str]) -> BoolArray:
    """Return which tokens are words, or stand for one as its first piece.

    Parameters
    ----------
    tokens : sequence of str
        The tokens in readable form. A later piece of a word begins with ``##``, or has
        no space before it where others do.

    Returns
    -------
    ndarray of bool, shape (n,)
        False for special tokens, punctuation and the later pieces of words.
    """
    words = [_is_word(token.strip(_BLANKS)) for token in tokens]
    spaced = any(
        word and token.startswith(_SPACES)
        for word, token in zip(words, tokens, strict=True)
    )
    later = [
        token.startswith(_CONTINUED)
        or (spaced and index > 0 and words[index - 1] and not token.startswith(_SPACES))
        for index, token in enumerate(tokens)
    ]
    return np.array(words, np.bool_) & ~np.array(later, np.bool_)


def telling_key(weights: Array, tokens: Sequence[str], query: int) -> int | None:
    """Return the key of a query whose weight tells most.

    It is the strongest that is a word, neither the query itself nor next to it, and not
    the first token, which receives what other keys do not need.

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
        None if no such key has a weight above zero.

    References
    ----------
    Clark et al. 2019, "What Does BERT Look At?", on separators and neighbours; Xiao et
    al. 2023, "Efficient Streaming Language Models with Attention Sinks".
    """
    telling = _may_tell(np.array([query]), tokens)[0] & np.isfinite(weights)  # (n,)
    candidates = np.where(telling, weights, 0)  # (n,)
    key = int(np.argmax(candidates))
    return key if candidates[key] > 0 else None


def telling_cell(
    weights: Array, tokens: Sequence[str], first_query: int = 0
) -> TellingCell | None:
    """Return the weight between two words that tells most.

    Of all keys that have the majority of a query's weight and are no neighbours or
    first token, as in `telling_key`, it is the one with the largest weight × log of the
    distance. The probability that a query attends to a key falls roughly with the
    distance, so that the logarithm is how surprising a distance is.

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
        None if no key has the majority.

    References
    ----------
    Vig and Belinkov 2019, "Analyzing the Structure of Attention in a Transformer
    Language Model", on attention distance.
    """
    queries = np.arange(first_query, first_query + len(weights))  # (rows,)
    asks = telling_tokens(tokens)[queries][:, None]  # (rows, 1)
    telling = _may_tell(queries, tokens) & asks & np.isfinite(weights)  # (rows, n)
    telling &= weights >= MAJORITY
    if not telling.any():
        return None
    surprise = np.log(np.maximum(_distances(queries, len(tokens)), 1))  # (rows, n)
    scores = np.where(telling, weights * surprise, 0)  # (rows, n)
    row, key = np.unravel_index(int(np.argmax(scores)), scores.shape)
    return TellingCell(first_query + int(row), int(key), float(weights[row, key]))


def _is_word(token: str) -> bool:
    if _SPECIAL.fullmatch(token):
        return False
    return any(unicodedata.category(sign)[0] != "P" for sign in token)


def _may_tell(queries: IndexArray, tokens: Sequence[str]) -> BoolArray:
    """Return which keys are words and not next to their query, shape (rows, n)."""
    may: BoolArray = (_distances(queries, len(tokens)) > 1) & telling_tokens(tokens)
    may[:, 0] = False
    return may


def _distances(queries: IndexArray, count: int) -> IndexArray:
    """Return how far each key is from its query, shape (rows, count)."""
    distances: IndexArray = np.abs(queries[:, None] - np.arange(count))
    return distances
