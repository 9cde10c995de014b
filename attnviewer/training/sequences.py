"""The token sequences of a training run: a document's own, or random ones."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array, IndexArray
from attnviewer.document import Document


class Tokens(NamedTuple):
    """Tokens as numbers; equal tokens have equal numbers.

    Parameters
    ----------
    queries : ndarray of intp, shape (..., n_q)
        Those of the queries: 0, 1, … in the order in which they first occur.
    keys : ndarray of intp, shape (..., n_k)
        Those of the keys; the same array unless there is a second sequence.
    """

    queries: IndexArray
    keys: IndexArray


class Sequences:
    """The tokens of a document, and random sequences of the same tokens.

    Parameters
    ----------
    document : Document
        The document.
    batch : int or None
        How many random sequences each step has; None for the document's own tokens.
    seed : int
        What they are drawn with.

    Attributes
    ----------
    own : Tokens
        The tokens of the document.
    names : tuple of str
        All distinct tokens, in the order of their numbers.
    vocabulary : tuple of str
        Those of the queries, which come first.
    drawn : dict of str to ndarray of intp
        The matrices whose rows are looked up by the drawn tokens, and the row of each
        number: that of its first occurrence. Empty without `batch`.
    """

    def __init__(self, document: Document, batch: int | None, seed: int) -> None:
        queries, keys = document.labels
        names = dict.fromkeys((*queries, *keys))
        numbers = {name: number for number, name in enumerate(names)}
        of_queries = np.array([numbers[name] for name in queries], np.intp)  # (n_q,)
        of_keys = np.array([numbers[name] for name in keys], np.intp)  # (n_k,)
        self.own = Tokens(of_queries, of_keys if document.spec.context else of_queries)
        self.names = tuple(names)
        self.vocabulary = tuple(dict.fromkeys(queries))
        self.batch, self.seed = batch, seed
        self._known_keys = np.unique(self.own.keys)  # (distinct keys,)
        self.drawn: dict[str, IndexArray] = {}
        if batch is not None:
            sides = {"X": self.own.queries}
            if document.spec.context:
                sides["context"] = self.own.keys
            self.drawn = {
                name: _first_rows(side, len(names)) for name, side in sides.items()
            }

    def at(self, step: int) -> Tokens:
        """Return the tokens of a step, counted from one; the same whenever asked."""
        if self.batch is None:
            return self.own
        rng = np.random.default_rng([self.seed, step])
        shape = (self.batch, self.own.queries.size)
        queries = rng.integers(len(self.vocabulary), size=shape)  # (batch, n)
        if "context" not in self.drawn:
            return Tokens(queries, queries)
        shape = (self.batch, self.own.keys.size)
        places = rng.integers(self._known_keys.size, size=shape)  # (batch, n_k)
        return Tokens(queries, self._known_keys[places])

    def rows(self, matrix: str, tokens: Tokens) -> IndexArray:
        """Return the rows of a matrix that the tokens have, shape (batch, tokens)."""
        own = tokens.keys if matrix == "context" else tokens.queries
        return self.drawn[matrix][own]


def _first_rows(numbers: IndexArray, count: int) -> IndexArray:
    """Return where each number first occurs, shape (count,); 0 where it does not."""
    rows = np.zeros(count, np.intp)
    present, first = np.unique(numbers, return_index=True)
    rows[present] = first
    return rows


def gathered(gradient: Array, rows: IndexArray, n_rows: int) -> Array:
    """Return the gradient on rows, given that on copies of them.

    Parameters
    ----------
    gradient : ndarray, shape (batch, tokens, columns)
        The gradient on the copies.
    rows : ndarray of intp, shape (batch, tokens)
        Which row each is a copy of.
    n_rows : int
        The number of rows.
    """
    total = np.zeros((n_rows, gradient.shape[-1]))  # (n_rows, columns)
    np.add.at(total, rows, gradient)
    return total
