"""A next token and its probability."""

from typing import NamedTuple


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
