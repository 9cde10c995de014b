"""The tokens that may come next, from their logits."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array


class NextToken(NamedTuple):
    """A token that may come next.

    Parameters
    ----------
    id : int
        Its id.
    token : str
        The token as the tokenizer spells it.
    probability : float
        Its probability.
    """

    id: int
    token: str
    probability: float


def probabilities(logits: Array, axis: int = -1) -> Array:
    """Return the softmax of logits along an axis, in double precision."""
    wide = logits.astype(np.float64)
    powers = np.exp(wide - wide.max(axis=axis, keepdims=True))
    shares: Array = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def most_probable(
    probabilities: Array, count: int, names: Callable[[Sequence[int]], Sequence[str]]
) -> list[NextToken]:
    """Return the most probable tokens, most probable first.

    Parameters
    ----------
    probabilities : ndarray, shape (n_tokens,)
        The probability of each token.
    count : int
        How many to return; of equal ones, those of the lower ids.
    names : callable
        Returns the tokens of ids.
    """
    order = np.argsort(-probabilities, kind="stable")[:count]
    spelled = names(order.tolist())
    return [
        NextToken(int(id), name, float(probabilities[id]))
        for id, name in zip(order, spelled, strict=True)
    ]
