"""Documents that several tests look at, and what there is in one."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import Spec
from attnviewer.document import Document

FOUR_WORDS = {
    "X": [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]],
    "W_Q": [[2, 0, 2], [2, 0, 0], [2, 1, 2]],
    "W_K": [[2, 2, 2], [0, 2, 1], [0, 1, 1]],
    "W_V": [[1, 1, 0], [0, 1, 1], [0, 0, 0]],
}
"""The numbers of notebook 000."""
WEIGHTS_OF_TWO_HEADS = Spec(
    projected=False,
    given=True,
    score="given",
    normalizer="none",
    n_heads=2,
    n_kv_heads=1,
    heads_joined=True,
)
"""Of attention weights that are given."""


def four_words(**spec) -> Document:
    """Return the four words of notebook 000, by default with its spec."""
    tokens = ["word 1", "word 2", "word 3", "word 4"]
    return Document("Four words", tokens, FOUR_WORDS, Spec(**spec))


GIVEN = {
    "Q": [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, 0.5], [0.0, 0.0]],
    "K": [[2.0, 0.0], [0.0, 1.0], [1.0, -1.0], [0.5, 0.5], [3.0, 0.0]],
    "V": [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 1.0],
    ],
}
"""Queries and keys of width 2 and values of width 3, one of each for five tokens."""


def given(**spec) -> Document:
    """Return five words with their queries, keys and values."""
    tokens = ["the", "cat", "sat", "down", "."]
    return Document("Given", tokens, GIVEN, Spec(projected=False, given=True, **spec))


def given_heads(**spec) -> Document:
    """Return five words with two heads of queries on one of keys and values."""
    queries = np.hstack([GIVEN["Q"], np.array(GIVEN["Q"])[:, ::-1]])
    return Document(
        "Given heads",
        ["the", "cat", "sat", "down", "."],
        {**GIVEN, "Q": queries},
        Spec(
            projected=False,
            given=True,
            n_heads=2,
            n_kv_heads=1,
            heads_joined=True,
            **spec,
        ),
    )


def given_weights(**spec) -> Document:
    """Return three words with the attention weights of two heads and one-hot values."""
    heads = [
        [[0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]],
    ]
    return Document(
        "Given weights",
        ["the", "cat", "sat"],
        {"S": np.hstack(heads), "V": np.eye(3)},
        replace(WEIGHTS_OF_TWO_HEADS, **spec),
    )


def given_across(**spec) -> Document:
    """Return five words that ask three others, which have the keys and values."""
    matrices = {**GIVEN, "K": GIVEN["K"][:3], "V": GIVEN["V"][:3]}
    return Document(
        "Given across",
        ["the", "cat", "sat", "down", "."],
        matrices,
        Spec(projected=False, given=True, context=True, **spec),
        context_tokens=["le", "chat", "dort"],
    )


def state_of(document: Document) -> tuple[object, ...]:
    """Return all that a document holds, its numbers by their bits."""
    matrices = {
        name: (str(matrix.dtype), matrix.shape, matrix.tobytes())
        for name, matrix in document.matrices.items()
    }
    return (
        document.tokens,
        document.context_tokens,
        document.spec,
        document.recipes,
        matrices,
    )
