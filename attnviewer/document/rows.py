"""The matrices of a document that have a row for each token."""

from collections.abc import Collection
from typing import Literal, NamedTuple, TypeAlias

from attnviewer.compute import Spec

SequenceName: TypeAlias = Literal["X", "context", "Q", "K", "V", "S"]
"""A sequence is named by any matrix that has a row for each of its tokens."""

EMBEDDED: tuple[SequenceName, ...] = ("X", "context")
"""The sequences of which queries, keys and values are made."""
GIVEN: tuple[SequenceName, ...] = ("Q", "K", "V")
"""Queries, keys and values, where they are inputs rather than steps."""
SCORED: tuple[SequenceName, ...] = ("S", "V")
"""Scores and values, where the scores are an input."""


class Rows(NamedTuple):
    """The matrices of the sequences.

    Parameters
    ----------
    tokens : tuple of str
        Matrices with a row for each query token.
    context_tokens : tuple of str
        Matrices with a row for each token of the second sequence, if there is one.
    """

    tokens: tuple[SequenceName, ...]
    context_tokens: tuple[SequenceName, ...]


def rows_of(spec: Spec, matrices: Collection[str]) -> Rows:
    """Return the matrices of each sequence.

    Parameters
    ----------
    spec : Spec
        The variant. Its keys and values have the tokens of the queries, or those of
        a second sequence.
    matrices : collection of str
        The present matrices; a second sequence is kept even if it is not used.
    """
    known: tuple[SequenceName, ...] = (*EMBEDDED, "S", *GIVEN)
    names = [name for name in known if name in spec.sources]
    if spec.context:
        queries = spec.sources[0]
        asking = tuple(name for name in names if name == queries)
        return Rows(asking, tuple(name for name in names if name != queries))
    kept = "context" in matrices and not spec.given
    return Rows(tuple(names), ("context",) if kept else ())
