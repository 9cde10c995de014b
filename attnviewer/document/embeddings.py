"""Untrained embeddings: a row of numbers for each token."""

from collections.abc import Sequence
from hashlib import shake_256
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.drawing.distributions import Uniform
from attnviewer.document.drawing.recipe import Draw, Recipe
from attnviewer.document.edits import EditError
from attnviewer.document.rearranging import NEW, matched

Embedding: TypeAlias = Literal["random", "one-hot", "hashed"]


def embed(
    tokens: Sequence[str],
    d_model: int,
    method: Embedding,
    seed: int = 0,
    *,
    alike: bool = False,
) -> Array:
    """Return embeddings of tokens.

    Parameters
    ----------
    tokens : sequence of str
        The tokens.
    d_model : int
        The length of each row.
    method : str
        ``random``: ``np.random.seed(seed)``, then ``np.random.rand``; ``one-hot``: a
        1 in the column of the token, by first appearance; ``hashed``: numbers from 0 to
        1 that depend on the token and the seed alone.
    seed : int
        For ``random`` and ``hashed``, 0 to 2³² − 1.
    alike : bool
        Whether equal tokens get equal random rows.

    Returns
    -------
    ndarray, shape (tokens, d_model)

    Raises
    ------
    EditError
        If one-hot rows need more columns.
    """
    vocabulary = list(dict.fromkeys(tokens))
    numbers = {token: number for number, token in enumerate(vocabulary)}
    which = [numbers[token] for token in tokens]
    if method == "one-hot":
        check_one_hot(tokens, d_model)
        return np.eye(len(vocabulary), d_model)[which]  # (tokens, d_model)
    if method == "hashed":
        rows = [_hashed(token, d_model, seed) for token in vocabulary]
        return np.array(rows)[which]  # (tokens, d_model)
    count = len(vocabulary) if alike else len(tokens)
    drawn = Uniform().draw(np.random.RandomState(seed), (count, d_model))
    return drawn[which] if alike else drawn  # (tokens, d_model)


def random_recipe(matrix: str, shape: tuple[int, int], seed: int) -> Recipe:
    """Return the recipe of random embeddings with a row of its own for every token."""
    return Recipe(seed, (Draw(shape, Uniform(), matrix),))


def check_one_hot(tokens: Sequence[str], d_model: int) -> None:
    """Check that there is a column for each distinct token.

    Raises
    ------
    EditError
        With the required d_model.
    """
    needed = len(set(tokens))
    if needed > d_model:
        raise EditError(
            "One-hot rows need a column for each distinct token: d_model must be at "
            f"least {needed}. Got {d_model} instead."
        )


def with_kept_rows(
    tokens: Sequence[str], rows: Array, before: Sequence[str], present: Array
) -> Array:
    """Return rows in which tokens that were there before keep theirs.

    Parameters
    ----------
    tokens : sequence of str
        The tokens of the rows.
    rows : ndarray, shape (tokens, d_model)
        The rows of tokens that are new.
    before : sequence of str
        The tokens before. One that occurs more often now repeats its last row.
    present : ndarray, shape (before, d_model)
        Their rows.

    Returns
    -------
    ndarray, shape (tokens, d_model)
    """
    last = {token: index for index, token in enumerate(before)}
    sources = matched(before, tokens)  # (tokens,)
    for index, token in enumerate(tokens):
        if sources[index] == NEW:
            sources[index] = last.get(token, NEW)
    known = sources != NEW  # (tokens,)
    kept = rows.copy()  # (tokens, d_model)
    kept[known] = present[sources[known]]
    return kept


def _hashed(token: str, d_model: int, seed: int) -> Array:
    # Python's own hash differs between processes; tokens may hold lone surrogates,
    # which have no UTF-8.
    signs = token.encode("utf-8", "surrogatepass")
    digest = shake_256(seed.to_bytes(8, "big") + signs).digest(8 * d_model)
    bits = np.frombuffer(digest, dtype=">u8") >> 11  # (d_model,), 53 bits each
    return bits.astype(np.float64) / 2**53
