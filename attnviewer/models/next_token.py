"""A token that a decoder expects."""

from typing import NamedTuple


class NextToken(NamedTuple):
    """A token that may come next.

    Parameters
    ----------
    id : int
        Its id.
    token : str
        What the tokenizer calls it.
    probability : float
        How probable the model finds it.
    """

    id: int
    token: str
    probability: float
